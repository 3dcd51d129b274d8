# SPDX-License-Identifier: GPL-2.0-or-later
"""ENet of a game that is not Godot: a Cube 2 server and two players. Needs Debian's cube2-server and python3-enet."""

from generator.scene import HERE, Scene, scenario

PORT = 28785


@scenario("enet/cube2")
def make(name):
    with Scene(name, f"udp portrange {PORT}-{PORT + 1}", seconds=8) as scene:
        # -m without a name: the server does not announce itself
        options = [f"-q{scene.folder}", "-c8", "-i127.0.0.1", f"-j{PORT}", "-m"]
        server = scene.process("server", ["/usr/games/cube2-server", *options])
        server.wait_for("print", text="dedicated server started")
        bots = scene.process("players", ["/usr/bin/python3", HERE / "generator" / "cube2_bots.py", PORT])
        bots.finish(8)
        server.stop()
        scene.finish()
        texts = [r for r in bots.all("receive") if bytes(b"hello from").hex() in r["hex"]]
        assert len(texts) >= 4, "the server did not pass the talk on"
