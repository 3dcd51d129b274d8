# SPDX-License-Identifier: GPL-2.0-or-later
"""Multiplayer over WebSocket on a link that loses, delays and reorders TCP segments, captured at both ends."""

import contextlib
import gzip
import subprocess
import sys

from generator.scene import GODOT36, GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import check_calls, check_replication, prepare

PORT, NAMESPACE = 22231, "godot-clients"
INTERFACES = {"server-side": ("godot-server", "10.77.0.1"), "client-side": ("godot-clients", "10.77.0.2")}
AT_CLIENTS = ["nsenter", f"--net=/var/run/netns/{NAMESPACE}"]


@contextlib.contextmanager
def link(scene, *options):
    """Two interfaces with a bad link between them, and a capture of each: NAME.server-side.pcap, NAME.client-side.pcap."""
    subprocess.run(["ip", "netns", "add", NAMESPACE], check=True)
    words = [NAMESPACE, *INTERFACES["server-side"], *INTERFACES["client-side"], *options]
    with open(scene.folder / "link", "w") as log:
        running = subprocess.Popen([sys.executable, HERE / "generator" / "link.py", *map(str, words)], stdin=subprocess.PIPE, stdout=log)
    try:
        ends = {}
        for side, (interface, _) in INTERFACES.items():
            command = ["tcpdump", "-i", interface, "-U", "--immediate-mode", "-B", "16384", "-Z", "root", "-w", scene.folder / side, f"tcp port {PORT}"]
            ends[side] = start_capture([*(AT_CLIENTS if side == "client-side" else []), *command])
        yield
        for side, process in ends.items():
            process.terminate()
            report = process.communicate()[1]
            assert "\n0 packets dropped by kernel" in report, report
            scene.keep(f"{side}.pcap", (scene.folder / side).read_bytes())
    finally:
        running.stdin.close()
        running.wait()
        scene.keep("link.log.gz", gzip.compress((scene.folder / "link").read_bytes(), mtime=0))
        subprocess.run(["ip", "netns", "del", NAMESPACE], check=True)


def start_capture(command):
    """Retries: the interface may not be there yet."""
    for _ in range(50):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        if any("listening on" in line for line in process.stderr):
            return process
        process.wait()
    raise RuntimeError("tcpdump does not run")


def lossy(engine, project, name, clients, check, *options, **environment):
    @scenario(f"websocket-loss/{engine.label}-{name}")
    def make(full_name):
        settings = {"TRANSPORT": "websocket", "PORT": PORT, "COMPRESSION": 0, "ENDS": clients, "PLAYERS": clients, **environment}
        with Scene(full_name, None, project, seconds=40) as scene:
            prepare(scene, engine)
            main = scene.stage(engine)[0] / project / "main.gd"
            main.write_text(main.read_text().replace("127.0.0.1", INTERFACES["server-side"][1]))
            with link(scene, *options):
                server = scene.engine("server", engine, ROLE="server", **settings)
                server.wait_for("ready")
                for number in range(1, clients + 1):
                    client = scene.engine(f"client{number}", engine, before=AT_CLIENTS, ROLE="client", NUMBER=number, **settings)
                    if engine is GODOT4:
                        client.wait_for("connected_to_server")
                scene.finish()
            check(scene.processes)


lossy(GODOT4, "replication4", "replication", 2, check_replication, "--seed", 1, "--loss", 0.05, "--delay", 15)
lossy(GODOT4, "rpc4", "relay", 3, check_calls, "--seed", 2, "--loss", 0.05, "--delay", 15, "--reorder", 0.05, PLAY="relay")
lossy(GODOT36, "rpc3", "relay", 3, check_calls, "--seed", 3, "--loss", 0.05, "--delay", 15, PLAY="relay")
