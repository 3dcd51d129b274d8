#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sends the datagrams of a file (lines: name, tab, hex) one by one, each after a reply to the previous one.

Usage: send_datagrams.py FILE PORT
"""

import json
import socket
import sys


def main(path, port):
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.connect(("127.0.0.1", int(port)))
    sender.settimeout(20)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, data = line.rstrip("\n").split("\t")
            sender.send(bytes.fromhex(data))
            sender.recv(16)
            print(json.dumps({"what": "send", "name": name, "hex": data}), flush=True)


main(*sys.argv[1:])
