"""How long a photo takes from the rename to its claim and to its durable outcome, and what the idle service does."""
import ctypes, os, select, struct, threading, time

import pictures
from campaign import put
from service import TICKS
from spool import Input, Spool

CLAIMED_WITHIN = 0.020
IN_MOVED_FROM, IN_DELETE = 0x40, 0x200


class Departures(threading.Thread):
    """When each name left the inbox."""

    def __init__(self, inbox):
        super().__init__(daemon=True)
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor, self.times, self.ends = libc.inotify_init(), {}, False
        libc.inotify_add_watch(self.descriptor, os.fsencode(inbox), IN_MOVED_FROM | IN_DELETE)

    def run(self):
        while not self.ends:
            if not select.select([self.descriptor], [], [], 0.2)[0]:
                continue
            now, events, at = time.monotonic(), os.read(self.descriptor, 1 << 16), 0
            while at < len(events):
                length = struct.unpack_from("iIII", events, at)[3]
                self.times[os.fsdecode(events[at + 16:at + 16 + length].rstrip(b"\0"))] = now
                at += 16 + length
        os.close(self.descriptor)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def latency(campaign, report):
    found = pictures.two_megapixels(campaign)
    if found is None:
        report.skip("a photo: mediaprep-sample is not beside mediaprep, and there is no corpus; a small PNG instead")
    pixels, photo = found or (1024, pictures.png(1))
    root, count = campaign.root("latency"), campaign.much(200, 60)
    handed, renamed = {}, {}
    departures = Departures(os.path.join(root, "inbox"))
    with campaign.running(report, root) as service:
        departures.start()
        for number in range(count + 5):
            name, data = f"{number:03}.jpg", pictures.numbered(photo, number) if found else pictures.png(number)
            handed[name] = Input(pictures.digest(data))
            path = os.path.join(root, "ready")
            pictures.write(path, data)
            renamed[name] = time.monotonic()
            os.rename(path, os.path.join(root, "inbox", name))
            if not service.wait_told(number + 1, 15):
                return report.fault(f"{name} has no outcome after 15 s")
        campaign.drain(report, root, handed, 5)
        # The line of the log is written once the manifest is durable.
        told = {said.get("name"): when for when, said in service.told}
        idle(campaign, report, service)
    departures.ends = True
    departures.join()
    report.faults += Spool(root).settled_faults(handed, service.acknowledged, once=True)
    # The first few are for the workers to warm up.
    names = sorted(handed)[5:]
    whole = [1000 * (told[name] - renamed[name]) for name in names]
    claims = [departures.times[name] - renamed[name] for name in names if name in departures.times]
    report.fact(f"{count} photos of {pixels / 1e6:.1f} megapixels: rename to durable outcome p50 {percentile(whole, 0.5):.1f} ms, "
                f"p99 {percentile(whole, 0.99):.1f} ms")
    report.check(len(claims) == len(names), f"{len(names) - len(claims)} claims were not seen")
    p99 = percentile(claims, 0.99) if claims else 0
    report.fact(f"rename to claim p50 {1000 * percentile(claims or [0], 0.5):.2f} ms, p99 {1000 * p99:.2f} ms")
    report.check(p99 <= CLAIMED_WITHIN, f"rename to claim: p99 {1000 * p99:.1f} ms is over {1000 * CLAIMED_WITHIN:.0f} ms")


def idle(campaign, report, service):
    seconds = campaign.much(60, 10)
    time.sleep(1)
    before = service.processor_seconds(), service.tree_seconds()
    time.sleep(seconds)
    own, tree = service.processor_seconds() - before[0], service.tree_seconds() - before[1]
    report.fact(f"idle for {seconds} s: {1000 * own:.0f} ms of processor, {1000 * tree:.0f} ms with its workers "
                f"(counted in {1000 // TICKS} ms)")
    report.check(tree <= 0.005 * seconds, f"idle: {1000 * tree:.0f} ms of processor in {seconds} s")
