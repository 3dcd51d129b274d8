# SPDX-License-Identifier: GPL-2.0-or-later
"""How players go: they quit, crash, freeze, lose their server, and come again from the same port."""

import signal
import sys
import time

from generator.scene import GODOT36, GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import prepare
from scenarios.multiplayer_errors import send_signal

PORT, OWN_PORT, RELAY_PORT = 24510, 24511, 24519
FILTER = f"udp port {PORT} or icmp"


def kill(process):
    send_signal(process, signal.SIGKILL)
    process.good_ends = (-signal.SIGKILL,)
    process._popen.wait()


class Arena(Scene):
    def __init__(self, name, capture_filter=FILTER):
        super().__init__(name, capture_filter, "arena4", seconds=60)

    def __enter__(self):
        super().__enter__()
        prepare(self, GODOT4)
        return self

    def server(self, seconds, name="server", **environment):
        server = self.engine(name, GODOT4, ROLE="server", PORT=PORT, SECONDS=seconds, **environment)
        server.wait_for("ready")
        return server

    def client(self, number, seconds, port=PORT, **environment):
        client = self.engine(f"client{number}", GODOT4, ROLE="client", PORT=port, SECONDS=seconds, **environment)
        client.wait_for("peer_connected")
        return client


@scenario("multiplayer-ends/godot-4.6-quit")
def quits(name):
    """Client 1 calls quit() alone (the engine then closes its peer), client 2 calls close() before; client 3 is ended by its
    launcher (SIGTERM), of which nothing is sent; client 4 stays."""
    with Arena(name) as scene:
        server = scene.server(14, CLOSE=1)
        scene.client(1, 2)
        scene.client(2, 3, CLOSE=1)
        third = scene.client(3, 30)
        scene.client(4, 11, CLOSE=1)
        third.stop()
        third.good_ends = (124, -signal.SIGTERM, 128 + signal.SIGTERM)
        scene.finish()
        assert len(server.all("peer_disconnected")) == 4


@scenario("multiplayer-ends/godot-4.6-killed")
def killed(name):
    """A client is killed, another joins late and leaves; a third one stays."""
    with Arena(name) as scene:
        server = scene.server(13, CLOSE=1)
        stays = scene.client(1, 12, CLOSE=1)
        first = scene.client(2, 30)
        time.sleep(1.5)
        kill(first)
        time.sleep(1)
        scene.client(3, 3, CLOSE=1)
        scene.finish()
        assert stays.all("quit") and len(server.all("peer_disconnected")) == 3


@scenario("multiplayer-ends/godot-4.6-server-killed")
def server_killed(name):
    """The server is killed: its kernel answers what the clients send with ICMP."""
    with Arena(name) as scene:
        server = scene.server(30)
        clients = [scene.client(number, 14) for number in (1, 2)]
        time.sleep(1.5)
        kill(server)
        scene.finish()
        assert all(client.all("server_disconnected") for client in clients)


@scenario("multiplayer-ends/godot-4.6-frozen")
def frozen(name):
    """A client stands still for 2.5 s, in which nothing is lost, and the server later for 2 s."""
    with Arena(name) as scene:
        server = scene.server(11, CLOSE=1)
        first = scene.client(1, 10, CLOSE=1)
        scene.client(2, 9.5, CLOSE=1)
        for process, seconds in (first, 2.5), (server, 2):
            time.sleep(1.2)
            send_signal(process, signal.SIGSTOP)
            time.sleep(seconds)
            send_signal(process, signal.SIGCONT)
        scene.finish()
        assert not any(process.all("server_disconnected") for process in scene.processes[1:])


def restart(name, seconds):
    @scenario(f"multiplayer-ends/godot-4.6-{name}")
    def make(full_name):
        """Server and client are killed and start again on the same ports."""
        with Arena(full_name) as scene:
            for life in (1, 2):
                last = {"CLOSE": 1} if life == 2 else {}
                server = scene.server(30 if life == 1 else 5, f"server{life}", **last)
                client = scene.client(life, 30 if life == 1 else 3, OWN_PORT=OWN_PORT, **last)
                if life == 1:
                    time.sleep(2)
                    kill(server)
                    kill(client)
                    time.sleep(seconds)
            scene.finish()


