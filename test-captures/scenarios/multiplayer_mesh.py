# SPDX-License-Identifier: GPL-2.0-or-later
"""A mesh (ENetMultiplayerPeer.create_mesh): a connection for each pair of players, no server."""

from generator.scene import GODOT4, Scene, scenario
from scenarios.multiplayer import PORT, calls, check_calls, prepare

PLAYERS = (1, 2, 3)


def mesh(name, **environment):
    @scenario(name)
    def make(full_name):
        with Scene(full_name, f"udp portrange {PORT}-{PORT + 4}", "mesh4", seconds=20) as scene:
            prepare(scene, GODOT4)
            players = []
            for number in PLAYERS:
                players.append(scene.engine(f"player{number}", GODOT4, ID=number, PORT=PORT, **environment))
                players[-1].wait_for("ready")
            scene.finish()
            check_calls(scene.processes)
            for player in players:
                others = {r["id"] for r in player.all("peer_connected")}
                assert others == set(PLAYERS) - {players.index(player) + 1}
                assert {r["from"] for r in calls(player, "called", method="tell")} == others


# The data in CONNECT is chosen by the game: here the id of the peer that opens the connection, or nothing.
mesh("multiplayer-mesh/godot-4.6")
mesh("multiplayer-mesh/godot-4.6-no-data", DATA=0)
