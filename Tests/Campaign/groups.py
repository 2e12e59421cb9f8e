"""Pushes of several files: all attachments or none, whatever happens, and however they are uploaded."""
import json, os, random, shutil, subprocess, threading, time

import injection, mounts, pictures
from campaign import put_push
from kill import claim, hit_everywhere
from service import wait
from spool import Spool, contents, listing, parsed, push, tree_digest

# Longer than any pause in an upload that is going on.
STEP = 0.4


def files(first, count=3, order=None):
    """The files of a push; with a push.json where an order is asked for."""
    made = {f"{number + 1}.png": pictures.png(1000 + first + number) for number in range(count)}
    if order:
        made["push.json"] = json.dumps({"order": order, "alert": "Three pictures"}).encode()
    return made


ORDER = ["3.png", "1.png", "2.png"]
THREE, LINKED, LEFT, POISON = files(0, order=ORDER), files(10, 2), files(20), files(30, 2)
BAD = files(40) | {"2.png": pictures.png(50)[:-30]}


class Pushes:
    """New pushes, one of them twice, one with a bad file and one with a file that has another name; and what an earlier
    run left: a push to be replayed, one that was in hand at two crashes, and the rest of one that was being removed."""
    options = ("--jobs", "1")
    deleted = False
    fresh = {"three": THREE, "again": THREE, "bad": BAD, "linked": LINKED}
    handed = {
        "three": push(THREE, ORDER), "again": push(THREE, ORDER), "bad": push(BAD, status="rejected"),
        "linked": push(LINKED), "left": push(LEFT), "poison": push(POISON, status="rejected")}

    def feed(self, root):
        kept = os.path.join(root, "kept.png")
        if not os.path.exists(kept):
            pictures.write(kept, LINKED["1.png"])
        for name, entries in self.fresh.items():
            if name != "linked":
                put_push(root, name, entries)
        staged = os.path.join(root, "staged", "linked")
        os.makedirs(staged)
        os.link(kept, os.path.join(staged, "1.png"))
        pictures.write(os.path.join(staged, "2.png"), LINKED["2.png"])
        os.rename(staged, os.path.join(root, "inbox", "linked"))

    def leave(self, root):
        for number, (name, entries, attempts) in enumerate((("left", LEFT, 1), ("poison", POISON, 2))):
            place = claim(root, number, attempts, name)
            os.mkdir(place)
            for entry, data in entries.items():
                pictures.write(os.path.join(place, entry), data)
        rest = os.path.join(root, "work", f"{time.time_ns() - 2_000_000_000:016x}.copy", "gone")
        os.makedirs(rest)
        pictures.write(os.path.join(rest, "2.png"), pictures.png(2))


class Unwanted(Pushes):
    """The same where originals are removed once their outcome is there."""
    options = ("--jobs", "1", "--originals", "delete")
    deleted = True
    handed = Pushes.handed


def groups(campaign, report):
    uploads(campaign, report)
    repeated(campaign, report)
    if campaign.has_mounts:
        try:
            full(campaign, report)
        except mounts.Failed as failure:
            report.skip(f"a full disk: {failure}")
    else:
        report.skip("a full disk: only root may mount")
    reason = injection.why_not()
    if reason:
        return report.skip(reason)
    batch(campaign, report)
    hit_everywhere(campaign, report, Pushes(), 300)
    if not campaign.quick:
        hit_everywhere(campaign, report, Unwanted(), 300)


def batch(campaign, report):
    """A batch that is killed at each call: a push's directory holds the earlier outcome or the new one, each whole, and
    the next run leaves nothing else."""
    root = campaign.root("batch")
    runs = hits = 0
    for call in ("mkdirat", "renameat", "renameat2", "fsync", "unlinkat"):
        for when in range(1, campaign.much(30, 4)):
            shutil.rmtree(os.path.join(root, "out"), ignore_errors=True)
            write(os.path.join(root, "push"), files(400))
            run_batch(campaign, root)
            write(os.path.join(root, "push"), files(410, 2))
            runs += 1
            status = run_batch(campaign, root, [
                injection.STRACE, "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", f"trace={call}",
                "-e", f"inject={call}:signal=KILL:when={when}"])
            hits += status == -9
            report.add(f"batch, {call} #{when}", batch_faults(os.path.join(root, "out"), (3, 2)))
            run_batch(campaign, root)
            report.add(f"batch, {call} #{when}, the next run", batch_faults(os.path.join(root, "out"), (2,), once=True))
            if status != -9:
                break
    report.check(hits >= 5, f"only {hits} of {runs} batches were killed")
    report.fact(f"{hits} batches killed at a call")


def write(folder, entries):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for entry, data in entries.items():
        pictures.write(os.path.join(folder, entry), data)


def run_batch(campaign, root, prefix=()):
    command = [*prefix, campaign.program, "batch", "--group", "push", "--output", "out", "--quiet", "--jobs", "1"]
    return subprocess.run(command, cwd=root, stderr=subprocess.DEVNULL).returncode


