"""`mediaprep serve` as a child: started, listened to, measured and ended."""
import atexit, json, os, re, signal, subprocess, threading, time

STARTED = set()
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def wait(holds, seconds, every=0.005):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(every)
    return bool(holds())


def event(line):
    """A line of the log as a dictionary; {} for what is none."""
    if line.startswith(b"{"):
        try:
            return json.loads(line)
        except ValueError:
            return {}
    pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)', line.decode(errors="surrogateescape"))
    return {key: json.loads(value) if value.startswith('"') else value for key, value in pairs}


class Service:
    """One run of the service. Its log is read by a thread, which notes when each line came."""

    def __init__(self, program, root, *options, prefix=(), environment=None, log=None, wrapped=False):
        command = [*prefix, program, "serve", "--root", root, "--log-format", "json", *options]
        self.root = root
        self.lines, self.told, self.ready = [], [], None
        self.changed = threading.Condition()
        self.log = open(log, "ab") if log else None
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})})
        STARTED.add(self.process)
        self.wrapped = wrapped
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        for line in self.process.stderr:
            now = time.monotonic()
            if self.log:
                self.log.write(line)
                self.log.flush()
            said = event(line)
            with self.changed:
                self.lines.append((now, line, said))
                if said.get("event") in ("published", "rejected"):
                    self.told.append((now, said))
                elif said.get("event") == "ready":
                    self.ready = now
                self.changed.notify_all()

    @property
    def pid(self):
        """The service itself, where it is run by another program."""
        if not self.wrapped:
            return self.process.pid
        below = children(self.process.pid)
        return below[0] if below else None

    @property
    def acknowledged(self):
        """(NAME, status) of every outcome that was told by a whole line."""
        return [(said.get("name"), said["event"]) for _, said in list(self.told)]

    def others(self, since):
        """Log lines since then that are neither an outcome nor the start."""
        return [line for when, line, said in list(self.lines)
                if when >= since and said.get("event") not in ("published", "rejected", "ready")]

    def wait_ready(self, seconds=20):
        with self.changed:
            self.changed.wait_for(lambda: self.ready or self.process.poll() is not None, seconds)
        return self.ready is not None

    def wait_told(self, count, seconds):
        end = time.monotonic() + seconds
        with self.changed:
            while len(self.told) < count and time.monotonic() < end and self.process.poll() is None:
                self.changed.wait(0.25)
        return len(self.told) >= count

    def signal(self, number):
        if self.process.poll() is None and self.pid:
            os.kill(self.pid, number)

    def stands_still(self):
        """Whether every thread is stopped, or waits for the disk and stops before it does anything else."""
        states = set()
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{thread}/stat") as file:
                states.add(file.read().rpartition(")")[2].split()[0])
        return states <= {"T", "t", "D"}

    def ended(self, seconds=10):
        """The exit status, as Popen tells it, after the log is read to its end; None when it goes on."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        # Workers hold no end of the log, so that it ends with the service; but this is not what is tried here.
        self.reader.join(2)
        if self.log:
            self.log.close()
            self.log = None
        STARTED.discard(self.process)
        return status

    def stop(self, seconds=10):
        self.signal(signal.SIGTERM)
        status = self.ended(seconds)
        if status is None:
            self.kill()
        return status

    def kill(self):
        self.signal(signal.SIGKILL)
        if self.ended(5) is None:
            self.process.kill()
            self.ended(5)

    def processor_seconds(self):
        """Of the service itself, without its workers."""
        fields = stat(self.pid)
        return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0

    def tree_seconds(self):
        """Of the service and everything below it."""
        all_fields = [stat(pid) for pid in [self.pid, *descendants(self.pid)]]
        return sum(int(fields[11]) + int(fields[12]) for fields in all_fields if fields) / TICKS

    def resident(self):
        fields = stat(self.pid)
        return int(fields[21]) * PAGE if fields else 0

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        return [int(task) for task in os.listdir(f"/proc/{self.pid}/task")]


def stat(pid):
    """The fields of /proc/PID/stat behind the name, or None."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rsplit(b") ", 1)[1].split()
    except OSError:
        return None


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


@atexit.register
def end_all():
    for process in list(STARTED):
        for pid in children(process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        process.kill()