restart("restart", 1)
restart("restart-later", 10)


@scenario("multiplayer-ends/godot-4.6-restart-client")
def restart_client(name):
    """Only the client is killed, and comes again from the same port while the server still has it."""
    with Arena(name) as scene:
        server = scene.server(12, CLOSE=1)
        first = scene.client(1, 30, OWN_PORT=OWN_PORT)
        time.sleep(2)
        kill(first)
        time.sleep(0.5)
        scene.client(2, 4, OWN_PORT=OWN_PORT, CLOSE=1)
        scene.finish()
        assert len(server.all("peer_connected")) == 2


@scenario("multiplayer-ends/godot-4.6-late")
def late(name):
    """Unreliable messages that the network reorders and loses, captured at the server: the relay's log says which."""
    with Arena(name) as scene:
        server = scene.server(10, CLOSE=1)
        options = ("--seed", 35, "--loss", 0.02, "--reorder", 0.3, "--delay", 15)
        relay = scene.process("relay", [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, *options])
        relay.wait_for("ready")
        for number in (1, 2):
            scene.client(number, 8, RELAY_PORT, CLOSE=1)
        scene.finish()
        assert relay.all("late") and relay.all("lost") and server.all("called")


@scenario("multiplayer-ends/godot-4.6-mesh-restart")
def mesh_restart(name):
    """Three players of a mesh, all killed, and started again on the same ports."""
    first = PORT + 10
    with Scene(name, f"udp portrange {first}-{first + 9} or icmp", "mesh4", seconds=30) as scene:
        prepare(scene, GODOT4)
        for life in (1, 2):
            players = []
            for number in (1, 2, 3):
                own = {"ID": number, "PORT": first, "OWN_PORT": first + 4}
                players.append(scene.engine(f"player{number}-{life}", GODOT4, **own))
                players[-1].wait_for("ready")
            if life == 1:
                players[0].wait_for("called")
                time.sleep(0.3)
                for player in players:
                    kill(player)
                time.sleep(1)
        scene.finish()


@scenario("multiplayer-ends/godot-3.6-killed")
def killed_3(name):
    """Godot 3: a client is killed, another one stands still for 2.5 s."""
    with Scene(name, FILTER, "bomber3", seconds=40) as scene:
        prepare(scene, GODOT36)
        settings = {"PORT": PORT, "PLAYERS": 3}
        server = scene.engine("server", GODOT36, ROLE="server", SECONDS=14, **settings)
        server.wait_for("ready")
        clients = [scene.engine(f"client{n}", GODOT36, ROLE="client", NUMBER=n, SECONDS=12, **settings) for n in (1, 2, 3)]
        for client in clients:
            client.wait_for("called")
        time.sleep(1)
        kill(clients[0])
        send_signal(clients[1], signal.SIGSTOP)
        time.sleep(2.5)
        send_signal(clients[1], signal.SIGCONT)
        scene.finish()


@scenario("multiplayer-ends/godot-4.6-websocket")
def over_websocket(name):
    """A client is killed (its kernel closes the connection), one stands still for 2.5 s, one is ended by its launcher; then the
    server is killed."""
    with Scene(name, f"tcp port {PORT}", "owner4", seconds=40) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT, SECONDS=30)
        server.wait_for("ready")
        clients = [scene.engine(f"client{n}", GODOT4, ROLE="client", PORT=PORT, NUMBER=n, SECONDS=10) for n in (1, 2, 3)]
        for client in clients:
            client.wait_for("peer_connected")
        time.sleep(1.2)
        kill(clients[0])
        send_signal(clients[1], signal.SIGSTOP)
        time.sleep(2.5)
        send_signal(clients[1], signal.SIGCONT)
        clients[2].stop()
        clients[2].good_ends = (124, -signal.SIGTERM, 128 + signal.SIGTERM)
        time.sleep(1.5)
        kill(server)
        scene.finish()
