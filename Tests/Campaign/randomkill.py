"""SIGKILL of the service or of one of its workers at random moments while files pass."""
import os, random, signal, threading, time

import pictures
from campaign import put
from service import descendants, stat, wait
from spool import Spool, inputs


def is_alive(pid):
    fields = stat(pid)
    return fields is not None and fields[0] != b"Z"


def random_kill(campaign, report):
    root, count = campaign.root("random"), campaign.much(5_000, 300)
    rate = campaign.much(40, 25)
    files = {f"{number:05}.png": pictures.png(number) for number in range(count)}
    handed, told, kills, dead = inputs(files), [], {"service": 0, "worker": 0}, 0

    def feed():
        for name, data in files.items():
            put(root, name, data)
            time.sleep(random.random() * 2 / rate)

    feeder = threading.Thread(target=feed, daemon=True)
    service = campaign.service(root)
    service.wait_ready()
    feeder.start()
    while feeder.is_alive():
        time.sleep(random.uniform(0.2, 2))
        workers = descendants(service.pid)
        if workers and random.random() < 0.5:
            try:
                os.kill(random.choice(workers), signal.SIGKILL)
                kills["worker"] += 1
            except ProcessLookupError:
                pass
            continue
        if service.process.poll() is not None:
            report.fault(f"the service ended by itself with {service.process.returncode}")
        service.kill()
        kills["service"] += 1
        told += service.acknowledged
        if not wait(lambda: not any(map(is_alive, workers)), 1):
            dead += 1
        service = campaign.service(root)
    report.check(dead == 0, f"after {dead} kills of the service a worker was still there 1 s later")
    report.check(service.wait_ready(), "the service does not start again")
    campaign.drain(report, root, handed, 60)
    status = service.stop()
    report.check(status == 0, f"SIGTERM: exit status {status} instead of 0")
    told += service.acknowledged
    report.faults += Spool(root).settled_faults(handed, told, allowed=("crashed", "decoder-crashed"))
    refused = sum(1 for _, how in set(told) if how == "rejected")
    report.fact(f"{count} files, {kills['service']} kills of the service, {kills['worker']} of a worker, "
                f"{refused} good pictures refused for being in hand at two of them")
