# SPDX-License-Identifier: GPL-2.0-or-later
"""A game with the add-on netfox, which is copied from the folder $NETFOX/VERSION (with addons/netfox and
addons/netfox.internals): commands in remote calls and in raw packets, over a network that loses datagrams, and a
recording of each process; the remote calls of versions before 1.40."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from generator.scene import GODOT4, HERE, Scene, scenario
from scenarios import multiplayer, recorder

PORT, RELAY_PORT = 24401, 24402
RAW = "\n[netfox]\n\ngeneral/use_raw_commands=true\n"


def prepare(scene, version, raw, recorded):
    netfox = pathlib.Path(os.environ.get("NETFOX") or sys.exit("NETFOX must name a folder with versions of netfox (test-captures/README.md)"))
    project = scene.stage(GODOT4)[0] / "netfox4"
    for addon in ("netfox", "netfox.internals"):
        shutil.copytree(netfox / version / "addons" / addon, project / "addons" / addon)
    settings = (project / "project.godot").read_text(encoding="utf-8")
    settings = re.sub(r'^\w+="\*res://(.*)"\n', lambda line: line[0] if (project / line[1]).exists() else "", settings, flags=re.MULTILINE)
    (project / "project.godot").write_text(settings + (RAW if raw else ""), encoding="utf-8")
    if recorded:
        recorder.prepare(scene, "netfox4")
    else:
        multiplayer.prepare(scene, GODOT4)


def check(server, clients, rounded, with_received):
    """What the other end received was what its sender had."""
    sent = {}
    for record in [*server.all("state"), *(r for client in clients for r in client.all("input"))]:
        for name, text in record["values"].items():
            sent.setdefault((record["tick"], f"{record['node']}:{name}"), set()).add(text)
    received = [r for r in server.all("received_input")] + [r for c in clients for r in c.all("received_state")]
    assert len(received if with_received else sent) > 100
    wrong = [(r["tick"], name, text) for r in received for name, text in r["values"].items()
             if text not in sent.get((r["tick"], name), ()) and not (rounded and name.endswith(":velocity"))]
    assert len(wrong) <= len(received) / 100, wrong[:5]


def played(name, version="1.48.4", raw=False, recorded=False, loss=0, clients=1, **settings):
    @scenario(f"netfox/godot-4.6-{name}")
    def make(full_name):
        port = RELAY_PORT if loss else PORT
        ports = f"udp port {PORT}"
        settings.update(ENDS=clients, TICKS=settings.get("TICKS", 120))
        with Scene(full_name, "" if recorded else ports, "netfox4", seconds=60) as scene:
            prepare(scene, version, raw, recorded)

            def start(title, **environment):
                record = {"GODOT_RECORD": scene.stage(GODOT4)[1] / f"{title}.pcapng", "GODOT_RECORD_MODE": "peer"} if recorded else {}
                return scene.engine(title, GODOT4, **record, **settings, **environment)

            server = start("server", ROLE="server", PORT=PORT)
            server.wait_for("ready")
            relay = None
            if loss:
                command = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, "--seed", 39, "--loss", loss, "--delay", 20]
                relay = scene.process("relay", command)
                relay.wait_for("ready")
            for number in range(1, clients + 1):
                start(f"client{number}", ROLE="client", PORT=port).wait_for("connected_to_server")
            scene.finish()
            if recorded:
                recorder.keep_recordings(scene)
            check(server, [process for process in scene.processes if process.name.startswith("client")], "SCHEMA" in settings, version >= "1.40")


played("calls", clients=2)
played("raw", raw=True)
played("schema", SCHEMA=1)
played("loss", loss=0.05)
played("recorded", recorded=True)
played("1.39", version="1.39.0", clients=2)
played("1.39-schema", version="1.39.0", SCHEMA=1)
played("1.35", version="1.35.3", clients=2)
