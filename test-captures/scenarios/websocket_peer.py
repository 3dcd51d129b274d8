# SPDX-License-Identifier: GPL-2.0-or-later
"""Values and texts over WebSocket, without the multiplayer API."""

from generator import pcap
from generator.scene import GODOT32, GODOT36, GODOT4, Scene, scenario
from scenarios.variant import PROJECT, check_received, same


def messages(stream):
    """(opcode, payload) of each message; the HTTP part is skipped, masks are removed."""
    at = stream.index(b"\r\n\r\n") + 4
    while at < len(stream):
        opcode, size, at = stream[at] & 15, stream[at + 1], at + 2
        masked, size = size >> 7, size & 127
        if size > 125:
            width = 2 if size == 126 else 8
            size, at = int.from_bytes(stream[at : at + width], "big"), at + width
        mask = stream[at : at + 4] if masked else bytes(4)
        at += 4 * masked
        payload = stream[at : at + size]
        yield opcode, bytes(b ^ mask[i & 3] for i, b in enumerate(payload))
        at += size


def websocket(engine):
    @scenario(f"websocket-peer/{engine.label}")
    def make(name):
        with Scene(name, "tcp port 21021", PROJECT[engine]) as scene:
            server = scene.engine("server", engine, "websocket.gd", ROLE="server")
            server.wait_for("ready")
            client = scene.engine("client", engine, "websocket.gd", ROLE="client")
            client.wait_for("closed", 30)
            server.wait_for("closed", 30)
            scene.finish()
            sent = client.all("put_var")
            check_received(sent, server.all("get_var", "get_packet"))
            (stream,) = pcap.streams(scene.pcap, 21021)
            wire = list(messages(stream))
            values = [payload for opcode, payload in wire if opcode == 2]
            assert len(values) == len(sent) and all(same(w, bytes.fromhex(r["hex"])) for w, r in zip(values, sent))
            texts = [payload.decode() for opcode, payload in wire if opcode == 1]
            assert texts == [r["text"] for r in client.all("send_text")] == [r["text"] for r in server.all("get_text")]


for each in (GODOT4, GODOT36, GODOT32):
    websocket(each)
