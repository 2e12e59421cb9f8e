"""The spool's promises, held against what lies in its directories.

`handed` says what was put in: {NAME: Input}. Names are text with surrogate escapes for bytes that are no UTF-8.
"""
import json, os, re, shutil, stat, subprocess
from typing import NamedTuple

from pictures import digest, read

DJPEG = shutil.which("djpeg")
HASHED = re.compile(rb"-[0-9a-f]{32}$")


class Input(NamedTuple):
    sha256: str | None  # None for what is no regular file
    status: str | None = "published"  # None for either
    is_regular: bool = True
    order: tuple | None = None  # of the attachments of a push


def push(files, order=None, status="published"):
    """A directory that is one push; in the order of its names where no other is told."""
    names = tuple(order or sorted(name for name in files if name != "push.json"))
    return Input(tree_digest(files), status, is_regular=False, order=names)


def tree_digest(files):
    return digest(b"".join(f"{name} {digest(data)}\n".encode() for name, data in sorted(files.items())))


def content_digest(path):
    """Of a file, or of a directory with files; None for neither."""
    if not os.path.isdir(path):
        data = contents(path)
        return None if data is None else digest(data)
    files = {name: contents(os.path.join(path, name)) for name in listing(path)}
    return None if None in files.values() else tree_digest(files)


def inputs(files, status="published"):
    return {name: Input(digest(data), status) for name, data in files.items()}


def outcome_name(name):
    """The manifest's name in the outbox, of which the prefix is the program's own matter when it is hashed."""
    raw = os.fsencode(name)
    if len(raw) + 5 <= 255 and not HASHED.search(raw):
        return name + ".json"
    return None


def outcome(outbox, name):
    """Bytes of the manifest for a name, or None."""
    plain = outcome_name(name)
    if plain:
        return contents(os.path.join(outbox, plain))
    suffix = f"-{digest(os.fsencode(name))[:32]}.json"
    found = [entry for entry in listing(outbox) if entry.endswith(suffix)]
    return contents(os.path.join(outbox, found[0])) if len(found) == 1 else None


def contents(path):
    try:
        return read(path)
    except OSError:
        return None


