"""What many pictures leave behind in one service: memory, descriptors, slowness."""
import gc, time

import pictures
from campaign import put
from spool import Input, Spool

# Pictures that are waiting or in work at any time.
WINDOW = 200


def soak(campaign, report):
    count, early = campaign.much((20_000, 2_000), (2_000, 1_000))
    root, files, held = campaign.root("soak"), {}, {}
    # Every line of the log is kept, and to go through all of them again and again would slow this side down.
    gc.disable()
    with campaign.running(report, root) as service:
        for number in range(count):
            name, data = f"{number:05}.png", pictures.png(number)
            files[name] = pictures.digest(data)
            put(root, name, data)
            if number + 1 in (early, count):
                if not service.wait_told(number + 1, 60):
                    report.fault(f"{len(service.told)} of {number + 1} outcomes were told after 60 s")
                campaign.drain(report, root, {}, 10)
                time.sleep(1)
                held[number + 1] = service.resident(), service.descriptors()
            elif len(service.told) < number - WINDOW and not service.wait_told(number - WINDOW, 60):
                return report.fault(f"only {len(service.told)} of {number} outcomes were told, and no more for 60 s")
    report.faults += Spool(root).settled_faults({name: Input(sha) for name, sha in files.items()}, service.acknowledged,
                                                once=True)
    (memory, descriptors), (later, descriptors_later) = held[early], held[count]
    report.fact(f"{count} pictures; resident {memory >> 10} KiB after {early}, {later >> 10} KiB at the end "
                f"({later / memory:.2f} times), descriptors {descriptors} and {descriptors_later}")
    report.check(later <= 1.1 * memory, f"memory grew {later / memory:.2f} times")
    report.check(descriptors == descriptors_later, f"descriptors: {descriptors}, then {descriptors_later}")
    times, tenth = [when for when, _ in service.told], count // 10
    # The first tenth has the window's filling and the last its emptying, which are equally long.
    first, last = times[tenth - 1] - times[0], times[-1] - times[-tenth]
    report.fact(f"{tenth / first:.0f} a second in the first tenth, {tenth / last:.0f} in the last")
    # A tenth of a quick run is over in a second or two, which anything else on the machine disturbs.
    share = campaign.much(0.9, 0.5)
    report.check(first / last >= share, f"the last tenth has {first / last:.2f} of the first's throughput")
