# SPDX-License-Identifier: GPL-2.0-or-later
"""Values of every type, over UDP and TCP and in every framing."""

from generator import pcap
from generator.scene import GODOT32, GODOT36, GODOT4, Scene, scenario

PROJECT = {GODOT4: "godot4", GODOT36: "godot3", GODOT32: "godot3"}


def udp(engine):
    @scenario(f"variant/{engine.label}-udp")
    def make(name):
        with Scene(name, "udp port 21001", PROJECT[engine]) as scene:
            receiver = scene.engine("receiver", engine, "udp.gd", ROLE="receiver")
            receiver.wait_for("ready")
            sender = scene.engine("sender", engine, "udp.gd", ROLE="sender")
            scene.finish()
            sent, got = sender.all("put_var"), receiver.all("get_var")
            assert [d.hex() for d in pcap.datagrams(scene.pcap, 21001)] == [r["hex"] for r in sent]
            assert len(got) == len(sent)


udp(GODOT4)
