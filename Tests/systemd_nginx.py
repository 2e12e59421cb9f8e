"""What nginx serves of the spool, with the snippet as it was installed."""
import contextlib, os, re, shutil

from systemd_service import STATE, check

CONFIG = """user www-data;
pid /run/check-nginx.pid;
error_log /srv/check/nginx.log;
events { }
http {
    access_log off;
    server {
        listen 127.0.0.1:8099;
        include /usr/share/doc/mediaprep/nginx-mediaprep.conf;
        location / { return 404; }
    }
}
"""


def get(machine, target, *options):
    """Status and answer, in lower case, for a path that is asked for exactly as it is written."""
    answer = machine.run(
        "curl", "--silent", "--include", "--path-as-is", *options, "http://127.0.0.1:8099/" + target).stdout.lower()
    match = re.match(r"http/1.1 (\d+)", answer)
    return int(match[1]) if match else 0, answer


def check_nginx(service):
    missing = [program for program in ("nginx", "curl") if not shutil.which(program)]
    if missing:
        print("SKIPPED nginx: there is no", " and no ".join(missing))
        return
    machine = service.machine
    machine.write("/srv/check/nginx.conf", CONFIG)
    machine.run("ip", "link", "set", "lo", "up")
    started = machine.run("nginx", "-c", "/srv/check/nginx.conf")
    manifests = filter(None, map(service.manifest, service.sent))
    path = next((manifest["output"]["path"] for manifest in manifests if manifest["status"] == "published"), "none")
    status, answer = get(machine, path)
    check("nginx serves a result, as www-data", status == 200, started.stdout or status)
    for line in ("content-type: image/jpeg", "cache-control: public, max-age=31536000, immutable",
                 "x-content-type-options: nosniff"):
        check(f"with {line}", line in answer)

    for attachment in (service.manifest("push") or {}).get("attachments", []):
        status, answer = get(machine, attachment["output"]["path"])
        told = f"content-type: {attachment['http']['content_type']}\n"
        check(f"nginx serves {attachment['name']} as what it is", status == 200 and told in answer, status)

    folder, manifest = os.path.dirname(path), service.sent[0] + ".json"
    refused = ["media/", folder, folder + "/", "media/.tmp/x", "media/../.index/", "media/..%2f.tmp/", ".notify/",
               manifest, "media/../" + manifest, "media/..%2f" + manifest, f"{folder}/{'0' * 64}.jpg"]
    answers = {target: get(machine, target) for target in refused}
    wrong = [target for target, (status, answer) in answers.items()
             if status not in (400, 404) or "immutable" in answer]
    check(f"nginx has nothing else: {len(refused)} other paths", not wrong, wrong or "")

    link = os.path.join(machine.path(STATE), "outbox", folder, "f" * 64 + ".jpg")
    os.symlink("/etc/hostname", link)
    status, _ = get(machine, f"{folder}/{'f' * 64}.jpg")
    check("nginx follows no symbolic link", status in (403, 404), status)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(link)
    check("nginx takes no POST", get(machine, path, "--data", "x")[0] == 403)
    machine.run("nginx", "-c", "/srv/check/nginx.conf", "-s", "quit")
