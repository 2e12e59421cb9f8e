"""Uploads in six ways at once while the service runs."""
import os, random, threading, time

import pictures
from campaign import put
from spool import Input, Spool

# Longer than any pause of a writer that holds its file open, and than the default settle time twice.
PAUSE = 0.3


class Writer(threading.Thread):
    """Uploads some of the files in its own way. handed: what it put in, by name."""

    def __init__(self, root, files):
        super().__init__(daemon=True)
        self.root, self.files, self.handed, self.trouble = root, files, {}, None

    def run(self):
        try:
            # Several at once, as many clients would.
            for first in range(0, len(self.files), 12):
                self.upload(self.files[first:first + 12])
        except OSError as error:
            self.trouble = f"{type(self).__name__}: {error}"

    def upload(self, files):
        for name, data in files:
            self.one(name, data)
            self.note(name, data)
            time.sleep(random.random() * 0.02)

    def note(self, name, data):
        self.handed[name] = Input(pictures.digest(data))

    def inbox(self, name):
        return os.path.join(self.root, "inbox", name)


class Renamed(Writer):
    def one(self, name, data):
        put(self.root, name, data)


class Linked(Writer):
    def one(self, name, data):
        kept = os.path.join(self.root, "staged", "linked-" + name)
        pictures.write(kept, data)
        os.link(kept, self.inbox(name))
        if random.random() < 0.5:
            os.unlink(kept)


class Copied(Writer):
    def one(self, name, data):
        pictures.write(self.inbox(name), data)


class Slow(Writer):
    """In pieces, with pauses in which nothing is written and the file stays open."""

    def upload(self, files):
        opened = [(open(self.inbox(name), "wb", buffering=0), data) for name, data in files]
        pieces = 4
        for piece in range(pieces):
            for file, data in opened:
                size = len(data) // pieces + 1
                file.write(data[piece * size:(piece + 1) * size])
            time.sleep(PAUSE)
        for (name, data), (file, _) in zip(files, opened):
            file.close()
            self.note(name, data)


class Resumed(Writer):
    """In two sessions with a short pause between them, in which the file is closed."""

    def one(self, name, data):
        half = len(data) // 2
        pictures.write(self.inbox(name), data[:half])
        time.sleep(0.03)
        try:
            file = os.open(self.inbox(name), os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            # The pause became longer than the settle time, on a machine that was busy: half a file was handed in.
            self.handed[name] = Input(pictures.digest(data[:half]), None)
            put(self.root, "again-" + name, data)
            self.handed["again-" + name] = Input(pictures.digest(data))
            return
        with open(file, "wb") as rest:
            rest.write(data[half:])

    def note(self, name, data):
        self.handed.setdefault(name, Input(pictures.digest(data)))


class Hidden(Writer):
    """Under a name that says that it is not whole yet, as rsync and SFTP clients do."""

    def one(self, name, data):
        hidden = random.choice((f".{name}.Qx3f9a", f"{name}.filepart", f"{name}.part"))
        with open(self.inbox(hidden), "wb", buffering=0) as file:
            file.write(data[:len(data) // 2])
            time.sleep(0.01)
            file.write(data[len(data) // 2:])
        os.rename(self.inbox(hidden), self.inbox(name))


WAYS = (Renamed, Linked, Copied, Slow, Resumed, Hidden)


def kind(data):
    return ".png" if data[:1] == b"\x89" else ".jpg"


def photos(campaign, count):
    """Count files by name, each of other bytes than the others."""
    if campaign.corpus:
        some = pictures.corpus(campaign.corpus)
    else:
        # Mostly small ones, and some photos that take long enough to be in work while others arrive.
        some = [pictures.png(number) for number in range(60)] + [
            data for name, data in campaign.sample.items() if name != "harbour.jpg"]
    return [(f"{number:05}{kind(data)}", pictures.numbered(data, number))
            for number, data in ((number, some[number % len(some)]) for number in range(count))]


def writers(campaign, report):
    root, count = campaign.root("writers"), campaign.much(2_000, 300)
    os.makedirs(os.path.join(root, "staged"))
    files = photos(campaign, count)
    with campaign.running(report, root) as service:
        threads = [way(root, files[number::len(WAYS)]) for number, way in enumerate(WAYS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
            report.check(thread.trouble is None, thread.trouble)
        handed = {name: given for thread in threads for name, given in thread.handed.items()}
        campaign.drain(report, root, handed, campaign.much(600, 60))
    told = service.acknowledged
    report.faults += Spool(root).settled_faults(handed, told, once=True)
    report.fact(f"{len(handed)} uploads in {len(WAYS)} ways, {len(told)} told, {len(Spool(root).outcomes())} outcomes")
    report.check(len(told) == len(handed) >= count, f"{len(told)} outcomes were told of {len(handed)} uploads")
    broken = [given for given in handed.values() if given.status is None]
    if broken:
        report.fact(f"{len(broken)} of them taken in a pause that became too long")
