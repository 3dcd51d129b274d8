"""Names of peers: in the order of connection, in every pass, and from the table of own names.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re

import pytest

import enet_packets
import pcap
import tshark

FOLDER = tshark.CAPTURES / "multiplayer"
NAMES = "godot.source", "godot.source.name", "godot.target", "godot.target.name"
MAIN = b"\x01" + b"0" * 32 + b"\0\1\0\0\0Main\0"


def names(path, *options, **changes):
    """{id: name} of all senders and receivers; each has one."""
    found = {}
    for sources, source_names, targets, target_names in tshark.fields(path, *NAMES, arguments=options, **changes):
        ids, shown = [peer for peer in sources + targets if peer > 0], source_names + target_names
        shown = [name for name in shown if not name.startswith("all")]
        assert len(ids) <= len(shown)
        if len(ids) < len(shown):  # Godot 3: the server's own messages are to 0
            continue
        for peer, name in zip(ids, shown):
            assert found.setdefault(peer, name) == name
    return found


@pytest.mark.parametrize("name", ["godot-4.6-enet-relay", "godot-4.6-enet-game", "godot-3.6-enet-relay", "godot-4.6-enet-reconnect",
                                  "godot-4.6-websocket-relay", "godot-4.6-websocket-replies", "godot-3.6-websocket-reconnect"])
def test_order_of_connection(name):
    """Order by CONNECT or by the server's first message; silent peers count as well."""
    path = FOLDER / f"{name}.pcap"
    if "enet" in name:
        connected = [peer for peers, in tshark.fields(path, "enet.connect.data") for peer in peers]
    elif "4.6" in name:
        first = tshark.run(path, "-T", "fields", "-e", "data.data", "-Y", "websocket.payload_length == 4 && tcp.srcport == 22201 && data")
        connected = [int.from_bytes(bytes.fromhex(text), "little") for text in first.stdout.split()]
    else:
        connected = [peer for peers, in tshark.fields(path, "godot.sys.assigned_id") for peer in peers]
    connected = list(dict.fromkeys(connected))
    expected = {1: "server", **{peer: f"client {number}" for number, peer in enumerate(connected, 1)}}
    found = names(path)
    assert len(found) > 2 and found == {peer: expected[peer] for peer in found}
    assert names(path, two_pass=True) == found


@pytest.mark.skipif(not (tshark.BUILD / "plugins" / "4.6").exists(), reason="columns with details came with Wireshark 4.6")
def test_columns_with_details():
    """They show the text of the item, although no tree is built."""
    column = 'gui.column.format:"Sender","%Cus:godot.source:0:D"'
    lines = tshark.run(FOLDER / "godot-4.6-enet-relay.pcap", "-o", column).stdout.splitlines()
    assert any(line.endswith(" (client 1)") for line in map(str.rstrip, lines)), lines[:20]


def passed_on(layer):
    """Whether the server sends what a client has sent to it. Godot 3 marks only this as relayed."""
    senders = layer.all("godot.relay.source")
    return bool(layer.all("godot.relayed")) and senders in ([], [1])


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-4.6-websocket-relay.pcap",
                                  "multiplayer/godot-3.6-enet-relay.pcap", "recorder/godot-4.6-enet-game.client2.pcapng"])
@pytest.mark.parametrize("begin", [0, 60])
def test_the_same_on_every_pass(name, begin, tmp_path):
    """Info lines with names, also of a capture that begins late: with two passes, with trees, with a read
    filter."""
    path = tshark.CAPTURES / name
    if begin:
        if "enet" not in path.name or path.suffix == ".pcapng":
            pytest.skip("without its beginning it is no WebSocket; a recording begins with the game")
        link, packets = pcap.read(path)
        path = pcap.write(tmp_path / "late.pcap", [data for _, data in packets][begin:], link)
    told = [line[1:] for line in tshark.listing(path)]
    named = [line for line in told if "client 1" in line[1] or "client 2" in line[1]]
    assert named
    assert [line[1:] for line in tshark.listing(path, two_pass=True)] == told
    kept = tshark.listing(path, "-R", "godot.sys.peer || godot.relayed", two_pass=True)
    assert len(kept) > 2 or "websocket" in name  # for the frames that the filter drops
    assert {line[1:] for line in kept} <= set(told)
    trees = tshark.run(path, verbose=True).stdout
    assert all(f"Godot Multiplayer, {info}" in trees for protocol, info in named if protocol == "Godot" and ", " not in info)


def pair(tmp_path):
    """Two clients connect; the second one sends first."""
    first, second = enet_packets.Connection(peer_id=70001, port=40001), enet_packets.Connection(peer_id=70002, port=40002)
    return pcap.write(tmp_path / "pair.pcap", [*first.open(), *second.open(), second.message(MAIN), first.message(MAIN)])


