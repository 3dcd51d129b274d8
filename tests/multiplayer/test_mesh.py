"""A mesh: connections between players without a server. Packets do not contain the ids of the ends.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections

import pytest

import engine_logs
import pcap
import projects
import tshark

FOLDER = tshark.CAPTURES / "multiplayer-mesh"
CLAIMS = ("godot.source", "godot.target", "godot.relay.source", "godot.relay.target")


def made(name):
    """{(method, arguments): number of packets that the players sent, one for each receiver}"""
    count = collections.Counter()
    for path in FOLDER.glob(f"{name}.player*.log.gz"):
        for record in engine_logs.records(path):
            if record["what"] == "call":
                count[record["method"], record["args"][0]] += 1 if record["target"] else 2
    return count


@pytest.mark.parametrize("two_pass", [False, True])
@pytest.mark.parametrize("begin", [0, 30, 100])
@pytest.mark.parametrize("name", ["godot-4.6", "godot-4.6-no-data"])
def test_ids_are_not_made_up(name, begin, two_pass, tmp_path):
    """Captured from the beginning and late: each call is found, and no peer has the id 1, which need not
    exist."""
    linktype, packets = pcap.read(FOLDER / f"{name}.pcap")
    path = pcap.write(tmp_path / "late.pcap", packets[begin:], linktype=linktype)
    found = collections.Counter()
    forced = [option for channel in (0, 1) for option in ("-d", f"enet.channel=={channel},godot")] if begin else []
    for frame in tshark.packets(path, *projects.option("mesh4"), *forced, "-Y", "godot", two_pass=two_pass):
        for layer in frame.nodes("godot"):
            assert not any(field in layer for field in CLAIMS), frame.number
            assert not [text for kind, _, text in layer.experts if kind.startswith("godot.rpc.") and kind != "godot.rpc.not_judged"], frame.number
            for call in layer.all("godot.rpc.call"):
                found[tuple(call.rstrip(")").split("("))] += 1
    calls = made(name)
    assert sum(calls.values()) > 150
    if begin == 0:
        assert found == calls
    else:
        assert sum(found.values()) > 80


def test_the_data_of_a_client_is_its_id():
    """If the peer was created as a client, CONNECT has its id, 31 random bits."""
    ids = {layer.all("godot.source")[0] for frame in tshark.packets(tshark.CAPTURES / "multiplayer/godot-4.6-enet-relay.pcap", "-Y", "godot.source")
           for layer in frame.nodes("godot") if "godot.source" in layer}
    assert 1 in ids and len(ids) == 4 and min(ids - {1}) > 0xFFFF


def test_no_server_closes():
    """A connection of a mesh is closed by one of two equal peers."""
    path = FOLDER / "godot-4.6.pcap"
    (rows,) = tshark.tables(tshark.run(path, "-q", "-z", "godot,peers").stdout).values()
    assert len(rows) == 3 and {row["Closed by"] for row in rows} == {"?"}
    text = tshark.run(path, "-q", "-z", "godot,summary").stdout
    assert text.count("; closed in frame ") == 3 and "server" not in text.partition("\nPeers\n")[2]


def test_whose_calls_are_allowed_is_not_known():
    """Only player 2 may call own(). Who calls is not sent, so that nothing is refused, and each call says so."""
    path, options = FOLDER / "godot-4.6.pcap", projects.option("mesh4")
    calls = tshark.fields(path, "frame.number", arguments=[*options, "-Y", 'godot.rpc.method == "own"'], two_pass=True)
    judged = tshark.fields(path, "frame.number", arguments=[*options, "-Y", "godot.rpc.not_judged"], two_pass=True)
    assert len(calls) > 10 and judged == calls
    assert "Whether 24 calls are allowed is not known" in tshark.run(path, *options, "-q", "-z", "godot,summary", two_pass=True).stdout
