#!/usr/bin/env python3
"""Usage: websocket_feed.py server PORT EXTENSION | client PORT EXTENSION    (EXTENSION: deflate or none)

A WebSocket server that is not Godot's, with messages that begin like Godot's: four bytes with a value over 1,
then counters, small records with a leading type, and text in binary messages. Logs like the engines. Needs
Debian's python3-websockets.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import asyncio
import json
import random
import struct
import sys

import websockets

ROLE, PORT, EXTENSION = sys.argv[1], int(sys.argv[2]), sys.argv[3]
COMPRESSION = None if EXTENSION == "none" else EXTENSION


def log(what, **fields):
    print(json.dumps({"what": what, **fields}), flush=True)


def feed():
    source = random.Random(7)
    yield struct.pack("<I", 1203948576)  # like the id of a peer
    for number in range(60):
        yield struct.pack("<I", 1203948576 + number)
        yield bytes([number % 8, source.randrange(256)])
        yield bytes([number % 8]) + struct.pack("<fI", source.uniform(-90, 90), source.randrange(1 << 32))
        yield json.dumps({"tick": number, "price": source.randrange(10000) / 100}).encode()
        yield bytes(source.randrange(4) for _ in range(source.randrange(1, 20)))


async def serve(socket):
    for message in feed():
        log("send", hex=message.hex())
        await socket.send(message)
    await socket.close()
    asyncio.get_running_loop().call_later(0.2, lambda: sys.exit(0))


async def main():
    if ROLE == "server":
        async with websockets.serve(serve, "127.0.0.1", PORT, compression=COMPRESSION, subprotocols=None):
            log("ready")
            await asyncio.sleep(20)
    else:
        async with websockets.connect(f"ws://127.0.0.1:{PORT}/feed", compression=COMPRESSION) as socket:
            await socket.send(struct.pack("<I", 77777))
            async for message in socket:
                log("receive", hex=message.hex())


asyncio.run(main())
