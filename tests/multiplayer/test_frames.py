"""`-z godot,frames` compared with the rows of `-z godot,messages`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re

import pytest

import enet_packets
import pcap
import tshark
from tshark import tables
from test_messages import FOLDER, announcement, rows
from test_multiplayer import own_project
from test_timeline import seconds

BURST = 0.005


def frames(path, *options):
    return tables(tshark.run(path, "-q", *tshark.BY_ID, "-z", "godot,frames", *options).stdout)["Frames of the game"]


@pytest.mark.parametrize("name", ["godot-4.6-enet-game", "godot-3.6-enet-calls", "godot-4.6-websocket-relay"])
def test_each_burst_of_a_sender_is_a_row(name):
    path = FOLDER / f"{name}.pcap"
    first = float(tshark.fields(path, "frame.time_epoch", arguments=["-Y", "frame.number == 1"])[0][0][0])
    begins, expected = {}, {}
    for row in rows(name):
        now, sender = seconds(row["time"]) - first, row["sender"]
        if sender not in begins or now - begins[sender][-1] >= BURST:
            begins.setdefault(sender, []).append(now)
        burst = expected.setdefault((sender, len(begins[sender])), collections.Counter())
        burst.update({"messages": not row["repeated"], "wire": row["wire_bytes"]})
    shown = frames(path, *own_project(name))
    assert len(shown) == len(expected) > 15
    by_sender = collections.defaultdict(list)
    for row in shown:
        by_sender[row["From"]].append(row)
    assert [float(row["Seconds"]) for row in shown] == sorted(float(row["Seconds"]) for row in shown)
    for sender, starts in begins.items():
        found = by_sender[f"peer {sender}" if sender else "?"]
        assert [(int(row["Messages"]), int(row["Bytes on the wire"])) for row in found] == [
            (expected[sender, i + 1]["messages"], expected[sender, i + 1]["wire"]) for i in range(len(starts))]
        assert [float(row["Seconds"]) for row in found] == pytest.approx(starts, abs=6e-4)
        steps = [0] + [1000 * (b - a) for a, b in zip(starts, starts[1:])]
        assert [float(row["After, ms"]) for row in found] == pytest.approx(steps, abs=6e-3)
    for row in shown:
        assert abs(len(row["Size"].rstrip("+")) - min(40, int(row["Bytes on the wire"]) / 64)) <= 1
        assert ("+" in row["Size"]) == (int(row["Bytes on the wire"]) > 2560)


def test_names_of_a_frame(tmp_path):
    """The largest three kinds, and how many others; more than eight kinds are counted together."""
    connection = enet_packets.Connection()
    named = [connection.command(announcement(number, f"N{number}".encode())) for number in range(1, 12)]
    calls = [connection.command(bytes([0x80, number, 0]) + bytes(number)) for number in range(1, 12)]
    path = pcap.write(tmp_path / "names.pcap", connection.open() + [connection.datagram(b"".join(named)), connection.datagram(b"".join(calls))])
    (row,) = [row for row in frames(path) if int(row["Messages"]) > 11]
    assert int(row["Messages"]) == 22
    assert sum(int(number or 1) for number in re.findall(r"(?:^|, )(\d+ )?", row["What"])) == 22, row


def test_filters_of_rows():
    """Frames of the sender, from the first to the last of the burst."""
    path = FOLDER / "godot-4.6-enet-relay.pcap"
    text = tshark.run(path, "-q", "-z", "table-window,godot,frames", **tshark.with_plugin("table-window")).stdout
    cells = [line.split("\t") for line in text.splitlines() if "frame.number >=" in line]
    assert len(cells) > 20
    for row in cells:
        sizes = tshark.fields(path, "godot.wire_length", arguments=["-Y", row[-1]])
        assert sum(sum(values) for (values,) in sizes) == int(row[1]), row
