#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A bad network: forwards UDP datagrams between clients and a server, and loses, delays, doubles and reorders
them.

    relay.py LISTEN_PORT SERVER_PORT --seed 1 --loss 0.08 --delay 20 --duplicate 0.05 --reorder 0.1

Each client gets a socket of its own towards the server. What happens to a datagram depends only on the seed,
the direction and its number in that direction, so that a run can be repeated if the programs at both ends
send the same datagrams. Every decision is printed as a line of JSON. Ends when no datagram has arrived for a
while.
"""

import argparse
import hashlib
import heapq
import json
import random
import select
import socket
import time

IDLE = 3.0  # seconds
LATE = 0.03  # seconds by which a reordered datagram is late


class Direction:
    """The decisions for the datagrams of one direction."""

    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.random = random.Random(f"{options.seed} {name}")
        self.number = 0

    def copies(self, data):
        """Delays, in seconds, of the copies of a datagram that arrive; logs what was done to it."""
        lost, double, late = (self.random.random() for _ in range(3))
        delay = self.options.delay / 1000
        delays, did = [delay], []
        if late < self.options.reorder:
            delays, did = [delay + LATE], ["late"]
        if double < self.options.duplicate:
            delays, did = [*delays, delay + LATE / 3], [*did, "doubled"]
        if lost < self.options.loss or f"{self.name}:{self.number}" in self.options.drop:
            delays, did = [], ["lost"]
        if did:
            digest = hashlib.sha256(data).hexdigest()
            fact = {"what": did[0], "direction": self.name, "number": self.number, "size": len(data), "sha256": digest}
            print(json.dumps({**fact, "also": did[1:]} if did[1:] else fact), flush=True)
        self.number += 1
        return delays


def run(options):
    front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    front.bind(("127.0.0.1", options.listen))
    to_server, to_client = Direction("to server", options), Direction("to client", options)
    backs, clients = {}, {}  # client address -> socket towards the server, and back
    queue, order, last = [], 0, None
    print(json.dumps({"what": "ready"}), flush=True)
    while last is None or time.monotonic() - last < IDLE:
        wait = max(0, queue[0][0] - time.monotonic()) if queue else IDLE
        for ready in select.select([front, *clients], [], [], min(wait, IDLE))[0]:
            try:
                data, address = ready.recvfrom(65535)
            except ConnectionError:  # the server has ended
                continue
            last = time.monotonic()
            if ready is front:
                if address not in backs:
                    backs[address] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    backs[address].connect(("127.0.0.1", options.server))
                    clients[backs[address]] = address
                send, delays = backs[address].send, to_server.copies(data)
            else:
                send, delays = (lambda d, a=clients[ready]: front.sendto(d, a)), to_client.copies(data)
            for delay in delays:
                order += 1
                heapq.heappush(queue, (last + delay, order, send, data))
        while queue and queue[0][0] <= time.monotonic():
            _, _, send, data = heapq.heappop(queue)
            try:
                send(data)
            except ConnectionError:
                pass


def add_options(parser):
    """What Direction asks for."""
    parser.add_argument("--seed", type=int, default=1)
    for name in ("loss", "delay", "duplicate", "reorder"):
        parser.add_argument(f"--{name}", type=float, default=0)
    parser.add_argument("--drop", nargs="*", default=[], help='datagrams, e.g. "to server:1" (the first is 0)')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("listen", type=int)
    parser.add_argument("server", type=int)
    add_options(parser)
    run(parser.parse_args())


if __name__ == "__main__":
    main()
