"""`-z godot,properties` compared with the rows of `-z godot,messages`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import itertools

import pytest

import evidence
import projects
import tshark
from test_messages import folder, rows_of

MULTIPLAYER = tshark.CAPTURES / "multiplayer"
GAME = (MULTIPLAYER / "godot-4.6-enet-game.pcap", "game4")
CAPTURES = [
    GAME,
    (MULTIPLAYER / "godot-4.6-enet-range-coder-replication.pcap", "replication4"),
    (MULTIPLAYER / "godot-4.6-websocket-relay.pcap", "rpc4"),
    (MULTIPLAYER / "godot-3.6-enet-relay.pcap", "rpc3"),
    (tshark.CAPTURES / "multiplayer-loss" / "godot-4.6-replication.server-side.pcap", "replication4"),
]
BY_NODE = {"Properties of each node", "RPCs of each node"}
KINDS = {"synchronize": "always", "synchronize changes": "on change", "set": "rset", "call": "call"}
numbers = itertools.count()


def table(path, project):
    """Rows of the statistic: {column: text}; nodes of players by their ids, as in `-z godot,messages`."""
    file = folder() / f"properties-{next(numbers)}.csv"
    tshark.run(path, *projects.option(project), "-o", "godot.peer_names:FALSE", "-q", "-z", f"godot,properties,{file}")
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def updates(row):
    """(kind, node, name, value) of each value of a message."""
    kind = KINDS.get(row["kind"])
    if kind == "call":
        yield kind, row["node"] or "(no node)", row["method"], str(row["arguments"])
    elif kind:
        for value in row["values"]:
            yield kind, value["node"] or "(no node)", value["property"], str(value["value"])


def time_of(row):
    """Seconds of the hour: the captures are shorter than an hour."""
    minutes, seconds = row["time"].rstrip("Z").split(":")[1:]
    return 60 * int(minutes) + float(seconds)


@pytest.mark.parametrize("path, project", CAPTURES, ids=lambda value: getattr(value, "stem", ""))
def test_counts(path, project):
    """Updates, their rate, those without a change, and different values for each property and method of a
    node."""
    counts, unchanged, values, last, steps = (collections.defaultdict(kind) for kind in (int, int, set, dict, list))
    for row in rows_of(path, *projects.option(project)):
        for kind, node, name, value in updates(row) if not row["repeated"] else ():
            key, receiver = (kind, node, name), (row["session"], row["direction"], row["from"], row["to"])
            before = last[key].get(receiver)
            counts[key] += 1
            values[key].add(value)
            unchanged[key] += before is not None and before[0] == value
            if before:
                steps[key].append(time_of(row) - before[1])
            last[key][receiver] = (value, time_of(row))
    found = {(row["Sent"], row["Node"], row["Name"]): row
             for row in table(path, project) if row["Table"] in BY_NODE}
    assert counts and set(found) == set(counts)
    for key, row in found.items():
        assert int(row["Updates"]) == counts[key]
        assert int(row["Values"]) == min(len(values[key]), 1000)
        assert float(row["Unchanged %"]) == pytest.approx(100 * unchanged[key] / counts[key], abs=0.006)
        seconds = sum(steps[key])
        assert float(row["Updates/s"]) == pytest.approx(len(steps[key]) / max(seconds, 1), abs=0.01, rel=0.001)


def test_groups():
    """A row for the same property of several nodes of a scene: its sums are theirs."""
    rows = table(*GAME)
    scenes = {(row["Sent"], row["Scene"], row["Node"], row["Name"]): row
              for row in rows if row["Table"] == "Properties"}
    assert set(scenes) == {
        ("always", "res://player.tscn", "Movement", "position"), ("always", "res://player.tscn", "Movement", "velocity"),
        ("on change", "res://player.tscn", "Movement", "animation"), ("on change", "res://player.tscn", "State", "health"),
        ("always", "res://enemy.tscn", "Synchronizer", "position"), ("on change", "res://enemy.tscn", "Synchronizer", "state")}
    for column in ("Updates", "Bytes on the wire", "Unchanged bytes", "Nodes"):
        groups = [["Properties", "Properties of each node"], ["RPCs", "RPCs of each node"]]
        for whole, parts in groups:
            sums = [sum(int(row[column]) for row in rows if row["Table"] == title) for title in (whole, parts)]
            assert sums[0] == sums[1] > 0
    assert scenes["always", "res://player.tscn", "Movement", "velocity"]["Nodes"] == "4"


def test_cut_calls_are_not_unchanged():
    """Only the first of two arguments is captured; or nothing of the call."""
    path = tshark.CAPTURES / "savings" / "godot-4.6-boxes.pcap"
    file = evidence.File(path)
    cut = folder() / "cut.pcap"
    for length in (1000, 100, 58):
        cut.write_bytes(file.with_packets(evidence.snapped(file.packets, length)))
        rows = [row for row in table(cut, "savings4") if row["Table"] == "RPCs"]
        assert rows and not sum(float(row["Unchanged bytes"]) for row in rows)


def test_bytes():
    """Synchronized properties have the bytes that Godot Bandwidth counts for them."""
    text = tshark.run(GAME[0], "-q", "-z", "godot,bandwidth").stdout
    line = next(line for line in text.splitlines() if "  synchronize  " in line)
    rows = [row for row in table(*GAME) if row["Sent"] == "always" and row["Table"] == "Properties of each node"]
    assert sum(int(row["Bytes on the wire"]) for row in rows) == int(line.split()[0])
