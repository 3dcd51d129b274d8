#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Forwards one TCP connection in small pieces of random sizes. Usage: tcp_relay.py LISTEN_PORT TARGET_PORT
SEED"""

import json
import random
import select
import socket
import sys


def main(listen, target, seed):
    chance = random.Random(seed)
    with socket.create_server(("127.0.0.1", listen)) as server:
        print(json.dumps({"what": "ready"}), flush=True)
        source, _ = server.accept()
    sink = socket.create_connection(("127.0.0.1", target))
    sink.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pieces = total = 0
    while sink not in select.select([source, sink], [], [])[0]:  # the receiver closes the connection when it has everything
        data = source.recv(1 << 16)
        while data:
            size = chance.choice((1, 2, 3, 4, 5, 8, 100, 1400, 4000))
            sink.sendall(data[:size])
            total += len(data[:size])
            data = data[size:]
            pieces += 1
    print(json.dumps({"what": "relayed", "pieces": pieces, "bytes": total}), flush=True)


main(*map(int, sys.argv[1:]))
