"""Reads the records of a recording without the dissector: the blocks of its pcapng file, and in them the format of
docs/recorder.md.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import struct
import types

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
MAX_BLOCK = 262144  # Wireshark reads no longer ones
TEXTS = (3, 4, 8, 9, 10, 11, 12)  # kinds with JSON


def blocks(data):
    """[(type, block)]; a last one that is cut is left out."""
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if at + length > len(data):
            return
        assert struct.unpack_from("<I", data, at + length - 4)[0] == length <= MAX_BLOCK
        yield kind, data[at:at + length]
        at += length


def records(data):
    """Each record as a namespace: kind, flags, recording, own, other, number (0 for none), payload, text (a dict), cut."""
    found = []
    for kind, block in blocks(data):
        if kind == PACKET:
            interface, high, low, captured, original = struct.unpack_from("<5I", block, 8)
            found.append(record_of(block[28:28 + captured], interface, (high << 32 | low) / 1e6, original - captured))
    return found


def record_of(data, interface, time, missing):
    at = 0
    while True:
        tag, length = struct.unpack_from(">HH", data, at)
        at += 4 + length
        if tag == 0:
            break
    data = data[at:]
    magic, version, kind, flags, _, recording, own, other, channel, head = struct.unpack_from("<4sBBBBIiiHH", data)
    assert (magic, version) == (b"GDRC", 1)
    payload = data[head:]
    return types.SimpleNamespace(
        interface=interface, time=time, kind=kind, flags=flags, recording=recording, own=own, other=other, channel=channel,
        number=struct.unpack_from("<I", data, 24)[0] if head >= 28 else 0, payload=payload, missing=missing,
        text=json.loads(payload) if kind in TEXTS else None)
