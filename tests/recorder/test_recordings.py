"""Recordings of real games compared with their logs, without a project: calls with sender, receiver, mode and
channel; spawned nodes and synchronized properties; both ends merged.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import shutil
import subprocess

import pytest

import engine_logs
import tshark
from engine_logs import MODES, is_object, same_call

FOLDER = tshark.CAPTURES / "recorder"
ALL = sorted(path.name[: -len(".pcapng")] for path in FOLDER.glob("*.pcapng"))
PEERS = [name for name in ALL if "-peers." in name] # both ends in one process and file
EDITOR = "godot-4.6-editor.read" # both ends in one process, read from the editor's port
RECORDINGS = [name for name in ALL if name not in PEERS and name != EDITOR]
GAMES = sorted({name.rsplit(".", 1)[0] for name in RECORDINGS})
MERGECAP = shutil.which("mergecap")
ONLY = ("-J", "frame godot godot.recorder")

every_recording = pytest.mark.parametrize("name", RECORDINGS)
every_game = pytest.mark.parametrize("game", GAMES)


def test_there_are_recordings():
    assert {name.split("-")[2] for name in GAMES} >= {"enet", "websocket", "wss", "dtls"}


@functools.lru_cache(maxsize=None)
def log(name):
    return engine_logs.records(FOLDER / f"{name}.log.gz")


def logged(name, what):
    return [record for record in log(name) if record["what"] == what]


class Message:
    """A recorded packet; if relayed, the inner packet."""

    def __init__(self, frame, layer):
        one = frame.layer("godot.recorder").one
        self.frame, self.layer = frame, layer
        self.received = one("godot.recorder.received")
        self.own, self.other = one("godot.recorder.own_id"), one("godot.recorder.other_id")
        self.source, self.target = (layer.all(f"godot.{end}")[-1:] or [None] for end in ("source", "target"))
        self.source, self.target = self.source[0], self.target[0]
        self.call = (layer.all("godot.rpc.call") or [None])[0]
        self.method = self.call.partition("(")[0] if self.call else None
        self.paths = layer.all("godot.path") + layer.all("godot.spawner.path")
        self.how = layer.one("godot.transfer_mode"), layer.one("godot.channel")
        self.relay_to = next(iter(layer.all("godot.relay.peer")), None)


@functools.lru_cache(maxsize=None)
def dissect(name):
    return [Message(frame, layer) for frame in tshark.packets(FOLDER / f"{name}.pcapng", *ONLY, two_pass=True)
            for layer in frame.children if layer.name == "godot"]


def fits(message, record):
    return record["node"] in message.paths and (
        same_call(message.call, record["method"], record["args"], 4) or any(map(is_object, record["args"])))


@every_recording
def test_every_call_that_ran_was_received(name):
    """Each call from another peer that the game logged, once, with its source, name and arguments."""
    received = collections.defaultdict(list)
    for message in dissect(name):
        if message.call and message.received:
            received[message.method, message.source].append(message)
    own = {message.own for message in dissect(name)}
    for record in logged(name, "called"):
        if record["from"] in own:
            continue # called locally as well
        candidates = received[record["method"], record["from"]]
        found = next((m for m in candidates if fits(m, record)), None)
        assert found, (record, [m.call for m in candidates][:5])
        candidates.remove(found)


@every_recording
def test_every_call_was_sent(name):
    """To the receiver of the game's call, with the mode and channel of the method."""
    sent = collections.defaultdict(list)
    for message in dissect(name):
        if message.call and not message.received and message.source == message.own:
            sent[message.method].append(message)
    for record in logged(name, "call"):
        if record.get("error") or not any(not m.received for m in dissect(name)):
            continue
        target, how = record["target"], (MODES[record["mode"]], record["channel"])
        matching = [m for m in sent[record["method"]] if fits(m, record) and m.how == how]
        if target > 0:
            reached = [m for m in matching if target in (m.target, m.relay_to)]
            assert reached or target in {m.own for m in dissect(name)}, record
            sent[record["method"]].remove(reached[0]) if reached else None
        elif matching: # to all: at least one; to all but one: not to that one
            assert any(-target != m.target for m in matching), record
        else:
            assert name.endswith(".server") and not_connected(name), record


def not_connected(name):
    """A call to all peers is sent to no peer if none is connected."""
    return bool(logged(name, "peer_disconnected"))


