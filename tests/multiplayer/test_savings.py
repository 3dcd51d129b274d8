"""`-z godot,savings`: the predicted savings compared with those after the change.

Each capture of test-captures/savings/ exists twice: the unchanged game, and `-changed` as the statistic
advises.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re
import struct

import pytest

import enet_packets
import engine_logs
import pcap
import projects
import tshark

SAVINGS = tshark.CAPTURES / "savings"
ADVICE = {
    "on-change": "Replication mode On Change, not Always",
    "interval": "replication_interval = 0.042: 20 times a second",
    "same-arguments": 'Call it only when its arguments have changed, and make it "reliable"',
    "reliable": '@rpc("unreliable_ordered"), not "reliable"',
    "array": "PackedFloat32Array: every number has the same value in 32 bits",
    "dictionary": "values() of the Dictionary, an Array: the keys are always the same",
    "transform": "position (Vector3) and quaternion (Quaternion), not a Transform3D",
    "compression": "multiplayer_peer.host.compress(ENetConnection.COMPRESS_RANGE_CODER)",
    "nested": "values() of the Dictionary, an Array: the keys are always the same",
    "keys": "Numbers (an enum) as keys of the Dictionary, not texts",
    "path": "A shorter path for the nodes below: 8 bytes, not 68",
    "spawn": "An unreliable call that makes the node at each peer, instead of spawning it",
    "one-peer": "rpc_id(1), not rpc()",
}
# Games of projects/games4.
OF_GAMES = {
    "owner": "rpc_id() to the owner of the node (get_multiplayer_authority()), not rpc()",
    "ticks": '@rpc("unreliable_ordered"), not "reliable"',
    "frames": "One call with the arguments of all, not several in the same frame",
    "tiles": "One call with an Array, not several in the same frame",
    "race": "Call it 20 times a second",
    "emotes": "A number (an enum), not a text",
    "fog": "PackedByteArray: 0 or 1 for each bool",
    "ships": "position (Vector2) and rotation (float), not a Transform2D",
    "scores": 'Call it only when its arguments have changed, and make it "reliable"',
    "inputs": "rpc_id(1), not rpc(): does anybody but the server use what clients call?",
    "npcs": "Visibility (add_visibility_filter()): do players need nodes that are far away?",
    "json": "Arrays of the values, not JSON: the keys are always the same",
    "raw": "values() of the Dictionary, an Array: the keys are always the same",
    "board": "Only what has changed of it, as places and values, not all of it",
    "clock": "Call it once, and again when its pace changes: receivers can count",
    "echo": "rpc_id() to the others, not rpc(): not back to who has said it",
    "snapshot": 'Only what has changed of it, as places and values, and "reliable"',
    "threesync": "The properties in one synchronizer of the node, not in several",
    "turret": "Quaternion, not Basis",
    "alive": "Call it 20 times a second",
    "shots": 'Call it only when its arguments have changed, and make it "reliable"',
    "labels": "A reliable call of their own for arguments that seldom change, when they do",
}
# How often what arrives is less than it was, as the advice says.
FEWER = {"race": {"driven": 3}, "alive": {"alive": 3, "answered": 3}}
ROW = re.compile(r"^ +([\d.]+) %  (\d+) bytes, (\d+) a second  (.*)\n +(.*)\n +(.*)\n(?: +But: .*\n)? +frames? ([\d, ]+)$", re.MULTILINE)


def savings(path, *options):
    """(bytes on the wire, {what: (bytes, share, where, why, frames)})"""
    text = tshark.run(path, "-q", "-z", "godot,savings", *options, two_pass=True).stdout
    found = ROW.findall(text)
    assert len(found) == text.count(" a second  ")
    rows = {what: (int(saved), float(share), where, why, [int(frame) for frame in frames.split(", ")])
            for share, saved, _, what, where, why, frames in reversed(found)}  # the largest of several that say the same
    return int(re.search(r"(\d+) bytes on the wire", text)[1]), rows


def of_play(name, project="savings4"):
    return savings(SAVINGS / f"godot-4.6-{name}.pcap", *projects.option(project))


def compare(play, project, advice):
    before, rows = of_play(play, project)
    after, left = of_play(f"{play}-changed", project)
    assert before == sum(len(frame) for _, frame in pcap.read(SAVINGS / f"godot-4.6-{play}.pcap")[1])
    saved, share, *_ = rows[advice]
    assert saved == pytest.approx(before - after, rel=0.1)
    assert share == pytest.approx(100 * saved / before, abs=0.06)
    return saved, left.get(advice, [0])[0]


@pytest.mark.parametrize("play", ADVICE)
def test_predicted_is_measured(play):
    assert compare(play, "savings4", ADVICE[play])[1] == 0


@pytest.mark.parametrize("game", OF_GAMES)
def test_games(game):
    saved, left = compare(game, "games4", OF_GAMES[game])
    assert left < 0.2 * saved  # some nodes are far away for a moment


def errors(capture):
    """What engines have reported, without where in their sources, and how often."""
    logs = sorted(SAVINGS.glob(f"{capture}.*.log.gz"))
    assert logs
    return collections.Counter(record["text"] for log in logs for record in engine_logs.records(log)
                               if record["what"] == "print" and record["text"].startswith(("ERROR", "SCRIPT ERROR", "USER ERROR")))


@pytest.mark.parametrize("play", [*ADVICE, *OF_GAMES])
def test_the_change_adds_no_errors(play):
    """A change at one end alone, or one that breaks the game, proves nothing."""
    assert not errors(f"godot-4.6-{play}-changed") - errors(f"godot-4.6-{play}")


def results(name):
    """What the peers of a game have seen of it, whichever client that was."""
    logs = sorted(SAVINGS.glob(f"godot-4.6-{name}.*.log.gz"))
    found = [record for log in logs for record in engine_logs.records(log) if record["what"] == "result"]
    assert len(found) == len(logs)
    return found


@pytest.mark.parametrize("game", OF_GAMES)
def test_the_game_is_not_worse(game):
    """What arrived is as much and the same; positions are at most two frames of the game older."""
    before, after = collections.Counter(), collections.Counter()
    for counted, name in ((before, game), (after, f"{game}-changed")):
        for result in results(name):
            counted.update({key: round(value) for key, value in result.items() if isinstance(value, (int, float)) and key not in ("far", "largest_step", "interpolated_error")})
    for key, value in before.items():
        value //= FEWER.get(game, {}).get(key, 1)
        assert value - 0.03 * abs(value) <= after[key], key
    for result in results(f"{game}-changed"):
        assert result.get("interpolated_error", 0) < 1 and result.get("far", 0) < 100


def test_where():
    """The scene, the synchronizer and its properties; the method and the argument; frames with them."""
    _, rows = of_play("on-change")
    assert rows[ADVICE["on-change"]][2] == "res://unit.tscn, Sync: direction, title"
    for play, where in (("nested", "show_units(), argument 1[…] of Main/Units (res://units.gd:6)"), ("keys", "show_state(), argument 1 of Main (res://main.gd:202)"),
                        ("path", "Main/BattlefieldOfTheNorth/EntitiesOfTheFirstLevel/MarksOfAllPlayers"),
                        ("spawn", "What the spawn function makes, spawned by Main/Sparks"), ("one-peer", "report() of Main/Level (res://level.gd:6)")):
        _, rows = of_play(play)
        assert rows[ADVICE[play]][2] == where
    _, rows = of_play("array")
    *_, where, why, frames = rows[ADVICE["array"]]
    assert (where, why) == ("show_heights(), argument 1 of Main (res://main.gd:197)", "True of all 300 values in the capture")
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
    assert set(rows) == {ADVICE["compression"], "One call with an Array for all nodes, not one for each in the same frame"}


def test_godot_3():
    _, rows = savings(tshark.CAPTURES / "multiplayer" / "godot-3.6-enet-calls.pcap", *projects.option("rpc3"))
    assert list(rows) == ["compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER"]


@pytest.mark.parametrize("form", ["text.zip", "tokens.pck", "compressed.pck"])
def test_lines_of_exported_games(form):
    """An exported script has no comments and empty lines, but a table of lines."""
    path = tshark.CAPTURES / "multiplayer-loss" / "godot-4.6-despawned.server-side.pcap"
    text = tshark.run(path, "-q", "-z", "godot,savings", *projects.pack(f"replication4.{form}")).stdout
    assert "hit() of Main/World/Unit1 (res://unit.gd:18)\n" in text


# --- values in containers ---

def encoded(value):
    """The encoding of Godot 4, in the full form; also of lists and dictionaries."""
    if isinstance(value, str):
        text = value.encode()
        return struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4)
    if isinstance(value, dict):
        return struct.pack("<II", 27, len(value)) + b"".join(encoded(key) + encoded(of) for key, of in value.items())
    if isinstance(value, list):
        return struct.pack("<II", 28, len(value)) + b"".join(map(encoded, value))
    return struct.pack("<Iq", 2 | 1 << 16, value) if abs(value) >= 1 << 31 else struct.pack("<Ii", 2, value)


def advised(tmp_path, *values):
    """{what: (bytes, where)} for a method that is called with these values in turns."""
    connection = enet_packets.Connection()
    packets = [*connection.open(), connection.message(b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + b"N\0")]
    for number in range(300):
        packets.append(connection.unreliable(b"\x00\x01\x00\x01" + encoded(values[number % len(values)])))
    path = pcap.write(tmp_path / "made.pcap", [(number / 30, packet) for number, packet in enumerate(packets)])
    _, rows = savings(path, "-d", "enet.payload,godot")
    return {what: (saved, where) for what, (saved, _, where, *_) in rows.items() if "argument" in where}


CONTAINERS = {
    "an array in a dictionary": ([{"x": [1, 2, -3], "n": 1}, {"y": [], "x": [4, 5], "n": 2}],
                                 {"Numbers (an enum) as keys of the Dictionary, not texts": 300 * 4 * 2 + 150 * 4,
                                  "PackedInt32Array: every number fits": 150 * 12 + 150 * 8}),
    "bytes": ([[1, 2, 255]], {"PackedByteArray: every number is from 0 to 255": 300 * (32 - 12)}),
    "256": ([[1, 2, 256]], {"PackedInt32Array: every number fits": 300 * 12}),
    "one is too large": ([[1, 2, 3], [1 << 40, 2, 3]], {"PackedInt64Array, not Array": 150 * 4}),
    "keys that are data": ([{f"player {number}": 1} for number in range(50)], {}),
    "not only texts": ([{"x": 1, 2: 3}], {}),
    "not only numbers": ([[1, 2, "x"]], {}),
    "an array in an array": ([[[1, 2, 3, 400], [5, 6, 7, 8], []]], {"PackedInt32Array: every number fits": 300 * 32}),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers(tmp_path, name):
    values, expected = CONTAINERS[name]
    assert {what: saved for what, (saved, _) in advised(tmp_path, *values).items()} == expected


# --- arguments ---

JSON = {
    "numbers": ('[%s]' % ", ".join(str(number) for number in range(100, 120)), "Arrays of the values, not JSON: the keys are always the same", 0),
    "floats of 64 bits": ('{"alpha": 0.1234567890123456, "beta": 0.2345678901234567, "gamma": [true, null, "text"], "name of the fourth": {}}',
                          "Arrays of the values, not JSON: the keys are always the same", 8 + 12 + 12 + (8 + 8 + 4 + 12) + 8),
    "floats of 32 bits": ('{"alpha": 0.5, "beta": 812.375, "the third value of this": -1e30}', "Arrays of the values, not JSON: the keys are always the same", 8 + 8 + 8 + 12),
    "escapes": ('{"the text of the message": "a\\"b"}', "Arrays of the values, not JSON: the keys are always the same", 8 + 12),
}


@pytest.mark.parametrize("name", JSON)
def test_json(tmp_path, name):
    text, what, size = JSON[name]
    found = advised(tmp_path, text)
    saved = 300 * (8 + -(-len(text) // 4) * 4 - size)
    assert (found.get(what, (0,))[0] == saved) if size else what not in found


@pytest.mark.parametrize("text", ["{", "[1, 2", '{"a" 1}', "[" * 17 + "]" * 17, '["', "[tru]", "[1] x", '{"a\\\\', "[1e]", "[--1]"])
def test_no_json(tmp_path, text):
    """Two texts that are as long: they are no numbers of an enum only because they are JSON."""
    found = advised(tmp_path, f"{text:<80}", f"{text:<79}x")
    assert found and not [what for what in found if "JSON" in what]


def test_only_what_has_changed(tmp_path):
    """Two of 100 elements, which are next to each other or not; not if there are many changes, or few bytes."""
    little = "Only what has changed of it, as places and values, and"
    far = [list(range(300, 400)), [0, *range(301, 399), 0]]
    near = [list(range(300, 400)), [0, 0, *range(302, 400)]]
    other = [list(range(300, 400)), list(range(500, 600))]
    few = [[300, 301, 302, 303, 304, 305], [300, 301, 302, 303, 304, 0]]
    length, saved = 808, {}
    for name, values in {"far": far, "near": near, "other": other, "few": few}.items():
        found = [bytes_ for what, (bytes_, _) in advised(tmp_path, *values).items() if what.startswith(little)]
        saved[name] = found[0] if found else None
    assert saved["other"] is saved["few"] is None
    assert saved["near"] - saved["far"] == pytest.approx(0, abs=300 * 12)
    assert saved["far"] == pytest.approx(299 * (length - 16 - 2 * 16), rel=0.1)


def test_containers_that_are_kept(tmp_path):
    """At most 4 MiB, and of 4,096 bytes each: 2,000 nodes with Arrays of 3,208 bytes are more than that."""
    connection = enet_packets.Connection()
    packets = [*connection.open()]
    for node in range(2000):
        packets.append(connection.message(b"\x01" + b"0" * 32 + b"\0" + (node + 1).to_bytes(4, "little") + b"N%d\0" % node))
    content = encoded(list(range(400)))
    for turn in range(2):
        for node in range(2000):
            packets.append(connection.unreliable(b"\x10" + (node + 1).to_bytes(2, "little") + b"\x01" + b"\x01" + content))
    path = pcap.write(tmp_path / "many.pcap", [(number / 300, packet) for number, packet in enumerate(packets)])
    text = tshark.run(path, "-q", "-z", "godot,savings", "-d", "enet.payload,godot", memory=260).stdout
    assert "Godot Savings: up to frame" in text


def test_followed_by_who_reads_it():
    """A parent node's path of 10 bytes is not long. Numbers instead of names: the preference that adds names
    is shown."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-calls.pcap"
    assert not [what for what in savings(path)[1] if what.startswith("A shorter path")]
    without = tshark.run(SAVINGS / "godot-4.6-array.pcap", "-q", "-z", "godot,savings").stdout
    assert "#4(), argument 1 of Main" in without and "add the game at Preferences > Protocols > Godot > Godot projects" in without
    numbered = tshark.run(SAVINGS / "godot-4.6-array.pcap", "-q", "-z", "godot,savings", *projects.option("rpc4")).stdout
    assert "Numbers: neither the project's" in numbered and "godot.project" not in numbered
    assert "godot.project" not in tshark.run(SAVINGS / "godot-4.6-array.pcap", "-q", "-z", "godot,savings", *projects.option("savings4")).stdout
