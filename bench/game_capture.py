#!/usr/bin/python3
"""Writes a large capture of a Godot game from a shipped one: bench/game_capture.py FILE [FRAMES [SESSIONS
[LENGTH]]]

The frames of test-captures/multiplayer/godot-4.6-enet-game.pcap over and over, each time later and between
other addresses: SESSIONS at a time, a frame of each in turn, and the next ones when these have ended. A
session has 4 connections to one server; LENGTH is the number of its frames (default: all). The default is
20,000 frames of 1 session at a time.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools
import pathlib
import struct
import sys

GAME = pathlib.Path(__file__).resolve().parents[1] / "test-captures/multiplayer/godot-4.6-enet-game.pcap"
ADDRESSES = 12 + 14  # of IPv4 after Ethernet


def frames():
    data = GAME.read_bytes()
    at = 24
    while at < len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        seconds, microseconds = struct.unpack_from("<II", data, at)
        yield seconds * 1_000_000 + microseconds, data[at + 16:at + 16 + length]
        at += 16 + length
    assert data[:4] == b"\xd4\xc3\xb2\xa1", "another byte order"


def moved(data, session):
    """The same frames between other hosts."""
    host = struct.pack(">BBH", 10, session >> 16 & 0xff, session & 0xffff)
    return data[:ADDRESSES] + host + host + data[ADDRESSES + 8:]


def endless(sessions, length):
    game = list(frames())[:length]
    lasts = game[-1][0] - game[0][0]
    for first in itertools.count(0, sessions):
        for time, data in game:
            for session in range(first, first + sessions):
                yield time + first // sessions * lasts, moved(data, session)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    length = int(sys.argv[4]) if len(sys.argv) > 4 else None
    with open(sys.argv[1], "wb") as file:
        file.write(GAME.read_bytes()[:24])
        for time, data in itertools.islice(endless(sessions, length), count):
            file.write(struct.pack("<IIII", *divmod(time, 1_000_000), len(data), len(data)) + data)


main()
