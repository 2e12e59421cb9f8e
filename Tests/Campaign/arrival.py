"""What may lie in an inbox besides pictures with good names, and what may happen to the inbox."""
import os, shutil, signal, socket, subprocess, time

import mounts, pictures
from campaign import put
from names import named, odd_names
from service import wait
from spool import Input, Spool, inputs, listing


def arrival(campaign, report):
    for part in (odd, repeated, overflow, replaced, waiting, unseen):
        part(campaign, report)


def odd(campaign, report):
    root = campaign.root("odd")
    inbox, aside = os.path.join(root, "inbox"), os.path.join(root, "aside")
    os.mkdir(aside)
    files = {name: pictures.png(number) for number, name in enumerate(odd_names())}
    handed = inputs(files)
    thing = Input(None, "rejected", is_regular=False)
    with campaign.running(report, root) as service:
        for name, data in files.items():
            put(root, name, data)
        for name, target in (("link", "/etc/hostname"), ("dangling", "nowhere"), ("tree", "/etc")):
            os.symlink(target, os.path.join(inbox, name))
        os.mkfifo(os.path.join(inbox, "fifo"))
        with socket.socket(socket.AF_UNIX) as listener:
            # Its address is shorter than a socket's may be, wherever the root is.
            here = os.open(aside, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{here}/socket")
            os.close(here)
            os.rename(os.path.join(aside, "socket"), os.path.join(inbox, "socket"))
        os.makedirs(os.path.join(aside, "folder", "inner"))
        pictures.write(os.path.join(aside, "folder", "a.png"), pictures.png(7))
        os.rename(os.path.join(aside, "folder"), os.path.join(inbox, "folder"))
        handed |= dict.fromkeys(("link", "dangling", "tree", "fifo", "socket", "folder"), thing)
        if campaign.is_root:
            os.mknod(os.path.join(inbox, "device"), 0o600 | 0o020000, os.makedev(1, 5))
            handed["device"] = thing
        else:
            report.skip("only root may make a device")
        with open(os.path.join(aside, "sparse.jpg"), "wb") as file:
            file.truncate(10 << 30)
        os.rename(os.path.join(aside, "sparse.jpg"), os.path.join(inbox, "sparse.jpg"))
        handed["sparse.jpg"] = Input(None, "rejected")
        for name, data, status in (
                ("empty.jpg", b"", "rejected"), ("one.jpg", b"\xff", "rejected"),
                ("half.png", pictures.png(1)[:-30], "rejected"), ("shut.png", pictures.png(2), None)):
            path = os.path.join(aside, name)
            pictures.write(path, data)
            os.chmod(path, 0 if name == "shut.png" else 0o600)
            os.rename(path, os.path.join(inbox, name))
            handed[name] = Input(pictures.digest(data), status)
        # The original of one has the name of the other's manifest.
        for name in ("note", "note.json", "note.json.json"):
            put(root, name, name.encode())
            handed[name] = Input(pictures.digest(name.encode()), "rejected")
        left = ["..x", ".hidden.png", "a.part", "b.filepart", "c~", "d.tmp", "e.partial", "f.crdownload"]
        for name in left:
            put(root, name, pictures.png(3))
        began = time.monotonic()
        campaign.drain(report, root, handed, 20, left)
        took = time.monotonic() - began
        canary(campaign, report, root, handed, service, "odd names and things", 2)
    bad = [line for _, line, said in service.lines if not said]
    report.check(not bad, f"a line of the log that is none: {bad[:1]}")
    told = named(service.acknowledged, handed)
    report.faults += Spool(root).settled_faults(handed, told, once=True, left=left)
    report.check(listing(inbox) == sorted(left), f"in the inbox are {listing(inbox)} instead of {left}")
    report.fact(f"{len(handed)} odd names and things in {took:.1f} s")


def canary(campaign, report, root, handed, service, after, seconds):
    """A good picture put in last is out in time."""
    name, data = f"canary-{len(handed)}.png", pictures.png(100_000 + len(handed))
    handed[name] = Input(pictures.digest(data))
    put(root, name, data)
    began = time.monotonic()
    if not wait(lambda: Spool(root).has_outcomes([name]), max(10, seconds), 0.01):
        report.fault(f"after {after} a good picture is not out within 10 s")
    took = time.monotonic() - began
    report.check(took <= seconds, f"after {after} a good picture took {took:.1f} s instead of {seconds}")
    return took


def repeated(campaign, report):
    """One name again and again, with the same bytes and with others: each has its outcome, and no original is lost."""
    root, name = campaign.root("repeated"), "again.png"
    one, other = pictures.png(1), pictures.png(2)
    with campaign.running(report, root) as service:
        for number, data in enumerate((one, one, other, one, other, other)):
            put(root, name, data)
            report.check(service.wait_told(number + 1, 10), f"{name} for the {number + 1}th time has no outcome")
            wait(Spool(root).is_drained, 5)
    spool = Spool(root)
    last = spool.outcomes().get(name + ".json") or {}
    source = last.get("source", {}).get("sha256")
    report.check(source == pictures.digest(other), f"{name}: its outcome is not of the last bytes")
    kept = sorted(pictures.digest(pictures.read(path)) for path in spool.originals(name))
    wanted = sorted(map(pictures.digest, (one, other)))
    report.check(kept == wanted, f"{name}: {len(kept)} originals of two different ones")
    report.check(len(service.told) == 6, f"{name}: {len(service.told)} outcomes were told of 6")
    # The standing outcome has to be right; those that it replaced are gone.
    report.faults += spool.standing_faults({name: Input(pictures.digest(one))}, [(name, "published")])


def overflow(campaign, report):
    """More events than the queue holds, while the service stands still."""
    root = campaign.root("overflow")
    inbox = os.path.join(root, "inbox")
    count = campaign.much(20_000, 200)
    with campaign.running(report, root) as service:
        service.signal(signal.SIGSTOP)
        if campaign.quick:
            # The queue holds 16,384: one file renamed to and fro fills it, and those that follow are not told.
            put(root, ".moving", b"")
            for _ in range(9_000):
                os.rename(os.path.join(inbox, ".moving"), os.path.join(inbox, ".moved"))
                os.rename(os.path.join(inbox, ".moved"), os.path.join(inbox, ".moving"))
            os.unlink(os.path.join(inbox, ".moving"))
        files = {f"{number:05}.png": pictures.png(number) if number % 10 == 0 else b"%d" % number
                 for number in range(count)}
        handed = {name: Input(pictures.digest(data), "rejected" if data[:1] != b"\x89" else "published")
                  for name, data in files.items()}
        for name, data in files.items():
            pictures.write(os.path.join(inbox, name), data)
        service.signal(signal.SIGCONT)
        began = time.monotonic()
        campaign.drain(report, root, handed, campaign.much(600, 30))
        report.fact(f"overflow: {count} files in {time.monotonic() - began:.1f} s")
        canary(campaign, report, root, handed, service, "the overflow", 2)
        report.check(service.others(began), "overflow: the log says nothing of it")
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)


