#!/usr/bin/python3
"""Writes a large ENet capture: bench/enet_capture.py FILE [FRAMES]

One connection as a game has it: both sides send small reliable, unreliable and unsequenced messages, acknowledgements
come in datagrams of their own or in front of data, one message in a hundred is in three fragments, one in a hundred
datagrams is sent twice. Deterministic. 740,000 frames if not told otherwise.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import struct
import sys

ADDRESSES = (bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2)))
PORTS = (40000, 17777)  # a port no dissector claims
FRAGMENT = 1364


def packet(sender, payload):
    udp = struct.pack(">HHHH", PORTS[sender], PORTS[1 - sender], 8 + len(payload), 0) + payload
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0,
                       ADDRESSES[sender], ADDRESSES[1 - sender]) + udp


class Side:
    def __init__(self):
        self.reliable = 0
        self.unreliable = 0
        self.group = 0
        self.to_acknowledge = []


def handshake():
    numbers = struct.pack(">IIIIIIII", 1392, 65536, 4, 0, 0, 5000, 2, 2)
    yield 0, struct.pack(">HHBBHHBB", 0x8FFF, 0, 0x82, 0xFF, 1, 0, 0xFF, 0xFF) + numbers + b"\1\2\3\4\0\0\0\2"
    yield 1, struct.pack(">HHBBHHBB", 0x8000, 1, 0x83, 0xFF, 1, 0, 0, 0) + numbers + b"\1\2\3\4"
    yield 0, struct.pack(">HBBHHH", 0, 1, 0xFF, 1, 1, 1)


def fragments(rng, side):
    start, total = side.reliable + 1, 2 * FRAGMENT + rng.randrange(1, FRAGMENT)
    for number in range(3):
        side.reliable += 1
        length = min(FRAGMENT, total - number * FRAGMENT)
        yield struct.pack(">BBHHHIIII", 0x88, 0, side.reliable & 0xFFFF, start & 0xFFFF, length, 3, number, total,
                          number * FRAGMENT) + rng.randbytes(length)


def message(rng, side):
    data = b"\x0d" + rng.randbytes(rng.choice((11, 23, 35, 42)))
    kind = rng.random()
    if kind < 0.6:
        side.reliable, side.unreliable = side.reliable + 1, 0
        return struct.pack(">BBHH", 0x86, 0, side.reliable & 0xFFFF, len(data)) + data
    if kind < 0.8:
        side.unreliable += 1
        return struct.pack(">BBHHH", 0x07, 0, side.reliable & 0xFFFF, side.unreliable, len(data)) + data
    side.group += 1
    return struct.pack(">BBHHH", 0x49, 1, 0, side.group & 0xFFFF, len(data)) + data


def datagrams():
    """Endless: (sender, payload)."""
    rng = random.Random(1)
    sides = (Side(), Side())
    time = 1
    yield from handshake()
    while True:
        time = (time + rng.randrange(3)) & 0xFFFF
        sender = rng.randrange(2)
        side, other = sides[sender], sides[1 - sender]
        acknowledgements = b"".join(struct.pack(">BBHHH", 1, 0, number, number, then)
                                    for number, then in side.to_acknowledge[:8])
        del side.to_acknowledge[:8]
        bodies = list(fragments(rng, side)) if rng.random() < 0.01 else [message(rng, side)]
        if acknowledgements and rng.random() < 0.7:
            yield sender, struct.pack(">H", 0) + acknowledgements
            acknowledgements = b""
        for body in bodies:
            asks = body[0] & 0x80
            if asks:
                other.to_acknowledge.append((struct.unpack_from(">H", body, 2)[0], time))
            header = struct.pack(">HH", 0x8000, time) if asks else struct.pack(">H", 0)
            yield sender, header + acknowledgements + body
            acknowledgements = b""
            if rng.random() < 0.01:
                yield sender, header + body


def main():
    frames = int(sys.argv[2]) if len(sys.argv) > 2 else 740000
    with open(sys.argv[1], "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101))
        for number, (sender, payload) in zip(range(frames), datagrams()):
            data = packet(sender, payload)
            file.write(struct.pack("<IIII", 1700000000 + number // 1000, number % 1000 * 1000, len(data), len(data)) + data)


main()