def listing(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def files_below(folder):
    for parent, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(parent, name)


class Spool:
    """The directories of one root, as they are at the moment."""

    def __init__(self, root):
        self.root, self.known = root, {}
        self.inbox, self.work, self.outbox, self.done, self.rejected = (
            os.path.join(root, name) for name in ("inbox", "work", "outbox", "done", "rejected"))

    def outcomes(self):
        """Manifests in the outbox by their file's name: JSON, or None for what cannot be read."""
        return {name: parsed(contents(os.path.join(self.outbox, name)))
                for name in listing(self.outbox) if name.endswith(".json")}

    def has_outcomes(self, names):
        present = set(listing(self.outbox))
        return all((outcome_name(name) in present) if outcome_name(name) else outcome(self.outbox, name) is not None
                   for name in names)

    def is_drained(self):
        return not listing(self.inbox) and not listing(self.work)

    # At any moment, also right after a kill or a power cut.
    def standing_faults(self, handed, acknowledged):
        """What was told is there, each manifest has its exact media, and no input's bytes are lost."""
        manifests = self.outcomes()
        for name, manifest in manifests.items():
            yield from self.manifest_faults(name, manifest)
        for name, status in acknowledged:
            manifest = parsed(outcome(self.outbox, name))
            if manifest is None:
                yield f"{name!r} was told to be {status}, and its manifest is gone"
            elif manifest.get("status") != status:
                yield f"{name!r} was told to be {status}, and its manifest says {manifest.get('status')}"
        for name, given in handed.items():
            if given.sha256 and not self.holds(name, given.sha256):
                yield f"{name!r}: the bytes that were handed in are nowhere"
        yield from self.index_faults()

    def manifest_faults(self, name, manifest):
        if manifest is None:
            yield f"outbox/{name} is no manifest"
        elif manifest.get("status") == "published":
            yield from (f"outbox/{name}: {fault}" for fault in media_faults(self.outbox, manifest))
        elif manifest.get("status") != "rejected" or "code" not in manifest.get("rejection", {}):
            yield f"outbox/{name} is neither published nor rejected"

    def holds(self, name, sha256):
        places = [os.path.join(self.inbox, name)]
        places += [os.path.join(self.work, claim, name) for claim in listing(self.work)]
        places += self.originals(name)
        return any(content_digest(place) == sha256 for place in places)

    def originals(self, name):
        """Where the original of a name ended, of which there may be several when the name came again."""
        found = []
        for folder in (self.done, self.rejected):
            plain, prefix = os.path.join(folder, name), name + "."
            if os.path.lexists(plain) and not is_manifest(plain):
                found.append(plain)
            found += [os.path.join(folder, entry) for entry in self.renamed(folder)
                      if entry.startswith(prefix) and len(entry) == len(prefix) + 16]
        return found

    def renamed(self, folder):
        """Originals whose name was taken, read once: a Spool is made anew for each look."""
        if folder not in self.known:
            self.known[folder] = [name for name in listing(folder) if re.search(r"\.[0-9a-f]{16}$", name)]
        return self.known[folder]

    def index_faults(self):
        for path in files_below(os.path.join(self.outbox, ".index")):
            manifest, key = parsed(contents(path)), os.path.basename(path)
            label = os.path.relpath(path, self.outbox)
            if manifest is None:
                yield f"{label} is no manifest"
            elif manifest.get("status") != "published":
                yield f"{label} is not published"
            else:
                if key.split("-")[0] != manifest.get("source", {}).get("sha256"):
                    yield f"{label} is of another source"
                yield from (f"{label}: {fault}" for fault in media_faults(self.outbox, manifest))
        for path in files_below(os.path.join(self.outbox, ".notify")):
            if parsed(contents(path)) is None:
                yield f"{os.path.relpath(path, self.outbox)} is no manifest"

    # After a restart, when nothing waits any more.
    def settled_faults(self, handed, acknowledged, allowed=(), once=False, left=(), deleted=False):
        """Every input came to one end, and nothing else is left.

        allowed: codes that a good picture may be refused with. once: told once each.
        left: names that stay in the inbox. deleted: originals are not kept.
        """
        yield from self.standing_faults({} if deleted else handed, acknowledged)
        manifests, expected, referenced = self.outcomes(), set(), set()
        for name, given in handed.items():
            plain = outcome_name(name)
            if plain is None:
                suffix = f"-{digest(os.fsencode(name))[:32]}.json"
                plain = next((entry for entry in manifests if entry.endswith(suffix)), name)
            manifest = manifests.get(plain)
            expected.add(plain)
            if manifest is None:
                yield f"{name!r} has no outcome"
                continue
            yield from self.end_faults(name, given, manifest, allowed, deleted)
        for manifest in manifests.values():
            if manifest and manifest.get("status") == "published":
                referenced |= {media_path(part) for part in parts(manifest)}
        for name in sorted(set(manifests) - expected):
            yield f"outbox/{name} is the outcome of nothing that was handed in"
        for path in files_below(os.path.join(self.outbox, "media")):
            path = os.path.relpath(path, self.outbox)
            if path not in referenced:
                yield f"outbox/{path} is named by no manifest"
        for folder in ("inbox", "work", "outbox/.tmp", "outbox/.notify"):
            for name in listing(os.path.join(self.root, folder)):
                if not (folder == "inbox" and name in left):
                    yield f"{folder}/{name!r} is left"
        strangers = set(listing(self.outbox)) - set(manifests) - {"media", ".lock", ".tmp", ".index", ".notify"}
        yield from (f"outbox/{name!r} is left" for name in sorted(strangers))
        told = {}
        for name, _ in acknowledged:
            told[name] = told.get(name, 0) + 1
        for name in handed:
            if told.get(name, 0) == 0 or once and told[name] != 1:
                yield f"{name!r} was told {told.get(name, 0)} times"

    def end_faults(self, name, given, manifest, allowed, deleted):
        status, source = manifest.get("status"), manifest.get("source", {}).get("sha256")
        code = manifest.get("rejection", {}).get("code")
        if given.status and status != given.status and not (status == "rejected" and code in allowed):
            yield f"{name!r} is {status} ({code}) instead of {given.status}"
        if given.order:
            names = [part.get("name") for part in manifest.get("attachments", ())]
            if names != list(given.order) and status == "published":
                yield f"{name!r} was published with {names} instead of {list(given.order)}"
        elif given.sha256 and source != given.sha256 and not (source is None and status == "rejected"):
            yield f"{name!r} was made from other bytes than were handed in"
        ends = self.originals(name)
        folders = [os.path.basename(os.path.dirname(path)) for path in ends]
        wanted = "done" if status == "published" else "rejected"
        if deleted and wanted == "done":
            if ends:
                yield f"{name!r} was to be deleted and is in {folders}"
            return
        if folders != [wanted]:
            yield f"the original of {name!r} is in {folders or 'no place'} instead of {wanted}"
        elif given.sha256 and not any(content_digest(path) == given.sha256 for path in ends):
            yield f"{wanted}/{name!r} has other bytes than were handed in"
        elif wanted == "rejected" and outcome_name(name) and not os.path.exists(ends[0] + ".json"):
            if not os.path.exists(os.path.join(self.rejected, name + ".json")):
                yield f"the manifest of {name!r} is not beside its original"
        elif not given.is_regular and any(stat.S_ISREG(os.lstat(path).st_mode) for path in ends):
            yield f"{wanted}/{name!r} is a regular file and was none"


def is_manifest(path):
    """Whether it is the manifest beside a rejected original, which another original's name may be like."""
    return path.endswith(".json") and "schema" in (parsed(contents(path)) or {})


def parsed(data):
    try:
        value = json.loads(data) if data is not None else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def parts(manifest):
    """The manifests that have media: those of the attachments of a push, or itself."""
    return manifest.get("attachments", [manifest])


def media_path(manifest):
    output = manifest.get("output", {})
    return os.path.normpath(output.get("path") or output.get("file") or "")


def media_faults(outbox, manifest):
    if not parts(manifest):
        yield "it was published without attachments"
    for part in parts(manifest):
        yield from single_media_faults(outbox, part)


def single_media_faults(outbox, manifest):
    path, output = media_path(manifest), manifest.get("output", {})
    if not re.fullmatch(r"media/[0-9a-f]{2}/[0-9a-f]{64}\.jpg", path):
        yield f"its media is at {path!r}"
    data = contents(os.path.join(outbox, path))
    if data is None:
        yield f"its media {path} is not there"
    elif len(data) != output.get("bytes") or digest(data) != output.get("sha256"):
        yield f"its media {path} has other bytes than it says"
    elif digest(data) not in path:
        yield f"its media {path} is named by another digest"
    else:
        fault = picture_fault(digest(data), data)
        if fault:
            yield f"its media {path}: {fault}"


WHOLE = {}


def picture_fault(key, data):
    """What djpeg says of a result; each is decoded once."""
    if key not in WHOLE:
        WHOLE[key] = decoding_fault(data)
        if len(WHOLE) > 100_000:
            WHOLE.pop(next(iter(WHOLE)))
    return WHOLE[key]


def decoding_fault(data):
    if data[:2] != b"\xff\xd8" or data[-2:] != b"\xff\xd9":
        return "no whole JPEG"
    if DJPEG is None:
        return None
    decoder = subprocess.run([DJPEG, "-outfile", "/dev/null"], input=data, stderr=subprocess.PIPE)
    if decoder.returncode or decoder.stderr:
        return "djpeg: " + decoder.stderr.decode(errors="replace").strip()
    return None
