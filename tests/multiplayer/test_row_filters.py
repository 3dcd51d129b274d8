"""The filter in each row of the windows' tables finds the frames of the messages that the row counts,
compared with `-z godot,messages` and `-z godot,values`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json

import pytest

import captures
import expected
import test_multiplayer
import tshark
from test_messages import folder

STATISTICS = ("bandwidth", "timeline", "properties", "overhead", "peers")
PREFIX = {"overhead": "enet"}
MOST = 100  # rows of a table, spread evenly from first to last
UNKNOWN = "(no node)"
SYNCHRONIZED = ("synchronize", "synchronize changes")


class Frames:
    """Numbers of the frames with messages of a kind, about a node, about a property, at a time."""

    def __init__(self, path, options):
        files = {rows: folder() / f"filters.{rows}.jsonl" for rows in ("messages", "values")}
        tshark.run(path, "-q", *(word for rows, file in files.items() for word in ("-z", f"godot,{rows},{file}")), *options)
        read = {rows: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for rows, file in files.items()}
        self.kinds, self.nodes, self.spawners, self.properties = (collections.defaultdict(set) for _ in range(4))
        self.counted = collections.defaultdict(set)  # by the columns of a row: kind, node, property; "": all
        self.seconds = {}
        for row in read["messages"]:
            frame, node = row["frame"], row["node"]
            kind = f"{row['method']}()" if row["kind"] == "call" else row["values"][0]["property"] if row["kind"] == "set" and row["values"] else row["kind"]
            kind = {"incomplete": "(unknown)"}.get(kind, kind)
            self.seconds[frame] = float(row["seconds"])
            self.kinds[kind].add(frame)
            (self.spawners if kind == "spawn" else self.nodes)[node].add(frame)
            self.nodes[row["spawned"]].add(frame)
            self.count(frame, kind, "" if kind in SYNCHRONIZED else node or UNKNOWN)
        for row in read["values"]:
            if row["kind"] in SYNCHRONIZED:
                self.nodes[row["node"]].add(row["frame"])
                self.properties[row["property"]].add(row["frame"])
                self.count(row["frame"], row["kind"], row["node"] or UNKNOWN, row["property"] or "(all)")

    def count(self, frame, kind, node, property=""):
        for key in (kind, "", ""), ("", node, ""), (kind, node, ""), (kind, node, property):
            self.counted[key].add(frame)

    def expected(self, kind, node, property, begin, end):
        """The frames that a filter can find: in a frame with several messages, one may have the kind and
        another one the node."""
        frames = {frame for frame, seconds in self.seconds.items() if begin <= seconds < end}
        if kind:
            frames &= self.kinds[kind]
        if node:
            frames &= self.spawners[node] if kind == "spawn" else self.nodes[node] | (set() if kind else self.spawners[node])
        if property and " " not in property and property != "(all)":
            frames &= self.properties[property]
        return frames


def windows(path, options):
    """(statistic, title of the table, cells) of each row of the windows; the last cell is the filter."""
    found = []
    for statistic in STATISTICS:
        by_id = tshark.BY_ID if statistic in ("bandwidth", "properties") else () # in the names of nodes
        text = tshark.run(path, "-q", "-z", f"table-window,{PREFIX.get(statistic, 'godot')},{statistic}", *options, *by_id, **tshark.with_plugin("table-window")).stdout
        shown = text.split("# window\n")[1]
        tables = collections.defaultdict(list)
        for line in shown.splitlines():
            if "\t" in line:
                tables[title].append(line.split("\t"))
            else:
                title = line
        for title, rows in tables.items():
            found += [(statistic, title, row) for row in rows[::len(rows) // MOST + 1]]
    return found


def frames_of(path, filters, options):
    """{filter: frames that it shows}, in one run."""
    text = tshark.run(path, "-q", *(word for one in filters for word in ("-z", f"frames-of,{one}")), *options, **tshark.with_plugin("table-window")).stdout
    lines = (line.removeprefix("# frames ").split("\t") for line in text.splitlines() if line.startswith("# frames "))
    found = {one: set(map(int, numbers)) for one, *numbers in lines}
    assert set(found) == set(filters)
    return found


def counted_by(statistic, title, cells):
    """(kind, node, property, from second, up to second) of a row of messages; "": any."""
    if statistic == "bandwidth":
        _, _, _, kind, node, name, *_ = cells
        return kind.replace("(all)", ""), node.replace("(all)", ""), name, 0, 1e9
    if statistic == "timeline":
        seconds, _, _, _, kind, node, _ = cells
        return kind.replace("(all)", ""), node, "", float(seconds), float(seconds) + 1
    _, _, _, _, name, node, _, sent, *_ = cells
    kinds = {"always": "synchronize", "on change": "synchronize changes", "call": f"{name}()", "rset": name}
    return kinds[sent], node, name if sent in ("always", "on change") else "", 0, 1e9


def check(path, *options):
    """Returns the number of filters tested."""
    rows, frames = windows(path, options), Frames(path, options)
    shown = frames_of(path, sorted({cells[-1] for _, _, cells in rows} - {""}), options)
    lengths, wire, second = {}, {}, set()
    fields = "frame.number", "frame.len", "enet.captured_before", "godot.wire_length", "godot.sent_in", "godot.received_in"
    for (number,), (length,), doubled, wire[number], sent, received in tshark.fields(path, *fields, arguments=options):
        lengths[number] = 0 if doubled else length
        second |= {number} if any(other < number for other in sent + received) else set()
    for statistic, title, cells in rows:
        found = shown.get(cells[-1], set())
        if statistic == "overhead":
            assert sum(lengths[frame] for frame in found) == int(cells[1]), cells
        elif statistic == "peers":
            assert cells[-1] and found
            if cells[-1].startswith("enet"):
                assert sum(lengths[frame] for frame in found) == int(cells[2]) + int(cells[3]), cells
            elif cells[-1].startswith("godot"):
                assert sum(sum(wire[frame]) for frame in found - second) == int(cells[2]) + int(cells[3]), cells
        elif cells[-1]:
            *of, begin, end = counted_by(statistic, title, cells)
            found -= second  # the other end's records of messages in the rows
            between = {frame for frame in frames.counted[tuple(of)] if begin <= frames.seconds[frame] < end}
            cut_off = frames.kinds["(unknown)"] if of[0] else set()  # they may have their own command and row
            assert between <= found, (statistic, title, cells)
            vague = of[0] == "(unknown)" or of[1].startswith("node ")  # numbers of nodes are in confirmations, too
            assert vague or found - cut_off == frames.expected(*of, begin, end) - cut_off, (statistic, title, cells)
        else:
            assert {UNKNOWN, "(unknown)", "(other)"} & set(cells) or (statistic, title) == ("properties", "Properties"), cells  # of a scene
    return len(shown)


QUICK = {"multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-relay.pcap", "multiplayer-errors/godot-4.6-broken.pcap"}


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, captures.different()), ids=captures.name)
def test_shipped(path):
    assert check(path, *captures.naturally(path)) > 3 or captures.name(path) not in QUICK


@pytest.mark.parametrize("name", ["godot-4.6-enet-synchronizers", pytest.param("godot-4.6-enet-game", marks=pytest.mark.slow),
                                  pytest.param("godot-4.6-enet-replication", marks=pytest.mark.slow)])
def test_with_names(name):
    """Names of methods and properties from the project."""
    assert check(test_multiplayer.FOLDER / f"{name}.pcap", *test_multiplayer.own_project(name)) > 10


@pytest.mark.parametrize("name", ["recorder/godot-4.6-enet-relay.merged", "multiplayer/godot-4.6-enet-relay.late", pytest.param("multiplayer-loss/godot-4.6-relay.both-points", marks=pytest.mark.slow)])
def test_made(name):
    """Recordings of all ends, a capture that begins in the middle, two capture points."""
    assert check(expected._capture(name)) > 10
