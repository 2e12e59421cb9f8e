"""Signals, a second instance, and a clock that jumps."""
import os, random, shutil, signal, subprocess, time

import pictures
from campaign import put
from service import descendants, wait
from spool import Spool, files_below, inputs, listing


def life(campaign, report):
    for part in (terminated, stuck, reloaded, second, jumps):
        part(campaign, report)


def terminated(campaign, report):
    """SIGTERM under load, again and again on one spool."""
    root, times, handed, told, longest = campaign.root("terminated"), campaign.much(40, 8), {}, [], 0
    for turn in range(times):
        files = {f"{turn:02}-{number:02}.png": pictures.png(100 * turn + number, 8) for number in range(60)}
        handed |= inputs(files)
        for name, data in files.items():
            put(root, name, data)
        service = campaign.service(root, *(("--jobs", "4") if turn % 2 else ()))
        report.check(service.wait_ready(), "the service does not get ready")
        service.wait_told(random.randrange(40), 10)
        time.sleep(random.random() * 0.05)
        began = time.monotonic()
        service.signal(random.choice((signal.SIGTERM, signal.SIGINT)))
        status = service.ended(10)
        longest = max(longest, time.monotonic() - began)
        if status != 0:
            report.fault(f"SIGTERM under load: exit status {status}")
            service.kill()
        told += service.acknowledged
        left = listing(os.path.join(root, "work"))
        report.check(not left, f"after SIGTERM {len(left)} claims are in work: neither finished nor returned")
        report.faults += Spool(root).standing_faults(handed, told)
    report.check(longest <= 5, f"SIGTERM: it took {longest:.1f} s")
    with campaign.running(report, root) as service:
        campaign.drain(report, root, handed, 60)
    report.faults += Spool(root).settled_faults(handed, told + service.acknowledged, once=True)
    report.fact(f"{times} times SIGTERM under load, {longest:.2f} s at most")


def stuck(campaign, report):
    """Workers that answer nothing hold up neither one signal for more than 5 s nor two for any time."""
    for signals in (1, 2):
        root = campaign.root("stuck")
        files = {f"{number}.png": pictures.png(number) for number in range(12)}
        service = campaign.service(root)
        put(root, "0.png", files["0.png"])
        report.check(service.wait_told(1, 10), "nothing is told")
        wait(Spool(root).is_drained, 5)
        for worker in descendants(service.pid):
            os.kill(worker, signal.SIGSTOP)
        for name, data in files.items():
            if name != "0.png":
                put(root, name, data)
        wait(lambda: listing(os.path.join(root, "work")), 3)
        time.sleep(0.2)
        began = time.monotonic()
        service.signal(signal.SIGTERM)
        if signals == 2:
            time.sleep(0.3)
            began = time.monotonic()
            service.signal(signal.SIGTERM)
        status = service.ended(12)
        took, allowed = time.monotonic() - began, 5.5 if signals == 1 else 0.5
        report.check(status is not None and took <= allowed, f"{signals} x SIGTERM with stuck workers: {took:.1f} s")
        report.check(status == 0 or signals == 2, f"SIGTERM with stuck workers: exit status {status}")
        if status is None:
            service.kill()
        told = service.acknowledged
        report.fact(f"{signals} x SIGTERM with stuck workers {took:.2f} s")
        with campaign.running(report, root) as service:
            campaign.drain(report, root, files, 20)
        faults = Spool(root).settled_faults(inputs(files), told + service.acknowledged)
        report.add(f"{signals} x SIGTERM with stuck workers", faults)


def reloaded(campaign, report):
    root, times, handed = campaign.root("reloaded"), campaign.much(100, 12), {}
    path = os.path.join(root, "mediaprep.conf")
    pictures.write(path, b"# Nothing but defaults.\n")
    with campaign.running(report, root, "--config", path) as service:
        for turn in range(times):
            for number in range(5):
                name, data = f"{turn:03}-{number}.png", pictures.png(10 * turn + number)
                handed |= inputs({name: data})
                put(root, name, data)
            good = turn % 2 == 0
            pictures.write(path + ".new", b"# Defaults.\n" if good else b"[no-such-group]\nno-such-key = 1\n")
            os.rename(path + ".new", path)
            since = time.monotonic()
            service.signal(signal.SIGHUP)
            if not good and not wait(lambda: service.others(since), 3):
                report.fault("SIGHUP with a broken configuration: the log says nothing of it")
            time.sleep(0.02)
            if service.process.poll() is not None:
                return report.fault(f"SIGHUP ended the service with {service.process.returncode}")
        campaign.drain(report, root, handed, 30)
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    report.fact(f"{times} times SIGHUP, every second time with a broken configuration")


def second(campaign, report):
    root = campaign.root("second")
    with campaign.running(report, root) as service:
        put(root, "1.png", pictures.png(1))
        service.wait_told(1, 10)
        wait(Spool(root).is_drained, 5)
        before = sorted(files_below(root))
        began = time.monotonic()
        another = campaign.service(root)
        status = another.ended(5)
        took = time.monotonic() - began
        if status is None:
            another.kill()
        report.check(status == 75, f"a second instance: exit status {status} instead of 75")
        report.check(not another.told and sorted(files_below(root)) == before, "a second instance touched something")
        put(root, "2.png", pictures.png(2))
        report.check(service.wait_told(2, 5), "after a second instance the first does nothing more")
        wait(Spool(root).is_drained, 5)
    report.fact(f"a second instance ends in {took:.2f} s")


def jumps(campaign, report):
    """The wall clock a year on and a year back, under load."""
    faketime = shutil.which("faketime")
    if faketime is None:
        return report.skip("jumps of the clock: faketime is missing")
    told = subprocess.run([faketime, "now", "printenv", "LD_PRELOAD"], stdout=subprocess.PIPE, text=True)
    library = told.stdout.strip()
    root, handed = campaign.root("jumps"), {}
    clock = os.path.join(root, "clock")
    pictures.write(clock, b"+0d\n")
    # A jump leaves the times of files as they are, whereas faketime would move those too.
    environment = {
        "NO_FAKE_STAT": "1", "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    with campaign.running(report, root, environment=environment) as service:
        put(root, "first.png", pictures.png(0))
        handed |= inputs({"first.png": pictures.png(0)})
        if not service.wait_told(1, 10) or service.acknowledged[0][1] != "published":
            return report.skip("jumps of the clock: nothing is published under faketime, without any jump")
        longest = 0
        for turn, jump in enumerate(("+365d", "-365d", "+0d", "-3650d", "+0d")):
            pictures.write(clock + ".new", jump.encode() + b"\n")
            os.rename(clock + ".new", clock)
            files = {f"{turn}-{number}.png": pictures.png(10 * turn + number + 1) for number in range(6)}
            handed |= inputs(files)
            began = time.monotonic()
            for number, (name, data) in enumerate(files.items()):
                if number % 2:
                    pictures.write(os.path.join(root, "inbox", name), data)
                else:
                    put(root, name, data)
            campaign.drain(report, root, files, 10)
            longest = max(longest, time.monotonic() - began)
        report.check(longest < 3, f"jumps of the clock: {longest:.1f} s for six files")
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    report.fact(f"the clock jumps by years, files are out in {longest:.2f} s")
