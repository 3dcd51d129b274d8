"""Summary, bandwidth, peers and replication of every capture: they agree with each other, with the fields of the packets and with what
the engines logged. Recordings of both ends and captures that begin in the middle are among them. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import re

import pytest

import captures
import engine_logs
import expected
import tshark
from test_bandwidth import tables
from test_summary import sections

STATISTICS = ("godot,bandwidth", "godot,peers", "godot,replication")
WIRE = ("Bytes on the wire", "Packet bytes")
MADE = [name for name in expected.names() if name.rpartition(".")[2] in expected.MADE]
QUICK = {"multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-4.6-websocket-relay.pcap",
         "recorder/godot-4.6-enet-calls.server.pcapng"}


def options(path):
    return captures.naturally(path) if path.is_relative_to(tshark.CAPTURES) else []


def printed(path, statistic):
    return tshark.run(path, "-q", "-z", statistic, *options(path), two_pass=True).stdout


def column(row):
    return next(name for name in WIRE if name in row)


def agree(path):
    """What is to be true of any capture. Returns the rows of the peers."""
    found = tables(printed(path, "godot,bandwidth"))
    found.pop("Godot Bandwidth", None)
    sums = set()
    for rows in found.values():
        sums.add(sum(int(row[column(row)]) for row in rows))
        assert sum(float(row["Share %"]) for row in rows) == pytest.approx(100, abs=0.005 * len(rows))
    assert len(sums) <= 1
    total = sums.pop() if sums else 0
    summary = sections(path, *options(path), two_pass=True)
    expenses = summary["What the bytes went for"]
    shares = [float(line.split(" %")[0]) for line in expenses if re.match(r"[\d.]+ %", line)]
    assert bool(shares) == bool(total) and sum(shares) <= 100.3
    if shares and not any(line.startswith("and ") for line in expenses):
        assert sum(shares) == pytest.approx(100, abs=0.3)
    rows = next(iter(tables(printed(path, "godot,peers")).values()), [])
    rows = [row for row in rows if "Over" in row]
    everybody = [line for line in summary["Who played"] if not line.startswith(("Nobody", "and "))]
    assert len(everybody) in (len(rows), 64), "a line for each peer"
    recorded = [row for row in rows if row["Over"] in ("recording", "WebRTC")]
    if recorded and len(recorded) == len(rows):
        assert sum(int(row["Bytes from"]) + int(row["Bytes to"]) for row in rows) == total
    return rows


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, captures.shipped()), ids=captures.name)
def test_shipped(path):
    agree(path)


@pytest.mark.parametrize("name", MADE)
def test_made(name):
    """Recordings of all ends, two capture points, captures that begin in the middle."""
    rows = agree(expected._capture(name))
    if name.endswith("merged"):
        count = collections.Counter(row["Peer"] for row in rows)
        assert rows and set(count.values()) == {1}, "a peer that both ends have recorded is one"
    if name.endswith("late") and "relay" in name:
        assert rows and {row["Address"].split(":")[1] for row in rows}.isdisjoint({"22201"}), "the server is no client"
        first = tshark.run(expected._capture(name), "-q", "-z", "godot,summary").stdout.split("Who played")[0]
        assert "begins in the middle of 3 sessions" in first


def test_recorded_errors_count_once():
    """What is wrong with a message that both ends have recorded is said at both of its records."""
    path = expected._capture("recorder/godot-4.6-enet-game.merged")
    errors = collections.Counter()
    for log in (tshark.CAPTURES / "recorder").glob("godot-4.6-enet-game.*.log.gz"):
        errors.update(record.get("event") == "error" for record in engine_logs.records(log))
    lines = sections(path)["What is wrong"]
    assert (lines == ["No error and no warning."]) == (errors[True] == 0)


def test_recording_has_packet_bytes():
    text = printed(tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.server.pcapng", "godot,bandwidth")
    assert "Packet bytes" in text and "on the wire" not in text
    summary = printed(tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.server.pcapng", "godot,summary")
    assert "ENet sent" not in summary and "on the wire" not in summary.replace("know those on the wire", "")


def test_replication_of_despawned_nodes():
    """A node that is not there any more has no age."""
    text = printed(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-synchronizers.pcap", "godot,replication")
    gone = {path for (paths, ids) in tshark.fields(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-synchronizers.pcap", "godot.path", "godot.despawn.net_id")
            if ids for path in paths}
    assert gone or "despawned there" not in text


def test_unnamed_methods_by_node():
    """The same number is another method on another node."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    rows = tables(printed(path, "godot,bandwidth"))["By method"]
    unnamed = [row for row in rows if row["Method"].startswith("#")]
    calls = collections.Counter()
    for calls_of, paths, repeated in tshark.fields(path, "godot.rpc.call", "godot.path", "godot.repeated"):
        if len(calls_of) == 1 and len(paths) == 1 and not repeated and calls_of[0].startswith("#"):
            calls[calls_of[0].split("(")[0] + "()", paths[0]] += 1
    assert calls and all(row["Node"] != "(all)" for row in unnamed)
    assert set(calls) <= {(row["Method"], row["Node"]) for row in unnamed}


LOSS = tshark.CAPTURES / "enet"


@pytest.mark.parametrize("name", ["godot-4.6-none-loss", "libenet-plain-steady-loss", "godot-4.6-none-everything", "godot-4.6-none"])
def test_needless_retransmissions(name):
    """Lost and needless ones are all retransmissions; needless are those whose command was acknowledged in an earlier transmission."""
    path = LOSS / f"{name}.pcap"
    rows = tshark.fields(path, "enet.analysis.retransmission", "enet.analysis.spurious_retransmission", two_pass=True)
    counted = tables(printed(path, "godot,peers"))["Peers"]
    lost, needless = (sum(int(row[name]) for row in counted) for name in ("Lost", "Needless"))
    again, spurious = (sum(len(one[index]) for one in rows) for index in (0, 1))
    assert lost + needless == again and spurious <= needless
    for row in counted:
        assert float(row["Loss %"]) == pytest.approx(100 * int(row["Lost"]) / int(row["Reliable"]), abs=0.006)
