# SPDX-License-Identifier: GPL-2.0-or-later
"""Godot's high-level multiplayer: calls, replication, relaying, admission, over ENet and WebSocket."""

import shutil
import subprocess

from generator.scene import GODOT32, GODOT36, GODOT4, HERE, Scene, scenario

PORT, GAME_PORT = 22201, 22211
FILTERS = {"enet": f"udp port {PORT}", "websocket": f"tcp port {PORT}"}
COMPRESSIONS = ("none", "range-coder", "fastlz", "zlib", "zstd")
PASSWORD = "open sesame"


CLASSES = ".godot/global_script_class_cache.cfg"
_classes = {}  # project -> content of that file; finding the classes takes the engine a quarter of a minute


def prepare(scene, engine):
    """Adds the shared log to projects, and lets Godot 4 find the classes that scripts name (class_name)."""
    ours, theirs = scene.stage(engine)
    for project in scene.projects:
        shutil.copy(HERE / "projects" / ("log4.gd" if engine is GODOT4 else "log3.gd"), ours / project / "log.gd")
        if engine is not GODOT4:
            continue
        if project not in _classes:
            command = [*engine.command(), "--path", str(theirs / project), "--import"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)
            _classes[project] = (ours / project / CLASSES).read_bytes()
            shutil.rmtree(ours / project / ".godot")
        (ours / project / CLASSES).parent.mkdir(exist_ok=True)
        (ours / project / CLASSES).write_bytes(_classes[project])


def calls(process, what, **equal):
    return [r for r in process.all(what) if all(r.get(k) == v for k, v in equal.items())]


def check_calls(processes):
    """Every received call was made with the same arguments, except for objects."""
    made = {(r["node"], r["method"]) for p in processes for r in p.all("call")}
    received = [r for p in processes for r in p.all("called")]
    for record in received:
        assert (record["node"], record["method"]) in made, record
    return received


