"""Makes records like those of the add-on, and captures of them: exported PDUs.

    records.write(path, [records.packet(0x11, own=1, other=7, payload=b"...", received=True), …])

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import struct

import pcap

LINKTYPE_UPPER_PDU = 252
PACKET, CONNECTED, DISCONNECTED, INFO, NAMES, RAW_PACKET, STREAM, LEFT_OUT, REPORT, OUTPUT, NODE, PAUSE, ORIGIN = range(13)
UNRELIABLE, UNRELIABLE_ORDERED, RELIABLE = range(3)


def record(kind, recording, own=1, other=0, payload=b"", received=False, mode=RELIABLE, channel=0, server=None, **head):
    flags = received | (own == 1 if server is None else server) << 1 | mode << 2
    fields = {"magic": b"GDRC", "version": 1, "flags": flags, "reserved": 0, "length": 24, "extension": b"", **head}
    return struct.pack(
        "<4sBBBBIiiHH", fields["magic"], fields["version"], kind, fields["flags"], fields["reserved"], recording, own, other,
        channel, fields["length"],
    ) + fields["extension"] + payload


def packet(recording, own, other, payload, **more):
    return record(PACKET, recording, own, other, payload, **more)


def numbered(number, recording, own, other, payload, **more):
    """A packet with its number in the recording."""
    return packet(recording, own, other, payload, length=28, extension=struct.pack("<I", number), **more)


def event(kind, recording, own=1, other=0, **members):
    """A report, an output, a change of a node, a pause, an origin."""
    return record(kind, recording, own, other, payload=json.dumps(members, ensure_ascii=False).encode())


def info(recording, own=1, **members):
    return record(INFO, recording, own, payload=json.dumps(members).encode())


def names(recording, own=1, **members):
    return record(NAMES, recording, own, payload=json.dumps(members).encode())


def exported(data, dissector=b"godot.recorder"):
    """An exported PDU: tag 12 with the dissector's name, the end of the tags, the data."""
    padded = dissector + bytes(-len(dissector) % 4)
    return struct.pack(">HH", 12, len(padded)) + padded + struct.pack(">HH", 0, 0) + data


def write(path, records, **more):
    """Records are bytes, or (seconds, bytes)."""
    packets = [(r[0], exported(r[1])) if isinstance(r, tuple) else exported(r) for r in records]
    return pcap.write(path, packets, linktype=LINKTYPE_UPPER_PDU, **more)


# --- packets of SceneMultiplayer -----------------------------------------------------------------------------


def simplify(checksum, number, path):
    return b"\x01" + checksum.encode() + b"\0" + struct.pack("<I", number) + path.encode() + b"\0"


def confirm(number, valid=True):
    return struct.pack("<BBI", 2, valid, number)


def call(node, method, *arguments):
    """A call with arguments in the compact encoding; ids of one byte."""
    return bytes([0, node, method, len(arguments)]) + b"".join(arguments)


def integer(value):
    return struct.pack("<Bb", 2, value)
