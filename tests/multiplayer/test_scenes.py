"""Games that change scenes at different times: lost calls compared with the errors that the engines print.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re

import pytest

import engine_logs
import pcap
import projects
import tshark

ERRORS, LOSS = tshark.CAPTURES / "multiplayer-errors", tshark.CAPTURES / "multiplayer-loss"
NOTE = "godot.rpc.node_not_found"


def logs(folder, name):
    """{process: its records}, {process: peer id}"""
    of = {engine_logs.process_of(path): engine_logs.records(path) for path in folder.glob(f"{name}.*.log.gz")}
    of.pop("relay", None)
    ids = {process: next((r["me"] for r in records if r["what"] == "connected_to_server"), 1) for process, records in of.items()}
    return of, ids


def noted(path):
    """[(receiver, node, method, arguments, sender)] of the calls with the note"""
    found = []
    for frame in tshark.packets(path, *projects.option("scenes4"), "-Y", NOTE, two_pass=True):
        for layer in frame.nodes("godot"):
            if any(kind == NOTE for kind, _, _ in layer.experts):
                (call,), (node,) = layer.all("godot.rpc.call"), layer.all("godot.path")
                method, arguments = re.fullmatch(r"(\w+)\((.*)\)", call).groups()
                found.append((layer.all("godot.target")[0], node, method, (arguments,), layer.all("godot.source")[0]))
    return found


def printed(records, ids):
    """{(receiver, node): number of printed errors that it has no such node}"""
    count = collections.Counter()
    for process, lines in records.items():
        for line in lines:
            match = re.fullmatch(r"ERROR: Failed to get path from RPC: (.*)\.", line.get("text", ""))
            count.update([(ids[process], match[1])] if match else [])
    return count


def carried_out(records, ids):
    return {(ids[process], r["node"], r["method"], tuple(r["args"]), r["from"])
            for process, lines in records.items() for r in lines if r["what"] == "called"}


def test_each_lost_call_and_no_other():
    """A peer that joins late shows that it has the nodes by calling them; before that, every call by path is
    lost."""
    records, ids = logs(ERRORS, "godot-4.6-scenes")
    found = noted(ERRORS / "godot-4.6-scenes.pcap")
    expected = printed(records, ids)
    assert sum(expected.values()) > 50 and collections.Counter(call[:2] for call in found) == expected
    assert len(set(found)) == len(found) and not set(found) & carried_out(records, ids)


def test_the_summary_has_the_same_number():
    path = ERRORS / "godot-4.6-scenes.pcap"
    summary = tshark.run(path, "-2", "-q", "-z", "godot,summary").stdout
    (frames,) = re.findall(r"(\d+) × .*filter: godot.rpc.node_not_found", summary)
    assert int(frames) == sum(printed(*logs(ERRORS, "godot-4.6-scenes")).values())


def test_who_leaves_first():
    """No packet shows that a node was removed: such calls have no note, and no executed call has one."""
    records, ids = logs(ERRORS, "godot-4.6-scenes-left")
    found, expected = noted(ERRORS / "godot-4.6-scenes-left.pcap"), printed(records, ids)
    assert not set(found) & carried_out(records, ids)
    count = collections.Counter(call[:2] for call in found)
    assert all(count[key] <= expected[key] for key in count) and 0.6 * sum(expected.values()) < len(found)


@pytest.mark.parametrize("side", ["client-side", "server-side"])
def test_with_loss(side):
    """A retransmitted packet that shows the node is late: a call before it may have been executed, as the
    note says."""
    records, ids = logs(LOSS, "godot-4.6-scenes")
    found, expected = noted(LOSS / f"godot-4.6-scenes.{side}.pcap"), sum(printed(records, ids).values())
    false = set(found) & carried_out(records, ids)
    assert len(set(found)) == len(found) and abs(len(found) - expected) <= 0.15 * expected and len(false) <= 0.12 * len(found)


def test_what_is_shown_later_is_named():
    """The note and the announcement mention the frame that shows the node exists."""
    path = ERRORS / "godot-4.6-scenes.pcap"
    frames = {frame.number: frame for frame in tshark.packets(path, two_pass=True)}
    shown = 0
    for number, frame in frames.items():
        for layer in frame.nodes("godot"):
            for kind, _, text in layer.experts:
                later = re.search(r"shows it only in frame (\d+)|\(frame (\d+) shows it\)", text)
                if kind in (NOTE, "godot.path.node_not_found") and later:
                    sign = frames[int(later[1] or later[2])].nodes("godot")
                    assert int(later[1] or later[2]) > number and any(node.all("godot.path") for node in sign)
                    shown += 1
    assert shown > 50


@pytest.mark.parametrize("tenths", [3, 5, 7])
def test_captured_late(tenths, tmp_path):
    """A retransmitted announcement, whose acknowledgement was lost, may have been confirmed before the
    capture began."""
    linktype, packets = pcap.read(LOSS / "godot-4.6-replication.server-side.pcap")
    path = pcap.write(tmp_path / "late.pcap", packets[len(packets) * tenths // 10:], linktype=linktype)
    options = projects.option("replication4")
    layers = [layer for frame in tshark.packets(path, *options, two_pass=True) for layer in frame.nodes("godot")]
    assert layers and not [text for layer in layers for kind, _, text in layer.experts if kind.endswith("node_not_found")]
