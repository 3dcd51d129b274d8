"""Counts what is in one recording, from its bytes, as recount.py does.

Written from the description of the format alone. Packets of SceneMultiplayer, and how many records are left out.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

import recount

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
EXPORTED_PDU, SECONDS_EXPONENT = 252, 9
PACKET_OF_API, NAMES, RECEIVED = 0, 4, 1


def blocks(data):
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack("<II", data[at:at + 8])
        yield kind, data[at + 8:at + length - 4]
        at += length


def resolution(options):
    """Units of a second."""
    while len(options) >= 4:
        kind, length = struct.unpack("<HH", options[:4])
        if kind == SECONDS_EXPONENT:
            return (2 if options[4] & 0x80 else 10) ** (options[4] & 0x7F)
        options = options[4 + (length + 3) // 4 * 4:]
    return 10 ** 6


def exported(pdu):
    """What follows the tags."""
    at = 0
    while True:
        tag, length = struct.unpack(">HH", pdu[at:at + 4])
        at += 4 + length
        if not tag:
            return pdu[at:]


def kind_of(block):
    """Of the record in a packet block."""
    return exported(block[20:])[5]


def without_names(path, copy):
    """Writes a copy of which the tables have numbers, as those of other captures."""
    with open(copy, "wb") as file:
        for kind, block in blocks(open(path, "rb").read()):
            if kind != PACKET or kind_of(block) != NAMES:
                length = struct.pack("<I", len(block) + 12)
                file.write(struct.pack("<I", kind) + length + block + length)


def records(path):
    """(seconds, record)"""
    units = []
    for kind, block in blocks(open(path, "rb").read()):
        if kind == SECTION:
            units = []
        elif kind == INTERFACE:
            if struct.unpack("<H", block[:2])[0] != EXPORTED_PDU:
                raise recount.Unknown("no recording")
            units.append(resolution(block[8:]))
        elif kind == PACKET:
            interface, high, low, kept, length = struct.unpack("<IIIII", block[:20])
            if kept != length:
                raise recount.Unknown("cut records")
            yield (high << 32 | low) / units[interface], exported(block[20:20 + kept])


def count(path):
    found, writers = recount.Count(), set()
    for found.frame, (found.now, record) in enumerate(records(path), 1):
        found.begin = found.now if found.begin is None else found.begin
        magic, _, kind, flags, _, recording, own, other, channel, head = struct.unpack("<4sBBBBIiiHH", record[:24])
        if magic != b"GDRC":
            raise recount.Unknown("no recording")
        if kind != PACKET_OF_API:
            continue
        writers.add(recording)
        ends = (other, own) if flags & RECEIVED else (own, other)
        facts = found.message(*ends, record[head:])
        facts["channel"], facts["connection"] = channel, recording
    if len(writers) > 1:
        raise recount.Unknown("several recordings")
    return found
