"""Pictures that differ from each other, made here or out of somebody's photos."""
import csv, hashlib, os, re, struct, subprocess, zlib

from corpus_verdicts import DELIBERATE


def digest(data):
    return hashlib.sha256(data).hexdigest()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(number, blocks=4):
    """A PNG of 8-pixel blocks in colours that follow from the number, so that no two results are equal either."""
    colours = hashlib.sha512(b"%d" % number).digest()
    rows = b""
    for y in range(blocks):
        row = b"".join(colours[3 * ((y * blocks + x) % 16):][:3] * 8 for x in range(blocks))
        rows += (b"\0" + row) * 8
    side = 8 * blocks
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def numbered(data, number):
    """The same picture in other bytes: a comment behind the header of a JPEG or PNG; nil change for anything else."""
    text = b"%012d" % number
    if data[:2] == b"\xff\xd8":
        return data[:2] + b"\xff\xfe" + struct.pack(">H", len(text) + 2) + text + data[2:]
    if data[:4] == b"\x89PNG":
        return data[:33] + chunk(b"tEXt", b"Number\0" + text) + data[33:]
    return data


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def sample(program, scratch):
    """The pictures of mediaprep-sample that are whole, by name; none when that program is not there."""
    maker = os.path.join(os.path.dirname(os.path.abspath(program)), "mediaprep-sample")
    folder = os.path.join(scratch, "sample")
    if not os.path.exists(folder) and os.path.exists(maker):
        subprocess.run([maker, folder], check=True, stdout=subprocess.DEVNULL)
    names = sorted(os.listdir(folder)) if os.path.exists(folder) else []
    return {name: read(os.path.join(folder, name)) for name in names if name.endswith((".jpg", ".png")) and not name.startswith("broken")}


def corpus(folder, largest=1_500_000):
    """The JPEG and PNG files of a corpus that mediaprep is to accept, none of them larger than that."""
    with open(os.path.join(folder, "MANIFEST.tsv"), newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    paths = [os.path.join(folder, row["path"]) for row in rows
             if row["verdict"] == "accept" and row["path"] not in DELIBERATE
             and re.search(r"\.(jpe?g|png)$", row["path"], re.IGNORECASE)]
    return [read(path) for path in paths if os.path.getsize(path) <= largest]


def two_megapixels(campaign):
    """A photo of 2 megapixels, and how many pixels it has: the sample's of 12, made smaller by mediaprep itself."""
    source = campaign.sample.get("harbour.jpg")
    if source is None:
        return None
    folder = os.path.join(campaign.scratch, "two-megapixels")
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "photo.jpg"), source)
    command = [campaign.program, "batch", "photo.jpg", "--output", "out", "--quiet"]
    command += ["--short-edge", "1224", "--quality", "90", "--max-bytes", "10000000"]
    subprocess.run(command, cwd=folder, check=True)
    data = read(os.path.join(folder, "out", "photo.jpg"))
    return jpeg_size(data), data


def jpeg_size(data):
    """Pixels, by the first frame header."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        if marker in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width * height
        at += 2 + length
    return None
