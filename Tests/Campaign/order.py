"""The order of writes, read from the system calls themselves: nothing is told before it is on the disk."""
import os, re

import injection, pictures
from campaign import put, put_push
from service import wait
from spool import Spool, contents, media_path, parsed, parts

CALLS = ("rename", "renameat", "renameat2", "fsync", "fdatasync", "write", "writev")
FIRST = re.compile(r"(?:(\d+) +)?(\w+)\((.*)")
RESUMED = re.compile(r"(?:(\d+) +)?<\.\.\. (\w+) resumed>(.*)")


def calls(lines):
    """(call, its text) in order; an fsync counts from its end, everything else from its start."""
    unfinished = {}
    for line in lines:
        resumed = RESUMED.match(line)
        if resumed:
            thread, call, rest = resumed.groups()
            text = unfinished.pop((thread, call), None)
            if text is not None and call in ("fsync", "fdatasync") and rest.rstrip().endswith("= 0"):
                yield call, text
            continue
        match = FIRST.match(line)
        if not match:
            continue
        thread, call, text = match.groups()
        if "<unfinished" in text:
            unfinished[thread, call] = text
            if call in ("fsync", "fdatasync"):
                continue
        elif call in ("fsync", "fdatasync") and not text.rstrip().endswith("= 0"):
            continue
        yield call, text


def target(text):
    """Source and target path of a rename, its directories as strace tells them."""
    found = re.findall(r'(?:AT_FDCWD(?:<[^>]*>)?|\d+<([^>]*)>)?,? ?"((?:[^"\\]|\\.)*)"', text)
    paths = [os.path.normpath(os.path.join(folder, name)) for folder, name in found]
    return paths if len(paths) == 2 else (None, None)


def violations(root, lines):
    """Manifests that were renamed into place, and what was not on the disk at that moment or when they were told."""
    synced, pending, media_folders, seen, found, placed = set(), [], {}, 0, [], set()
    outbox = os.path.join(root, "outbox")
    for call, text in calls(lines):
        if call in ("fsync", "fdatasync"):
            path = re.search(r"<([^>]*)>", text)
            if path:
                synced.add(path[1])
                media_folders.pop(path[1], None)
                if path[1] == outbox:
                    pending.clear()
        elif call.startswith("rename"):
            source, end = target(text)
            if end is None:
                continue
            if end.startswith(outbox + "/media/"):
                if source not in synced:
                    found.append(f"{os.path.relpath(end, root)} was renamed into place before an fsync")
                media_folders[os.path.dirname(end)] = end
                placed.add(os.path.relpath(end, outbox))
            elif os.path.dirname(end) == outbox and end.endswith(".json"):
                seen += 1
                if source not in synced:
                    found.append(f"{os.path.relpath(end, root)} was renamed into place before an fsync")
                manifest = parsed(contents(end)) or {}
                needed = parts(manifest) if manifest.get("status") == "published" else ()
                if not all(media_path(part) in placed for part in needed):
                    found.append(f"{os.path.relpath(end, root)} came before its media")
                for media in media_folders.values():
                    found.append(f"{os.path.relpath(end, root)} came before an fsync of the directory of "
                                 + os.path.basename(media))
                pending.append(end)
            synced.discard(source)
        elif re.match(r"2<", text) and re.search(r'published|rejected', text):
            for end in pending:
                found.append(f"{os.path.relpath(end, root)} was told before an fsync of the outbox")
            pending.clear()
            if not re.search(r'\\n"', text):
                found.append("an outcome is told by more than one write")
    if seen == 0:
        found.append("no manifest was renamed into the outbox")
    return seen, found


def traced(campaign, report, *options):
    root = campaign.root("order")
    service = injection.Traced(
        campaign, root, [f"?{call}" for call in CALLS], options=("--jobs", "1", *options), full=True)
    service.service.wait_ready()
    names = []
    for number in range(4):
        names.append(f"{number}.png")
        put(root, names[-1], pictures.png(number) if number < 3 else b"no picture")
        report.check(wait(lambda: Spool(root).has_outcomes(names), 10), f"{names[-1]} has no outcome after 10 s")
    names.append("push")
    put_push(root, "push", {f"{number}.png": pictures.png(10 + number) for number in range(3)})
    report.check(wait(lambda: Spool(root).has_outcomes(names), 10), "push has no outcome after 10 s")
    wait(Spool(root).is_drained, 5)
    service.service.stop()
    return violations(os.path.realpath(root), service.lines())


def order(campaign, report):
    reason = injection.why_not()
    if reason:
        return report.skip(reason)
    seen, found = traced(campaign, report)
    report.faults += found
    report.fact(f"{seen} manifests, each with its fsyncs before it is told")
    _, found = traced(campaign, report, "--sync", "no")
    report.check(found, "negative control: without fsync the same look finds nothing wrong")
    report.fact(f"without fsync {len(found)} violations, as has to be")
