"""A system call of the service that ends it or fails, by strace."""
import os, re, shutil, signal, subprocess, tempfile

from service import wait

STRACE = shutil.which("strace")
# Calls that change something and that workers never make: these may be followed into every process from the start.
SUPERVISOR_CALLS = (
    "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat",
    "symlinkat", "fsync", "fdatasync", "syncfs", "fchmod", "fchmodat", "fchown", "utimensat", "fallocate",
    "copy_file_range", "sendfile")
# Calls that workers make too: strace is attached to the threads of the ready service alone.
SHARED_CALLS = ("write", "pwrite64", "writev", "openat", "openat2", "ftruncate")
ERRORS = ("EIO", "ENOSPC", "EINTR", "EMFILE")


def why_not():
    """The reason for which nothing can be injected here, or None."""
    if STRACE is None:
        return "strace is missing"
    tried = subprocess.run([STRACE, "-f", "-o", "/dev/null", "-e", "trace=unlink", "true"], stderr=subprocess.PIPE)
    if tried.returncode == 0:
        return None
    return "strace may trace nothing: " + tried.stderr.decode(errors="replace").strip()


class Traced:
    """A service under strace. calls: the one that is hit, or several to look at. fault: `signal=KILL`, `error=EIO`."""

    def __init__(self, campaign, root, calls, fault=None, when="1", from_start=True, options=(), full=False):
        self.root = root
        handle, self.trace = tempfile.mkstemp(prefix="trace-", dir=campaign.scratch)
        os.close(handle)
        command = [STRACE, "-qq", "-y", "-o", self.trace, "-e", "signal=none"]
        command += ["-s", "4096" if full else "0", "-e", f"trace={','.join(calls)}"]
        if fault:
            command += ["-e", f"inject={calls[0]}:{fault}:when={when}"]
        self.tracer = None
        if from_start:
            # Not with --seccomp-bpf, which is faster: strace 6.1 then hits the first call of a thread at most.
            self.service = campaign.service(root, *options, prefix=[*command, "-f"], wrapped=True)
            self.is_attached = wait(lambda: self.service.pid or self.service.process.poll() is not None, 5)
        else:
            self.service = campaign.service(root, *options)
            if self.service.wait_ready():
                self.attach(command)

    @classmethod
    def later(cls, campaign, service, calls, error):
        """Lets every such call of a service that runs fail, until it is detached."""
        traced = cls.__new__(cls)
        traced.root, traced.service = service.root, service
        handle, traced.trace = tempfile.mkstemp(prefix="trace-", dir=campaign.scratch)
        os.close(handle)
        names = ",".join(f"?{call}" for call in calls)
        traced.attach([STRACE, "-qq", "-y", "-s", "0", "-o", traced.trace, "-e", "signal=none", "-e", f"trace={names}",
                       "-e", f"inject={names}:error={error}"])
        return traced

    def attach(self, command):
        threads = self.service.threads()
        self.tracer = subprocess.Popen(
            [*command, *(argument for thread in threads for argument in ("-p", str(thread)))],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.is_attached = wait(lambda: all(map(self.is_traced, threads)), 5)

    def is_traced(self, thread):
        try:
            with open(f"/proc/{self.service.pid}/task/{thread}/status") as status:
                return "TracerPid:\t0\n" not in status.read()
        except OSError:
            return True

    def detach(self):
        if self.tracer and self.tracer.poll() is None:
            self.tracer.send_signal(signal.SIGINT)
            self.tracer.wait(5)

    def lines(self):
        with open(self.trace, errors="surrogateescape") as file:
            return file.read().splitlines()

    def hits(self):
        """What was made to fail, of which only calls on the spool's own files are real faults of a disk."""
        return [line for line in self.lines() if "(INJECTED)" in line]

    def hits_elsewhere(self):
        """Whether a call failed that no disk makes fail, such as the write(2) by which one thread wakes another."""
        return any(self.root not in line for line in self.hits())

    def clear(self):
        self.detach()
        os.unlink(self.trace)


def used_calls(campaign, report, root, feed, options):
    """How often each call is made by the one thread that makes it most, as {call: (count, from_start)}."""
    found = {}
    for calls, from_start in ((SUPERVISOR_CALLS, True), (SHARED_CALLS, False)):
        place = root()
        traced = Traced(campaign, place, [f"?{call}" for call in calls], from_start=from_start, options=options)
        traced.service.wait_ready()
        feed(place)
        if not wait(lambda: feed.is_through(place), 15):
            report.fault("under strace, without any fault, the small spool is not done after 15 s")
        traced.service.stop()
        counts = {}
        for line in traced.lines():
            match = re.match(r"(?:(\d+) +)?(\w+)\(", line)
            if match and traced.root in line:
                by_thread = counts.setdefault(match[2], {})
                by_thread[match[1]] = by_thread.get(match[1], 0) + 1
        traced.clear()
        campaign.remove(place)
        found |= {call: (max(by_thread.values()), from_start) for call, by_thread in counts.items()}
    return found
