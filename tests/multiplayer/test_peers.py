"""`-z godot,peers` against the fields of the packets and the engines' logs. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections

import pytest

import engine_logs
import tshark
from test_bandwidth import tables

FIELDS = ("frame.len", "enet.stream", "enet.sender", "enet.rtt", "enet.analysis.retransmission",
          "enet.analysis.ack_repeated")


def peers(path):
    (rows,) = tables(tshark.run(path, "-q", "-z", "godot,peers").stdout).values()
    return rows


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-reconnect.pcap", "multiplayer/godot-3.6-enet-relay.pcap",
                                  "enet/godot-4.6-none-everything.pcap", "enet/godot-4.6-several.pcap"])
def test_numbers(name):
    path = tshark.CAPTURES / name
    expected = collections.defaultdict(collections.Counter)
    for length, stream, sender, trips, again, doubled in tshark.fields(path, *FIELDS):
        if stream:
            (number,) = stream
            row = expected[number]
            row["Bytes from peer" if sender == [0] else "Bytes to peer"] += length[0]
            trips = trips[len(doubled):]  # an answer that comes twice counts once
            row["doubled"] += len(doubled)
            row["Round trips"] += len(trips)
            row["time"] += sum(trips)
            row["longest"] = max([row["longest"], *trips])
            row["Sent again"] += len(again)
    rows = peers(path)
    assert len(rows) == len(expected)
    for row, (_, wanted) in zip(rows, sorted(expected.items())):
        for column in ("Bytes from peer", "Bytes to peer", "Round trips", "Sent again"):
            assert int(row[column]) == wanted[column], column
        if wanted["doubled"]:
            continue
        assert float(row["Average, ms"]) == pytest.approx(1000 * wanted["time"] / wanted["Round trips"], abs=0.006)
        assert float(row["Longest, ms"]) == pytest.approx(1000 * wanted["longest"], abs=0.006)


def test_who_they_are():
    """The ids that the clients themselves logged, in the order in which they connected."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    logged = set()
    for log in path.parent.glob("godot-4.6-enet-relay.*.log.gz"):
        ids = [record.get("id") for record in engine_logs.records(log)]
        logged |= {number for number in ids if isinstance(number, int) and number > 1}
    shown = {int(row["Peer"]) for row in peers(path)}
    assert shown and shown <= logged


def test_how_they_left():
    rows = peers(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap")
    assert [(row["Closed by"], row["With"]) for row in rows] == [
        ("peer", "Disconnect at once"), ("server", "Disconnect"), ("peer", "Disconnect at once")
    ]