def replaced(campaign, report):
    """The inbox goes, comes again, and is replaced by another directory."""
    root, handed = campaign.root("replaced"), {}
    inbox, longest = os.path.join(root, "inbox"), 0
    with campaign.running(report, root) as service:
        for number in range(2):
            canary(campaign, report, root, handed, service, "the start", 2)
            os.rename(inbox, os.path.join(root, f"gone-{number}"))
            time.sleep(1.5 if number == 0 else 0)
            os.mkdir(inbox)
            longest = max(longest, canary(campaign, report, root, handed, service, "a new inbox", 5))
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    report.fact(f"a new inbox is found in {longest:.1f} s")


def waiting(campaign, report):
    """100,000 small files that wait at the start: a fresh one is out within 10 s, and the oldest go first."""
    root, count = campaign.root("waiting"), campaign.much(100_000, 30_000)
    inbox = os.path.join(root, "inbox")
    # Neither by name nor by its digest in order, so that only their times tell which are the oldest.
    names = [f"{number * 7_919 % count:05}.txt" for number in range(count)]
    for number, name in enumerate(names):
        pictures.write(os.path.join(inbox, name), b"%d\n" % number)
    handed = {name: Input(pictures.digest(b"%d\n" % number), "rejected") for number, name in enumerate(names)}
    with campaign.running(report, root) as service:
        ready = service.ready - service.start
        took = canary(campaign, report, root, handed, service, f"{count:,} waiting files", 10)
        wait(lambda: len(service.told) > 500, 20, 0.05)
        memory = service.resident()
    order = {name: number for number, name in enumerate(names)}
    youngest = max(order.get(name, 0) for name, _ in service.acknowledged[:500])
    report.fact(f"{count:,} waiting: ready after {ready:.1f} s, canary out in {took:.1f} s, "
                f"{memory >> 20} MiB resident, "
                f"among the first 500 told none younger than the {youngest}th")
    report.check(memory < 96 << 20, f"{count:,} waiting: {memory >> 20} MiB resident")
    report.check(youngest < 16_384, f"{count:,} waiting: the {youngest}th file was among the first 500")
    # The rest waits on: nothing of it may be gone.
    report.faults += Spool(root).standing_faults(handed, service.acknowledged)
    shutil.rmtree(root)


def unseen(campaign, report):
    """Files written below an overlay, which gives no events for them."""
    if not campaign.has_mounts:
        return report.skip("overlay without events: only root may mount")
    root = campaign.root("unseen")
    inbox = os.path.join(root, "inbox")
    upper = os.path.join(root, "disk", "upper")
    try:
        os.makedirs(os.path.join(root, "disk"))
        mounts.run("mount", "-t", "tmpfs", "tmpfs", os.path.join(root, "disk"))
        for name in ("lower", "upper", "work"):
            os.mkdir(os.path.join(root, "disk", name))
        layers = ",".join(f"{key}={root}/disk/{name}" for key, name in (
            ("lowerdir", "lower"), ("upperdir", "upper"), ("workdir", "work")))
        mounts.run("mount", "-t", "overlay", "overlay", "-o", layers, inbox)
    except mounts.Failed as failure:
        return report.skip(f"overlay without events: {failure}")
    files = {f"{number}.png": pictures.png(number) for number in range(20)}
    handed = inputs(files)
    with campaign.running(report, root, "--rescan-seconds", "1") as service:
        time.sleep(0.5)
        for name, data in files.items():
            pictures.write(os.path.join(upper, name), data)
        began = time.monotonic()
        campaign.drain(report, root, handed, 10)
        report.fact(f"{len(files)} files without events in {time.monotonic() - began:.1f} s")
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    subprocess.run(["umount", inbox], stderr=subprocess.DEVNULL)
    subprocess.run(["umount", os.path.join(root, "disk")], stderr=subprocess.DEVNULL)
