"""The add-on in a running engine: its recording of a game compared with the game's log. Other tests use
stored recordings.

Needs $GODOT4 (test-captures/README.md) or the program godot.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import os
import re
import shlex
import shutil
import socket
import sys
import threading
import time
import types

import pytest

import tshark
from engine_logs import MODES, is_object, same_call

ENGINE = os.environ.get("GODOT4") or (shutil.which("godot") and "godot --headless")
pytestmark = pytest.mark.slow
needs_engine = pytest.mark.skipif(not ENGINE or not shutil.which(shlex.split(ENGINE)[0]), reason="no engine here")
SECONDS = 1.0 # seconds between a record and the line of the log
LIVE_PORT = 22261


def import_generator():
    """Imports the generator of the captures."""
    os.environ["GODOT4"] = ENGINE
    sys.path.insert(0, str(tshark.CAPTURES))
    try:
        from generator.scene import GODOT4, Scene
        from scenarios.multiplayer import prepare as share_log
        from scenarios.recorder import PORT, PRESET, export, play_once, prepare
    finally:
        sys.path.pop(0)
    return types.SimpleNamespace(GODOT4=GODOT4, Scene=Scene, PORT=PORT, PRESET=PRESET, export=export, play_once=play_once, prepare=prepare,
                                 share_log=share_log)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """{process: (its recording, [(record of its log, time)])} of a server and a client with every kind of
    call."""
    generator = import_generator()
    folder = tmp_path_factory.mktemp("recordings")
    scene = generator.Scene("played-by-a-test", "", "rpc4", seconds=60)
    scene._write = lambda: None
    with scene:
        generator.play_once(scene, "rpc4", "enet", [{"PLAY": "calls"}], True, False, {"ENDS": 1})
    for name, data in scene.kept.items():
        (folder / name).write_bytes(data)
    return {process.name: (folder / f"{process.name}.pcapng", list(zip(process.records, process.times))) for process in scene.processes}


def recorded(capture, received):
    """[(call, method's path, mode, channel, source, time)]"""
    expression = f"godot.rpc.call && godot.recorder.received == {int(received)}"
    return [(frame.all("godot.rpc.call")[0], frame.all("godot.path"), frame.one("godot.transfer_mode"), frame.one("godot.channel"),
             frame.all("godot.source")[-1], frame.one("frame.time_epoch")) for frame in tshark.packets(capture, "-Y", expression)]


def compare(rows, log, fits):
    """Each record of the log has its own row, recorded when it was printed; returns their number."""
    left = list(rows)
    for record, time in log:
        row = next((row for row in left if record["node"] in row[1] and fits(row, record) and (
            any(map(is_object, record["args"])) or same_call(row[0], record["method"], record["args"], 4))), None)
        assert row, record
        assert abs(row[-1] - time) < SECONDS, (row, record, time)
        left.remove(row)
    return len(log)


@needs_engine
def test_calls_that_were_sent(played):
    """With the mode and channel set by the game, their names and their times."""
    capture, log = played["client1"]
    calls = [(r, time) for r, time in log if r["what"] == "call" and not r["error"] and r["target"] in (0, 1)]
    count = compare(recorded(capture, False), calls, lambda row, r: row[2:4] == (MODES[r["mode"]], r["channel"]))
    assert count > 100 and {(r["mode"], r["channel"]) for r, _ in calls} >= {(0, 0), (1, 0), (2, 0), (2, 3), (0, 4), (1, 5)}


@needs_engine
def test_calls_that_arrived(played):
    """With their sender and the time of their execution."""
    capture, log = played["server"]
    calls = [(r, time) for r, time in log if r["what"] == "called" and r["from"] != 1]
    assert compare(recorded(capture, True), calls, lambda row, r: row[4] == r["from"]) > 100


@needs_engine
def test_both_recordings_fit_together(played, tmp_path):
    """Packets sent by one end were received by the other, with the same mode and channel, at about the same
    time."""
    (server, _), (client, _) = played["server"], played["client1"]
    sent, received = recorded(client, False), recorded(server, True)
    assert [row[0] for row in received if row[2] == "reliable" and row[3] == 0] == [row[0] for row in sent if row[2] == "reliable" and row[3] == 0]
    assert {row[2:4] for row in received} == {row[2:4] for row in sent}


class Reader:
    """Reads like Wireshark from the interface TCP@127.0.0.1:PORT; stops after this many bytes until
    go_on()."""

    def __init__(self, port, stop=None):
        self.bytes = bytearray()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._stop = stop
        self.go_on(stop)

    def go_on(self, stop=None):
        self._stop = stop
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        with contextlib.suppress(OSError):
            while self._stop is None or len(self.bytes) < self._stop:
                data = self._socket.recv(1 << 16)
                if not data:
                    return
                self.bytes += data

    def leave(self):
        self._socket.close()

    def finish(self):
        self._thread.join(60)
        return self.bytes


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """{reader: its recording}, and the log of a game that makes 120 calls of 20 kB per second for five
    seconds, then 60 per second for five more."""
    generator = import_generator()
    scene = generator.Scene("played-by-a-test", "", "live4", seconds=60)
    scene._write = lambda: None
    readers = {}
    with scene:
        generator.prepare(scene, "live4")
        process = scene.engine("game", generator.GODOT4, PORT=generator.PORT, SECONDS=10, FRAMES=60, CALLS=2, SIZE=20000, GODOT_RECORD_TCP=LIVE_PORT)
        process.wait_for("ready")
        readers["first"], readers["stopped"] = Reader(LIVE_PORT), Reader(LIVE_PORT, 100_000)
        time.sleep(3)
        Reader(LIVE_PORT).leave()
        readers["late"] = Reader(LIVE_PORT)
        time.sleep(4)
        readers["stopped"].go_on()
        process.finish(60)
    folder = tmp_path_factory.mktemp("live")
    for name, reader in readers.items():
        (folder / f"{name}.pcapng").write_bytes(reader.finish())
    return {name: folder / f"{name}.pcapng" for name in readers}, process.all("frames")[0]


def numbers(capture):
    """Numbers of the sent calls in order; each has the name of its method."""
    frames = tshark.packets(capture, "-Y", "godot.rpc.call && godot.recorder.received == 0")
    calls = [frame.one("godot.rpc.call") for frame in frames]
    assert all(call.startswith('say("number ') for call in calls)
    return [int(call.split()[1]) for call in calls]


@needs_engine
def test_a_reader_has_everything(live):
    """All records from its connection on, which is after the start of the game."""
    readers, frames = live
    first = numbers(readers["first"])
    assert first == list(range(first[0], frames["calls"] + 1)) and first[0] < 100


@needs_engine
def test_a_reader_that_comes_late_has_the_names(live):
    """Earlier announcements with their times, then new packets."""
    readers, frames = live
    late = numbers(readers["late"])
    assert late == list(range(late[0], frames["calls"] + 1)) and 100 < late[0] < frames["calls"] - 100
    assert tshark.packets(readers["late"], "-Y", "godot.recorder.kind == 4")


@needs_engine
def test_a_reader_that_stops_gets_the_number_of_missing_records(live):
    """The game does not wait for it; received and omitted records add up to all records since it has connected."""
    readers, _ = live
    since = tshark.packets(readers["stopped"], "-Y", "godot.rpc.call")[0].one("frame.time_epoch")
    count = lambda name: sum(frame.one("frame.time_epoch") >= since for frame in tshark.packets(readers[name], "-Y", "godot.recorder.kind == 0"))
    left_out = [frame.one("godot.recorder.left_out") for frame in tshark.packets(readers["stopped"], "-Y", "godot.recorder.left_out")]
    assert left_out and sum(left_out) > 50
    assert count("stopped") + sum(left_out) == count("first")
    assert numbers(readers["stopped"])[-1] == numbers(readers["first"])[-1]


def play_alone(what, folder, recorded=True):
    """The process of projects/recorder4, and its recording."""
    generator = import_generator()
    scene = generator.Scene("played-by-a-test", "", "recorder4", seconds=40)
    scene._write = lambda: None
    with scene:
        theirs = generator.prepare(scene, "recorder4")
        record = {"GODOT_RECORD": theirs / "game.pcapng"} if recorded else {}
        process = scene.engine("game", generator.GODOT4, PORT=generator.PORT, WHAT=what, **record)
        process.finish(40)
        if recorded:
            shutil.copy(scene.stage(generator.GODOT4)[0] / "game.pcapng", folder)
    return process, folder / "game.pcapng"


@needs_engine
def test_threads_record_at_the_same_time(tmp_path):
    """Every value of each thread is recorded, and the game continues."""
    process, recording = play_alone("from_threads", tmp_path)
    assert "ERROR" not in process.printed(), process.printed()
    frames = tshark.packets(recording, "-Y", "godot.recorder.kind == 6")
    values = [frame.one("godot.variant.text") for frame in frames]
    assert len(values) == 4 * 25 * 100 and set(values) == {str(number) for number in range(100)}


@needs_engine
def test_the_engine_refuses_the_same(tmp_path):
    """With the same number of errors as without a recorder."""
    without, recorded = play_alone("refused", tmp_path, recorded=False)[0], play_alone("refused", tmp_path)[0]
    errors, logs = ([[text for text in process.printed().splitlines() if "ERROR" in text] for process in (without, recorded)],
                    [[record for record in process.records if record["what"] != "print"] for process in (without, recorded)])
    assert len(errors[0]) > 5 and errors[1] == errors[0] and logs[1] == logs[0]


@needs_engine
def test_an_api_of_the_games_own_for_the_whole_tree(tmp_path):
    """Set after all nodes were added: both ends are recorded, with their names."""
    _, recording = play_alone("api_of_the_tree", tmp_path)
    calls = [frame.one("godot.rpc.call") for frame in tshark.packets(recording, "-Y", "godot.rpc.call")]
    assert sorted(calls) == sorted(2 * [f'say("from the {end} {i}")' for end in ("client", "server") for i in range(3)])


def exported(generator, setting, preset):
    """For an exported pack: the names of the add-on's scripts, the kinds of log records when it is run with
    GODOT_RECORD, and whether it records."""
    scene = generator.Scene("exported-by-a-test", "", "live4", seconds=90)
    scene._write = lambda: None
    with scene:
        theirs = generator.prepare(scene, "live4")
        ours, _ = scene.stage(generator.GODOT4)
        with open(ours / "live4" / "project.godot", "a", encoding="utf-8") as file:
            file.write('\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/godot_wireshark/plugin.cfg")\n')
            file.write(f"\n[godot_wireshark]\n\nrecord/in_release={setting}\n")
        command = generator.export(scene, "live4", preset)
        names = set(re.findall(rb"(?<!res://)addons/godot_wireshark/(\w+)\.gdc?\b", (ours / "game.pck").read_bytes()))
        game = scene.process("game", command, PORT=str(generator.PORT), SECONDS="2", FRAMES="60", CALLS="2", SIZE="100",
                             GODOT_RECORD=str(theirs / "game.pcapng"))
        game.finish(60)
        assert "ERROR" not in game.printed(), game.printed()
        return names, {r["what"] for r in game.records} - {"print"}, (ours / "game.pcapng").exists()


@needs_engine
def test_a_release_is_exported_without_the_add_on():
    """If scripts are not compiled or the preset excludes the add-on, all of it; otherwise its autoload.
    Unless the project enables recording there."""
    generator = import_generator()
    as_text = generator.PRESET.replace("script_export_mode=2", "script_export_mode=0")
    excluded = generator.PRESET.replace('exclude_filter=""', 'exclude_filter="addons/godot_wireshark/*"')
    names, log, recorded = exported(generator, "true", generator.PRESET)
    assert {b"recorder", b"recorder_peer"} <= names and recorded and log == {"ready", "called", "frames"}
    for preset in (as_text, excluded):
        assert exported(generator, "false", preset) == (set(), log, False)
    assert exported(generator, "false", generator.PRESET)[1:] == (log, False)
