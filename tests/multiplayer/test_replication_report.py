"""`-z godot,replication` against what the engines of two clients logged. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import functools
import json
import re

import enet_packets
import engine_logs
import pcap
import tshark
from test_multiplayer import own_project
from two_points import FOLDER, merged

NAME = "godot-4.6-replication"
LINE = re.compile(r"    to (\d+|a peer that is not known): (\d+) sent(?:, (\d+) arrived, (\d+) lost)?(?:, (\d+) before the node.*?)?(?:, (\d+) late.*?)?; last (.*) in frame (\d+) at ([\d.]+) s, ([\d.]+) s before "
                  r"the end; longest without one ([\d.]+) s$")


def report(path, *options, **changes):
    """({(node, property, receiver): [sent, arrived, lost, ignored, last, frame, time, age, longest]}, {(node, property): writers}, the other lines)"""
    flows, writers, others, at = {}, {}, [], None
    for line in tshark.run(path, "-q", "-z", "godot,replication", *options, **changes).stdout.splitlines():
        if match := LINE.match(line):
            to, sent, arrived, lost, early, late, last, frame, *times = match.groups()
            flows[(*at, int(to) if to.isdigit() else 0)] = [int(sent), arrived and int(arrived), lost and int(lost), int(early or 0) + int(late or 0), last, int(frame), *map(float, times)]
        elif match := re.match(r"  (\S+) (.+), written by (.*?)(?: \(.*)?$", line):
            at = match[1], match[2]
            writers[at] = {int(writer) for writer in re.findall(r"\d+", match[3])}
        else:
            others.append(line)
    return flows, writers, others


@functools.lru_cache(maxsize=None)
def both_points():
    return report(merged(NAME), *own_project(NAME), two_pass=True)


@functools.lru_cache(maxsize=None)
def told():
    """{(node, property, client): [values in the order in which the client had them, by the packets that always have the property]}"""
    values = collections.defaultdict(list)
    for log in sorted(FOLDER.glob(f"{NAME}.client*.log.gz")):
        records = engine_logs.records(log)
        (me,) = {record["me"] for record in records if "me" in record}
        for record in records:
            if record["what"] in ("spawn_state", "synchronized"):
                for name, value in record["values"].items():
                    values[record["node"], name, me].append(value)
    return values


# Nodes whose SPAWN waited in ENet for an earlier message that had been lost: what came meanwhile arrived, and the client ignored it.
HELD = {("Main/World/Unit1", 20000971), ("Main/World/Crate1", 20510801), ("Main/World/Crate1", 20000971), ("Main/World/Secret", 20510801)}


def changed_properties():
    """Of these the logs have all values at each change, so that they cannot be counted."""
    found = set()
    for log in FOLDER.glob(f"{NAME}.client*.log.gz"):
        for record in engine_logs.records(log):
            if record["what"] == "delta_synchronized":
                found |= {(record["node"], name) for name in record["values"]}
    return found


def test_what_arrived_is_what_the_clients_logged():
    """As often, and the last value."""
    flows, _, _ = both_points()
    equal = 0
    for key, logged in told().items():
        if key[:2] in changed_properties() or key not in flows:
            continue
        _, arrived, _, ignored, last, *_ = flows[key]
        if (key[0], key[2]) in HELD:
            assert arrived - ignored >= len(logged)
        else:
            assert (arrived - ignored, last) == (len(logged), logged[-1]), key
            equal += 1
    assert equal > 10
    assert any(flow[3] for flow in flows.values())


def test_what_was_lost_is_what_never_arrived():
    """Unreliable updates: sent, arrived or lost; but for the last ones, after which the other point has nothing."""
    flows, _, _ = both_points()
    lossy = {key: flow for key, flow in flows.items() if flow[2]}
    assert len(lossy) > 10
    for key, (sent, arrived, lost, *_) in flows.items():
        assert sent - arrived - lost in (0, 1), key


def test_numbers_are_those_of_the_rows(tmp_path):
    """Sent: the rows of values that nobody has had before; ages and gaps by their times."""
    file = tshark.workplace() / "replication.jsonl"
    file.touch()
    file.chmod(0o666)
    path = FOLDER / f"{NAME}.server-side.pcap"
    tshark.run(path, "-q", "-z", f"godot,values,{file}", *own_project(NAME), two_pass=True)
    rows, frames = collections.defaultdict(list), dict((number[0], float(time[0])) for number, time in tshark.fields(path, "frame.number", "frame.time_relative"))
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        if not row["repeated"]:
            rows[row["node"], row["property"], row["receiver"]].append(row)
    flows, writers, others = report(path, *own_project(NAME), two_pass=True)
    assert any("One capture point" in line for line in others)
    compared = 0
    for key, (sent, arrived, lost, _, _, frame, time, _, longest) in flows.items():
        times = [frames[row["frame"]] for row in rows[key]]
        assert arrived is None and (sent, frame) == (len(rows[key]), rows[key][-1]["frame"])
        assert time == round(times[-1], 2) and abs(longest - max([0, *map(float.__sub__, times[1:], times)])) < 0.006
        assert {row["from"] for row in rows[key]} <= writers[key[:2]]
        compared += 1
    assert compared == len(rows) > 30


def test_first_difference():
    """One client did not get a value that another one got: the datagram of the former is lost on the network, that of the latter is not."""
    _, _, others = both_points()
    lines = [line for line in others if "first difference" in line]
    assert lines
    lost = {frame for (frame,) in (row[0] for row in tshark.fields(merged(NAME), "frame.number", arguments=["-Y", "enet.analysis.lost"], two_pass=True))}
    for line in lines:
        missed, value, missed_frame, had, had_frame = re.search(r": (\d+) did not get (.*) \(frame (\d+)\), (\d+) did \(frame (\d+)\)$", line).groups()
        assert missed != had and int(missed_frame) in lost and int(had_frame) not in lost


def test_nothing_of_ours():
    _, _, others = report(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-raw.pcap")
    assert "  No property is spawned, synchronized or set." in others


def test_flows_are_limited(tmp_path):
    """4,000, and a line that says how many values are not in them."""
    connection = enet_packets.Connection()
    packets = connection.open()
    for node in range(10):
        packets.append(connection.message(b"\x01" + b"0" * 32 + b"\0" + (node + 1).to_bytes(4, "little") + b"N%d" % node + b"\0"))
        entry = (0x80000001 + node).to_bytes(4, "little") + (4 * 410).to_bytes(4, "little") + bytes(4 * 410)
        packets.append(connection.message(b"\x06\x01\0" + entry))
    flows, _, others = report(pcap.write(tmp_path / "made.pcap", packets), "-d", "enet.payload,godot")
    left = [line for line in others if "are left out" in line]
    assert left == ["  100 values of further properties and receivers are left out"]
