# SPDX-License-Identifier: GPL-2.0-or-later
"""Multiplayer over a network that loses, delays and duplicates datagrams, captured at both ends."""

import subprocess
import sys

from generator.scene import GODOT36, GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import check_calls, check_replication, prepare

PORT, RELAY_PORT = 22221, 22222
LEGS = {"server-side": PORT, "client-side": RELAY_PORT}


def keep_legs(scene):
    """NAME.server-side.pcap and NAME.client-side.pcap instead of one capture of both."""
    for leg, port in LEGS.items():
        command = ["tcpdump", "-r", scene.pcap, "-w", "-", f"udp port {port}"]
        scene.keep(f"{leg}.pcap", subprocess.run(command, check=True, capture_output=True).stdout)
    scene.keep_capture = False


def lossy(engine, project, name, clients, check, loss, seed, **environment):
    @scenario(f"multiplayer-loss/{engine.label}-{name}")
    def make(full_name):
        settings = {"TRANSPORT": "enet", "COMPRESSION": 0, "ENDS": clients, "PLAYERS": clients, **environment}
        with Scene(full_name, f"udp port {PORT} or udp port {RELAY_PORT}", project, seconds=30) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", PORT=PORT, **settings)
            server.wait_for("ready")
            relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, "--seed", seed]
            relay += ["--loss", loss, "--duplicate", 0.03, "--delay", 15]
            scene.process("relay", relay).wait_for("ready")
            for number in range(1, clients + 1):
                client = scene.engine(f"client{number}", engine, ROLE="client", NUMBER=number, PORT=RELAY_PORT, **settings)
                if engine is GODOT4:
                    client.wait_for("connected_to_server")
            scene.finish()
            keep_legs(scene)
            check(scene.processes)


# With these seeds, the announcement of a spawner arrives after the nodes it has spawned, and those of nodes
# after calls.
lossy(GODOT4, "replication4", "replication", 2, check_replication, 0.2, 11)
lossy(GODOT4, "rpc4", "relay", 3, check_calls, 0.2, 12, PLAY="relay")
lossy(GODOT36, "rpc3", "relay", 3, check_calls, 0.08, 5, PLAY="relay")


@scenario("multiplayer-loss/godot-4.6-despawned")
def despawned(name):
    """A client calls a node that the server has already despawned, while the calls were in transit."""
    settings = {"TRANSPORT": "enet", "COMPRESSION": 0, "PLAYERS": 1, "HAMMER": 1}
    with Scene(name, f"udp port {PORT} or udp port {RELAY_PORT}", "replication4", seconds=30) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT, **settings)
        server.wait_for("ready")
        relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, "--seed", 1, "--delay", 80]
        scene.process("relay", relay).wait_for("ready")
        scene.engine("client1", GODOT4, ROLE="client", NUMBER=1, PORT=RELAY_PORT, **settings)
        scene.finish()
        keep_legs(scene)
        assert "not found" in server.printed() or "null" in server.printed(), server.printed()


@scenario("multiplayer-loss/godot-4.6-handover")
def handover(name):
    """Three clients that log each value they receive; a node that two peers write; a client that is
    killed."""
    with Scene(name, f"udp port {PORT} or udp port {RELAY_PORT}", "handover4", seconds=30) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT, PLAYERS=3)
        server.wait_for("ready")
        relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, "--seed", 21]
        relay += ["--loss", 0.12, "--reorder", 0.12, "--duplicate", 0.03, "--delay", 25]
        scene.process("relay", relay).wait_for("ready")
        clients = []
        for number in (1, 2, 3):
            clients.append(scene.engine(f"client{number}", GODOT4, ROLE="client", NUMBER=number, PORT=RELAY_PORT))
            clients[-1].wait_for("connected_to_server")
        clients[2].good_ends = (137, -9)  # it kills itself
        scene.finish()
        keep_legs(scene)
        ids = [client.all("connected_to_server")[0]["me"] for client in clients]
        handed = server.all("hand_over")[0]["to"]
        writer = clients[ids.index(handed)]
        assert writer is not clients[2], "the writer must not be the one that is killed"
        assert any(r["property"] == "place" for r in writer.all("set")) and any(r["node"].endswith("Rider") for r in server.all("told"))
        assert not clients[2].all("server_disconnected")


@scenario("multiplayer-loss/godot-4.6-players")
def players(name):
    """Three clients own a player each, whose place they send to the server and, relayed by it, to each
    other."""
    with Scene(name, f"udp port {PORT} or udp port {RELAY_PORT}", "players4", seconds=40) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT, PLAYERS=3, SECONDS=5)
        server.wait_for("ready")
        relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, "--seed", 31]
        relay += ["--loss", 0.05, "--reorder", 0.2, "--delay", 25]
        scene.process("relay", relay).wait_for("ready")
        clients = []
        for number in (1, 2, 3):
            clients.append(scene.engine(f"client{number}", GODOT4, ROLE="client", NUMBER=number, PORT=RELAY_PORT, SECONDS=5))
            clients[-1].wait_for("connected_to_server")
        scene.finish()
        keep_legs(scene)
        for number, client in enumerate(clients, 1):
            others = {int(r["text"]) // 100000 for r in client.all("told")} - {0}
            assert others == {1, 2, 3} - {number}, (number, others)
