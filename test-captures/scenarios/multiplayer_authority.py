# SPDX-License-Identifier: GPL-2.0-or-later
"""Games as tutorials build them, with calls that their receivers refuse because of the authority over a node, and others."""

import time

from generator.scene import GODOT36, GODOT4, Scene, scenario
from scenarios.multiplayer import prepare
from scenarios.multiplayer_ends import kill

PORT = 24530


def game(engine, project, clients=2, transport="udp", seconds=6, late=None, name=None, **environment):
    """A server and its clients; number `late` joins two seconds after the others."""

    @scenario(f"multiplayer-authority/{engine.label}-{name or project.rstrip('34')}")
    def make(full_name):
        with Scene(full_name, f"{transport} port {PORT}", project, seconds=30) as scene:
            prepare(scene, engine)
            settings = {"PORT": PORT, "PLAYERS": clients, **environment}
            server = scene.engine("server", engine, ROLE="server", SECONDS=seconds + 1.5, **settings)
            server.wait_for("ready")
            for number in range(1, clients + 1):
                if number == late:
                    time.sleep(2)
                client = scene.engine(f"client{number}", engine, ROLE="client", NUMBER=number, SECONDS=seconds, **settings)
                client.wait_for("peer_connected")
            scene.finish()
            printed = "\n".join(process.printed() for process in scene.processes)
            assert "not allowed on node" in printed and "SCRIPT ERROR" not in printed, printed
            assert all(process.all("called") for process in scene.processes)


game(GODOT4, "input4", clients=3, late=3)
game(GODOT4, "owner4", transport="tcp", seconds=4)
game(GODOT4, "lobby4")
game(GODOT4, "turns4")
game(GODOT4, "turns4", name="extra-turns", EXTRA=1)
game(GODOT4, "tanks4")
game(GODOT4, "idioms4", seconds=4)
game(GODOT4, "types4", clients=1, seconds=4)
game(GODOT36, "bomber3", seconds=4)
game(GODOT36, "pong3", seconds=4)
game(GODOT36, "scores3", seconds=4)
game(GODOT36, "types3", clients=1, seconds=4)


@scenario("multiplayer-authority/godot-4.6-root")
def two_projects(name):
    """A dedicated server and its clients are two projects; the root of the multiplayer API is not that of the tree."""
    with Scene(name, f"udp port {PORT}", "root4-server", "root4-client", seconds=30) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, PORT=PORT, SECONDS=8)
        server.wait_for("ready")
        for number in (1, 2):
            scene.engine(f"client{number}", GODOT4, project="root4-client", PORT=PORT, SECONDS=4 - number).wait_for("peer_connected")
        scene.finish()
        assert "not allowed on node" in server.printed() and "Method expected" in server.printed()
