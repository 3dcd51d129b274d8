# SPDX-License-Identifier: GPL-2.0-or-later
"""A game and a remote debugger on TCP port 6007, and other programs on that port."""

import signal

from generator import pcap
from generator.scene import GODOT36, GODOT4, Scene, scenario
from scenarios.variant import same


def check_stream(scene, listener):
    """Both directions of the TCP stream hold what the listener logged, each value after its length."""
    for what, to_port in (("to game", False), ("from game", True)):
        (stream,) = pcap.streams(scene.pcap, 6007, to_port)
        for record in listener.all(what):
            size = int.from_bytes(stream[:4], "little")
            logged = bytes.fromhex(record["hex"])
            # received objects are wrapped, and the hex has the id of the wrapper
            alike = same(stream[4 : 4 + size], logged) or "Object" in str(record["value"])
            assert alike and size == len(logged), record
            stream = stream[4 + size :]


def debugger(link):
    @scenario(f"debugger/godot-4.6-{link}")
    def make(name):
        with Scene(name, "tcp port 6007", "godot4", "debugger4", seconds=60) as scene:
            listener = scene.engine("listener", GODOT4, "debugger.gd", LINK=link)
            listener.wait_for("ready")
            address = f"{'ws' if link == 'websocket' else 'tcp'}://127.0.0.1:6007"
            game = scene.engine("game", GODOT4, None, "--remote-debug", address, project="debugger4")
            game.good_ends += (-signal.SIGABRT,)  # after this much live editing, 4.6.3 frees an object twice when it quits
            scene.finish()
            if link == "tcp":
                check_stream(scene, listener)
            assert not listener.all("missed"), listener.all("missed")


debugger("tcp")
debugger("websocket")


@scenario("debugger/godot-3.6-tcp")
def godot3(name):
    with Scene(name, "tcp port 6007", "godot3", "debugger3") as scene:
        listener = scene.engine("listener", GODOT36, "debugger.gd")
        listener.wait_for("ready")
        game = scene.engine("game", GODOT36, None, "--remote-debug", "127.0.0.1:6007", project="debugger3")
        game.good_ends += (-signal.SIGABRT,)  # caused by the live editing
        scene.finish()
        check_stream(scene, listener)
        assert not listener.all("missed"), listener.all("missed")
