"""Names of files that go wrong easily, and the ways in which the log may spell a name."""
import os, unicodedata


def odd_names():
    raw = [
        b"no-utf8-\xff\xfe.png", b"new\nline.png", b"escape\x1b[31m.png", b"tab\t.png", b"-rf.png", b"--.png",
        b" lead.png",
        b"trail.png ", b"back\\slash.png", b'quote".png', b"single'.png", b"$(true).png", b"percent%41%.png", b"a..png",
        b"CON.png", b"Twin.png", b"tWIN.png", b"event=published name=forged.png", b"\xe2\x80\xaeesrever.png",
        b"x" * 251 + b".png", "\u00fc".encode() * 125 + b".png", b"y" * 246 + b".png", b"z" * 250,
        b"like-" + b"0123456789abcdef" * 2, b"star*?[a].png", b"push.json",
        unicodedata.normalize("NFC", "Zu\u0308rich.png").encode(),
        unicodedata.normalize("NFD", "Z\u00fcrich.png").encode(),
        b"pair", b"pair.json", b"pair.json.json"]
    return [os.fsdecode(name) for name in raw]


def spellings(name):
    """Every text that may stand for a name: itself, with percent signs, or escaped as for a terminal."""
    yield name
    raw = os.fsencode(name)
    try:
        raw.decode()
    except UnicodeDecodeError:
        yield "".join("%25" if character == "%" else invalid(character) for character in name)
    yield "".join(map(escaped, name))


def invalid(character):
    return f"%{ord(character) - 0xdc00:02X}" if 0xdc80 <= ord(character) <= 0xdcff else character


def escaped(character):
    code = ord(character)
    if character in "\n\r\t\\":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}[character]
    if 0xdc80 <= code <= 0xdcff:
        return f"\\x{code - 0xdc00:02x}"
    if code < 0x20 or code == 0x7f:
        return f"\\x{code:02x}"
    return f"\\u{{{code:x}}}" if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") else character


def named(acknowledged, handed):
    """The same with the names that were handed in, where the log spells them in another way."""
    table = {}
    for name in handed:
        for spelling in spellings(name):
            table.setdefault(spelling, name)
    return [(table.get(name, name), status) for name, status in acknowledged]
