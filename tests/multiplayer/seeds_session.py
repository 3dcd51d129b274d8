"""Writes sequences of packets for fuzz_session: python3 seeds_session.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import struct
import sys

CLIENT, CUT, REPEATED, LOSSY, RELAYED = 0x80, 0x40, 0x20, 0x10, 8
CHECKSUM = b"d41d8cd98f00b204e9800998ecf8427e\0"


def announce(number, path):
    return b"\1" + CHECKSUM + struct.pack("<I", number) + path + b"\0"


def confirm(number):
    return b"\2\1" + struct.pack("<I", number)


def confirm_path(path):
    return b"\2\1" + path + b"\0"


def call(path):
    return b"\x20" + struct.pack("<I", 0x80000007) + b"\0\0" + path + b"\0"


def call_by_number(number):
    return bytes((0x80, number, 0))


def spawn(net_id, name):
    return b"\4\0" + struct.pack("<IIII", 1, net_id, 0, len(name)) + name


def despawn(net_id):
    return b"\5" + struct.pack("<I", net_id)


def about_peer(subcommand, peer):
    return bytes((7, subcommand)) + struct.pack("<i", peer) + (b"\x80\1\0" if subcommand == 3 else b"")


SEQUENCES = {
    "confirmed": [(0, announce(1, b"Main")), (0, call(b"Main")), (CLIENT | 1, confirm(1)), (0, call_by_number(1))],
    "never_confirmed": [(0, announce(1, b"Main")), *[(CLIENT | 5, about_peer(1, 5))] * 4, (0, call(b"Main")), (CLIENT | 5, b"\3")],
    "shown_later": [(0, announce(1, b"Main")), *[(CLIENT | 7, b"\3")] * 3, (0, announce(2, b"Main/A")), (0, call(b"Main")),
                    (CLIENT | 1, confirm(2)), (0, call(b"Main"))],
    "early_engines": [(0, announce(1, b"Main")), (CLIENT, confirm_path(b"Main")), (CLIENT, announce(1, b"Main")), (0, confirm(1))],
    "announced_again": [(0, announce(1, b"A")), (REPEATED, announce(1, b"A")), (0, announce(1, b"B")), (CLIENT, confirm(1)), (0, call_by_number(1))],
    "cut": [(CUT, announce(1, b"Ma")), (0, call(b"Ma")), (CLIENT | CUT, confirm(1)), (7, call_by_number(1)), (7, call_by_number(2))],
    "lossy": [(0, announce(1, b"Main")), (CLIENT | LOSSY | 7, b"\3"), *[(CLIENT | 7, b"\3")] * 3, (0, call(b"Main")), (0, despawn(9))],
    "spawned": [(0, spawn(3, b"Enemy")), (0, announce(1, b"Enemy")), (CLIENT, confirm(1)), (0, despawn(3)), (CLIENT, announce(4, b"Enemy")),
                (CLIENT, call(b"Enemy")), (0, despawn(3)), (0, spawn(3, b"Enemy"))],
    "peers": [(0, about_peer(1, 4711)), (0, about_peer(3, 4711)), (0, about_peer(2, 4711)), (CLIENT, about_peer(3, 4711))],
    "relayed": [(RELAYED, announce(1, b"Main")), (CLIENT | RELAYED, confirm(1)), (RELAYED, call_by_number(1)), (RELAYED, call(b"Main"))],
}

for name, packets in SEQUENCES.items():
    seed = b"".join(bytes((flags, len(packet))) + packet for flags, packet in packets)
    (pathlib.Path(sys.argv[1]) / name).write_bytes(seed)
