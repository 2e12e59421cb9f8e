"""What every scenario is given: the program, a place, and how much to do."""
import contextlib, itertools, os, shutil, threading

import pictures
from service import Service, wait
from spool import Spool


class Campaign:
    def __init__(self, program, scratch, corpus=None, quick=False, has_mounts=False):
        self.program, self.scratch, self.corpus, self.quick = os.path.abspath(program), scratch, corpus, quick
        self.sample = pictures.sample(program, scratch)
        self.numbers = itertools.count()
        self.is_root, self.has_mounts = os.geteuid() == 0, has_mounts
        self.here = set(os.listdir(scratch))

    def much(self, whole, quick):
        return quick if self.quick else whole

    def root(self, name):
        """A new root directory with its inbox; the service makes the others."""
        path = os.path.join(self.scratch, f"{name}-{next(self.numbers)}")
        os.makedirs(os.path.join(path, "inbox"))
        return path

    def service(self, root, *options, **more):
        return Service(self.program, root, *options, log=self.log(root), **more)

    def log(self, root):
        """Where the log of a root's services is kept: never on the file system that is at fault."""
        return os.path.join(self.scratch, os.path.basename(root) + ".log")

    @contextlib.contextmanager
    def running(self, report, root, *options, **more):
        """A service that is ready, and is stopped at the end, which has to go well."""
        service = self.service(root, *options, **more)
        try:
            if not service.wait_ready():
                said = service.lines[-1][1].decode(errors="replace").strip() if service.lines else "nothing"
                raise NotReady(f"the service did not get ready; it said {said}")
            yield service
        finally:
            if service.process.poll() is not None:
                report.fault(f"the service ended by itself with {service.ended()}")
            else:
                status = service.stop()
                report.check(status == 0, f"SIGTERM: exit status {status} instead of 0")

    def drain(self, report, root, handed, seconds, left=()):
        """Waits until every input has its end; how many have none is a fault."""
        def is_drained():
            spool = Spool(root)
            return (set(os.listdir(spool.inbox)) <= set(left) and not os.listdir(spool.work)
                    and spool.has_outcomes(handed))
        if not wait(is_drained, seconds, 0.02):
            present = Spool(root)
            missing = [name for name in handed if not present.has_outcomes([name])]
            report.fault(f"after {seconds} s {len(missing)} have no outcome ({', '.join(map(repr, missing[:3]))}), "
                         f"{len(os.listdir(present.inbox))} are in inbox, {len(os.listdir(present.work))} in work")

    def clear(self):
        """Removes what a scenario left that found no fault."""
        for name in set(os.listdir(self.scratch)) - self.here:
            path = os.path.join(self.scratch, name)
            os.unlink(path) if os.path.isfile(path) else shutil.rmtree(path, ignore_errors=True)

    def remove(self, root):
        shutil.rmtree(root, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.log(root))


class NotReady(Exception):
    pass


def put(root, name, data):
    """Renames a file in, as a careful producer does."""
    staged = os.path.join(root, "staged")
    os.makedirs(staged, exist_ok=True)
    path = os.path.join(staged, str(threading.get_ident()))
    pictures.write(path, data)
    os.rename(path, os.path.join(root, "inbox", name))


def put_push(root, name, files):
    """Renames a directory in that is one push."""
    staged = os.path.join(root, "staged", f"push-{threading.get_ident()}")
    os.makedirs(staged)
    for entry, data in files.items():
        pictures.write(os.path.join(staged, entry), data)
    os.rename(staged, os.path.join(root, "inbox", name))
