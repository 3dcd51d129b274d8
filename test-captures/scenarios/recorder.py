# SPDX-License-Identifier: GPL-2.0-or-later
"""Games recorded only by the autoload of addons/godot_wireshark: one NAME.PROCESS.pcapng for each process.

A game has to log the same with the recorder as without it."""

import collections
import os
import re
import shutil
import signal
import subprocess

from generator.scene import GODOT4, HERE, Scene, scenario
from scenarios import multiplayer
from scenarios.multiplayer_errors import unprinted

PORT = 22221
ADDON = HERE.parent / "addons" / "godot_wireshark"
AUTOLOAD = '\n[autoload]\n\nGodotWireshark="*res://addons/godot_wireshark/recorder.gd"\n'


def prepare(scene, project):
    """Adds the add-on to a project, as enabling it in the editor does."""
    ours, theirs = scene.stage(GODOT4)
    shutil.copytree(ADDON, ours / project / "addons" / "godot_wireshark")
    with open(ours / project / "project.godot", "a", encoding="utf-8") as file:
        file.write(AUTOLOAD)
    multiplayer.prepare(scene, GODOT4)
    return theirs


def keep_recordings(scene):
    ours, _ = scene.stage(GODOT4)
    for process in scene.processes:
        scene.keep(f"{process.name}.pcapng", (ours / f"{process.name}.pcapng").read_bytes())


# Errors when a client leaves while the server reports that another one has left (see
# multiplayer/*-relay.server.log), when a game quits with objects in use, and when data is sent to a WebSocket
# that is closing.
CHANCE = ("max channels: 0", "at exit", "ready_state != STATE_OPEN")


def complaints(process):
    """The errors that the engine printed, without peer ids, which differ from run to run."""
    texts = [r["text"] for r in process.all("print") if r["text"].startswith(("ERROR", "WARNING", "SCRIPT ERROR"))]
    return collections.Counter(re.sub(r"\d{4,}", "N", text) for text in texts if not any(chance in text for chance in CHANCE))


PRESET = """[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
include_filter=""
exclude_filter=""
export_path=""
script_export_mode=2

[preset.0.options]
"""


