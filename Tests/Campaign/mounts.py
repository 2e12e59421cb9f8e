"""Mounts that nobody else sees and that end with this process."""
import contextlib, ctypes, os, subprocess

CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 1 << 18


class Failed(Exception):
    pass


def run(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")


def separate():
    """Gives this process mounts of its own; false where it may not."""
    libc = ctypes.CDLL(None, use_errno=True)
    return (os.geteuid() == 0 and libc.unshare(CLONE_NEWNS) == 0
            and libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0)


@contextlib.contextmanager
def tmpfs(place, options):
    run("mount", "-t", "tmpfs", "-o", options, "tmpfs", place)
    try:
        yield
    finally:
        # What still holds a file of it is a service that ends soon.
        run("umount", "-l", place)