def batch_faults(out, counts, once=False):
    """counts: how many attachments the push may have. once: nothing but its directory may be there."""
    folder = os.path.join(out, "push")
    manifest = parsed(contents(os.path.join(folder, "manifest.json"))) or {}
    results = [part.get("output", {}) for part in manifest.get("attachments", ())]
    if manifest.get("status") != "published" or len(results) not in counts:
        yield f"there is a push with {len(results)} attachments, {manifest.get('status')}"
    for result in results:
        data = contents(os.path.join(folder, result.get("file", "")))
        if data is None or pictures.digest(data) != result.get("sha256"):
            yield f"{result.get('file')} is not what the manifest says"
    wanted = sorted(["manifest.json", *(result.get("file", "") for result in results)])
    if listing(folder) != wanted:
        yield f"there are {listing(folder)} instead of {wanted}"
    if once and listing(out) != ["push"]:
        yield f"{listing(out)} is left"


def renamed(root, name, entries):
    put_push(root, name, entries)


def in_steps(root, name, entries):
    """Made in place; each file in two pieces with a pause, and a pause between files."""
    folder = os.path.join(root, "inbox", name)
    os.mkdir(folder)
    for entry, data in entries.items():
        time.sleep(random.random() * STEP)
        with open(os.path.join(folder, entry), "wb", buffering=0) as file:
            file.write(data[:len(data) // 2])
            time.sleep(STEP)
            file.write(data[len(data) // 2:])


def parts(root, name, entries):
    """Made in place; each file under the name of a part until it is whole."""
    folder = os.path.join(root, "inbox", name)
    os.mkdir(folder)
    for entry, data in entries.items():
        path = os.path.join(folder, entry)
        pictures.write(path + ".part", data[:len(data) // 2])
        # Longer than what a directory has to be quiet for.
        time.sleep(2.5)
        pictures.write(path + ".part", data)
        os.rename(path + ".part", path)


def by_program(*command):
    def upload(root, name, entries):
        source = os.path.join(root, "staged", f"source-{threading.get_ident()}", name)
        os.makedirs(source)
        for entry, data in entries.items():
            pictures.write(os.path.join(source, entry), data)
        subprocess.run([*command, source, os.path.join(root, "inbox")], check=True)
    return upload


def uploads(campaign, report):
    """Uploads in several ways at once, for two lanes: each push comes whole, in its order, and once."""
    root, count = campaign.root("uploads"), campaign.much(30, 6)
    ways = [renamed, in_steps, parts, by_program("cp", "-r")]
    if shutil.which("rsync"):
        # Slow enough that it pauses within the larger file.
        ways.append(by_program("rsync", "-a", "--bwlimit=300"))
    else:
        report.skip("rsync is missing")
    handed, trouble = {}, []

    def work(number, way):
        try:
            for turn in range(count):
                name = f"{number}-{turn}"
                order = ORDER if turn % 2 else None
                entries = files(2_000 + 10 * (number * count + turn), order=order)
                entries["2.png"] = campaign.sample.get("sunset-p3.jpg", entries["2.png"])
                handed[name] = push(entries, order)
                way(root, name, entries)
        except (OSError, subprocess.CalledProcessError) as error:
            trouble.append(f"{way.__name__}: {error}")

    with campaign.running(report, root, "--jobs", "2") as service:
        threads = [threading.Thread(target=work, args=each) for each in enumerate(ways)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        campaign.drain(report, root, handed, 60)
    report.faults += trouble
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    report.fact(f"{len(handed)} pushes uploaded in {len(ways)} ways")


def repeated(campaign, report):
    """The same push again costs nothing and is kept once; another of its name has its own outcome."""
    root = campaign.root("again")
    one, other = files(100), files(200)
    with campaign.running(report, root) as service:
        for number, entries in enumerate((one, one, other, one, other)):
            put_push(root, "push", entries)
            report.check(service.wait_told(number + 1, 20), f"push for the {number + 1}th time has no outcome")
            wait(Spool(root).is_drained, 5)
    reused = [said.get("reused") for _, said in service.told]
    report.check(reused == [None, "yes", None, "yes", "yes"], f"the same push again: {reused}")
    spool = Spool(root)
    kept = sorted(map(os.path.basename, spool.originals("push")))
    report.check(len(kept) == 2, f"of two different pushes of one name are kept {kept}")
    for entries in (one, other):
        report.check(spool.holds("push", tree_digest(entries)), "a push that came again is nowhere")
    report.faults += spool.standing_faults({"push": push(other)}, [("push", "published")])


def full(campaign, report):
    """A disk that is full between the attachments of a push holds the push: nothing of it is told until there is room."""
    root = campaign.root("full")
    outbox = os.path.join(root, "outbox")
    os.mkdir(outbox)
    entries = files(300)
    with mounts.tmpfs(outbox, "size=1m,nr_inodes=400"):
        with campaign.running(report, root) as service:
            filler = os.path.join(outbox, "media", "filler")
            os.makedirs(os.path.dirname(filler), exist_ok=True)
            room = os.statvfs(outbox)
            # Room for the first result or two, and for no more.
            pictures.write(filler, b"\0" * (room.f_bavail - 2) * room.f_frsize)
            put_push(root, "push", entries)
            stalled = wait(lambda: any(said.get("event") == "stalled" for _, _, said in service.lines), 10)
            report.check(stalled, "a full disk: the log says nothing of it")
            time.sleep(1)
            report.check(not service.told and not Spool(root).has_outcomes(["push"]),
                         "a full disk: the push has an outcome all the same")
            report.check(listing(os.path.join(root, "work")), "a full disk: the push is not held")
            os.unlink(filler)
            campaign.drain(report, root, {"push": push(entries)}, 20)
        report.faults += Spool(root).settled_faults({"push": push(entries)}, service.acknowledged, once=True)
    report.fact("a full disk holds a push")
