# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes wrong in multiplayer games, with what the engines print about it."""

from generator.scene import GODOT32, GODOT36, GODOT4, Scene, scenario
from scenarios.multiplayer import check_calls, prepare

PORT = 22231
FILTER = f"udp port {PORT}"


def refusals(engine, project):
    """Calls that their receiver refuses: wrong arguments, a mode that does not allow them, methods that it does not have."""

    @scenario(f"multiplayer-errors/{engine.label}-refused")
    def make(name):
        with Scene(name, FILTER, project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", PORT=PORT)
            server.wait_for("ready")
            for number in (1, 2):
                scene.engine(f"client{number}", engine, ROLE="client", PORT=PORT, NUMBER=number)
            scene.finish()
            printed = "\n".join(process.printed() for process in scene.processes)
            assert ", but called with" in printed and "is not allowed on node" in printed, printed
            check_calls(scene.processes)


refusals(GODOT4, "refused4")
for older in (GODOT36, GODOT32):
    refusals(older, "refused3")
