# SPDX-License-Identifier: GPL-2.0-or-later
"""A game whose spawners and synchronizers have the names that the editor gives them: many of the same name."""

from generator.scene import GODOT4, Scene, scenario
from scenarios.multiplayer import check_replication, prepare

PORT = 30701


@scenario("multiplayer-defaults/godot-4.6")
def default_names(name):
    with Scene(name, f"udp port {PORT}", "defaults4", seconds=30) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client1", GODOT4, ROLE="client", PORT=PORT)
        scene.finish()
        assert {(r["node"], r["scene"]) for r in server.all("spawn")} == {(r["node"], r["scene"]) for r in client.all("spawned")}
        assert len(server.all("spawn")) == 16
        check_replication(scene.processes)
