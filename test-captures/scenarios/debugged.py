# SPDX-License-Identifier: GPL-2.0-or-later
"""Multiplayer games with a remote debugger: their packets and what their engines report, in one capture."""

import gzip
import json
import sys

from generator.scene import GODOT36, GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import prepare

PORT, DEBUGGER = 24201, 24202
FILTER = f"udp port {PORT} or tcp port {DEBUGGER}"


def with_sink(engine, project):
    """Three processes, whose debugger's connections one program reads; each has its own log."""

    @scenario(f"multiplayer-debugged/{engine.label}-refused")
    def make(name):
        with Scene(name, FILTER, project, seconds=30) as scene:
            prepare(scene, engine)
            sink = scene.process("sink", [sys.executable, HERE / "generator/debugger_sink.py", DEBUGGER, 3])
            sink.wait_for("ready")
            address = f"{'tcp://' if engine is GODOT4 else ''}127.0.0.1:{DEBUGGER}"
            options = ["--remote-debug", address]
            server = scene.engine("server", engine, None, *options, ROLE="server", PORT=PORT)
            server.wait_for("ready")
            for number in (1, 2):
                scene.engine(f"client{number}", engine, None, *options, ROLE="client", PORT=PORT, NUMBER=number)
            scene.finish()
            assert "is not allowed on node" in server.printed()
            scene.processes.remove(sink)


with_sink(GODOT4, "refused4")
with_sink(GODOT36, "refused3")

SETTINGS = f"""[gd_resource type="EditorSettings" format=3]

[resource]
network/debug/remote_port = {DEBUGGER}
"""


def metadata(folder):
    """Three instances; each writes a log of its own."""
    instances = ", ".join(f'{{"arguments": "--headless --log-file {folder}/instance{n}.log", "override_args": true}}' for n in (1, 2, 3))
    return f"[debug_options]\n\nmultiple_instances_enabled=true\nrun_instances_config=[{instances}]\n"


@scenario("multiplayer-debugged/godot-4.6-editor")
def editor(name):
    """The editor runs three instances of a game."""
    with Scene(name, FILTER, "debugged4", seconds=60) as scene:
        ours, theirs = scene.stage(GODOT4)
        (ours / "debugged4/.godot/editor").mkdir(parents=True)
        (ours / "debugged4/.godot/editor/project_metadata.cfg").write_text(metadata(theirs))
        (ours / "home/.config/godot").mkdir(parents=True)
        (ours / "home/.config/godot/editor_settings-4.6.tres").write_text(SETTINGS)
        process = scene.engine("editor", GODOT4, None, "--editor", PORT=PORT, CLIENTS=2, SECONDS=9)
        scene.finish()
        for number in (1, 2, 3):
            lines = (ours / f"instance{number}.log").read_text().splitlines()
            assert any("started as" in line for line in lines), lines
            records = [json.dumps({"what": "print", "text": line}, ensure_ascii=False) + "\n" for line in lines if line.strip()]
            scene.keep(f"instance{number}.log.gz", gzip.compress("".join(records).encode(), mtime=0))
        scene.processes.remove(process)
