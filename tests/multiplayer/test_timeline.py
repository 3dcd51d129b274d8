"""`-z godot,timeline` compared with the rows of `-z godot,messages`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import datetime
import math

import pytest

import captures
import enet_packets
import pcap
import tshark
from test_bandwidth import bandwidth
from tshark import tables
from test_messages import DECODE, FOLDER, announcement, folder, rows
from test_multiplayer import own_project

COLUMNS = ("Messages", "Bytes", "Bytes on the wire")


def timeline(path, *options, interval=""):
    return tables(tshark.run(path, "-q", "-z", f"godot,timeline{interval}", *options).stdout)


def seconds(text):
    whole, fraction = text.rstrip("Z").split(".")
    return datetime.datetime.fromisoformat(whole + "+00:00").timestamp() + int(fraction) / 1e9


@pytest.mark.parametrize("name", captures.game_is_slow(["godot-4.6-enet-game", "godot-3.6-enet-calls", "godot-4.6-websocket-relay"]))
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
    assert list(found) == ["All messages", "By method", "By node"]
    by_node = found.pop("By node")
    for start in {row["Seconds"] for row in by_node}:
        whole = expected[start, "(all)"]
        assert [sum(int(row[column]) for row in by_node if row["Seconds"] == start) for column in COLUMNS[1:]] == list(whole[1:])
    for table in found.values():
        starts = [float(row["Seconds"]) for row in table]
        assert starts == sorted(starts)
    assert {(row["Seconds"], row["Method"]): tuple(int(row[column]) for column in COLUMNS)
            for table in found.values() for row in table} == dict(expected)


def test_what_is_carried_again_counts_on_the_wire_only(tmp_path):
    connection = enet_packets.Connection()
    command = connection.command(announcement(1, b"Main"))
    path = pcap.write(tmp_path / "again.pcap", connection.open() + [connection.datagram(command) for _ in range(3)])
    (row,) = timeline(path, *DECODE)["All messages"]
    assert (row["Messages"], row["Bytes"]) == ("1", str(len(announcement(1, b"Main"))))
    assert int(row["Bytes on the wire"]) > 3 * len(command)


def test_begin_of_an_interval(tmp_path):
    """It belongs to the interval; tenths of a second are not exact multiples of 0.1."""
    connection = enet_packets.Connection()
    start = 1_700_000_000
    packets = [(start, data) for data in connection.open()]
    packets += [(start + tenth / 10, connection.message(announcement(tenth + 1, b"Main"))) for tenth in range(20)]
    found = timeline(pcap.write(tmp_path / "tenths.pcap", packets), *DECODE, interval=",0.1")["All messages"]
    assert [(row["Seconds"], row["Messages"]) for row in found] == [(f"{tenth / 10:.2f}", "1") for tenth in range(20)]


def test_filter():
    path = FOLDER / "godot-4.6-enet-relay.pcap"
    filtered = [timeline(path, interval=interval)["All messages"] for interval in (",godot.relayed", ",1,godot.relayed")]
    assert filtered[0] == filtered[1] != timeline(path)["All messages"]


def test_several_at_once():
    """Each -z has its own interval, filter and sums."""
    path = FOLDER / "godot-4.6-enet-relay.pcap"
    intervals = ("", ",10", ",0.25,godot.relayed")
    together = tshark.run(path, "-q", *(word for interval in intervals for word in ("-z", f"godot,timeline{interval}"))).stdout
    parts = together.split("\nGodot Timeline\n")[1:]
    assert len(parts) == len(intervals)
    found = [tables("\nGodot Timeline\n" + part) for part in parts]
    alone = [timeline(path, interval=interval) for interval in intervals]
    assert sorted(map(repr, found)) == sorted(map(repr, alone)) and len(set(map(repr, alone))) == 3


@pytest.mark.parametrize("interval", ["0", "0.001", "1e9", "5x", "1e999"])
def test_bad_interval(interval):
    result = tshark.run(FOLDER / "godot-4.6-enet-raw.pcap", "-q", "-z", f"godot,timeline,{interval}", status=1)
    assert "a number of seconds from" in result.stderr


def test_nodes_have_the_bytes_of_the_bandwidth_statistic():
    path = FOLDER / "godot-4.6-enet-game.pcap"
    project = own_project(path.stem)
    sums = collections.Counter()
    for row in timeline(path, *project)["By node"]:
        sums[row["Node"]] += int(row["Bytes on the wire"])
    assert sums == {row["Node"]: int(row["Bytes on the wire"]) for row in bandwidth(path, *project, *tshark.BY_ID)["By node"]}


@pytest.mark.parametrize("option", ["timeline", "timeline,0.5", "bandwidth", "peers"])
@pytest.mark.parametrize("filter", ["", ",enet.stream == 1"])
def test_csv_has_the_printed_tables(option, filter):
    path = FOLDER / "godot-4.6-enet-game.pcap"
    file = folder() / "table.csv"
    file.unlink(missing_ok=True)
    printed = tables(tshark.run(path, "-q", "-z", f"godot,{option}{filter}").stdout)
    printed.pop("Godot " + option.split(",")[0].capitalize(), None)
    assert not tshark.run(path, "-q", "-z", f"godot,{option},{file}{filter}").stdout.strip()
    with open(file, newline="", encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text, strict=True) if row["Table"] != "Connections at a time"]
    assert len(rows) == sum(map(len, printed.values())) > 0
    for row, expected in zip(rows, (cells for table in printed.values() for cells in table)):
        assert [cell for cell in row.values() if cell][1:] == list(expected.values())


def test_file_that_cannot_be_written():
    path = FOLDER / "godot-4.6-enet-raw.pcap"
    assert "No such file" in tshark.run(path, "-q", "-z", "godot,peers,/nonexistent/peers.csv", status=1).stderr
    file = folder() / "full-table.csv"
    file.unlink(missing_ok=True)
    file.symlink_to("/dev/full")
    assert "could not be written: No space left" in tshark.run(path, "-q", "-z", f"godot,peers,{file}", status=2).stderr


@pytest.mark.parametrize("option", ["peers", "messages", "values"])
def test_a_file_outlives_a_filter_that_is_refused(option):
    file = folder() / "kept.csv"
    file.write_text("kept")
    file.chmod(0o666)
    result = tshark.run(FOLDER / "godot-4.6-enet-raw.pcap", "-q", "-z", f"godot,{option},{file},no such filter", status=1)
    assert result.stderr.startswith(f"tshark: -z godot,{option},") and file.read_text() == "kept"


@pytest.mark.parametrize("option", ["summary", "replication", "savings", "log", "bandwidth", "timeline", "peers", "messages", "values"])
def test_a_name_of_more_letters_is_another_one(option):
    """Wireshark calls the plugin for every option that begins with the name."""
    result = tshark.run(FOLDER / "godot-4.6-enet-raw.pcap", "-q", "-z", f"godot,{option}x,/tmp/rows.csv", status=1)
    assert result.stderr.startswith(f'tshark: -z godot,{option}x,/tmp/rows.csv: After "godot,{option}" comes a comma') and not result.stdout


@pytest.mark.slow
def test_rows_are_limited(tmp_path):
    """50,000 rows, then one for all others, so the sums are complete."""
    connection = enet_packets.Connection()
    packets = connection.open() + [connection.message(announcement(number, b"N")) for number in range(50100)]
    path = pcap.write(tmp_path / "made.pcap", [(1.5 * number, packet) for number, packet in enumerate(packets)])
    for table in timeline(path, *DECODE).values():
        assert len(table) == 50001 and "(other)" in table[-1].values()
        assert sum(int(row["Messages"]) for row in table) == 50100


def test_rows_of_other_tables_are_limited(tmp_path):
    """4,000 rows, and one for all others."""
    connection = enet_packets.Connection()
    packets = connection.open() + [connection.message(announcement(number, b"N%d" % number)) for number in range(4100)]
    file = folder() / "nodes.csv"
    tshark.run(pcap.write(tmp_path / "made.pcap", packets), "-q", "-z", f"godot,bandwidth,{file}", *DECODE)
    with open(file, newline="", encoding="utf-8") as lines:
        table = [row for row in csv.DictReader(lines) if row["Table"] == "By node"]
    assert len(table) == 4001 and any("(other)" in row.values() for row in table)
    assert sum(int(row["Messages"]) for row in table) == 4100
