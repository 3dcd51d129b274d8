# SPDX-License-Identifier: GPL-2.0-or-later
"""A game that packs bytes of its own (`projects/ownbytes4`)."""

from generator.scene import GODOT4, Scene, scenario
from scenarios.multiplayer import prepare


PORT = 24411


@scenario("own-bytes/godot-4.6-enet")
def own_bytes(name):
    with Scene(name, f"udp port {PORT}", "ownbytes4", seconds=30) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client", GODOT4, ROLE="client", PORT=PORT)
        scene.finish()
        made = {record["hex"] for process in (server, client) for record in process.all("packed")}
        received = [record["hex"] for process in (server, client) for record in process.all("received")]
        assert len(received) > 5 and set(received) <= made
