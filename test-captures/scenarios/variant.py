# SPDX-License-Identifier: GPL-2.0-or-later
"""Values of every type, over UDP and TCP and in every framing."""

import struct
import sys

from generator import pcap
from generator.scene import GODOT32, GODOT36, GODOT4, HERE, Scene, scenario

PROJECT = {GODOT4: "godot4", GODOT36: "godot3", GODOT32: "godot3"}
STREAMS = {"tcp": 21011, "big-endian": 21012, "packet-stream": 21013, "mixed": 21014, "joined": 21015, "chopped": 21016}


def check_received(sent, got):
    """The received values are those that were sent, except for objects, which arrive as ids or as copies.

    Fields that are equal on both sides are kept in the sender's log only.
    """
    assert [r["name"] for r in sent] == [r["name"] for r in got]
    for a, b in zip(sent, got):
        if b["what"] == "get_packet":
            assert a["hex"] == b["hex"]
        else:
            assert "Object" in str(a["value"]) or a["value"] == b["value"], (a, b)
        for field in ("text", "value", "hex"):
            if field in b and a[field] == b[field]:
                del b[field]


def same(wire, logged):
    """Equal except for padding: Godot before 4.6 leaves stale bytes after the names of a NodePath."""
    return len(wire) == len(logged) and all(a == b or i % 4 for i, (a, b) in enumerate(zip(wire, logged)))


def udp(engine):
    @scenario(f"variant/{engine.label}-udp")
    def make(name):
        with Scene(name, "udp port 21001", PROJECT[engine]) as scene:
            receiver = scene.engine("receiver", engine, "udp.gd", ROLE="receiver")
            receiver.wait_for("ready")
            sender = scene.engine("sender", engine, "udp.gd", ROLE="sender")
            scene.finish()
            sent = sender.all("put_var")
            check_received(sent, receiver.all("get_var", "get_packet"))
            wire = pcap.datagrams(scene.pcap, 21001)
            assert len(wire) == len(sent), (len(wire), len(sent))
            assert all(same(w, bytes.fromhex(r["hex"])) for w, r in zip(wire, sent))


def on_wire(record, mode):
    """The bytes of one call on a stream."""
    if "wire" in record:
        return bytes.fromhex(record["wire"])
    value = bytes.fromhex(record["hex"])
    return struct.pack(">I" if mode == "big-endian" else "<I", len(value)) + value


def stream(engine, kind):
    @scenario(f"variant/{engine.label}-{kind}")
    def make(name):
        port = STREAMS[kind]
        with Scene(name, f"tcp port {port}", PROJECT[engine]) as scene:
            common = {"MODE": kind, "PORT": port, "TARGET": port}
            receiver = scene.engine("receiver", engine, "stream.gd", ROLE="receiver", **common)
            receiver.wait_for("ready")
            if kind == "chopped":
                common["TARGET"] = 21099
                relay = scene.process("relay", [sys.executable, HERE / "generator/tcp_relay.py", 21099, port, 1])
                relay.wait_for("ready")
            sender = scene.engine("sender", engine, "stream.gd", ROLE="sender", **common)
            scene.finish()
            sent = [r for r in sender.records if r["what"].startswith("put_")]
            got = [r for r in receiver.records if r["what"].startswith("get_")]
            check_received(sent, got)
            (wire,) = pcap.streams(scene.pcap, port)
            for record in sent:
                logged = on_wire(record, kind)
                assert same(wire[: len(logged)], logged), (record["name"], len(wire), len(logged))
                wire = wire[len(logged) :]
            assert not wire


@scenario("variant-enet/godot-4.6")
def enet(name):
    with Scene(name, "udp port 21031", "godot4") as scene:
        server = scene.engine("server", GODOT4, "enet.gd", ROLE="server")
        server.wait_for("ready")
        client = scene.engine("client", GODOT4, "enet.gd", ROLE="client")
        scene.finish()
        check_received(client.all("put_var"), server.all("get_var"))


for each in (GODOT4, GODOT36):
    udp(each)
    for each_kind in STREAMS:
        stream(each, each_kind)
udp(GODOT32)  # Values and framing are those of Godot 3.6, so one capture of each is enough
stream(GODOT32, "packet-stream")
