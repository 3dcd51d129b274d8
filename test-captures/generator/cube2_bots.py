#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two players of Cube 2 at a server on this machine who move, talk and leave. Usage: cube2_bots.py PORT

Needs Debian's python3-enet. Log: JSON lines, see test-captures/enet/README.md. Implements only the part of
the game's protocol that is needed to join: integers of one byte (or 0x80 and two bytes), strings as integers
ending in 0.
"""

import json
import socket
import sys
import time

import enet

CONNECT, POSITION, TEXT = 0, 4, 5
RELIABLE = enet.PACKET_FLAG_RELIABLE


def integer(value):
    return bytes([value & 0xFF]) if -128 < value < 128 else b"\x80" + value.to_bytes(2, "little", signed=True)


def string(text):
    return b"".join(integer(c) for c in text.encode("ascii")) + b"\0"


def record(what, **fields):
    print(json.dumps({"what": what, **fields}), flush=True)


class Player:
    def __init__(self, name, port):
        self.name = name
        self.number = None
        self.host = enet.Host(None, 1, 3, 0, 0)
        self.peer = self.host.connect(enet.Address(b"127.0.0.1", port), 3, 0)
        record("connect", link=name, data=0, channels=3)

    def send(self, channel, flags, data):
        record("send", link=self.name, channel=channel, flags=flags, size=len(data), hex=data.hex())
        self.peer.send(channel, enet.Packet(data, flags))

    def service(self):
        event = self.host.service(5)
        while event.type != enet.EVENT_TYPE_NONE:
            if event.type == enet.EVENT_TYPE_CONNECT:
                record("connected", link=self.name, data=event.data)
            elif event.type == enet.EVENT_TYPE_DISCONNECT:
                record("disconnected", link=self.name, data=event.data)
            else:
                data = event.packet.data
                record("receive", link=self.name, channel=event.channelID, size=len(data), hex=data.hex())
                if self.number is None:  # the server's introduction: type, player number, version, …
                    self.number = data[1]
                    self.send(1, RELIABLE, integer(CONNECT) + string(self.name) + integer(0) + string("") * 3)
            event = self.host.service(0)

    def move(self, tick):
        place = b"".join((x & 0xFFFF).to_bytes(2, "little") for x in (1000 + 16 * tick, 2000 - 8 * tick, 512))
        self.send(0, 0, bytes([POSITION, self.number, 0, 0]) + place + bytes([tick & 0xFF, 1, 90, 20, tick & 0xFF, 1]))


def ask_for_status(port):
    """The server's status, by UDP without ENet on the next port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plain:
        plain.settimeout(2)
        plain.sendto(b"\x01", ("127.0.0.1", port + 1))
        record("status", size=len(plain.recv(4096)))


def main(port):
    ask_for_status(port)
    players = [Player("alice", port), Player("bob", port)]
    for tick in range(90):
        for player in players:
            player.service()
            if player.number is not None and tick > 20:
                player.move(tick)
                if tick % 20 == 10:
                    player.send(1, RELIABLE, integer(TEXT) + string(f"hello from {player.name} {tick}"))
        time.sleep(0.02)
    for player in players:
        record("disconnect", link=player.name, data=0, kind="graceful")
        player.peer.disconnect(0)
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        for player in players:
            player.service()


if __name__ == "__main__":
    main(int(sys.argv[1]))
