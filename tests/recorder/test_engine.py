"""The add-on in a real engine, now: what it records of a game against what the game logs meanwhile. Other tests have what it recorded once.

Needs $GODOT4 (test-captures/README.md) or the program godot. SPDX-License-Identifier: GPL-2.0-or-later"""

import os
import shlex
import shutil
import sys

import pytest

import tshark
from engine_logs import MODES, is_object, same_call

ENGINE = os.environ.get("GODOT4") or (shutil.which("godot") and "godot --headless")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE or not shutil.which(shlex.split(ENGINE)[0]), reason="no engine here")]
SECONDS = 1.0 # between a record and the line of the log


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """process -> (its recording, [(record of its log, when it was printed)]), of a server and a client that calls in every way."""
    os.environ["GODOT4"] = ENGINE
    sys.path.insert(0, str(tshark.CAPTURES))
    try:
        from generator.scene import Scene
        from scenarios.recorder import play_once
    finally:
        sys.path.pop(0)
    folder = tmp_path_factory.mktemp("recordings")
    scene = Scene("played-by-a-test", "", "rpc4", seconds=60)
    scene._write = lambda: None
    with scene:
        play_once(scene, "rpc4", "enet", [{"PLAY": "calls"}], True, False, {"ENDS": 1})
    for name, data in scene.kept.items():
        (folder / name).write_bytes(data)
    return {process.name: (folder / f"{process.name}.pcapng", list(zip(process.records, process.times))) for process in scene.processes}


def recorded(capture, received):
    """[(call, method's path, mode, channel, source, time)]"""
    expression = f"godot.rpc.call && godot.recorder.received == {int(received)}"
    return [(frame.all("godot.rpc.call")[0], frame.all("godot.path"), frame.one("godot.transfer_mode"), frame.one("godot.channel"),
             frame.all("godot.source")[-1], frame.one("frame.time_epoch")) for frame in tshark.packets(capture, "-Y", expression)]


def compare(rows, log, fits):
    """Each record of the log has a row of its own, made when it was printed; returns how many."""
    left = list(rows)
    for record, time in log:
        row = next((row for row in left if record["node"] in row[1] and fits(row, record) and (
            any(map(is_object, record["args"])) or same_call(row[0], record["method"], record["args"], 4))), None)
        assert row, record
        assert abs(row[-1] - time) < SECONDS, (row, record, time)
        left.remove(row)
    return len(log)


def test_calls_that_were_sent(played):
    """With the mode and the channel that the game asked for, with their names, when they were made."""
    capture, log = played["client1"]
    calls = [(r, time) for r, time in log if r["what"] == "call" and not r["error"] and r["target"] in (0, 1)]
    count = compare(recorded(capture, False), calls, lambda row, r: row[2:4] == (MODES[r["mode"]], r["channel"]))
    assert count > 100 and {(r["mode"], r["channel"]) for r, _ in calls} >= {(0, 0), (1, 0), (2, 0), (2, 3), (0, 4), (1, 5)}


def test_calls_that_arrived(played):
    """From whom, and when they were executed."""
    capture, log = played["server"]
    calls = [(r, time) for r, time in log if r["what"] == "called" and r["from"] != 1]
    assert compare(recorded(capture, True), calls, lambda row, r: row[4] == r["from"]) > 100


def test_both_recordings_fit_together(played, tmp_path):
    """What one end has sent the other has received, in the same mode and on the same channel, at about the same time."""
    (server, _), (client, _) = played["server"], played["client1"]
    sent, received = recorded(client, False), recorded(server, True)
    assert [row[0] for row in received if row[2] == "reliable" and row[3] == 0] == [row[0] for row in sent if row[2] == "reliable" and row[3] == 0]
    assert {row[2:4] for row in received} == {row[2:4] for row in sent}