@every_recording
def test_names_of_methods_are_all_known(name):
    calls = [m for m in dissect(name) if m.call]
    assert all(m.call[0] != "#" for m in calls), [(m.frame.number, m.call) for m in calls if m.call[0] == "#"][:5]


@every_recording
def test_no_false_alarm(name):
    """No warnings except those that the engines printed. (They print some in the scenario `calls`.)"""
    allowed = {"godot.over_mtu", "godot.object_argument"}
    for message in dissect(name):
        for expert, severity, _ in message.frame.experts:
            complained = any(r["text"].startswith("ERROR") for process in processes(name.rsplit(".", 1)[0]) for r in logged(process, "print"))
            assert expert in allowed or severity in ("comment", "chat", "note") or complained, (message.frame.number, expert)


def processes(game):
    return [name for name in RECORDINGS if name.rsplit(".", 1)[0] == game]


@every_recording
def test_connects_and_disconnects(name):
    shown = collections.Counter()
    for frame in tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "godot.recorder.kind in {1, 2}"):
        shown[frame.one("godot.recorder.kind"), frame.one("godot.recorder.other_id")] += 1
    if name.endswith(".server"): # clients learn about each other in packets
        for kind, what in ((1, "peer_connected"), (2, "peer_disconnected")):
            ids = collections.Counter(r["id"] for r in logged(name, what) if "id" in r)
            assert sum(n for (k, _), n in shown.items() if k == kind) >= len(logged(name, what))
            assert all(shown[kind, peer] >= count for peer, count in ids.items()), (what, shown, ids)


def spawned_path(message):
    (path,) = [path for path in message.paths if path.endswith("/" + message.layer.one("godot.spawn.name"))]
    return path


@pytest.mark.parametrize("name", [name for name in RECORDINGS if "replication" in name])
def test_replicated_values(name):
    """Every value that arrived, with the node's path and the property's name."""
    values = collections.defaultdict(set)
    for message in dissect(name):
        if not message.received:
            continue
        spawn = message.layer.nodes("godot.spawn.state")
        entries = [(spawned_path(message), node) for node in spawn]
        entries += [(entry.all("godot.path")[0], entry) for entry in message.layer.nodes("godot.sync.entry")]
        for path, entry in entries:
            for property_name, text in zip(entry.all("godot.sync.property"), entry.all("godot.variant.text")):
                values[path.rsplit("/", 1)[0] if path.endswith("/Synchronizer") else path, property_name].add("".join(text.split()))
    checked = 0
    last = {}
    for record in logged(name, "synchronized") + logged(name, "delta_synchronized") + logged(name, "spawn_state"):
        for property_name, text in record["values"].items():
            key = record["node"], property_name
            if key in values and last.get(key) != text:
                checked += "".join(text.split()) in values[key]
            last[key] = text
    if name.endswith(".server"):
        return
    assert checked > 5, (checked, sorted(values)[:5])
    spawned = {(spawned_path(m), m.layer.one("godot.spawn.scene")) for m in dissect(name)
               if m.received and m.layer.all("godot.spawn.scene")}
    for record in logged(name, "spawned"):
        if record.get("scene"):
            assert (record["node"], record["scene"]) in spawned, (record, spawned)


@pytest.mark.parametrize("name", PEERS)
def test_apis_of_their_own(name):
    """Two parts of a tree with a MultiplayerAPI each, in one file: every call at both ends, with its transit
    time."""
    shown = [frame.one("godot.rpc.call") for frame in tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "godot.sent_in && godot.rpc.call")]
    ran = [f'say("{record["text"]}")' for record in logged(name, "called")]
    assert collections.Counter(shown) == collections.Counter(ran)


# Two of its three synchronizers are announced, in an order that depends on when the third one changed its
# authority.
UNNAMED = {"Main/Yonder/Late1"}


@pytest.mark.parametrize("name", [n for n in RECORDINGS if n.rsplit(".", 1)[0].endswith(("-replication", "-game", "-synchronizers"))])
def test_every_property_has_its_name(name):
    """Scenes, nodes made by a spawn function, and synchronizers known by path or among several, at both
    ends."""
    counted, described_later = 0, 0
    for message in dissect(name):
        for values in message.layer.nodes("godot.sync.entry") + message.layer.nodes("godot.spawn.state"):
            path = (values.all("godot.path") or [message.paths[0]])[0]
            named = len(values.all("godot.sync.property")) == len(values.all("godot.variant.text"))
            if path not in UNNAMED and not named:
                # At the receiver, the node exists and is described only after it was spawned.
                assert message.received and message.layer.all("godot.spawn.name") and path == "Main/World/Twins_%d" % message.own
                described_later += 1
            counted += 1
            if "-synchronizers" in name: # the values contain their names: "Mixed1 a 0"
                for given, text in zip(values.all("godot.sync.property"), values.all("godot.variant.text")):
                    assert text.strip('"').split()[-2:-1] in ([given.rpartition(":")[2]], []), (given, text)
    assert described_later == (name.endswith("synchronizers.client1"))
    assert counted > 100


