"""systemd/install with DESTDIR and PREFIX, in roots where nothing else is."""
import os, shutil, subprocess, tempfile

from systemd_service import CONFIG, check


def files(root):
    return sorted(os.path.relpath(os.path.join(path, name), root) for path, _, names in os.walk(root) for name in names)


def read(*parts):
    with open(os.path.join(*parts)) as file:
        return file.read()


def check_staging(installer, programs):
    for prefix in ("/usr", "/usr/local", "/opt/mediaprep"):
        with tempfile.TemporaryDirectory(prefix="systemd-check.") as root:
            def install(*arguments):
                environment = os.environ | {"DESTDIR": root, "PREFIX": prefix, "BUILD": programs}
                return subprocess.run([installer, *arguments], text=True, env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)

            first = install()
            check(f"{prefix}: stages", first.returncode == 0, first.stdout if first.returncode else "")
            listing = files(root)
            unit = next(name for name in listing if name.endswith("mediaprep.service"))
            check(f"{prefix}: the unit starts the program there",
                  f"ExecStart={prefix}/lib/mediaprep/mediaprep " in read(root, unit), unit)
            program = os.path.realpath(os.path.join(root, prefix[1:], "bin/mediaprep"))
            check(f"{prefix}: the link leads to the program, which has its workers beside it",
                  all(os.path.exists(os.path.join(os.path.dirname(program), name))
                      for name in ("mediaprep-worker", "mediaprep-clip-worker")))

            config = root + CONFIG
            sample = read(config)
            with open(config, "a") as file:
                file.write("# edited\n")
            install()
            check(f"{prefix}: an edited configuration is kept, with the new one beside it",
                  read(config) == sample + "# edited\n" and read(config + ".new") == sample)
            shutil.move(config + ".new", config)
            install()
            check(f"{prefix}: installed again it is the same", files(root) == listing)

            with open(config, "a") as file:
                file.write("# edited\n")
            removed = install("--remove")
            check(f"{prefix}: removal leaves an edited configuration, and says so",
                  files(root) == [CONFIG[1:]] and CONFIG in removed.stdout, files(root))
            os.unlink(config)
            install()
            install("--remove")
            check(f"{prefix}: else no file at all", not files(root), files(root) or "")
