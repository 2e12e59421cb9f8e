"""Faults of the disk that come and go: inputs stay, the log tells, and all goes on within 5 s of the fault's end."""
import contextlib, os, resource, shutil, subprocess, time

import injection, mounts, pictures
from campaign import put
from service import wait
from spool import Spool, inputs

RESUMED_WITHIN = 5


class Fault:
    """A service with a fault in the middle. `begin` brings it about, `end` takes it away."""

    def __init__(self, campaign, report, name, count=24, large=False):
        self.campaign, self.report, self.name = campaign, report, name
        self.root = campaign.root("disk")
        make = (lambda n: pictures.png(n, 8)) if large else pictures.png
        self.files = {f"{n:03}.png": make(n) for n in range(count)}

    def run(self, service, begin, end, may_go_on=False):
        # Longer than 5 s, so that a pause that doubles each time shows.
        half, stall = len(self.files) // 2, self.campaign.much(8, 1.5)
        names = list(self.files)
        for name in names[:2]:
            put(self.root, name, self.files[name])
        self.report.check(service.wait_told(2, 10), f"{self.name}: nothing is told before the fault")
        began = time.monotonic()
        begin()
        for name in names[2:half]:
            put(self.root, name, self.files[name])
        # What is in hand may come to its end; then everything waits.
        time.sleep(0.5)
        told, used, tree = len(service.told), service.processor_seconds(), service.tree_seconds()
        time.sleep(stall)
        used, tree = service.processor_seconds() - used, service.tree_seconds() - tree
        # What was told while it lasts has to stand as well as anything else; a fault that let all pass was none.
        if not may_go_on:
            self.report.check(len(service.told) < half, f"{self.name}: all outcomes were told during the fault")
        lines = service.others(began)
        self.report.check(lines, f"{self.name}: the log says nothing of it")
        self.report.check(len(lines) < 60, f"{self.name}: {len(lines)} lines of the log in {stall} s")
        self.report.check(tree < stall / 4, f"{self.name}: {tree:.2f} s of processor while stalled for {stall} s")
        told = len(service.told)
        end()
        ended = time.monotonic()
        for name in names[half:]:
            put(self.root, name, self.files[name])
        resumed = service.wait_told(told + 1, 30)
        took = time.monotonic() - ended
        waiting = wait(lambda: Spool(self.root).has_outcomes(names[2:half]), 30, 0.02)
        all_took = time.monotonic() - ended
        self.report.check(resumed and waiting, f"{self.name}: it does not go on after the fault")
        in_time = all_took <= RESUMED_WITHIN
        self.report.check(in_time, f"{self.name}: what waited is done {all_took:.1f} s after the fault")
        self.campaign.drain(self.report, self.root, self.files, 20)
        self.report.fact(f"{self.name} resumed in {took:.1f} s (all that waited {all_took:.1f} s), stalled with "
                         f"{100 * used / stall:.0f} % of a processor")

    def judge(self, service):
        faults = Spool(self.root).settled_faults(inputs(self.files), service.acknowledged, once=True)
        self.report.add(self.name, faults)


def disk(campaign, report):
    if campaign.has_mounts:
        for case in (full, without_inodes, inbox_mounted, outbox_read_only):
            try:
                case(campaign, report)
            except mounts.Failed as failure:
                report.skip(f"{case.__name__}: {failure}")
    else:
        report.skip("full, without inodes, another mount, read-only: only root may mount")
    without_descriptors(campaign, report)
    without_permission(campaign, report)
    failing(campaign, report)


def small(campaign, report, name, options, larger):
    """An outbox on a file system of its own that is too small, and then is enlarged."""
    fault = Fault(campaign, report, name, 60, large=True)
    outbox = os.path.join(fault.root, "outbox")
    os.mkdir(outbox)
    filler = os.path.join(outbox, "media", "filler")

    def begin():
        # What is free now is taken at once by somebody else's file.
        mounts.run("mount", "-o", f"remount,{options}", outbox)
        if "size" in options:
            os.makedirs(os.path.dirname(filler), exist_ok=True)
            with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))

    def end():
        if os.path.exists(filler):
            os.unlink(filler)
        mounts.run("mount", "-o", f"remount,{larger}", outbox)

    with mounts.tmpfs(outbox, larger):
        with campaign.running(report, fault.root) as service:
            fault.run(service, begin, end)
        fault.judge(service)


def full(campaign, report):
    small(campaign, report, "full disk", "size=200k", "size=64m")


def without_inodes(campaign, report):
    small(campaign, report, "no inodes", "nr_inodes=24", "nr_inodes=20000")


