# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors in multiplayer games, with the messages that the engines print."""

import os
import pathlib
import signal
import time

from generator.scene import GODOT32, GODOT36, GODOT4, Scene, scenario
from scenarios.multiplayer import check_calls, prepare

PORT = 22231
FILTER = f"udp port {PORT}"


def refusals(engine, project):
    """Calls that the receiver refuses: wrong arguments, a mode that does not allow them, methods that it does
    not have."""

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


def send_signal(process, number):
    """Sends a signal to the engine, which is the only child of `timeout`."""
    first = process._popen.pid
    for child in pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split():
        os.kill(int(child), number)


@scenario("multiplayer-errors/godot-4.6-timeout")
def timeout(name):
    """One client is killed and one is stopped. The server times both out, and the stopped one times the
    server out. A third one stays."""
    with Scene(name, FILTER, "errors4", seconds=60) as scene:
        prepare(scene, GODOT4)
        settings = {"PORT": PORT, "COMPRESSION": 0, "TICK": 0.5}
        server = scene.engine("server", GODOT4, ROLE="server", MAX=3, SECONDS=30, **settings)
        server.wait_for("ready")
        stays, killed, stopped = (scene.engine(f"client{n}", GODOT4, ROLE="client", SECONDS=25, **settings) for n in (1, 2, 3))
        for process in (stays, killed, stopped):
            process.wait_for("connected_to_server")
        time.sleep(1.5)
        send_signal(killed, signal.SIGKILL)
        killed.good_ends = (-signal.SIGKILL,)
        send_signal(stopped, signal.SIGSTOP)
        deadline = time.time() + 25
        while len(server.all("peer_disconnected")) < 2 and time.time() < deadline:
            time.sleep(0.1)
        send_signal(stopped, signal.SIGCONT)
        scene.finish()
        assert len(server.all("peer_disconnected")) == 3 and stopped.all("server_disconnected")


@scenario("multiplayer-errors/godot-4.6-connect")
def connect(name):
    """Connections that fail: no server, a full server, one that refuses, another compression; and two without
    authentication."""
    with Scene(name, f"udp portrange {PORT}-{PORT + 9}", "errors4", seconds=60) as scene:
        prepare(scene, GODOT4)
        server = {"ROLE": "server", "COMPRESSION": 0, "MAX": 2, "SECONDS": 46, "TICK": 4}
        client = {"ROLE": "client", "COMPRESSION": 0, "SECONDS": 43, "TICK": 4}
        kinds = {
            "full": ({"MAX": 1}, {}), "refusing": ({"REFUSE": 1}, {}), "compression": ({}, {"COMPRESSION": 1}),
            "reject": ({"AUTHENTICATE": "reject"}, {"AUTHENTICATE": "reject"}), "wait": ({"AUTHENTICATE": "wait"}, {"AUTHENTICATE": "wait"}),
        }
        clients = {}
        for number, (kind, (of_server, of_client)) in enumerate(kinds.items()):
            port = {"PORT": PORT + number}
            scene.engine(f"{kind}-server", GODOT4, **{**server, **port, **of_server}).wait_for("ready")
            if kind == "full":
                scene.engine("guest", GODOT4, **{**client, **port}).wait_for("connected_to_server")
            clients[kind] = scene.engine(f"{kind}-client", GODOT4, **{**client, **port, **of_client})
        clients["nobody"] = scene.engine("nobody-client", GODOT4, **client, PORT=PORT + 9)
        scene.finish()
        failed = {kind for kind, process in clients.items() if process.all("connection_failed")}
        dropped = {kind for kind, process in clients.items() if process.all("server_disconnected")}
        assert failed == {"full", "compression", "nobody"} and dropped == {"refusing", "reject", "wait"}, (failed, dropped)


@scenario("multiplayer-errors/godot-4.6-waiting")
def waiting(name):
    """Both ends authenticate, none is admitted, and without an auth_timeout they wait until they are killed."""
    with Scene(name, FILTER, "errors4", seconds=20) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, "waiting.gd", ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client", GODOT4, "waiting.gd", ROLE="client", PORT=PORT)
        client.wait_for("waiting")
        for process in (client, server):
            send_signal(process, signal.SIGKILL)
            process.good_ends = (-signal.SIGKILL,)
        scene.finish()
        assert all(len(process.all("auth")) > 3 for process in (server, client))
        assert client.all("waiting") == [{"what": "waiting", "peers": [], "authenticating": [1]}]


@scenario("multiplayer-errors/godot-4.6-broken")
def broken(name):
    """Packets that no engine sends, and what the engine prints about each."""
    with Scene(name, FILTER, "errors4", seconds=20) as scene:
        prepare(scene, GODOT4)
        settings = {"PORT": PORT, "COMPRESSION": 0, "TICK": 9}
        server = scene.engine("server", GODOT4, ROLE="server", MAX=3, SECONDS=8, **settings)
        server.wait_for("ready")
        client = scene.engine("client", GODOT4, "broken.gd", **settings)
        client.wait_for("put_packet")
        scene.finish()
        names = [bytes.fromhex(r["hex"]).decode() for r in server.all("raw")]
        assert names == [r["name"] for r in client.all("put_packet")]


@scenario("multiplayer-errors/godot-3.6-broken")
def broken3(name):
    """The same of Godot 3, and errors about what is not sent: an engine prints each after its "provoke"."""
    with Scene(name, FILTER, "errors3", seconds=20) as scene:
        prepare(scene, GODOT36)
        server = scene.engine("server", GODOT36, ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client", GODOT36, None, "--verbose", ROLE="client", PORT=PORT)
        client.wait_for("put_packet")
        scene.finish()
        names = [bytes.fromhex(r["hex"]).decode() for r in server.all("raw")]
        assert names == [r["name"] for r in client.all("put_packet")]
        assert not unprinted(client), unprinted(client)


def unprinted(process):
    """Texts of "provoke" that the engine did not print before the next one."""
    missing, text = [], ""
    for record in process.records:
        if record["what"] == "provoke":
            missing, text = missing + [record["text"]], record["text"]
        elif record["what"] == "print" and text in record["text"]:
            missing = [other for other in missing if other != text]
    return missing


refusals(GODOT4, "refused4")
for older in (GODOT36, GODOT32):
    refusals(older, "refused3")
