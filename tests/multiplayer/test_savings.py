"""`-z godot,savings`: what it predicts against what was saved when the change was made.

Each capture of test-captures/savings/ is there twice: the same game, as it is and `-changed` as the statistic advises.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

import pcap
import projects
import tshark

SAVINGS = tshark.CAPTURES / "savings"
ADVICE = {
    "on-change": "Replication mode On Change, not Always",
    "interval": "replication_interval = 0.042: 20 times a second",
    "same-arguments": "Call it only when its arguments have changed",
    "reliable": '@rpc("unreliable_ordered"), not "reliable"',
    "array": "PackedFloat32Array: every number has the same value in 32 bits",
    "dictionary": "values() of the Dictionary, an Array: the keys are always the same",
    "transform": "position (Vector3) and quaternion (Quaternion), not a Transform3D",
    "compression": "multiplayer_peer.host.compress(ENetConnection.COMPRESS_RANGE_CODER)",
}
ROW = re.compile(r"^ +([\d.]+) %  (\d+) bytes, (\d+) a second  (.*)\n +(.*)\n +(.*)\n +frames? ([\d, ]+)$", re.MULTILINE)


def savings(path, *options):
    """(bytes on the wire, {what: (bytes, share, where, why, frames)})"""
    text = tshark.run(path, "-q", "-z", "godot,savings", *options).stdout
    rows = {what: (int(saved), float(share), where, why, [int(frame) for frame in frames.split(", ")])
            for share, saved, _, what, where, why, frames in ROW.findall(text)}
    assert len(rows) == text.count(" a second  ")
    return int(re.search(r"(\d+) bytes on the wire", text)[1]), rows


def of_play(name):
    return savings(SAVINGS / f"godot-4.6-{name}.pcap", *projects.option("savings4"))


@pytest.mark.parametrize("play", ADVICE)
def test_predicted_is_measured(play):
    before, rows = of_play(play)
    after, left = of_play(f"{play}-changed")
    assert before == sum(len(frame) for _, frame in pcap.read(SAVINGS / f"godot-4.6-{play}.pcap")[1])
    saved, share, *_ = rows[ADVICE[play]]
    assert saved == pytest.approx(before - after, rel=0.1)
    assert share == pytest.approx(100 * saved / before, abs=0.06)
    assert ADVICE[play] not in left


def test_where():
    """The scene, the synchronizer and its properties; the method, the argument; frames that have them."""
    _, rows = of_play("on-change")
    assert rows[ADVICE["on-change"]][2] == "res://unit.tscn, Sync: direction, title"
    _, rows = of_play("array")
    *_, where, why, frames = rows[ADVICE["array"]]
    assert (where, why) == ("show_heights(), argument 1 of Main", "True of all 300 values in the capture")
    for frame in frames:
        assert tshark.fields(SAVINGS / "godot-4.6-array.pcap", "godot.rpc.method", arguments=("-Y", f"frame.number == {frame}"))


@pytest.mark.parametrize("name, nothing", [
    ("multiplayer-errors/godot-4.6-connect.pcap", "Nothing worth changing"),
    ("multiplayer/godot-4.6-enet-reconnect.pcap", "Too little to tell"),
    ("debugger/godot-4.6-tcp.pcap", "Too little to tell")])
def test_nothing(name, nothing):
    text = tshark.run(tshark.CAPTURES / name, "-q", "-z", "godot,savings").stdout
    assert nothing in text and not ROW.search(text)


def test_calls_that_do_not_replace_each_other():
    """Many reliable calls in one frame of the game: each has its own meaning."""
    _, rows = savings(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap", *projects.option("rpc4"))
    assert set(rows) <= {ADVICE["compression"]}


def test_godot_3():
    _, rows = savings(tshark.CAPTURES / "multiplayer" / "godot-3.6-enet-calls.pcap", *projects.option("rpc3"))
    assert list(rows) == ["compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER"]
