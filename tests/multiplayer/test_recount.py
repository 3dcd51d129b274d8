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
import recount_godot3
import recount_range_coder
import recount_recording
import recount_replication
import tshark
from test_messages import folder

CSV = ("bandwidth", "overhead", "peers", "timeline", "properties", "frames")
TEXTS = ("enet,tree", "godot,tree", "godot,srt", "conv,godot", "endpoints,godot", "godot,savings", "godot,summary", "godot,replication")
LEAST, LEAST_STATES = 200, 160  # captures that can be counted, and those with states
MULTIPLAYER = {"multiplayer", "savings", "multiplayer-in-code", "multiplayer-spawn-function", "multiplayer-ends", "multiplayer-authority", "multiplayer-loss", "own-bytes"}
QUICK = {"multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-relay.pcap", "multiplayer/godot-4.6-websocket-relay.pcap"}


@functools.lru_cache(maxsize=None)
def counted(path):
    """None: recount.py says that it cannot count this."""
    try:
        found = recount.count(path)
    except recount.Unknown:
        return None
    return found if found.datagrams or found.messages else None


# The ids of a mesh are not sent; two connections between the same sockets at a time.
NOT_COUNTED = {"multiplayer-ends/godot-4.6-mesh-restart.pcap", "multiplayer-ends/godot-4.6-restart-client.pcap"}


def of_one_point(path):
    return captures.name(path) not in NOT_COUNTED and path.suffix == ".pcap" and path.stat().st_size < 2_000_000 and captures.name(path).split("/")[0] in {
        *MULTIPLAYER, "enet", "multiplayer-errors", "variant-enet", "websocket-peer"}


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


SPAN = re.compile(r"over ENet: ([\d.]+) to ([\d.]+) s, frames ", re.MULTILINE)


def there_and_back(directions):
    """(number, the longest and the average with the average of the other direction), in milliseconds, of round trips
    by direction; 0 without one of these."""
    if len(directions) < 2:
        return sum(map(len, directions)), 0, 0
    averages = [1000 * sum(trips) / len(trips) for trips in directions]
    longest = [1000 * max(trips) - average for trips, average in zip(directions, averages)]
    return sum(map(len, directions)), sum(averages) + max(longest), sum(averages)


def compare_connections(found, rows, text):
    """Each with its bytes in both directions, its times, reliable commands and round trips; the Summary has the same times."""
    said_here = sorted((int(row["Bytes from"]), int(row["Bytes to"]), int(row["Reliable"]), float(row["Opened, s"]), float(row["Duration, s"]))
                       for row in rows["peers"] if row["Over"] == "ENet")
    counted_here = sorted((one["bytes"][True], one["bytes"][False], one["reliable"], one["first"] - found.begin, one["last"] - one["first"])
                          for one in found.connections)
    assert len(said_here) == len(counted_here)
    if not counted_here:
        return  # WebSocket
    for row, one in zip(said_here, counted_here):
        assert row[:3] == one[:3]
        assert row[3:] == pytest.approx(one[3:], abs=0.0051)
    trips = [there_and_back(one["trips"].values()) for one in found.connections]
    said_trips = [(int(row["Round trips"]), float(row["Longest, ms"]), float(row["Average, ms"])) for row in rows["peers"] if row["Over"] == "ENet"]
    for said, counted in zip(sorted(said_trips), sorted(trips)):
        assert said == pytest.approx(counted, abs=0.0111)
    said_losses = sorted((int(row["Bytes from"]), int(row["Lost"]), int(row["Needless"]), int(row["Throttled"]) + int(row["Missing"]))
                         for row in rows["peers"] if row["Over"] == "ENet" and row["Captured"] == "whole")
    whole = {size for size, *_ in said_losses}
    assert said_losses == sorted((one["bytes"][True], *recount.losses(one), recount.missing(one)) for one in found.connections if one["bytes"][True] in whole)
    firsts, lasts = zip(*SPAN.findall(text))
    assert sorted(map(float, firsts)) == pytest.approx(sorted(one["first"] - found.begin for one in found.connections), abs=0.0051)
    assert sorted(map(float, lasts)) == pytest.approx(sorted(one["last"] - found.begin for one in found.connections), abs=0.0051)


