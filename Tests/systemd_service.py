"""The service in its container: what is sent to it, what is seen of it, and what is thought of that."""
import json, os, shutil, time

STATE = "/var/lib/mediaprep"
CONFIG = "/etc/mediaprep/mediaprep.conf"
OUTCOME_SECONDS = 120


class Checks:
    failures = 0

    def __call__(self, what, is_ok, detail=""):
        self.failures += not is_ok
        detail = " ".join(str(detail).split())
        print(f"{'ok  ' if is_ok else 'FAIL'} {what}{': ' + detail if detail else ''}", flush=True)


check = Checks()


def wait_for(condition, seconds):
    """What the condition gave when it was true, or at last."""
    deadline = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return result


class Service:
    def __init__(self, machine, photos):
        self.machine = machine
        # Paths in the container.
        self.photos = photos
        # Every name that was put into the inbox.
        self.sent = []

    def systemctl(self, *arguments):
        return self.machine.run("systemctl", *arguments, "mediaprep")

    def show(self, name):
        return self.systemctl("show", "--value", "--property", name).stdout.strip()

    def is_active(self):
        return self.show("ActiveState") == "active"

    def journal(self, *arguments):
        self.machine.run("journalctl", "--sync")
        return self.machine.run("journalctl", "--unit", "mediaprep", "--output", "cat", *arguments).stdout

    def state(self, *parts):
        return os.path.join(self.machine.path(STATE), *parts)

    def send(self, prefix, count):
        """Has an uploader copy photos into the inbox, each with bytes of its own at its end, so that each is work."""
        names, lines = [], ["umask 027", f"cd {STATE}/inbox"]
        for i in range(count):
            photo = self.photos[i % len(self.photos)]
            name = f"{prefix}-{i:04}-{os.path.basename(photo)}"
            names.append(name)
            lines.append(f"{{ cat '{photo}'; echo '{name}'; }} >'.{name}' && mv '.{name}' '{name}'")
        self.machine.write("/srv/check/send", "\n".join(lines) + "\n")
        done = self.machine.run("sh", "-e", "/srv/check/send", user="uploader")
        check(f"{prefix}: an uploader's own user puts {count} in", done.returncode == 0, done.stdout[:300])
        self.sent += names
        return names

    def plant(self, id, attempts, name):
        """Makes a claim as a crash leaves it."""
        claim = self.state("work", f"{id}.a{attempts}")
        os.mkdir(claim)
        shutil.copy(self.machine.path(self.photos[0]), os.path.join(claim, name))
        self.machine.run("chown", "-R", "mediaprep:mediaprep", f"{STATE}/work")

    def manifest(self, name):
        try:
            with open(self.state("outbox", name + ".json")) as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def without_outcome(self, names):
        return [name for name in names if not os.path.exists(self.state("outbox", name + ".json"))]

    def rejected(self, names):
        manifests = ((name, self.manifest(name)) for name in names)
        return [f"{name} {manifest['rejection'].get('code')}"
                for name, manifest in manifests if manifest and manifest["status"] != "published"]

    def has_work(self):
        return any(os.scandir(self.state("work")))

    def waiting(self):
        return [name for name in os.listdir(self.state("inbox")) if not name.startswith(".")]

    def settles(self, what, names):
        wait_for(lambda: not self.without_outcome(names) and not self.has_work(), OUTCOME_SECONDS)
        missing, rejected = self.without_outcome(names), self.rejected(names)
        check(f"{what}: all {len(names)} have an outcome", not missing, missing[:3] or "")
        check(f"{what}: every one is published", not missing and not rejected, rejected[:3] or "")
        left = os.listdir(self.state("work")) + self.waiting()
        check(f"{what}: nothing is left in work or inbox", not left, left[:3] or "")