def test_the_editor_hands_on_what_its_instances_record():
    """Over the debugger's connection: every executed call, sent and received, with its name."""
    calls = [frame for frame in tshark.packets(FOLDER / f"{EDITOR}.pcapng", "-Y", "godot.rpc.call", two_pass=True)]
    ran = collections.Counter(f'say("{r["text"]}")' for r in logged("godot-4.6-editor.engine", "called"))
    assert len(ran) >= 5 and collections.Counter(f.one("godot.rpc.call") for f in calls) == ran + ran
    assert {f.one("frame.interface_name") for f in calls} == {"Instance 1: ENetMultiplayerPeer", "Instance 1: ENetMultiplayerPeer 2"}


@pytest.mark.parametrize("name", [name for name in RECORDINGS if "-kick-" in name])
def test_peers_come_again_on_the_same_interface(name):
    """The client is disconnected and connects again with another peer: another recording on the same
    interface."""
    frames = tshark.packets(FOLDER / f"{name}.pcapng")
    recordings = {frame.one("godot.recorder.recording") for frame in frames}
    assert len(recordings) == (2 if name.endswith("client") else 1)
    assert {frame.one("frame.interface_id") for frame in frames} == {0}


def test_packets_and_streams_without_the_multiplayer_api():
    """Values and bytes that scripts exchanged through RecorderPacketPeer and RecorderStreamPeer."""
    name = "godot-4.6-peers.raw_peers"
    shown = collections.Counter()
    for frame in tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "godot.recorder.kind >= 5"):
        end = frame.one("godot.recorder.kind"), frame.one("godot.recorder.received")
        for text in frame.all("godot.variant.text")[:1]:
            shown[(*end, "".join(text.split()))] += 1
        for data in frame.all("godot.recorder.payload"):
            shown[(*end, data)] += 1
    expected = collections.Counter()
    for record in logged(name, "get_var"):
        assert record["text"] == record["stream"]
        for kind in (5, 6):
            for received in (False, True):
                expected[kind, received, "".join(record["text"].split())] += 1
    for received in (False, True):
        expected[5, received, b"hello"] += 1
        expected[6, received, b"bytes"] += 1
    assert shown == expected and len(logged(name, "get_var")) == 5


def test_only_what_has_arrived_is_recorded():
    """Values and texts that are missing, truncated or damaged: the game gets the same as without the
    recorder."""
    name = "godot-4.6-peers.nothing_to_get"
    gets = logged(name, "get")
    assert all(record["bare"] == record["recorded"] for record in gets)
    assert any(record["bare"] != ["null", '""'] for record in gets)
    shown = []
    for frame in tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "godot.recorder.kind >= 5"):
        assert frame.one("godot.recorder.received")
        shown.append(tuple(frame.all("godot.recorder.payload")) or "".join(frame.all("godot.variant.text")))
    once = {"nil": "null", "half a value": 4, "no value": 8, "length of nothing": 4, "negative length": 4, "text": 7, "text with a NUL": 7}
    expected = [once[record["stream"]] for record in gets for _ in range(2) if record["stream"] in once]
    lengths = [record if isinstance(record, str) else len(record[0]) for record in shown]
    assert [n if not isinstance(n, str) else n.lower() for n in lengths] == expected
    for what in ("put_packet", "put_data", "get_packet", "get_data"): # all of these failed
        assert [bool(record["error"]) for record in logged(name, what)] == [True]