def compare_times(found, rows):
    """Frames of the game, and seconds."""
    by_second = {int(float(row["Seconds"])): [int(row["Messages"]), int(row["Bytes"])] for row in rows["timeline"] if row["Table"] == "All messages"}
    assert {second: row for second, row in by_second.items() if row[0]} == recount.seconds(found)
    if found.copies:
        return  # a row may begin with a message that is sent again
    said_frames, counted_frames = collections.defaultdict(list), recount.game_frames(found)
    for row in rows["frames"]:
        said_frames[row["From"]].append(int(row["Messages"]))
    assert sorted(said_frames.values()) == sorted([count for _, count in sender] for sender in counted_frames.values())
    times = sorted(time for sender in counted_frames.values() for time, _ in sender)
    assert sorted(float(row["Seconds"]) for row in rows["frames"]) == pytest.approx(times, abs=0.00051)


CONVERSATION = re.compile(r"<-> .*?(\d+) +[\d.,]+ \w+ +\d+\.\d+ +\d+\.\d+$", re.MULTILINE)
ENDPOINT = re.compile(r"^(?:client \d+|server|all|all but .*?|peer .*?) +(\d+) +\d+ +(\d+) +\d+ +(\d+) +\d+ *$", re.MULTILINE)


def compare_pairs(found, text, godot3):
    """Messages of each pair of peers, and of each peer."""
    pairs, ends = collections.Counter(), collections.defaultdict(lambda: [0, 0])
    for (author, target), count in (recount_godot3 if godot3 else recount).between(found).items():
        pairs[frozenset((author, target))] += count
        ends[author][0] += count
        ends[target][1] += count
    assert sorted(map(int, CONVERSATION.findall(text))) == sorted(pairs.values())
    assert sorted(tuple(map(int, row)) for row in ENDPOINT.findall(text)) == sorted((sum(both), *both) for both in ends.values())


RESPONSE = re.compile(r"^ +\d+  by .*? +(\d+) +([\d.]+) +([\d.]+) +[\d.]+ +([\d.]+)$", re.MULTILINE)


def compare_confirmations(found, text, godot3):
    """How long each peer takes to confirm paths: count, shortest, longest, sum."""
    confirmed = re.search(r"^Index  Confirmed .*?\n\n", text, re.MULTILINE | re.DOTALL)
    said_here = sorted(tuple(map(float, row)) for row in RESPONSE.findall(confirmed[0] if confirmed else ""))
    counted_here = sorted((len(times), min(times), max(times), sum(times)) for times in (recount_godot3 if godot3 else recount).confirmations(found).values())
    assert [row[0] for row in said_here] == [row[0] for row in counted_here]
    for row, one in zip(said_here, counted_here):
        assert row == pytest.approx(one, abs=1e-6 * (one[0] + 1))


def compare_messages(found, rows, text, godot3):
    kinds, nodes = recount_godot3.kinds(found) if godot3 else recount.kinds(found.messages)
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
    compare_pairs(found, text, godot3)


def updates_of(found, godot3):
    """None: there are values of types that recount.py does not know."""
    try:
        return recount_godot3.updates(found) if godot3 else recount.updates(found)
    except recount.Unknown:
        return None


def of_godot(path):
    return captures.name(path).split("/")[0] in MULTIPLAYER


def of_godot_3(path):
    return path.name.startswith("godot-3")


def compare_updates(found, rows, godot3):
    """Updates of properties and calls, and those without a change; how often scripts called each method."""
    counted_updates = updates_of(found, godot3)
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


PROPERTY = re.compile(r"^  (\S.*?) (Property \d+|Watched property \d+|\w+), written by (.*)\n((?:    .*\n)*)", re.MULTILINE)
FLOW = re.compile(r"^    (?:from (\d+) )?to (\d+): (?:(\d+) (?:sent|captured))?(?:, )?(?:(\d+) passed on by the server)?(?:, (\d+) sent again)?(?:, (\d+) after it was despawned there \(ignored\))?"
                  r"(?:, (\d+) never acknowledged \(the first in frame (\d+)\))?\n"
                  r"      last (sent|passed on): .* in frame (\d+) at ([\d.]+) s, (despawned there at|age at the end) ([\d.]+) s(?:, longest without a newer one ([\d.]+) s \(frames (\d+) to (\d+)\))?$", re.MULTILINE)
