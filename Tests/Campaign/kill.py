"""SIGKILL at every system call that changes something, in turn, and each of them failing once, on a small spool."""
import collections, concurrent.futures, os, signal, time

import injection, pictures
from campaign import put
from service import wait
from spool import Input, Spool, inputs

# A run of this spool takes a part of a second; what is not through by then does not go on by itself.
PATIENCE = 7
GOOD, REFUSED = pictures.png(1), b"Buy milk.\n"
FRESH = {"good.png": GOOD, "same.png": GOOD, "linked.png": pictures.png(2), "refused.txt": REFUSED}
LEFT = {"left.png": pictures.png(3), "poison.png": pictures.png(4)}


def claim(root, number, attempts, name):
    """Where a claim of an earlier run lies."""
    path = os.path.join(root, "work", f"{time.time_ns() - 1_000_000_000 + number:016x}.a{attempts}")
    os.makedirs(path)
    return os.path.join(path, name)


class Files:
    """Four new inputs, one of them a hard link and two of them equal; and what an earlier run left: a claim to be
    replayed, one that was in hand at two crashes, and half a file."""
    options = ("--jobs", "1")
    deleted = False
    fresh = FRESH
    handed = inputs(FRESH | LEFT) | {
        "refused.txt": Input(pictures.digest(REFUSED), "rejected"),
        "poison.png": Input(pictures.digest(LEFT["poison.png"]), "rejected")}

    def feed(self, root):
        for name, data in FRESH.items():
            if name == "linked.png":
                kept = os.path.join(root, "kept.png")
                pictures.write(kept, data)
                os.link(kept, os.path.join(root, "inbox", name))
            else:
                put(root, name, data)

    def leave(self, root):
        for number, (name, attempts) in enumerate((("left.png", 1), ("poison.png", 2))):
            pictures.write(claim(root, number, attempts, name), LEFT[name])
        os.makedirs(os.path.join(root, "outbox", ".tmp"))
        pictures.write(os.path.join(root, "outbox", ".tmp", "half"), b"\xff\xd8")


class Feed:
    """The new inputs of a scene, for the run that counts calls."""

    def __init__(self, scene):
        self.scene = scene

    def __call__(self, root):
        self.scene.feed(root)

    def is_through(self, root):
        spool = Spool(root)
        return spool.is_drained() and spool.has_outcomes(self.scene.fresh)


class Run:
    """One run with one fault, the restart without it, and what is wrong after both."""

    def __init__(self, campaign, scene, call, fault, when, from_start):
        self.campaign, self.scene, self.call, self.fault = campaign, scene, call, fault
        self.when, self.from_start = when, from_start
        self.faults, self.is_hit, self.is_irrelevant = [], False, False

    def __call__(self):
        root = self.campaign.root("kill")
        if self.from_start:
            self.scene.feed(root)
        self.scene.leave(root)
        traced = injection.Traced(
            self.campaign, root, [self.call], self.fault, self.when, self.from_start,
            options=self.scene.options)
        service = traced.service
        if not self.from_start:
            self.scene.feed(root)
        through = wait(lambda: service.process.poll() is not None or self.is_done(root), PATIENCE)
        ended = service.process.poll() is not None
        kills = self.fault == "signal=KILL"
        status = service.ended() if ended else service.stop()
        self.is_hit = status == -signal.SIGKILL if kills else bool(traced.hits())
        self.is_irrelevant = not kills and traced.hits_elsewhere()
        traced.clear()
        if not self.is_irrelevant:
            self.judge(root, service, through, ended, kills, status)
        if not self.faults:
            self.campaign.remove(root)
        return self

    def is_done(self, root):
        spool = Spool(root)
        return spool.is_drained() and spool.has_outcomes(self.scene.handed)

    def judge(self, root, service, through, ended, kills, status):
        if not kills:
            if not through:
                self.faults.append(f"it did not go on by itself within {PATIENCE} s: {self.waiting(root)}")
            elif ended and (service.ready or status not in (3, 75)):
                self.faults.append(f"it ended with {status}")
            elif not ended and status != 0:
                self.faults.append(f"SIGTERM: exit status {status}")
        elif ended and not self.is_hit:
            self.faults.append(f"it ended with {status}")
        told = service.acknowledged
        handed, deleted = self.scene.handed, self.scene.deleted
        self.faults += Spool(root).standing_faults({} if deleted else handed, told)
        again = self.campaign.service(root, *self.scene.options)
        if not again.wait_ready():
            self.faults.append(f"it does not start again: {again.lines[-1:]}")
        if not wait(lambda: self.is_done(root), 15):
            self.faults.append(f"after the restart it is not done within 15 s: {self.waiting(root)}")
        if again.stop() != 0:
            self.faults.append("the restarted service did not stop with 0")
        told += again.acknowledged
        # An error of the write that tells an outcome leaves nothing to tell it by.
        faults = Spool(root).settled_faults(handed, told, allowed=self.allowed(), deleted=deleted)
        is_write = "write" in self.call
        self.faults += [fault for fault in faults if not (is_write and "was told 0" in fault)]

    def allowed(self):
        # What an earlier run left was in hand at one crash before, so that a second is its last.
        return ("crashed",) if self.fault == "signal=KILL" else ("unreadable",) if "EIO" in self.fault else ()

    def waiting(self, root):
        missing = sorted(name for name in self.scene.handed if not Spool(root).has_outcomes([name]))
        return ", ".join(missing) or "outcomes are there, and inbox or work are not empty"