@pytest.mark.parametrize("records, expected", [
    ([], ("client 1", "client 2")),
    (['"70002","Anna"'], ("client 1", "Anna")),
    ([f'"{pcap.CLIENT[0]}:40001","Bob"'], ("Bob", "client 2")),
    ([f'"{pcap.CLIENT[0]}","Home"'], ("Home", "Home 2")),
    ([f'"{pcap.CLIENT[0]}:40002","Bob"', f'"{pcap.CLIENT[0]}","Home"'], ("Home", "Bob")),
])
def test_own_names(records, expected, tmp_path):
    """By id, by address, by address and port; the first matching line."""
    options = [word for record in records for word in ("-o", f"uat:godot_peers:{record}")]
    for two_pass in (False, True):
        assert names(pair(tmp_path), *options, two_pass=two_pass) == {1: "server", 70001: expected[0], 70002: expected[1]}


def test_plain_numbers(tmp_path):
    assert names(pair(tmp_path), *tshark.BY_ID) == {peer: f"peer {peer}" for peer in (1, 70001, 70002)}
    path = FOLDER / "godot-4.6-enet-relay.pcap"
    assert not any("client" in info for _, protocol, info in tshark.listing(path, *tshark.BY_ID) if protocol == "Godot")


def test_recordings():
    """A recording process is named by its project or its number, which is also shown."""
    path = tshark.CAPTURES / "recorder" / "godot-4.6-enet-game.client2.pcapng"
    ((own, process),) = {(ids[0], values[0]) for ids, values in tshark.fields(path, "godot.recorder.own_id", "godot.recorder.process") if values}
    assert names(path)[own] == "client 1" and names(path)[1] == "server"
    for key in ("game", f"process {process}"):
        assert names(path, "-o", f'uat:godot_peers:"{key}","Anna"')[own] == "Anna"
    assert tshark.listing(path)[0][2].endswith(f", own ID {own}, process {process}")


@pytest.mark.parametrize("player, names", [(1, ["peer 2", "peer 3"]), (2, ["peer 2", "peer 3 with peer 2"]), (3, ["peer 3", "peer 3 with peer 2"])])
def test_connections_of_a_mesh_have_one_name_on_all_pages(player, names):
    path = tshark.CAPTURES / "recorder" / f"godot-4.6-enet-mesh.player{player}.pcapng"
    text = tshark.run(path, "-q", "-z", "godot,summary", "-z", "godot,peers", two_pass=True).stdout
    assert re.findall(r"^(peer .*?)  +\d", text, flags=re.M) == names
    assert re.findall(r"^  (peer .*?), Godot 4", text, flags=re.M) == names


def test_mesh():
    """Ids chosen by the game are preferred to other numbers; there is no server."""
    for player in (1, 2, 3):
        path = tshark.CAPTURES / "recorder" / f"godot-4.6-enet-mesh.player{player}.pcapng"
        assert set(names(path).values()) == {"peer 1", "peer 2", "peer 3"}


def passed_on(layer):
    """Whether the server sends what a client has sent to it. Godot 3 marks only this as relayed."""
    senders = layer.all("godot.relay.source")
    return bool(layer.all("godot.relayed")) and senders in ([], [1])


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-4.6-websocket-relay.pcap",
                                  "multiplayer/godot-3.6-enet-relay.pcap", "recorder/godot-4.6-enet-game.client2.pcapng"])
def test_endpoints_and_conversations(name):
    """Each row has the messages and bytes of the frames that its filter finds."""
    path = tshark.CAPTURES / name
    sent, received, pairs, length = collections.Counter(), collections.Counter(), collections.Counter(), 0
    layers = [layer for frame in tshark.packets(path, "-Y", "godot") for layer in frame.nodes("godot")]
    own = {layer.all("godot.source.name")[-1] for layer in layers if not passed_on(layer)}
    for layer in layers:
        if not passed_on(layer) or layer.all("godot.source.name")[-1] not in own:
            ends = layer.all("godot.source.name")[-1], layer.all("godot.target.name")[-1]
            length += layer.all("godot.wire_length")[0]
            sent[ends[0]] += 1
            received[ends[1]] += 1
            pairs[frozenset(ends)] += 1
    printed = tshark.run(path, "-q", "-z", "endpoints,godot").stdout
    text = re.sub(r"(\d) (bytes|kB)\b", r"\1", printed)  # Wireshark 4.6 has units
    rows = {line[:23].strip(): line[23:].split() for line in text.splitlines() if re.match(r".{23}\s+\d", line)}
    assert {peer: (int(row[2]), int(row[4])) for peer, row in rows.items()} == {peer: (sent[peer], received[peer]) for peer in sent | received}
    assert "kB" in printed or sum(int(row[3]) for row in rows.values()) == length
    text = tshark.run(path, "-q", "-z", "conv,godot").stdout
    found = {frozenset((a, b)): sum(map(int, counts)) for a, b, *counts in re.findall(
        r"^(\S.*?) +<-> (\S.*?)  +(\d+) \d+ \w+ +(\d+) \d+ \w+ ", text, re.MULTILINE)}
    assert found == pairs
    pair = max(pairs, key=pairs.get)
    a, b = sorted(pair)
    shown = tshark.fields(path, "godot.peer.name", arguments=["-Y", f'godot.peer.name=="{a}" && godot.peer.name=="{b}"'])
    assert len(shown) > 5 and all(pair <= set(ends) for ends, in shown)
    assert len(shown) == sum(pair <= set(ends) for ends, in tshark.fields(path, "godot.peer.name"))
