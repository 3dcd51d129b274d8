#!/usr/bin/python3
"""Writes UDP datagrams of an unknown protocol: bench/foreign_capture.py FILE [FRAMES [KIND]]

1,200 bytes each, between 50 pairs of endpoints; 20,000 by default. KIND is `random`, or `bit14`: random
except for the first two bytes, in which bit 14 is set and bit 15 is not, as in QUIC packets with a short
header. Deterministic.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import struct
import sys

LENGTH = 1200


def packet(rng, kind):
    pair = rng.randrange(50)
    payload = rng.randbytes(LENGTH)
    if kind == "bit14":
        payload = bytes([0x40 | payload[0] & 0x3F]) + payload[1:]
    udp = struct.pack(">HHHH", 40000 + pair, 33333, 8 + LENGTH, 0) + payload
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0,
                       bytes((192, 0, 2, pair)), bytes((198, 51, 100, 1))) + udp


def main():
    frames = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    kind = sys.argv[3] if len(sys.argv) > 3 else "random"
    rng = random.Random(1)
    with open(sys.argv[1], "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101))
        for number in range(frames):
            data = packet(rng, kind)
            file.write(struct.pack("<IIII", 1700000000 + number // 1000, number % 1000 * 1000, len(data), len(data)) + data)


main()
