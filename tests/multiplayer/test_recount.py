"""The tables of captures of all kinds compared with recount.py, which counts the bytes of the file by itself.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import functools
import re

import pytest

import captures
import recount
import tshark
from test_messages import folder

CSV = ("bandwidth", "overhead", "peers", "timeline", "properties")
TEXTS = ("enet,tree", "godot,tree", "conv,godot", "godot,savings", "godot,summary")
LEAST = 60  # captures that can be counted
QUICK = {"multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-4.6-websocket-relay.pcap"}


@functools.lru_cache(maxsize=None)
def counted(path):
    """None: recount.py says that it cannot count this."""
    try:
        found = recount.count(path)
    except recount.Unknown:
        return None
    return found if found.datagrams or found.messages else None


def of_one_point(path):
    return path.suffix == ".pcap" and path.stat().st_size < 2_000_000 and captures.name(path).split("/")[0] in {
        "multiplayer", "savings", "enet", "multiplayer-errors", "multiplayer-in-code", "multiplayer-spawn-function", "variant-enet", "websocket-peer"}


COUNTED = [path for path in captures.shipped() if of_one_point(path)]


def said(path):
    """Rows of the tables, and the pages."""
    files = {name: folder() / f"recount.{name}.csv" for name in CSV}
    options = [option for name in CSV for option in ("-z", f"godot,{name},{files[name]}")]
    options += [option for name in TEXTS for option in ("-z", name)]
    text = tshark.run(path, "-q", *options, *tshark.BY_ID, two_pass=True).stdout
    rows = {}
    for name, file in files.items():
        with open(file, newline="", encoding="utf-8") as lines:
            rows[name] = [row for row in csv.DictReader(lines) if row["Table"] != "Connections at a time"]
    return rows, text


def total(rows, table, *columns):
    return sum(int(row[column]) for row in rows if row["Table"] == table for column in columns)


def root(text, name):
    found = re.search(rf"^{name} +(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def compare_enet(found, rows, text, name):
    overhead = [row for row in rows["overhead"] if row["Table"] == "All connections"]
    assert total(overhead, "All connections", "Bytes on the wire") == found.frame_bytes
    assert total(overhead, "All connections", "Datagrams") == found.datagrams == root(text, "Datagrams")
    assert total(overhead, "All connections", "Headers") == found.header_bytes
    assert root(text, "Commands") == sum(found.commands.values())
    assert root(text, "Bytes of frames") == found.frame_bytes
    if not found.compressed:
        assert total(overhead, "All connections", "Acks") == found.acknowledgement_bytes
        assert total(overhead, "All connections", "Messages") == found.data_bytes
    assert total(rows["peers"], "Peers", "Bytes from", "Bytes to") == found.frame_bytes
    assert total(rows["peers"], "Peers", "Reliable") == found.reliable
    assert int(re.search(r"(\d+) bytes on the wire", text)[1]) == found.frame_bytes
    if found.datagrams > 1 and f"{found.datagrams} datagrams in frames" not in text:
        assert "datagrams in frames" not in text, name


def compare_messages(found, rows, text):
    kinds, nodes = recount.kinds(found.messages)
    by_method = {(row["Method"], row["Node"] if row["Method"].startswith("#") else ""): [int(row["Messages"]), int(row["Bytes"])]
                 for row in rows["bandwidth"] if row["Table"] == "By method"}
    assert by_method == dict(kinds)
    messages, size = len([one for one in found.messages if one[2]]), sum(len(content) for *_, content in found.messages)
    for row in rows["bandwidth"]:
        if row["Table"] == "By node" and row["Node"] in nodes and not row["Node"].startswith("("):
            assert int(row["Bytes"]) >= nodes[row["Node"]]
    wire = {table: total(rows["bandwidth"], table, "Bytes on the wire") for table in ("By method", "By node", "By property")}
    assert len(set(wire.values())) == 1
    for table in ("By method", "By node", "By property"):
        assert total(rows["bandwidth"], table, "Bytes") == size
    assert total(rows["timeline"], "All messages", "Messages") == messages == root(text, "Messages")
    assert total(rows["timeline"], "All messages", "Bytes") == size == root(text, "Message bytes")
    assert total(rows["timeline"], "All messages", "Bytes on the wire") == root(text, "Bytes on the wire") == wire["By method"]
    if found.datagrams:
        assert wire["By method"] == found.message_frames
    between = re.findall(r"<-> .*?(\d+) +[\d.,]+ \w+ +\d+\.\d+ +\d+\.\d+$", text, re.MULTILINE)
    assert sum(map(int, between)) <= messages


def updates_of(found):
    """None: there are values of types that recount.py does not know."""
    try:
        return recount.updates(found.messages, found.times)
    except recount.Unknown:
        return None


def of_godot_4(path):
    return path.name.startswith("godot-4.6") and captures.name(path).split("/")[0] in ("multiplayer", "savings", "multiplayer-in-code", "multiplayer-spawn-function")


def compare_updates(found, rows):
    """Updates of properties and calls, and those without a change; how often scripts called each method."""
    counted_updates = updates_of(found)
    if not counted_updates:
        return
    updates, calls = counted_updates
    said_updates, unchanged, slack = collections.Counter(), collections.Counter(), collections.Counter()
    for row in rows["properties"]:
        if row["Table"] in ("Properties of each node", "RPCs of each node"):
            key = row["Sent"], row["Name"]
            said_updates[key] += int(row["Updates"])
            unchanged[key] += float(row["Unchanged %"]) * int(row["Updates"]) / 100
            slack[key] += 0.0051 * int(row["Updates"]) / 100 + 1e-6
    assert said_updates == {key: count for key, (count, _) in updates.items()}
    for key, (_, count) in updates.items():
        assert abs(unchanged[key] - count) <= slack[key], key
    said_calls = collections.Counter()
    for row in rows["bandwidth"]:
        if row["Table"] == "By method" and row["Method"].endswith("()"):
            said_calls[row["Method"][:-2]] += int(row["Calls"])
    assert +said_calls == +calls


def test_most_captures_are_counted():
    assert len([path for path in COUNTED if counted(path)]) >= LEAST
    assert len([path for path in COUNTED if of_godot_4(path) and counted(path) and updates_of(counted(path))]) >= LEAST


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, COUNTED), ids=captures.name)
def test_same(path):
    found = counted(path)
    if not found:
        pytest.skip("not counted independently")
    rows, text = said(path)
    if found.datagrams:
        compare_enet(found, rows, text, captures.name(path))
    if of_godot_4(path):
        compare_messages(found, rows, text)
        compare_updates(found, rows)
