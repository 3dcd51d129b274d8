"""Writes seeds for fuzz_enet_sequences: the first datagrams of real captures.

usage: seeds_enet_sequences.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
CAPTURES = HERE.parents[1] / "test-captures" / "enet"
LIMIT = 4000  # bytes of a seed


def datagrams(path):
    """(source port, UDP payload) of each IPv4 packet in a classic capture file with Ethernet or raw IP."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    link = struct.unpack_from(order + "I", data, 20)[0]
    start = {1: 14, 101: 0, 113: 16, 228: 0}.get(link)
    at = 24
    while start is not None and at + 16 <= len(data):
        length = struct.unpack_from(order + "I", data, at + 8)[0]
        packet = data[at + 16 + start:at + 16 + length]
        at += 16 + length
        if len(packet) > 28 and packet[0] == 0x45 and packet[9] == 17:
            yield struct.unpack_from(">H", packet, 20)[0], packet[28:20 + struct.unpack_from(">H", packet, 24)[0]]


def main():
    target = pathlib.Path(sys.argv[1])
    for path in sorted(CAPTURES.glob("*.pcap")):
        seed, first = b"", None
        for port, payload in datagrams(path):
            first = first or port
            word = (port != first) << 15 | (len(seed) % 2 + 1) << 12 | min(len(payload), 0xFFF)
            if len(seed) + len(payload) > LIMIT:
                break
            seed += struct.pack(">H", word) + payload[:0xFFF]
        if seed:
            (target / path.stem).write_bytes(seed)


main()