def test_what_was_sent_to_everybody():
    """One record at the sender, one at each receiver, with the time of the engine's own clock."""
    name = "godot-4.6-peers.to_everybody"
    frames = {f.number: f for f in tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "godot.recorder.kind == 0", two_pass=True)}
    text = lambda frame: b"".join(frame.all("godot.raw"))
    sent = [f for f in frames.values() if not f.one("godot.recorder.received") and text(f).startswith(b"sent to")]
    assert [f.one("godot.recorder.other_id") for f in sent] == [record["target"] for record in logged(name, "sent")]
    received = logged(name, "received")
    for frame, record in zip(sent, logged(name, "sent")):
        until = min([r["ticks"] for r in logged(name, "sent") if r["ticks"] > record["ticks"]], default=float("inf"))
        those = {r["me"]: r["ticks"] - record["ticks"] for r in received if r["text"] == record["text"] and record["ticks"] < r["ticks"] < until}
        shown = [frames[number] for number in frame.all("godot.received_in")]
        assert {f.one("godot.recorder.own_id") for f in shown} == set(those)
        assert len(those) == {0: 3}.get(record["target"], 2 if record["target"] < 0 else 1)
        for other in shown:
            assert other.one("godot.transit") == pytest.approx(those[other.one("godot.recorder.own_id")] / 1e6, abs=0.005)
    assert len(sent) == 4


def test_the_add_on_has_no_warnings():
    """The engine loaded every script with 46 warnings as errors, including those that are disabled by
    default."""
    name = "godot-4.6-warnings.engine"
    scripts = {record["file"] for record in logged(name, "script") if record["usable"]}
    assert scripts == {path.name for path in (tshark.ROOT / "addons" / "godot_wireshark").glob("*.gd")}
    assert [record["count"] for record in logged(name, "errors")] == [46]
    assert not [record for record in logged(name, "print") if "Warning" in record["text"] or "ERROR" in record["text"]]
    assert [(record["usable"], record["reports"]) for record in logged(name, "made")] == [([True] * 4, True)], "scripts that are made while a game runs"


def check_all_calls(capture, log_name):
    """Both ends are in one process: each executed call is there as sent and received, with its name."""
    shown = collections.Counter(f.one("godot.rpc.call") for f in tshark.packets(capture, "-Y", "godot.rpc.call"))
    ran = collections.Counter(f'say("{record["text"]}")' for record in logged(log_name, "called"))
    assert shown == ran + ran and len(ran) >= 5 # the server may exist before its client


def test_nothing_is_lost_when_the_game_is_killed():
    check_all_calls(FOLDER / "files" / "killed.game.pcapng", "files/killed.killed")


def test_files_of_a_limited_size():
    """1 KiB of records each; together they are the whole recording, and each has the names known by then."""
    files = sorted((FOLDER / "files").glob("rotated.game*.pcapng"))
    whole = tshark.workplace() / "rotated.pcapng"
    subprocess.run([MERGECAP, "-w", whole, *files], check=True)
    check_all_calls(whole, "files/rotated.ordinary")
    described = [{path for f in tshark.packets(file) for path in f.all("godot.recorder.path")} for file in files]
    assert len(files) == 4 and all("Talker" in names for names in described[1:]), described


# --- merged ---------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def merged(game):
    path = tshark.workplace() / f"{game}.pcapng"
    subprocess.run([MERGECAP, "-w", path, *(FOLDER / f"{name}.pcapng" for name in processes(game))], check=True)
    return path


@functools.lru_cache(maxsize=None)
def merged_frames(game):
    return tshark.packets(merged(game), "-Y", "godot", *ONLY, two_pass=True)


@every_game
def test_both_ends(game):
    """Every received packet refers to the frame in which it was sent."""
    frames = merged_frames(game)
    received = [f for f in frames if f.one("godot.recorder.received")]
    by_number = {f.number: f for f in frames}
    for frame in received:
        sent = by_number[frame.one("godot.sent_in")]
        assert sent.one("godot.received_in") == frame.number and sent.all("godot.source") == frame.all("godot.source")
        assert sent.all("godot.command") == frame.all("godot.command")
    times = [f.one("godot.transit") for f in frames if "godot.transit" in f]
    assert len(times) > len(received) * 0.5 and all(-0.01 < t < 2 for t in times)


@pytest.mark.parametrize("game", [game for game in GAMES if game.endswith(("wss-relay", "enet-replication"))])
def test_merged_is_the_same_in_every_pass(game):
    tshark.assert_consistent(merged(game), forward=("godot.sync.jitter",))


@every_game
def test_statistics_count_what_both_ends_recorded_once(game):
    frames = merged_frames(game)
    both = sum("godot.sent_in" in f for f in frames)
    lines = tshark.run(merged(game), "-q", "-z", "godot,tree").stdout.splitlines()
    messages = next(int(line.split()[1]) for line in lines if line.startswith("Messages"))
    assert messages == len(frames) - both