WRITER = re.compile(r"(\d+) \(frames (\d+) to (\d+)\)")
STATES = re.compile(r"^    (\S.*) from (\d+) to (\d+)\n      captured: (?:(\d+) states?|([\d.]+) a second, median ([\d.]+) ms, 95 % up to ([\d.]+) ms, longest ([\d.]+) ms \(frames (\d+) to (\d+)\).*)$", re.MULTILINE)


def longest_of(updates):
    """The longest interval, and the pairs of frames that have it."""
    steps = [(b[1] - a[1], a[0], b[0]) for a, b in zip(updates, updates[1:])]
    longest = max(steps, default=(0,))[0]
    return longest, {step[1:] for step in steps if step[0] > longest - 2e-6}


def compare_flow(flow, line, end, gone):
    _, _, sent, passed_on, again, ignored, unanswered, first_unanswered, which, last, time, _, age, longest, *frames = line
    assert (int(sent or 0), int(passed_on or 0), int(again or 0)) == (len(flow.sent), len(flow.passed_on), flow.again)
    assert int(unanswered or 0) <= len(flow.unanswered)  # shortly before the end nothing is concluded
    assert not unanswered or int(first_unanswered) in flow.unanswered
    updates = flow.passed_on if which == "passed on" else flow.sent
    assert which == ("passed on" if flow.passed_on else "sent")
    assert (int(last), float(time)) == (updates[-1][0], pytest.approx(updates[-1][1], abs=0.0051))
    after = gone if gone is not None and gone >= updates[-1][1] else end - updates[-1][1]
    assert float(age) == pytest.approx(after, abs=0.0051)
    if longest:
        most, pairs = longest_of(updates)
        assert float(longest) == pytest.approx(most, abs=0.0051) and tuple(map(int, frames)) in pairs


