"""`-z enet,overhead` compared with the fields of the frames.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re
import subprocess

import pytest

import tshark
from tshark import tables

PARTS = ("Messages", "Acks", "Other", "Headers")


def overhead(path):
    found = tables(tshark.run(path, "-q", "-z", "enet,overhead").stdout)
    (total,) = found["All connections"]
    return total, found["By connection and sender"]


@pytest.mark.parametrize("name", ["savings/godot-4.6-reliable", "multiplayer/godot-3.6-enet-calls"])
def test_bytes(name):
    path = tshark.CAPTURES / f"{name}.pcap"
    expected = collections.Counter()
    names = ("frame.len", "udp.length", "enet.data_length", "enet.ack.sequence")
    for frame, udp, data, acknowledged in tshark.fields(path, *names, arguments=("-Y", "enet")):
        (frame,), (udp,) = frame, udp
        expected += {"Headers": frame - (udp - 8), "Messages": sum(data), "Acks": 8 * len(acknowledged)}
        expected["Bytes on the wire"] += frame
        expected["Datagrams"] += 1
    total, senders = overhead(path)
    assert {column: int(total[column]) for column in expected} == expected
    for column in expected:
        assert sum(int(row[column]) for row in senders) == expected[column]
    for row in (total, *senders):
        assert sum(int(row[part]) for part in PARTS) == int(row["Bytes on the wire"])
        for part in PARTS:
            share = 100 * int(row[part]) / int(row["Bytes on the wire"])
            assert float(row[f"{part} %"]) == pytest.approx(share, abs=0.006)


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay", "enet/godot-4.6-several"])
def test_senders(name):
    """Of a connection: the client by the name of its peer if there is one, and the server."""
    path = tshark.CAPTURES / f"{name}.pcap"
    sides, peers = set(), {}
    for (stream,), (side,), names in tshark.fields(path, "enet.stream", "enet.sender", "godot.source.name", arguments=("-Y", "enet.stream")):
        sides.add((stream, side))
        peers.update({(stream, side): text for text in names})
    wanted = {f"{stream}, " + ("server" if side else peers.get((stream, side), "client")) for stream, side in sides}
    assert {row["Sender"] for row in overhead(path)[1]} == wanted and len(wanted) > 4


def test_cut_by_the_snap_length(tmp_path):
    """Datagrams and messages whose ends were not captured count as whole ones, and the summary says that there are some."""
    path, short = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap", tmp_path / "short.pcap"
    subprocess.run(["editcap", "-s", "94", path, short], check=True)
    (whole, _), (cut, _) = map(overhead, (path, short))
    for column in ("Bytes on the wire", "Datagrams", "Headers"):
        assert cut[column] == whole[column]
    assert cut["Messages"] == pytest.approx(whole["Messages"], rel=0.01)
    frames = [int(count) for (count,) in tshark.fields(path, "frame.len") for count in count]
    text = tshark.run(short, "-q", "-z", "godot,summary").stdout
    assert f"\n{sum(length > 94 for length in frames)} frames were not captured whole (snap length)" in text


def test_compressed():
    """Compressed messages count with their share of the bytes on the wire."""
    total, _ = overhead(tshark.CAPTURES / "savings" / "godot-4.6-compression-changed.pcap")
    plain, _ = overhead(tshark.CAPTURES / "savings" / "godot-4.6-compression.pcap")
    assert sum(int(total[part]) for part in PARTS) == int(total["Bytes on the wire"])
    assert 0.3 < int(total["Messages"]) / int(plain["Messages"]) < 0.6


def test_acknowledgements_of_compressed_datagrams():
    """They have the same share of the bytes as all else in the datagram."""
    path, expected, whole = tshark.CAPTURES / "savings" / "godot-4.6-compression-changed.pcap", 0, 0
    names = ("udp.length", "enet.compression.decompressed_length", "enet.ack.sequence")
    for (udp,), decompressed, acknowledged in tshark.fields(path, *names, arguments=("-Y", "enet")):
        whole += 8 * len(acknowledged)
        expected += 8 * len(acknowledged) * (udp - 8) // decompressed[0] if decompressed else 8 * len(acknowledged)
    assert int(overhead(path)[0]["Acks"]) == expected < whole


def test_summary():
    """The summary has a line with the shares of all connections."""
    path = tshark.CAPTURES / "savings" / "godot-4.6-reliable.pcap"
    text = tshark.run(path, "-q", "-z", "godot,summary").stdout
    shares = re.search(r"([\d.]+) % headers below ENet, ([\d.]+) % Godot's messages, ([\d.]+) % acknowledgements", text).groups()
    total, _ = overhead(path)
    for share, part in zip(map(float, shares), ("Headers", "Messages", "Acks")):
        assert share == pytest.approx(float(total[f"{part} %"]), abs=0.2 if part == "Messages" else 0.06)
