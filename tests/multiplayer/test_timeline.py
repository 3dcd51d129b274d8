"""`-z godot,timeline` against the rows of `-z godot,messages`. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import datetime
import math

import pytest

import enet_packets
import pcap
import tshark
from test_bandwidth import tables
from test_messages import DECODE, FOLDER, announcement, rows
from test_multiplayer import own_project

COLUMNS = ("Messages", "Bytes", "Bytes on the wire")


def timeline(path, *options, interval=""):
    return tables(tshark.run(path, "-q", "-z", f"godot,timeline{interval}", *options).stdout)


def seconds(text):
    whole, fraction = text.rstrip("Z").split(".")
    return datetime.datetime.fromisoformat(whole + "+00:00").timestamp() + int(fraction) / 1e9


@pytest.mark.parametrize("name", ["godot-4.6-enet-game", "godot-3.6-enet-calls", "godot-4.6-websocket-relay"])
@pytest.mark.parametrize("interval", [1, 0.25, 60])
def test_sums_of_each_interval(name, interval):
    path = FOLDER / f"{name}.pcap"
    first = float(tshark.fields(path, "frame.time_epoch", arguments=["-Y", "frame.number == 1"])[0][0][0])
    expected = collections.defaultdict(lambda: (0, 0, 0))
    for row in rows(name):
        what = {"call": f"{row['method']}()", "set": row["values"] and row["values"][0].get("property")}.get(row["kind"], row["kind"])
        begin = math.floor(round(seconds(row["time"]) - first, 6) / interval) * interval
        once = not row["repeated"]
        for key in ((f"{begin:.2f}", what), (f"{begin:.2f}", "(all)")):
            expected[key] = tuple(map(sum, zip(expected[key], (once, once * row["bytes"], row["wire_bytes"]))))
    found = timeline(path, *own_project(name), interval="" if interval == 1 else f",{interval}")
    assert list(found) == ["All messages", "By method"]
    for table in found.values():
        starts = [float(row["Seconds"]) for row in table]
        assert starts == sorted(starts)
    assert {(row["Seconds"], row["Method"]): tuple(int(row[column]) for column in COLUMNS)
            for table in found.values() for row in table} == dict(expected)


def test_filter():
    path = FOLDER / "godot-4.6-enet-relay.pcap"
    filtered = [timeline(path, interval=interval)["All messages"] for interval in (",godot.relayed", ",1,godot.relayed")]
    assert filtered[0] == filtered[1] != timeline(path)["All messages"]


@pytest.mark.parametrize("interval", ["0", "0.001", "1e9", "5x", "1e999"])
def test_bad_interval(interval):
    result = tshark.run(FOLDER / "godot-4.6-enet-raw.pcap", "-q", "-z", f"godot,timeline,{interval}", status=1)
    assert "a number of seconds from" in result.stderr


def test_rows_are_limited(tmp_path):
    """4,000, then one for everything else: nothing is lost."""
    connection = enet_packets.Connection()
    packets = connection.open() + [connection.message(announcement(number, b"N")) for number in range(4100)]
    path = pcap.write(tmp_path / "made.pcap", [(1.5 * number, packet) for number, packet in enumerate(packets)])
    for table in timeline(path, *DECODE).values():
        assert len(table) == 4001 and "(other)" in table[-1].values()
        assert sum(int(row["Messages"]) for row in table) == 4100
