#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Accepts connections of games to a remote debugger and reads what they send, until COUNT games have closed
theirs. Usage: debugger_sink.py PORT COUNT"""

import json
import selectors
import socket
import sys


def main(port, count):
    watched = selectors.DefaultSelector()
    server = socket.create_server(("127.0.0.1", port))
    watched.register(server, selectors.EVENT_READ)
    print(json.dumps({"what": "ready"}), flush=True)
    while count:
        for key, _ in watched.select():
            if key.fileobj is server:
                watched.register(server.accept()[0], selectors.EVENT_READ)
            elif not key.fileobj.recv(1 << 16):
                watched.unregister(key.fileobj)
                key.fileobj.close()
                count -= 1


main(*map(int, sys.argv[1:]))
