"""Reads the segments of a JPEG without any library, for the checks of what mediaprep publishes."""
import struct

# SOI is no segment here: APP0, DQT, SOF0, SOF2, DHT, DRI, SOS, EOI.
ALLOWED = {0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD, 0xDA, 0xD9}


def segments(data):
    """The markers of a JPEG in order, and its size; an error where anything lies outside of its segments."""
    assert data[:2] == b"\xff\xd8", "does not start with SOI"
    markers, size, at = [], None, 2
    while at < len(data):
        assert data[at] == 0xFF, f"stray byte at {at}"
        marker = data[at + 1]
        markers.append(marker)
        if marker == 0xD9:
            assert at + 2 == len(data), f"{len(data) - at - 2} bytes after EOI"
            return markers, size
        length = struct.unpack(">H", data[at + 2:at + 4])[0]
        if marker in (0xC0, 0xC2):
            bits, height, width, components = struct.unpack(">BHHB", data[at + 4:at + 10])
            assert bits == 8 and components == 3, f"{components} components of {bits} bits"
            size = (width, height)
        at += 2 + length
        if marker == 0xDA:
            while not (data[at] == 0xFF and data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7):
                at += 1
    raise AssertionError("ends without EOI")
