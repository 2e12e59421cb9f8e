"""Power cuts: a file system of our own in a file is shut down in the middle of the work, and mounted again."""
import os, random, shutil, signal, subprocess, time

import mounts, pictures
from service import wait
from spool import Spool, inputs

FILE_SYSTEMS = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"]}
COUNT = 48


class Disk:
    """A file system in a file."""

    def __init__(self, campaign, kind):
        self.image, self.place = (os.path.join(campaign.scratch, f"{kind}.{end}") for end in ("image", "mount"))
        os.makedirs(self.place, exist_ok=True)
        with open(self.image, "wb") as file:
            file.truncate(400 << 20)
        subprocess.run([*FILE_SYSTEMS[kind], self.image], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def mount(self):
        mounts.run("mount", "-o", "loop", self.image, self.place)

    def unmount(self):
        # A child of the killed service may take a moment to let go.
        if not wait(lambda: subprocess.run(["umount", self.place], stderr=subprocess.DEVNULL).returncode == 0, 5, 0.02):
            mounts.run("umount", self.place)


def shutdown_program(campaign):
    """Builds the call that Python does not have; None without a compiler."""
    program, compiler = os.path.join(campaign.scratch, "shutdown"), shutil.which("cc") or shutil.which("clang")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shutdown.c")
    if not os.path.exists(program) and compiler:
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-o", program, source], check=True)
    return program if os.path.exists(program) else None


class Cut:
    """One power cut at a random moment: outcomes told before it, and what is wrong before and after recovery."""

    def __init__(self, campaign, disk, program, number, options):
        self.before, self.after, self.told = [], [], 0
        disk.mount()
        try:
            self.run(campaign, disk, program, number, options)
        finally:
            disk.unmount()

    def run(self, campaign, disk, program, number, options):
        root = os.path.join(disk.place, f"root-{number}")
        files = {f"{n:02}.png": pictures.png(1000 * number + n // 2) for n in range(COUNT)}
        os.makedirs(os.path.join(root, "inbox"))
        for name, data in files.items():
            pictures.write(os.path.join(root, "inbox", name), data)
        subprocess.run(["sync", "-f", root], check=True)
        handed = inputs(files)
        service = campaign.service(root, *options)
        service.wait_ready()
        # Any moment from the first outcome's making to the last's.
        service.wait_told(random.randrange(COUNT - 4), 10)
        time.sleep(random.random() * 0.02)
        if service.process.poll() is not None:
            self.before.append(f"the service ended by itself with {service.ended()}")
            return
        # Stopped first: a call that fails after the cut may not be taken for one that went well.
        # A signal reaches the threads one after the other, and one that still runs could tell of such a call.
        service.signal(signal.SIGSTOP)
        if not wait(service.stands_still, 5, 0.001):
            raise mounts.Failed("the service does not stop for SIGSTOP")
        cut = subprocess.run([program, disk.place], stderr=subprocess.PIPE)
        service.kill()
        if cut.returncode:
            raise mounts.Failed("the file system cannot be shut down: " + cut.stderr.decode().strip())
        told = service.acknowledged
        self.told = len(told)
        disk.unmount()
        disk.mount()
        self.before += Spool(root).standing_faults(handed, told)
        again = campaign.service(root)
        if not again.wait_ready():
            self.after.append("it does not start again")
        wait(lambda: Spool(root).is_drained() and Spool(root).has_outcomes(files), 20, 0.02)
        if again.stop() != 0:
            self.after.append("the restarted service did not stop with 0")
        self.after += Spool(root).settled_faults(handed, told + again.acknowledged)
        shutil.rmtree(root)


def power(campaign, report):
    if not campaign.has_mounts:
        return report.skip("only root may mount")
    program = shutdown_program(campaign)
    if program is None:
        return report.skip("no C compiler for the call that shuts a file system down")
    for kind, command in FILE_SYSTEMS.items():
        if shutil.which(command[0]) is None:
            report.skip(f"{kind}: {command[0]} is missing")
            continue
        try:
            cuts(campaign, report, kind, program)
        except (mounts.Failed, subprocess.CalledProcessError) as failure:
            report.skip(f"{kind}: {failure}")


def cuts(campaign, report, kind, program):
    disk, told, count = Disk(campaign, kind), 0, campaign.much(25, 5)
    for number in range(count):
        cut = Cut(campaign, disk, program, number, ())
        told += cut.told
        report.add(f"{kind} cut {number}, before recovery", cut.before)
        report.add(f"{kind} cut {number}, after recovery", cut.after)
    report.fact(f"{kind}: {count} cuts, {told} of {count * COUNT} outcomes told before them")
    report.check(told > 0, f"{kind}: no cut came after an outcome")
    lost = 0
    for number in range(count, count + 5):
        cut = Cut(campaign, disk, program, number, ("--sync", "no"))
        lost += len(cut.before)
        if lost:
            break
    report.check(lost, f"{kind}: negative control: without fsync nothing was lost either")
    report.fact(f"{kind} without fsync: {lost} violations, as has to be")
    os.unlink(disk.image)
