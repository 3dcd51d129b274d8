# SPDX-License-Identifier: GPL-2.0-or-later
"""Games that change scenes: peers that call nodes which others do not have yet or no longer have."""

import sys

from generator.scene import GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import check_calls, prepare
from scenarios.multiplayer_errors import PORT
from scenarios.multiplayer_loss import PORT as SERVER_PORT, RELAY_PORT, keep_legs

# The last client joins late and stays until the server has left; then the same with clients that leave before
# the server.
STAYING = {
    "server": "0.5 arena, 1.4 lobby, 2.3 arena, 3.2 end",
    "client1": "0.8 arena, 1.7 lobby, 2.5 arena, 3.3 end",
    "client2": "0.3 arena, 1.3 lobby, 2.2 arena, 3.1 end",
    "client3": "0.9 arena, 1.6 lobby, 2.4 arena, 3.3 end",
}
LEAVING = {
    "server": "0.5 arena, 1.6 lobby, 2.4 arena, 3.6 end",
    "client1": "0.8 arena, 1.3 lobby, 2.7 arena, 3.5 end",
    "client2": "0.2 arena, 1.9 lobby, 2.6 arena, 3.5 end",
    "client3": "0.9 arena, 2.1 lobby, 2.2 arena, 3.5 end",
}
TALKS = {"server": "Arena Clock Lobby", "client1": "Arena Clock", "client2": "Arena Lobby Clock", "client3": ""}
LOST = "Failed to get path from RPC"


def scenes(name, port, schedules, *relay):
    """A server and three clients change scenes at different times and call each other meanwhile. `relay`:
    options of a relay between them."""

    @scenario(name)
    def make(full_name):
        entrance = RELAY_PORT if relay else port
        with Scene(full_name, f"udp port {port} or udp port {entrance}", "scenes4", seconds=30) as scene:
            prepare(scene, GODOT4)
            settings = {process: {"SCHEDULE": schedules[process], "TALKS": TALKS[process]} for process in TALKS}
            server = scene.engine("server", GODOT4, ROLE="server", PORT=port, PLAYERS=3, **settings["server"])
            server.wait_for("ready")
            if relay:
                command = [sys.executable, HERE / "generator" / "relay.py", entrance, port, *relay]
                scene.process("relay", command).wait_for("ready")
            for number in (1, 2, 3):
                as_name = f"client{number}"
                scene.engine(as_name, GODOT4, ROLE="client", PORT=entrance, NUMBER=number, **settings[as_name]).wait_for(
                    "connected_to_server")
            scene.finish()
            if relay:
                keep_legs(scene)
            check_calls(scene.processes)
            assert all(LOST in p.printed() for p in (server, *scene.processes[-3:][::2])), "server, first and last client lose calls"


scenes("multiplayer-errors/godot-4.6-scenes", PORT, STAYING)
scenes("multiplayer-errors/godot-4.6-scenes-left", PORT, LEAVING)
scenes("multiplayer-loss/godot-4.6-scenes", SERVER_PORT, STAYING, "--seed", 4, "--loss", 0.08, "--delay", 25)
