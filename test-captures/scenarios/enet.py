# SPDX-License-Identifier: GPL-2.0-or-later
"""ENet of the Godot engines: the same conversations under every compression, and over bad networks."""

import json
import sys

from generator import enet_count
from generator.scene import GODOT32, GODOT36, GODOT4, HERE, Scene, scenario

PROJECT = {GODOT4: "enet4", GODOT36: "enet3", GODOT32: "enet3"}
COMPRESSIONS = ("none", "range-coder", "fastlz", "zlib", "zstd")
PORT, RELAY_PORT, CLIENT_PORT = 22001, 22002, 22010
ROUNDS = 3

# What the relay does to the datagrams. The capture is taken between client and relay: datagrams of the client
# are lost or delayed after they were captured, those of the server before.
NETWORKS = {
    "loss": ("--seed", 8, "--loss", 0.08, "--delay", 20),
    "duplicates": ("--seed", 9, "--duplicate", 0.15, "--delay", 2),
    "reordering": ("--seed", 10, "--reorder", 0.15, "--delay", 2),
    "everything": ("--seed", 11, "--loss", 0.04, "--delay", 10, "--duplicate", 0.05, "--reorder", 0.05),
}


def messages(process, what, **equal):
    """The messages that a process sent or received: link, channel, size and content."""
    records = [r for r in process.all(what) if all(r.get(k) == v for k, v in equal.items())]
    return sorted((r["link"], r["size"], r.get("hex") or r["sha256"]) for r in records)


def check(client, server, engine):
    """The scenario did what it is for: every reliable message arrived. Others may be lost, or dropped by ENet's throttle."""
    reliable = {"flags": 1} if engine is GODOT4 else {"mode": 2}
    for sender, receiver in ((client, server), (server, client)):
        got = [m[1:] for m in messages(receiver, "receive")]
        for message in messages(sender, "send", **reliable):
            assert message[1:] in got, (receiver.name, "did not get", message)
            got.remove(message[1:])


def check_datagrams(scene, client, port):
    """The capture has every datagram that the engine counted."""
    totals = client.all("totals")
    captured = [payload for *_, payload in enet_count.datagrams(scene.pcap, port)]
    if totals:
        assert len(captured) == totals[0]["sent_datagrams"] + totals[0]["received_datagrams"], (len(captured), totals)
        assert sum(map(len, captured)) == totals[0]["sent_bytes"] + totals[0]["received_bytes"]


def write_counts(name, port, **options):
    """NAME.counts.json: see generator/enet_count.py."""
    counts = enet_count.count(HERE / f"{name}.pcap", port, **options)
    (HERE / f"{name}.counts.json").write_text(json.dumps(counts, indent=1) + "\n")


def conversation(engine, compression, network=None, rounds=ROUNDS):
    suffix = f"-{network}" if network else ""

    @scenario(f"enet/{engine.label}-{compression}{suffix}")
    def make(name):
        target = RELAY_PORT if network else PORT
        settings = {"COMPRESSION": COMPRESSIONS.index(compression), "PORT": PORT, "ENDS": rounds, "HUGE": 7000}
        with Scene(name, f"udp port {target}", PROJECT[engine]) as scene:
            server = scene.engine("server", engine, "talk.gd", ROLE="server", **settings)
            server.wait_for("ready")
            if network:
                relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, *NETWORKS[network]]
                scene.process("relay", relay).wait_for("ready")
            settings = {**settings, "PORT": target, "MY_PORT": CLIENT_PORT, "ROUNDS": rounds, "HUGE": 7000 if network else 70000}
            client = scene.engine("client", engine, "talk.gd", ROLE="client", **settings)
            scene.finish()
            check(client, server, engine)
            if not network:
                check_datagrams(scene, client, target)
        if compression in ("none", "zlib"):
            write_counts(name, target)


def several(engine):
    """Four clients at the same server, at the same time."""

    @scenario(f"enet/{engine.label}-several")
    def make(name):
        settings = {"COMPRESSION": 0, "PORT": PORT, "ROUNDS": 2, "ENDS": 8, "HUGE": 0}
        with Scene(name, f"udp port {PORT}", PROJECT[engine]) as scene:
            scene.engine("server", engine, "talk.gd", ROLE="server", **settings).wait_for("ready")
            for number in range(4):
                own = {"NUMBER": number, "MY_PORT": CLIENT_PORT + number}
                scene.engine(f"client{number + 1}", engine, "talk.gd", ROLE="client", **settings, **own)
            scene.finish()
            server, *clients = scene.processes
            assert len(server.all("connected")) == 8 and all(len(c.all("disconnect")) == 2 for c in clients)
        write_counts(name, PORT)


# Godot 3.2 and 3.6 have the same ENet as Godot 4 below the 8 bytes before each message, and the same
# compressions as each other: so there is one set of captures over a bad network, and one of Godot 3.2 to show
# that it is the same.
for compression in COMPRESSIONS:
    conversation(GODOT4, compression)
    conversation(GODOT36, compression)
for network in NETWORKS:
    conversation(GODOT4, "none", network, rounds=1)
conversation(GODOT36, "none", "everything", rounds=1)
conversation(GODOT4, "range-coder", "loss", rounds=1)
several(GODOT4)
several(GODOT36)
conversation(GODOT32, "none")
