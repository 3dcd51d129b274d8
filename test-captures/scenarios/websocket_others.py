# SPDX-License-Identifier: GPL-2.0-or-later
"""WebSocket of other programs than Godot, with and without an extension. Needs Debian's
python3-websockets."""

from generator.scene import HERE, Scene, scenario

PORTS = {"none": 21022, "deflate": 21023}


def feed(extension):
    @scenario(f"websocket-others/python-{extension}")
    def make(name):
        port = PORTS[extension]
        command = ["/usr/bin/python3", HERE / "generator" / "websocket_feed.py"]
        with Scene(name, f"tcp port {port}") as scene:
            server = scene.process("server", [*command, "server", port, extension])
            server.wait_for("ready")
            client = scene.process("client", [*command, "client", port, extension])
            scene.finish()
            assert [r["hex"] for r in client.all("receive")] == [r["hex"] for r in server.all("send")]


for each in PORTS:
    feed(each)