def export(scene, project, preset=PRESET):
    """The project as a .pck that the engine runs without the project's folder; returns the command that runs
    it."""
    ours, theirs = scene.stage(GODOT4)
    (ours / project / "export_presets.cfg").write_text(preset)
    command = [*GODOT4.command(), "--path", theirs / project, "--export-pack", "Linux", theirs / "game.pck"]
    subprocess.run([str(c) for c in command], env={**os.environ, "HOME": str(theirs / "home")}, timeout=180, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(ours / project)
    return [*GODOT4.command(), "--main-pack", theirs / "game.pck"]


def tunnel(scene, number):
    """The two relays of keys.py for one client: the game's traffic is encrypted. Returns the client's
    port."""
    front_port, dtls_port = PORT + 2 * number, PORT + 2 * number + 1
    for role, udp_port in (("back", PORT), ("front", front_port)):
        ports = {"UDP_PORT": udp_port, "DTLS_PORT": dtls_port}
        scene.engine(f"{role}{number}", GODOT4, "relay.gd", project="dtls4", ROLE=role, IDLE=20, **ports).wait_for("ready")
    return front_port


def play_once(scene, project, transport, clients, recorded, exported, environment):
    """Plays a server and its clients once; keeps the recordings, if any."""
    theirs = prepare(scene, project)
    command = export(scene, project) if exported else [*GODOT4.command(), "--path", theirs / project]
    games = []
    settings = {"TRANSPORT": "enet" if transport == "dtls" else transport, "COMPRESSION": 0, "HOME": theirs / "home", "LANG": "en",
                **environment}

    def start(process, **more):
        record = {"GODOT_RECORD": theirs / f"{process}.pcapng"} if recorded else {}
        games.append(scene.process(process, command, **{k: str(v) for k, v in {**settings, **more, **record}.items()}))
        games[-1].wait_for("ready" if process == "server" else "connected_to_server")

    start("server", ROLE="server", PORT=PORT)
    ports = [tunnel(scene, number) if transport == "dtls" else PORT for number in range(1, len(clients) + 1)]
    for number, (port, extra) in enumerate(zip(ports, clients), 1):
        start(f"client{number}", ROLE="client", NUMBER=number, PORT=port, **extra)
    scene.finish()
    scene.processes = games
    if recorded:
        keep_recordings(scene)


def play(project, transport, name, clients, exported=False, **environment):
    @scenario(f"recorder/godot-4.6-{transport}-{name}")
    def make(full_name):
        played = {}
        for recorded in (False, True):
            with Scene(full_name, "", project, *(["dtls4"] if transport == "dtls" else []), seconds=120) as scene:
                play_once(scene, project, transport, clients, recorded, exported, environment)
                played[recorded] = {p.name: (complaints(p), collections.Counter(r["what"] for r in p.records)) for p in scene.processes}
        for process in played[True]:
            without, recorded = played[False][process], played[True][process]
            assert without[0] == recorded[0], (process, without[0] - recorded[0], recorded[0] - without[0])
            same = {"call", "called", "peer_connected", "raw", "spawned", "despawned"}
            if len(clients) > 1: # the receivers of a broadcast depend on who is connected by then
                same = {"call", "peer_connected"}
            assert {k: without[1][k] for k in same} == {k: recorded[1][k] for k in same}, (process, without[1], recorded[1])


for transport in ("enet", "websocket", "wss"):
    play("rpc4", transport, "relay", [{"PLAY": "relay"}] * 3, ENDS=3)
TWO = [{"PLAY": "relay", "OTHERS": 1}] * 2
play("rpc4", "dtls", "relay", TWO, ENDS=2)
play("rpc4", "enet", "exported", TWO, exported=True, ENDS=2)
play("rpc4", "enet", "reconnect", [{"PLAY": "reconnect"}], ENDS=3)
play("rpc4", "enet", "calls", [{"PLAY": "calls"}], ENDS=1)
for transport in ("enet", "websocket", "wss", "dtls"):
    play("replication4", transport, "replication", [{}, {}], PLAYERS=2)
play("replication4", "enet", "exported-replication", [{}, {}], exported=True, PLAYERS=2)
play("synchronizers4", "enet", "synchronizers", [{}])
play("game4", "enet", "game", [{}, {}], PLAYERS=2, SECONDS=2)


# --- a game with the same behaviour ---

WHAT = ("ordinary", "started_by_a_timer", "closed_in_a_callback", "removed_in_a_callback", "replaced_in_a_callback", "removed_by_a_call",
        "closed_and_started_again", "thrown_out", "properties_of_the_peer",
        "to_everybody", "raw_peers", "nothing_to_get")
ADVERSE = {
    "full": {"GODOT_RECORD": "HERE/small/game.pcapng"},  # a file system of 4 KiB
    "device": {"GODOT_RECORD": "/dev/full"},
    "unwritable": {"GODOT_RECORD": "/proc/nowhere/game.pcapng"},
    "nobody-reads": {"GODOT_RECORD_TCP": PORT + 20},
    "no-port": {"GODOT_RECORD_TCP": "nonsense"},
    "mode": {"GODOT_RECORD": "HERE/game.pcapng", "GODOT_RECORD_MODE": "nothing"},
}


def outcome(process):
    """Everything that the game logged and the errors that the engine printed, without the add-on's own
    errors, times and ids."""
    differs = {"ticks", "me", "first", "target", "from"} # these differ from run to run
    return [{k: v for k, v in r.items() if k not in differs} for r in process.records if r["what"] != "print"], complaints(process)


def run_alone(name, what, seconds=20, **environment):
    """The process, and its recording if requested."""
    with Scene(name, "", "recorder4", seconds=seconds) as scene:
        theirs = prepare(scene, "recorder4")
        record = {k: str(v).replace("HERE", str(theirs)) for k, v in environment.items()}
        ours, _ = scene.stage(GODOT4)
        small = ours / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", small], check=True)
        try:
            process = scene.engine(what, GODOT4, PORT=PORT, WHAT=what, **record)
            process.finish(seconds)
        finally:
            subprocess.run(["umount", small], check=True)
        recording = ours / "game.pcapng"
        if recording.exists():
            scene.keep(f"{what}.pcapng", recording.read_bytes())
    return process


def unnoticed(what):
    @scenario(f"recorder/godot-4.6-peers-{what}")
    def make(name):
        without = outcome(run_alone(name, what))
        for environment in ADVERSE.values():
            other = outcome(run_alone(name, what, **environment))
            assert other == without, (environment, without, other)
        recorded = outcome(run_alone(name.replace(f"-{what}", ""), what, GODOT_RECORD="HERE/game.pcapng"))
        assert recorded == without, (without, recorded)
        for left_over in (HERE / "recorder").glob(f"godot-4.6-peers-{what}.*"):
            left_over.unlink()


for what in WHAT:
    unnoticed(what)


# --- what the engine reports ---

REPORTED = {"GODOT_RECORD_LOG": 1, "GODOT_RECORD_STACK": 1}


def record_games(scene, project, processes, recorded=True):
    """Starts each process, with a recording unless `recorded` is false; {name: its environment}."""
    theirs = prepare(scene, project)
    for name, environment in processes.items():
        script = environment.pop("SCRIPT", None)
        record = {"GODOT_RECORD": theirs / f"{name}.pcapng"} if recorded and not script else {}
        role = {"ROLE": "server" if name == "server" else "client", "PORT": PORT, "COMPRESSION": 0}
        process = scene.engine(name, GODOT4, script, **{**role, **environment, **record})
        process.wait_for("ready" if name == "server" else "put_packet" if script else "peer_connected")
    scene.finish()
    ours, _ = scene.stage(GODOT4)
    for name in processes:
        if (ours / f"{name}.pcapng").exists():
            scene.keep(f"{name}.pcapng", (ours / f"{name}.pcapng").read_bytes())


@scenario("recorder/reports/godot-4.6-reports")
def reports(name):
    """Refused calls, script errors, warnings, prints, errors without a packet, a pause, changes of nodes."""
    with Scene(name, "", "reports4", seconds=60) as scene:
        record_games(scene, "reports4", {"server": {**REPORTED}, "client": {**REPORTED}})
        printed = scene.processes[0].printed()
        assert all(text in printed for text in ("is not allowed on node", "SCRIPT ERROR", "WARNING: warned", "from a thread", "checksum failed"))


@scenario("recorder/reports/godot-4.6-refused")
def refused(name):
    """The calls of multiplayer-errors/godot-4.6-refused."""
    with Scene(name, "", "refused4", seconds=60) as scene:
        record_games(scene, "refused4", {"server": {}, "client1": {"NUMBER": 1}, "client2": {"NUMBER": 2}})
        assert "is not allowed on node" in scene.processes[0].printed()


@scenario("recorder/reports/godot-4.6-broken")
def broken(name):
    """The packets of multiplayer-errors/godot-4.6-broken, which no engine sends, recorded at the server."""
    with Scene(name, "", "errors4", seconds=60) as scene:
        record_games(scene, "errors4", {"server": {"MAX": 3, "SECONDS": 8, "TICK": 9}, "client": {"SCRIPT": "broken.gd", "TICK": 9}})


@scenario("recorder/reports/godot-4.6-large")
def large(name):
    """A call with 300,000 bytes, and 20 calls after it."""
    with Scene(name, "", "reports4", seconds=60) as scene:
        record_games(scene, "reports4", {"server": {"PLAY": "large"}, "client": {"PLAY": "large"}})
        assert len([r for r in scene.processes[0].all("called") if r["method"] == "number"]) == 21


@scenario("recorder/reports/godot-4.6-classes")
def classes(name):
    """A game whose scripts ask for the classes of the API and of the peer, in mode automatic: what it logs is the same as without a recorder."""
    played = []
    for recorded in (False, True):
        with Scene(name, "", "classes4", seconds=60) as scene:
            record_games(scene, "classes4", {"server": {}, "client": {}}, recorded)
            played.append([(process.name, set(complaints(process)), [{**r, "from": None} for r in process.records if r["what"] not in ("print", "peer_connected")])
                           for process in scene.processes])
            assert "a bad packet" in scene.processes[0].printed()
    assert played[0] == played[1], played


@scenario("recorder/reports/godot-4.6-untraced")
def untraced(name):
    """Errors about what is not sent, and about what has arrived without its effect; a process prints each after its "provoke"."""
    with Scene(name, "", "untraced4", seconds=60) as scene:
        record_games(scene, "untraced4", {"server": {}, "client": {}})
        for process in scene.processes:
            assert not unprinted(process), (unprinted(process), process.printed())


# --- methods of one kind of peer ---


def use_transport(name, transport, style, modes):
    """A server that kicks and bans peers with methods of its peer's class: the same log, whatever is
    wrapped."""
    played = {}
    for mode in (None, *modes):
        with Scene(name, "", "transport4", seconds=60) as scene:
            theirs = prepare(scene, "transport4")
            for role in ("server", "client"):
                record = {"GODOT_RECORD": theirs / f"{role}.pcapng", "GODOT_RECORD_MODE": mode} if mode else {}
                process = scene.engine(role, GODOT4, ROLE=role, TRANSPORT=transport, STYLE=style, PORT=PORT, **record)
                process.wait_for("ready" if role == "server" else "connected_to_server")
            scene.finish()
            played[mode] = {p.name: outcome(p) for p in scene.processes}
            assert not any("ERROR" in p.printed() for p in scene.processes), [p.printed() for p in scene.processes]
            if mode:
                keep_recordings(scene)
                assert len(scene.kept) == 2
    for mode in modes:
        assert played[mode] == played[None], (mode, played[mode], played[None])


def kick(transport, style, modes):
    @scenario(f"recorder/godot-4.6-{transport}-kick-{style}")
    def make(name):
        use_transport(name, transport, style, modes)


for transport in ("enet", "websocket"):
    kick(transport, "dynamic", ("api", "peer"))
    kick(transport, "typed", ("automatic",))


@scenario("recorder/godot-4.6-enet-mesh")
def mesh(name):
    """create_mesh() and add_mesh_peer(): three players without a server, in each mode."""
    played = {}
    for mode in (None, "api", "peer"):
        with Scene(name, "", "mesh4", seconds=60) as scene:
            theirs = prepare(scene, "mesh4")
            for number in (1, 2, 3):
                record = {"GODOT_RECORD": theirs / f"player{number}.pcapng", "GODOT_RECORD_MODE": mode} if mode else {}
                scene.engine(f"player{number}", GODOT4, ID=number, PORT=PORT, **record).wait_for("ready")
            scene.finish()
            played[mode] = {p.name: (collections.Counter((r["what"], r.get("method"), r.get("from"), r.get("id")) for r in p.records if r["what"] != "print"),
                                     complaints(p)) for p in scene.processes}
            if mode:
                keep_recordings(scene)
    assert played["api"] == played["peer"] == played[None], played


# --- files ---


def play_in_one(scene, what, environment, ends=(0,)):
    """recorder4 with a recording; returns the folder of the recording."""
    theirs = prepare(scene, "recorder4")
    process = scene.engine(what, GODOT4, PORT=PORT, WHAT=what, GODOT_RECORD=theirs / "game.pcapng", **environment)
    process.good_ends = ends
    process.finish(60)
    return scene.stage(GODOT4)[0]


@scenario("recorder/files/killed")
def killed(name):
    """The game ends by SIGKILL."""
    with Scene(name, "", "recorder4") as scene:
        folder = play_in_one(scene, "killed", {}, ends=(-signal.SIGKILL,))
        scene.keep("game.pcapng", (folder / "game.pcapng").read_bytes())


@scenario("recorder/files/rotated")
def rotated(name):
    """Another file is begun after 1 KiB."""
    with Scene(name, "", "recorder4") as scene:
        folder = play_in_one(scene, "ordinary", {"GODOT_RECORD_SIZE": 1 / 1024})
        files = sorted(folder.glob("game*.pcapng"))
        assert len(files) > 2
        for file in files:
            scene.keep(file.name, file.read_bytes())


# --- warnings ---


@scenario("recorder/godot-4.6-warnings")
def warnings(name):
    """Every script of the add-on with the engine's warnings as errors. Only the log is kept."""
    with Scene(name, "", "warnings4") as scene:
        ours, theirs = scene.stage(GODOT4)
        shutil.copytree(ADDON, ours / "warnings4" / "addons" / "godot_wireshark")
        command = [*GODOT4.command(), "--path", theirs / "warnings4", "--import"] # classes that scripts name
        subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        process = scene.engine("engine", GODOT4, "check.gd")
        scene.finish()
        assert all(r["usable"] for r in process.all("script")), process.printed()


# --- the editor ---

# The protocols of a stand-in for tshark beside Wireshark, which has no plugin for Godot.
STAND_INS = {"bare": "", "complete": "godot.recorder"}


@scenario("recorder/godot-4.6-editor")
def editor(name):
    """Project > Tools > Open in Wireshark: what is missing, how Wireshark is started, what it reads of a
    running game."""
    with Scene(name, "", "editor4", seconds=90) as scene:
        ours, theirs = scene.stage(GODOT4)
        shutil.copytree(ADDON, ours / "editor4" / "addons" / "godot_wireshark")
        for file in ("main.gd", "main.tscn"):
            shutil.copy(HERE / "projects" / "recorder4" / file, ours / "editor4")
        shutil.copy(HERE / "projects" / "log4.gd", ours / "editor4" / "log.gd")
        programs = [theirs / "nowhere" / "wireshark"]
        for folder, protocols in STAND_INS.items():
            (ours / folder).mkdir()
            scripts = {"tshark": f"echo '{protocols}'", "wireshark": f'case "$1" in -k) echo "$@" >{theirs}/started;; *) echo "Wireshark 9.8.7";; esac'}
            for program, script in scripts.items():
                (ours / folder / program).write_text(f"#!/bin/sh\n{script}\nexit 0\n")
                (ours / folder / program).chmod(0o755)
            programs.append(theirs / folder / "wireshark")
        process = scene.engine("engine", GODOT4, None, "--editor", PORT=PORT, WHAT="ordinary", RECORDING=theirs / "read.pcapng", PROGRAMS=",".join(map(str, programs)))
        scene.finish()
        started = (ours / "started").read_text().split()
        pages = {r["program"]: (r["found"], r["missing"]) for r in process.all("page")}
        assert not pages["nowhere"][0] and "not been found" in pages["nowhere"][1]
        assert "Wireshark 9.8.7 is installed, but not its plugin" in pages["bare"][1] and pages["complete"] == (True, "")
        assert process.all("enabled")[0]["autoload"] and not process.all("disabled")[0]["autoload"]
        assert process.all("opened")[0]["environment"] == "1"
        assert {"-k", "TCP@127.0.0.1:5555", f"godot.project:{theirs}/editor4/"} <= set(started), started
        scene.keep("read.pcapng", (ours / "read.pcapng").read_bytes())
        assert "SCRIPT ERROR" not in process.printed(), process.printed()
        process.records = [r for r in process.records if r["what"] != "print"]
