"""A container that boots systemd from an overlay over this machine's own root, of which nothing changes."""
import contextlib, glob, os, shutil, signal, subprocess, tempfile, time

# nspawn's own filter lets a container have no Landlock, which workers shut themselves in with.
LANDLOCK = "landlock_create_ruleset landlock_add_rule landlock_restrict_self"
BOOT_SECONDS = 60
# For one command inside.
SECONDS = 60


class Machine:
    """Up between `with` and its end, which undoes every mount and ends every process."""

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            base = tempfile.mkdtemp(prefix="systemd-check.")
            undo.callback(os.rmdir, base)
            mount(undo, base, "-t", "tmpfs", "-o", "size=4g", "tmpfs")
            upper, scratch, self.root = (os.path.join(base, name) for name in ("upper", "scratch", "root"))
            for directory in (upper, scratch, self.root):
                os.mkdir(directory)
            mount(undo, self.root, "-t", "overlay", "-o", f"lowerdir=/,upperdir={upper},workdir={scratch}", "overlay")
            # This machine's own jobs are none of ours.
            self.link("/dev/null", "/etc/systemd/system/timers.target")
            self.boot(undo, os.path.join(base, "console.log"))
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *_):
        self.undo.close()

    def boot(self, undo, console):
        undo.callback(remove_control_groups)
        with open(console, "wb") as log:
            self.nspawn = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--directory", self.root, "--boot", "--register=no", "--keep-unit",
                 "--private-network", "--console=read-only", "--machine", f"systemd-check-{os.getpid()}",
                 "--system-call-filter", LANDLOCK,
                 # Nor are its own services, which multi-user.target would start.
                 "--", "--unit=basic.target"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        undo.callback(self.power_off)
        self.leader = None
        deadline = time.monotonic() + BOOT_SECONDS
        while time.monotonic() < deadline and self.nspawn.poll() is None:
            # Another one at first, which only makes ready.
            self.leader = first_child(self.nspawn.pid)
            if self.leader:
                state = self.run("systemctl", "is-system-running").stdout.strip()
                if state in ("running", "degraded"):
                    return
            time.sleep(0.1)
        with open(console, errors="replace") as log:
            raise RuntimeError("systemd did not come up:\n" + log.read()[-2000:])

    def power_off(self):
        if self.leader:
            self.run("systemctl", "poweroff")
        try:
            self.nspawn.wait(30)
        except subprocess.TimeoutExpired:
            # The container's first process takes all others of it along, and nspawn ends after it; killed by itself,
            # nspawn would leave them behind.
            os.kill(first_child(self.nspawn.pid) or self.nspawn.pid, signal.SIGKILL)
            self.nspawn.wait()

    def run(self, *command, user=None):
        """Runs a command inside, as root or with a user's own id and groups."""
        prefix = ["nsenter", "--target", str(self.leader), "--all"]
        if user:
            prefix += ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        try:
            return subprocess.run(
                prefix + list(command), timeout=SECONDS, text=True, errors="replace", stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            # As timeout(1) says it. What was started ends with the container.
            return subprocess.CompletedProcess(command, 124, f"not done after {SECONDS} s")

    def path(self, inside):
        """Where a path of the container is for us. Not for /run and /tmp, which are mounts of its own."""
        return self.root + inside

    def write(self, inside, text):
        os.makedirs(os.path.dirname(self.path(inside)), exist_ok=True)
        with open(self.path(inside), "w") as file:
            file.write(text)

    def link(self, target, inside):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path(inside))
        os.symlink(target, self.path(inside))

    def copy_tree(self, source, inside):
        shutil.copytree(source, self.path(inside), symlinks=True)


def mount(undo, place, *arguments):
    subprocess.run(["mount", *arguments, place], check=True)
    undo.callback(subprocess.run, ["umount", place], check=True)


def first_child(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = file.read().split()
    return int(children[0]) if children else None


def remove_control_groups():
    """nspawn leaves its own behind where it runs under no systemd itself; rmdir spares what is in use."""
    for place in glob.glob("/sys/fs/cgroup/*/payload") + glob.glob("/sys/fs/cgroup/*/supervisor"):
        for path, _, _ in os.walk(place, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(path)