def play(engine, project, transport, name, plays, ends, compression="none", suffix="", **environment):
    """A server and one client for each play."""
    kind = transport if compression == "none" else f"{transport}-{compression}"

    @scenario(f"multiplayer/{engine.label}-{kind}-{name}{suffix}")
    def make(full_name):
        settings = {"PORT": PORT, "TRANSPORT": transport, "COMPRESSION": COMPRESSIONS.index(compression), "ENDS": ends}
        settings = {**settings, **environment}
        with Scene(full_name, FILTERS[transport], project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", **settings)
            server.wait_for("ready")
            for number, extra in enumerate(plays, 1):
                extra = extra if isinstance(extra, dict) else {"PLAY": extra}
                scene.engine(f"client{number}", engine, ROLE="client", NUMBER=number, **{**settings, **extra})
            scene.finish()
            check_calls(scene.processes)


def replication(engine, project, transport, compression="none"):
    kind = transport if compression == "none" else f"{transport}-{compression}"

    @scenario(f"multiplayer/{engine.label}-{kind}-replication")
    def make(name):
        settings = {"PORT": PORT, "TRANSPORT": transport, "COMPRESSION": COMPRESSIONS.index(compression), "PLAYERS": 2}
        with Scene(name, FILTERS[transport], project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", **settings)
            server.wait_for("ready")
            for number in (1, 2):
                client = scene.engine(f"client{number}", engine, ROLE="client", NUMBER=number, **settings)
                client.wait_for("connected_to_server")
            scene.finish()
            assert len(client.all("spawned")) == 6 and client.all("despawned") and client.all("delta_synchronized")
            check_replication(scene.processes)


def synchronizers(engine, project):
    @scenario(f"multiplayer/{engine.label}-enet-synchronizers")
    def make(name):
        with Scene(name, FILTERS["enet"], project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", PORT=PORT)
            server.wait_for("ready")
            client = scene.engine("client1", engine, ROLE="client", PORT=PORT)
            scene.finish()
            assert {r["node"] for r in client.all("spawned")} == {r["node"] for r in server.all("spawn")}
            assert client.all("synchronized") and client.all("delta_synchronized")
            confused = "Main/Yonder/Late1"
            assert any(r["node"] == confused and " c " in r["values"].get("a", "") for r in client.all("synchronized"))
            check_replication(scene.processes, confused)


def properties(engine, project):
    @scenario(f"multiplayer/{engine.label}-enet-properties")
    def make(name):
        with Scene(name, FILTERS["enet"], project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", PORT=PORT)
            server.wait_for("ready")
            client = scene.engine("client1", engine, ROLE="client", PORT=PORT)
            scene.finish()
            watched = {r["node"] for r in client.all("synchronized")}
            assert watched == {f"Main/{n}" for n in ("Door", "Crate", "Radio", "Lamps/Lamp7", "World/Unit1", "Yonder/Unit2")}
            assert client.all("delta_synchronized")
            check_replication(scene.processes)


def changes(engine, project):
    @scenario(f"multiplayer/{engine.label}-enet-changes")
    def make(name):
        with Scene(name, FILTERS["enet"], project, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", PORT=PORT)
            server.wait_for("ready")
            client = scene.engine("client1", engine, ROLE="client", PORT=PORT)
            scene.finish()
            for what in ("synchronized", "delta_synchronized"):
                assert {r["node"] for r in client.all(what)} == {"Main/Walker", "Main/Turret", "Main/Mast"}
            check_replication(scene.processes)


def game(engine, project, players):
    @scenario(f"multiplayer/{engine.label}-enet-game")
    def make(name):
        settings = {"PORT": GAME_PORT, "COMPRESSION": 0, "PLAYERS": players, "SECONDS": 10}
        with Scene(name, f"udp port {GAME_PORT}", project, seconds=25) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, ROLE="server", **settings)
            server.wait_for("ready")
            for number in range(1, players + 1):
                scene.engine(f"client{number}", engine, ROLE="client", NUMBER=number, **settings)
            scene.finish()
            check_calls(scene.processes)
            check_replication(scene.processes)


def check_replication(processes, confused=None):
    """Every value that arrived was set by a peer or is a node's initial value. `confused`: a node for which
    the engines mix up properties."""
    was_set = {(r["node"], r["property"], r["text"]) for p in processes for r in p.all("set")}
    for process in processes:
        last = {}
        for record in process.all("synchronized") + process.all("delta_synchronized"):
            if record["node"] == confused:
                continue
            for name, text in record["values"].items():
                key = (record["node"], name)
                if last.setdefault(key, text) != text:
                    assert (*key, text) in was_set, (process.name, key, text)


def mismatch(engine, projects):
    @scenario(f"multiplayer/{engine.label}-enet-mismatch")
    def make(name):
        with Scene(name, FILTERS["enet"], *projects, seconds=20) as scene:
            prepare(scene, engine)
            server = scene.engine("server", engine, project=projects[0], ROLE="server", PORT=PORT)
            server.wait_for("ready")
            client = scene.engine("client", engine, project=projects[1], ROLE="client", PORT=PORT)
            scene.finish()
            assert len(server.all("called")) >= 3 and len(client.all("called")) >= 1
            assert any("checksum" in r["text"] for r in server.all("print"))


for transport in FILTERS:
    play(GODOT4, "rpc4", transport, "calls", ["calls"], ends=1)
    play(GODOT4, "rpc4", transport, "relay", ["relay"] * 3, ends=3)
    play(GODOT4, "rpc4", transport, "raw", ["raw"], ends=1)
    play(GODOT4, "rpc4", transport, "reconnect", ["reconnect"], ends=3)
    play(GODOT4, "rpc4", transport, "replies", ["replies"] * 2, ends=2)
    admitted = {"PLAY": "short", "AUTHENTICATE": PASSWORD}
    refused = {"PLAY": "short", "AUTHENTICATE": "let me in"}
    play(GODOT4, "rpc4", transport, "authentication", [admitted, refused], ends=2, AUTHENTICATE=PASSWORD)
play(GODOT4, "rpc4", "enet", "calls", ["calls"], ends=1, compression="range-coder")
mismatch(GODOT4, ("mismatch4-server", "mismatch4-client"))
for transport in FILTERS:
    replication(GODOT4, "replication4", transport)
replication(GODOT4, "replication4", "enet", "range-coder")
synchronizers(GODOT4, "synchronizers4")
properties(GODOT4, "properties4")
changes(GODOT4, "changes4")
game(GODOT4, "game4", 4)
for engine in (GODOT36, GODOT32):
    for transport in FILTERS:
        play(engine, "rpc3", transport, "relay", ["relay"] * 3, ends=3)
    play(engine, "rpc3", "enet", "calls", ["calls"], ends=1)
    play(engine, "rpc3", "enet", "reconnect", ["reconnect"], ends=3)
    play(engine, "rpc3", "enet", "replies", ["replies"] * 2, ends=2)
# WebSocket and compression below the multiplayer API of Godot 3.2 are those of 3.6.
play(GODOT4, "rpc4", "websocket", "reconnect", ["reconnect"], ends=3, suffix="-sub-protocol", PROTOCOL="my-game")
play(GODOT36, "rpc3", "websocket", "calls", ["calls"], ends=1)
play(GODOT36, "rpc3", "websocket", "reconnect", ["reconnect"], ends=3)
play(GODOT36, "rpc3", "enet", "calls", ["calls"], ends=1, compression="range-coder")


@scenario("multiplayer-in-code/godot-4.6")
def in_code(name):
    """Configurations that are in no scene file, and what tools/print_rpc_names.gd writes about them in the
    running server."""
    with Scene(name, FILTERS["enet"], "incode4", seconds=20) as scene:
        prepare(scene, GODOT4)
        ours, _ = scene.stage(GODOT4)
        shutil.copy(HERE.parent / "tools" / "print_rpc_names.gd", ours / "incode4")
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client1", GODOT4, ROLE="client", PORT=PORT)
        scene.finish()
        assert len(client.all("synchronized")) > 4
        (written,) = ours.glob("home/**/replication.tscn")
        scene.keep("replication.tscn", written.read_bytes())


@scenario("multiplayer-spawn-function/godot-4.6")
def spawn_function(name):
    """A spawn function that makes scenes, and nodes without a scene: packets do not contain which."""
    with Scene(name, FILTERS["enet"], "spawnfunction4", seconds=20) as scene:
        prepare(scene, GODOT4)
        server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT)
        server.wait_for("ready")
        client = scene.engine("client1", GODOT4, ROLE="client", PORT=PORT)
        scene.finish()
        assert len(client.all("spawn_state")) == 8 and client.all("delta_synchronized")
        check_replication(scene.processes)