def compare_states(states, line):
    try:
        intervals, count = states.intervals()
    except recount.Unknown:
        return
    if line[3]:
        assert int(line[3]) == count
        return
    rate, median, most, longest = map(float, line[4:8])
    steps = sorted(step[0] for step in intervals)
    assert rate == pytest.approx((count - 1) / sum(steps), abs=0.051)
    assert median == pytest.approx(1000 * steps[len(steps) // 2], abs=0.051)
    assert most == pytest.approx(1000 * steps[min(int(0.95 * len(steps)), len(steps) - 1)], abs=0.051)
    assert longest == pytest.approx(1000 * steps[-1], abs=0.051)
    assert tuple(map(int, line[8:10])) in {step[1:] for step in intervals if step[0] > steps[-1] - 2e-6}


GROUP = re.compile(r"^ +(\d+) +[\d?]+ +\d+ +(\d+) +[\d.]+ +(\d+)  ((?:Watched p|P)roperty \d+|\w+)  ", re.MULTILINE)
RATES = re.compile(r"^ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)  \S", re.MULTILINE)


def compare_rows(counted_here, text):
    """The rows for all nodes of a scene: updates, those without an acknowledgement, pairs of property and receiver."""
    updates, pairs, unanswered, said_updates, said_pairs, said_unanswered = (collections.Counter() for _ in range(6))
    for (_, name), flows in counted_here.flows.items():
        updates[name] += sum(len(flow.sent or flow.passed_on) for flow in flows.values())
        unanswered[name] += sum(len(flow.unanswered) for flow in flows.values())
        pairs[name] += len(flows)
    for count, no_answer, several, name in GROUP.findall(text):
        said_updates[name] += int(count)
        said_unanswered[name] += int(no_answer)
        said_pairs[name] += int(several)
    assert said_updates == updates and said_pairs == pairs
    assert all(said_unanswered[name] <= count for name, count in unanswered.items())
    assert sum(map(int, RATES.findall(text))) == len(counted_here.states)


def replication_of(found, godot3):
    """None: it cannot be counted."""
    try:
        return (recount_godot3 if godot3 else recount_replication).replication(found)
    except recount.Unknown:
        return None


def compare_replication(found, text, godot3):
    """Each property's writers, receivers, numbers, times and longest interval; each synchronizer's intervals."""
    counted_here = replication_of(found, godot3)
    if not counted_here:
        return
    text = re.sub(r"\bpeer (\d+)|\bserver (?=to|from|\(frames)|(?<=to )server\b", lambda found: found[1] or ("1 " if found[0].endswith(" ") else "1"), text)
    said_properties = {}
    for node, name, written, lines in PROPERTY.findall(text):
        writers = WRITER.findall(written)
        flows = {(int(line[0] or writers[0][0]), int(line[1])): line for line in FLOW.findall(lines)}
        assert len(flows) == len(re.findall("^      ", lines, re.MULTILINE))
        said_properties[node, name] = flows
        for peer, first, last in writers:
            frames = [update[0] for ends, flow in counted_here.flows[node, name].items() if ends[0] == int(peer) for update in flow.sent or flow.passed_on]
            assert (int(first), int(last)) == (min(frames), max(frames)), (node, name)
    assert {key: set(flows) for key, flows in said_properties.items()} == {key: set(flows) for key, flows in counted_here.flows.items()}
    for key, flows in said_properties.items():
        for ends, line in flows.items():
            gone = max((counted_here.gone[node, ends[1]] for node in (key[0], key[0].rpartition("/")[0]) if (node, ends[1]) in counted_here.gone), default=None)
            compare_flow(counted_here.flows[key][ends], line, counted_here.end, gone)
    said_states = {(line[0], int(line[1]), int(line[2])): line for line in STATES.findall(text)}
    assert set(said_states) == set(counted_here.states)
    for key, line in said_states.items():
        compare_states(counted_here.states[key], line)
    compare_rows(counted_here, text)


def test_range_decoder():
    """Against ENet's own coder."""
    for line in open(tshark.DATA / "enet-range-coder.tsv", encoding="utf-8"):
        if not line.startswith("#"):
            name, plain, compressed = line.rstrip("\n").split("\t")
            assert recount_range_coder.range_decoded(bytes.fromhex(compressed)) == bytes.fromhex(plain), name


RECORDINGS = [path for path in captures.shipped() if path.suffix == ".pcapng" and captures.name(path).startswith("recorder/") and "broken" not in path.name]
QUICK_RECORDINGS = {"recorder/godot-4.6-enet-relay.server.pcapng"}
LEAST_RECORDINGS = 58


def recorded(path):
    """None: several recordings in one file, cut records, or no packets."""
    try:
        found = recount_recording.count(path)
    except recount.Unknown:
        return None
    return found if found.messages else None


@pytest.mark.parametrize("path", captures.slow_unless(QUICK_RECORDINGS, RECORDINGS), ids=captures.name)
def test_recordings(path):
    found = recorded(path)
    if not found:
        pytest.skip("not counted independently")
    copy = folder() / path.name
    recount_recording.without_names(path, copy)
    found = recount_recording.count(copy)
    rows, text = said(copy)
    compare_times(found, rows)
    compare_messages(found, rows, text, False)
    compare_updates(found, rows, False)
    compare_replication(found, text, False)
    compare_confirmations(found, text, False)


@pytest.mark.slow
def test_most_captures_are_counted():
    found = [path for path in COUNTED if counted(path)]
    states = [path for path in found if of_godot(path) and updates_of(counted(path), of_godot_3(path))]
    assert len(found) >= LEAST and len(states) >= LEAST_STATES
    assert len([path for path in states if replication_of(counted(path), of_godot_3(path))]) >= LEAST_STATES
    assert len([path for path in RECORDINGS if recorded(path)]) >= LEAST_RECORDINGS


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, COUNTED), ids=captures.name)
def test_same(path):
    found = counted(path)
    if not found:
        pytest.skip("not counted independently")
    rows, text = said(path)
    if found.datagrams:
        compare_enet(found, rows, text, captures.name(path))
    if of_godot(path):  # others have several connections between the same sockets
        compare_connections(found, rows, text)
        compare_times(found, rows)
        compare_messages(found, rows, text, of_godot_3(path))
        compare_updates(found, rows, of_godot_3(path))
        compare_replication(found, text, of_godot_3(path))
        compare_confirmations(found, text, of_godot_3(path))