def inbox_mounted(campaign, report):
    """Another file system over the inbox, with files, and the old one again."""
    root, files = campaign.root("mounted"), {f"{n}.png": pictures.png(n) for n in range(30)}
    inbox, names, longest = os.path.join(root, "inbox"), [f"{n}.png" for n in range(30)], 0
    with campaign.running(report, root) as service:
        for step in range(3):
            if step == 1:
                mounts.run("mount", "-t", "tmpfs", "tmpfs", inbox)
            elif step == 2:
                mounts.run("umount", "-l", inbox)
            began = time.monotonic()
            for name in names[10 * step:10 * step + 10]:
                with open(os.path.join(inbox, name), "wb") as file:
                    file.write(files[name])
            campaign.drain(report, root, names[:10 * step + 10], 30)
            took = time.monotonic() - began
            longest = max(longest, took)
            report.check(took <= RESUMED_WITHIN, f"inbox mounted, step {step}: {took:.1f} s")
    report.fact(f"another mount as inbox, and back: all out in {longest:.1f} s")
    faults = Spool(root).settled_faults(inputs(files), service.acknowledged, once=True)
    report.add("inbox mounted", faults)


def outbox_read_only(campaign, report):
    fault = Fault(campaign, report, "read-only outbox")
    outbox = os.path.join(fault.root, "outbox")
    os.mkdir(outbox)
    mounts.run("mount", "--bind", outbox, outbox)
    with campaign.running(report, fault.root) as service:
        fault.run(service, lambda: mounts.run("mount", "-o", "remount,bind,ro", outbox),
                  lambda: mounts.run("mount", "-o", "remount,bind,rw", outbox))
    mounts.run("umount", "-l", outbox)
    fault.judge(service)


def without_descriptors(campaign, report):
    fault = Fault(campaign, report, "no descriptors")
    with campaign.running(report, fault.root) as service:
        before = resource.prlimit(service.pid, resource.RLIMIT_NOFILE)

        def begin():
            # As many as it has: whatever it opens is one too many.
            resource.prlimit(service.pid, resource.RLIMIT_NOFILE, (lowest_free(service.pid), before[1]))

        fault.run(service, begin, lambda: resource.prlimit(service.pid, resource.RLIMIT_NOFILE, before))
    fault.judge(service)


def lowest_free(pid):
    held = {int(number) for number in os.listdir(f"/proc/{pid}/fd")}
    return next(number for number in range(len(held) + 1) if number not in held)


def without_permission(campaign, report):
    """Permissions say nothing to root: the service is somebody else here, where it may be run by somebody else."""
    user, tool = 65534, shutil.which("setpriv")
    if not campaign.is_root or tool is None:
        return report.skip("no permission: needs root and setpriv")
    prefix = [tool, f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    tried = subprocess.run([*prefix, "test", "-x", campaign.program])
    if tried.returncode:
        return report.skip("no permission: another user cannot run the program here")
    for folder, mode in (("outbox", 0), ("inbox", 0o500)):
        without(campaign, report, folder, mode, user, prefix)


def without(campaign, report, folder, mode, user, prefix):
    fault = Fault(campaign, report, f"no permission for {folder}")
    for path in (fault.root, os.path.join(fault.root, "inbox")):
        os.chown(path, user, user)
    os.makedirs(os.path.join(fault.root, "staged"))
    reached = subprocess.run([*prefix, "test", "-w", os.path.join(fault.root, "inbox")])
    if reached.returncode:
        return report.skip("no permission: another user cannot reach the temporary directory")
    place = os.path.join(fault.root, folder)
    # setpriv becomes the service: there is no process between.
    with campaign.running(report, fault.root, prefix=prefix) as service:
        fault.run(service, lambda: os.chmod(place, mode), lambda: os.chmod(place, 0o755))
    fault.judge(service)


def failing(campaign, report):
    """Every such call fails for as long as strace is attached."""
    reason = injection.why_not()
    if reason:
        return report.skip(f"failing calls: {reason}")
    for call, error in (("fsync", "EIO"), ("renameat2,renameat,rename", "EROFS"), ("fsync", "ENOSPC")):
        fault = Fault(campaign, report, f"{call.split(',')[0]} with {error}")
        with campaign.running(report, fault.root, "--jobs", "1") as service:
            traced = []
            fault.run(service, lambda: traced.append(injection.Traced.later(campaign, service, call.split(","), error)),
                      lambda: traced[0].detach())
            report.check(traced[0].hits(), f"{fault.name}: no call was made to fail")
            traced[0].clear()
        fault.judge(service)
