# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what is needed to compare a loopback capture with the logs of the engines."""

import struct


def frames(path):
    """IPv4 packets of a little-endian pcap file of Ethernet frames: (protocol, source port, target port, IP payload)."""
    data = path.read_bytes() if hasattr(path, "read_bytes") else open(path, "rb").read()
    offset = 24
    while offset < len(data):
        length = struct.unpack_from("<I", data, offset + 8)[0]
        frame = data[offset + 16 : offset + 16 + length]
        offset += 16 + length
        if frame[12:14] == b"\x08\x00":
            header = 14 + 4 * (frame[14] & 15)
            body = frame[header : 14 + struct.unpack_from(">H", frame, 16)[0]]
            yield frame[23], *struct.unpack_from(">HH", body), body


def datagrams(path, port):
    """Payloads of the UDP datagrams sent to a port."""
    return [body[8:] for protocol, _, target, body in frames(path) if protocol == 17 and target == port]


def streams(path, port, to_port=True):
    """The bytes of each TCP connection to (or from) a port, in order of appearance."""
    parts = {}
    for protocol, source, target, body in frames(path):
        ours, theirs = (target, source) if to_port else (source, target)
        if protocol == 6 and ours == port:
            sequence = struct.unpack_from(">I", body, 4)[0]
            payload = body[4 * (body[12] >> 4) :]
            start = parts.setdefault(theirs, (sequence + 1, {}))[0]
            offset = (sequence - start) & 0xFFFFFFFF
            if len(payload) > len(parts[theirs][1].get(offset, b"")):
                parts[theirs][1][offset] = payload
    return [_joined(pieces) for _, pieces in parts.values()]


def _joined(pieces):
    stream = b""
    for offset in sorted(pieces):
        stream += pieces[offset][max(0, len(stream) - offset) :]
    return stream