def series(campaign, scene, call, fault, count, from_start):
    """Runs with the first, the second … such call at fault until one comes through unhurt; when quick, a few."""
    if campaign.quick:
        places = {1, count // 2 + 1, count} if fault == "signal=KILL" else {count // 2 + 1}
        return [Run(campaign, scene, call, fault, when, from_start)() for when in sorted(places)]
    runs = []
    # Not every run makes as many calls as the one that was counted.
    for when in range(1, 2 * count + 40):
        runs.append(Run(campaign, scene, call, fault, when, from_start)())
        if not runs[-1].is_hit:
            break
    return runs


def kill(campaign, report):
    hit_everywhere(campaign, report, Files(), 300)


def hit_everywhere(campaign, report, scene, least):
    """Each call of a scene at fault in turn. least: how many runs that has to make, but when quick."""
    reason = injection.why_not()
    if reason:
        return report.skip(reason)
    calls = injection.used_calls(campaign, report, lambda: campaign.root("calls"), Feed(scene), scene.options)
    report.fact("calls " + " ".join(f"{call}({count})" for call, (count, _) in sorted(calls.items())))
    totals = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waiting = []
        for number, (call, (count, from_start)) in enumerate(sorted(calls.items())):
            errors = injection.ERRORS if not campaign.quick else (injection.ERRORS[number % 4],)
            for fault in ("signal=KILL", *(f"error={error}" for error in errors)):
                waiting.append(pool.submit(series, campaign, scene, call, fault, count, from_start))
        for series_of_runs in waiting:
            for run in series_of_runs.result():
                totals["killed" if run.fault == "signal=KILL" else "failed"] += run.is_hit and not run.is_irrelevant
                totals["runs"] += 1
                totals["kills"] += run.fault == "signal=KILL"
                totals["elsewhere"] += run.is_irrelevant
                report.add(f"{run.call} #{run.when} {run.fault}", run.faults)
    report.fact(f"{totals['runs']} runs: {totals['killed']} killed at a call, {totals['failed']} with a failed call")
    if totals["elsewhere"]:
        report.fact(f"{totals['elsewhere']} with a failed call on no file of the spool, not judged")
    report.check(totals["killed"] and totals["failed"], "no run was hit")
    report.check(2 * totals["killed"] > totals["kills"], f"only {totals['killed']} of {totals['kills']} kills came about")
    if not campaign.quick:
        report.check(totals["runs"] >= least, f"only {totals['runs']} runs")
