"""Records made inside of a game: headers, names from records, both ends of a session, headers of other
classes, damage.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import hashlib
import random
import re
import struct

import pytest

import pcap
import records as r
import tshark

ONE, TWO = 0x11111111, 0x22222222  # recordings
SERVER, CLIENT = 1, 1234567
PLAYER = hashlib.md5(b"jumpmove").hexdigest()
METHODS = {"script": "res://player.gd", "methods": [{"name": "jump"}, {"name": "move", "mode": "any_peer"}]}


@pytest.fixture
def frames(tmp_path):
    def dissect(list_of_records, **options):
        return tshark.packets(r.write(tmp_path / "made.pcap", list_of_records), two_pass=True, **options)

    return dissect


def announce(recording=ONE, own=SERVER, other=CLIENT, **more):
    return r.packet(recording, own, other, r.simplify(PLAYER, 1, "Main/Player"), **more)


def test_head(frames):
    (frame,) = frames([r.packet(ONE, SERVER, CLIENT, r.call(1, 0), mode=r.UNRELIABLE_ORDERED, channel=513)])
    one = frame.one
    assert (one("godot.recorder.version"), one("godot.recorder.kind"), one("godot.recorder.recording")) == (1, 0, ONE)
    assert (one("godot.recorder.own_id"), one("godot.recorder.other_id")) == (SERVER, CLIENT)
    assert (one("godot.recorder.channel"), one("godot.recorder.mode"), one("godot.recorder.server")) == (513, 1, True)
    assert one("godot.recorder.received") is False
    assert (one("godot.source"), one("godot.target"), one("godot.api")) == (SERVER, CLIENT, 4)
    assert (one("godot.transfer_mode"), one("godot.channel")) == ("unreliable ordered", 513)
    assert one("godot.wire_length") == 4


@pytest.mark.parametrize("other, more, text", [
    (0, {}, " (to everybody)"), (-CLIENT, {}, " (to everybody but this one)"), (CLIENT, {}, ""), (0, {"received": True}, "")])
def test_receivers_of_a_record(tmp_path, other, more, text):
    path = r.write(tmp_path / "made.pcap", [r.packet(ONE, SERVER, other, r.call(1, 0), **more)])
    (packet,) = tshark.pdml(path, *tshark.BY_ID)
    (shown,) = [one.get("showname") for one in packet.iter("field") if one.get("name") == "godot.recorder.other_id"]
    assert re.sub(r"Other Peer ID: -?\d+(?: \((?!to)[^)]*\))?", "", shown) == text


def test_directions(frames):
    """Four records of one packet, at both ends and in both directions."""
    found = frames([
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0)),
        r.packet(ONE, SERVER, CLIENT, r.call(2, 0), received=True),
        r.packet(TWO, CLIENT, SERVER, r.call(3, 0)),
        r.packet(TWO, CLIENT, SERVER, r.call(4, 0), received=True),
    ])
    ends = [(f.one("godot.source"), f.one("godot.target")) for f in found]
    assert ends == [(SERVER, CLIENT), (CLIENT, SERVER), (CLIENT, SERVER), (SERVER, CLIENT)]
    assert [f.one("godot.session") for f in found] == [0, 0, 1, 1]


def test_names_from_records(frames):
    found = frames([
        r.info(ONE, engine="4.6.3", project="Test", peer_class="ENetMultiplayerPeer", platform="Linux", time=1700000000123456),
        r.names(ONE, path="Main/Player", **METHODS),
        announce(),
        r.packet(ONE, SERVER, CLIENT, r.confirm(1), received=True),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 1, r.integer(5))),
    ])
    assert found[0].one("godot.recorder.engine") == "4.6.3" and found[0].one("godot.recorder.project") == "Test"
    assert found[0].one("godot.recorder.peer_class") == "ENetMultiplayerPeer"
    assert found[1].all("godot.recorder.method") == ["jump", "move"]
    assert found[2].one("godot.rpc.script") == "res://player.gd"
    assert found[4].one("godot.rpc.call") == "move(5)" and found[4].one("godot.rpc.method") == "move"
    assert not [f for f in found if f.experts]


def test_names_are_not_known_before_their_record(frames):
    found = frames([
        announce(),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 1)),
        r.names(ONE, path="Main/Player", **METHODS),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 1)),
    ])
    assert [found[i].one("godot.rpc.call") for i in (1, 3)] == ["#1()", "move()"]


@pytest.mark.parametrize("own, expert", [(SERVER, "godot.names.misfit"), (CLIENT, "godot.names.differ")])
def test_names_that_do_not_fit(frames, own, expert):
    """The server announces; the record is its own or that of the other end."""
    other = CLIENT if own == SERVER else SERVER
    found = frames([
        r.names(ONE, own, path="Main/Player", methods=[{"name": "jump"}]),
        announce(own=own, other=other, received=own != SERVER),
        r.packet(ONE, own, other, r.call(1, 0), received=own != SERVER),
    ])
    assert expert in found[1].names() and found[2].one("godot.rpc.call") == "#0()"


@pytest.mark.parametrize("first, said", [(1, "godot.path.undefined"), (5, "godot.not_judged")])
@pytest.mark.parametrize("connected", [False, True])
def test_numbers_show_whether_packets_are_missing(frames, first, said, connected):
    """A call at a node that was never announced: with or without the record that the peer has connected."""
    begin = [r.record(r.CONNECTED, ONE, SERVER, CLIENT)] if connected else []
    found = frames([*begin, *(r.numbered(first + i, ONE, SERVER, CLIENT, r.call(9, 0), received=True) for i in range(2))])
    assert {"godot.path.undefined", "godot.not_judged"} & set(found[len(begin)].names()) == {said}


def test_modes_from_records(frames):
    """Of a method with any other mode than "disabled" it depends on who is the authority, which is not known here."""
    modes = {"anybody": "any_peer", "nobody": "disabled", "owner": "authority"}
    found = frames([
        r.names(ONE, path="Main/Player", methods=[{"name": name, "mode": mode} for name, mode in modes.items()]),
        r.packet(ONE, SERVER, CLIENT, r.simplify(hashlib.md5("".join(modes).encode()).hexdigest(), 1, "Main/Player"), received=True),
        *(r.packet(ONE, SERVER, CLIENT, r.call(1, number), received=True) for number in range(3))])
    assert [(f.one("godot.rpc.method"), "godot.rpc.not_allowed" in f.names()) for f in found[2:]] == \
        [("anybody", False), ("nobody", True), ("owner", False)]


def test_node_methods(frames):
    checksum = hashlib.md5(b"waitjump").hexdigest()
    found = frames([
        r.names(ONE, path="A", methods=[{"name": "jump"}], node_methods=[{"name": "wait"}]),
        r.packet(ONE, SERVER, CLIENT, r.simplify(checksum, 1, "A")),
        r.packet(ONE, SERVER, CLIENT, bytes([0x40, 1]) + struct.pack("<H", 0x8000) + b"\0"),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0)),
    ])
    assert [found[i].one("godot.rpc.call") for i in (2, 3)] == ["wait()", "jump()"]


def test_replication_names(frames):
    """A spawner and its scene: parent and scene of spawned nodes, and the names of properties."""
    nothing = hashlib.md5(b"").hexdigest()
    spawn = struct.pack("<BBIIII", 4, 0, 1, 9, 1, 2) + struct.pack("<I", 10) + b"P1" + r.integer(5)
    sync = struct.pack("<BH", 6, 1) + struct.pack("<II", 10, 4) + r.integer(6) + r.integer(7)
    found = frames([
        r.names(ONE, path="Main/Spawner", spawner={"parent": "Main/Players", "scenes": ["res://player.tscn"]}),
        r.names(ONE, scene="res://player.tscn", synchronizers=[
            {"path": "Sync", "spawn": ["health"], "always": ["position", "Body:rotation"], "on_change": []}]),
        r.packet(ONE, SERVER, CLIENT, r.simplify(nothing, 1, "Main/Spawner")),
        r.packet(ONE, SERVER, CLIENT, spawn),
        r.packet(ONE, SERVER, CLIENT, sync),
        r.names(ONE, path="Main/Sync", synchronizer={"spawn": [], "always": ["a", "b"], "on_change": ["c"]}),
        r.packet(ONE, SERVER, CLIENT, r.simplify(nothing, 2, "Main/Sync")),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<BH", 6, 2) + struct.pack("<II", 0x80000002, 4) + r.integer(6) + r.integer(7)),
    ])
    assert found[3].one("godot.spawn.scene") == "res://player.tscn"
    assert found[3].all("godot.path")[0] == "Main/Players/P1" and found[3].all("godot.sync.property") == ["health"]
    assert found[4].all("godot.sync.property") == ["position", "Body:rotation"]
    assert found[7].all("godot.sync.property") == ["a", "b"]


@pytest.mark.parametrize("sent", [True, False])
def test_names_of_nodes_made_by_a_spawn_function(frames, sent):
    """The sender describes the node before the packet, the receiver after it."""
    nothing = hashlib.md5(b"").hexdigest()
    spawn = struct.pack("<BBIIII", 4, 255, 1, 9, 1, 2) + struct.pack("<I", 10) + b"P1" + struct.pack("<I", 2) + r.integer(3) + r.integer(5)
    sync = struct.pack("<BH", 6, 1) + struct.pack("<II", 10, 2) + r.integer(6)
    own, other = (SERVER, CLIENT) if sent else (CLIENT, SERVER)
    names = r.names(ONE, own, spawned="Main/Players/P1", synchronizers=[{"path": "Sync", "spawn": ["health"], "always": ["position"]}])
    packet = r.packet(ONE, own, other, spawn, received=not sent)
    found = frames([
        r.names(ONE, own, path="Main/Spawner", spawner={"parent": "Main/Players", "scenes": []}),
        r.packet(ONE, own, other, r.simplify(nothing, 1, "Main/Spawner"), received=not sent),
        *([names, packet] if sent else [packet, names]),
        r.packet(ONE, own, other, sync, received=not sent),
    ])
    (spawned,) = [frame for frame in found if "godot.spawn.name" in frame.names()]
    assert "Main/Players/P1" in spawned.all("godot.path") and "godot.spawn.scene" not in spawned.names()
    assert spawned.all("godot.sync.property") == (["health"] if sent else [])
    assert found[-1].all("godot.sync.property") == ["position"]


def test_names_stay_in_their_recording(frames):
    """Paths are not valid in another recording; a list of methods is verified by its checksum, wherever it is
    from."""
    found = frames([
        r.names(ONE, path="Main/Player", **METHODS),
        r.names(ONE, path="Main/Sync", synchronizer={"spawn": [], "always": ["a"], "on_change": []}),
        announce(TWO),
        r.packet(TWO, SERVER, CLIENT, r.call(1, 0)),
        r.packet(TWO, SERVER, CLIENT, r.simplify(hashlib.md5(b"").hexdigest(), 2, "Main/Sync")),
        r.packet(TWO, SERVER, CLIENT, struct.pack("<BH", 6, 2) + struct.pack("<II", 0x80000002, 2) + r.integer(6)),
    ])
    assert found[3].one("godot.rpc.call") == "jump()"
    assert found[5].all("godot.sync.property") == []


# --- both ends ------------------------------------------------------------------------------------------------


def both(sent_at=0.0, received_at=0.25, payload=r.call(1, 0)):
    return [
        (1000 + sent_at, r.packet(ONE, SERVER, CLIENT, payload)),
        (1000 + received_at, r.packet(TWO, CLIENT, SERVER, payload, received=True)),
    ]


def test_transit(frames):
    sent, received = frames(both())
    assert received.one("godot.transit") == pytest.approx(0.25) and received.one("godot.sent_in") == 1
    assert sent.one("godot.received_in") == 2 and "godot.transit" not in sent


def test_transit_with_clocks_that_differ(frames):
    """The receiver's clock is slow: its record comes first, and the time is negative."""
    received, sent = frames(sorted(both(0.25, 0.0), key=lambda record: record[0]))
    assert sent.one("godot.transit") == pytest.approx(-0.25) and sent.one("godot.received_in") == 1
    assert received.one("godot.sent_in") == 2


def test_transit_is_not_said_of_what_could_be_another(frames):
    """The same bytes twice, one of them arrives: which one is unknown."""
    twice = [(1000 + i, r.packet(ONE, SERVER, CLIENT, r.call(1, 0))) for i in range(2)]
    found = frames([*twice, (1003, r.packet(TWO, CLIENT, SERVER, r.call(1, 0), received=True))])
    assert found[2].one("godot.sent_in") == 1 and "godot.transit" not in found[2]


def test_transit_needs_the_same_ends_and_bytes(frames):
    found = frames([
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0)),
        r.packet(TWO, CLIENT, SERVER, r.call(1, 1), received=True),
        r.packet(TWO, CLIENT + 1, SERVER, r.call(1, 0), received=True),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0), received=True),
        r.packet(TWO, CLIENT, SERVER, r.call(1, 0)),
    ])
    assert [("godot.sent_in" in f, "godot.received_in" in f) for f in found[:3]] == [(False, False)] * 3
    assert found[3].one("godot.sent_in") == 5


THIRD = 0x33333333


@pytest.mark.parametrize("target", [0, -99])
def test_transit_of_what_was_sent_to_everybody(frames, target):
    """Sent once, received by two: a time for each of them."""
    found = frames([
        (1000, r.packet(ONE, SERVER, target, r.call(1, 0))),
        (1000.25, r.packet(TWO, CLIENT, SERVER, r.call(1, 0), received=True)),
        (1000.5, r.packet(THIRD, CLIENT + 1, SERVER, r.call(1, 0), received=True)),
        (1000.75, r.packet(THIRD, CLIENT + 1, SERVER, r.call(1, 0), received=True)), # more than were sent
    ])
    assert sorted(found[0].all("godot.received_in")) == [2, 3] and "godot.transit" not in found[0]
    assert [f.one("godot.transit") for f in found[1:3]] == [pytest.approx(0.25), pytest.approx(0.5)]
    assert [f.all("godot.sent_in") for f in found[1:]] == [[1], [1], []]


def test_very_many_receivers(tmp_path):
    """There are as many as a server has peers; Wireshark aborts a frame with a million items."""
    path = r.write(tmp_path / "many.pcap", [r.packet(ONE, SERVER, 0, r.call(1, 0)), *(
        r.packet(TWO + i, CLIENT + i, SERVER, r.call(1, 0), received=True) for i in range(4200))])
    frame = tshark.packets(path, "-Y", "frame.number == 1", two_pass=True)[0]
    assert len(frame.all("godot.received_in")) == 4096 and "godot.capped" in frame


def test_who_was_left_out_has_not_received_it(frames):
    found = frames([
        r.packet(ONE, SERVER, -CLIENT, r.call(1, 0)),
        r.packet(TWO, CLIENT, SERVER, r.call(1, 0), received=True),
        r.packet(THIRD, CLIENT + 1, SERVER, r.call(1, 0), received=True),
    ])
    assert [f.all("godot.sent_in") for f in found] == [[], [], [1]] and found[0].all("godot.received_in") == [3]


def test_transit_is_not_said_of_what_could_have_been_sent_to_everybody(frames):
    """The same bytes to one peer and to all: one peer receives both, and only the last one can be
    identified."""
    for order in (0, CLIENT), (CLIENT, 0), (0, 0):
        found = frames([
            *((1000 + i, r.packet(ONE, SERVER, target, r.call(1, 0))) for i, target in enumerate(order)),
            *((1003 + i, r.packet(TWO, CLIENT, SERVER, r.call(1, 0), received=True)) for i in range(2)),
        ])
        assert sorted(f.one("godot.sent_in") for f in found[2:]) == [1, 2]
        assert ["godot.transit" in f for f in found[2:]] == [False, True]


@pytest.mark.parametrize("targets", [[CLIENT], [0], [0, -5]])
def test_statistics_count_what_was_sent_to_several_once(tmp_path, targets):
    receivers = 1 if targets == [CLIENT] else 3
    path = r.write(tmp_path / "all.pcap", [
        *(r.packet(ONE, SERVER, target, r.call(1, 0)) for target in targets),
        *(r.packet(TWO + i, CLIENT + i, SERVER, r.call(1, 0), received=True) for i in range(receivers) for _ in targets)])
    line = next(li for li in tshark.run(path, "-q", "-z", "godot,tree").stdout.splitlines() if li.startswith("Messages"))
    assert line.split()[1] == str(len(targets))
    tshark.assert_consistent(path)


def test_statistics_count_once(tmp_path):
    path = r.write(tmp_path / "both.pcap", both() + both(2, 3))
    line = next(li for li in tshark.run(path, "-q", "-z", "godot,tree").stdout.splitlines() if li.startswith("Messages"))
    assert line.split()[1] == "2"


def test_broadcasts_have_no_session_of_their_own(frames):
    found = frames([
        r.packet(ONE, SERVER, 0, r.call(1, 0)),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0)),
        r.packet(ONE, SERVER, CLIENT + 1, r.call(1, 0)),
        r.packet(ONE, SERVER, 0, r.call(1, 0)),
        r.packet(ONE, SERVER, -CLIENT, r.call(1, 0)),
        r.packet(TWO, SERVER, CLIENT, r.call(1, 0)),
    ])
    assert [f.one("godot.session") for f in found] == [0, 0, 1, 0, 0, 2]
    assert ["godot.target" in f for f in found] == [False, True, True, False, False, True]
    assert found[3].one("godot.source") == SERVER


# --- without the add-on's files ---


def test_udp_is_not_dissected(capture):
    """A datagram with the content of a record is not dissected as one."""
    for frame in tshark.packets(capture([pcap.udp(announce()), pcap.udp(r.names(ONE, path="A"))])):
        assert "godot.recorder" not in frame.names()


def test_records_that_were_left_out(tmp_path, frames):
    """The number of records that a reader missed is shown, without a packet."""
    records = [announce(), r.record(r.LEFT_OUT, 0, own=0, payload=b"\x39\x30\0\0"), r.packet(ONE, SERVER, CLIENT, r.call(1, 0))]
    _, gap, _ = frames(records)
    assert gap.one("godot.recorder.left_out") == 12345 and "godot.recorder.records_left_out" in gap.names()
    assert "godot" not in gap.names()
    assert tshark.listing(r.write(tmp_path / "made.pcap", records))[1][2] == "12345 records left out: they were not read fast enough"


def test_left_out_is_cut(frames):
    for length in range(4):
        (gap,) = frames([r.record(r.LEFT_OUT, 0, own=0, payload=bytes(length))])
        assert "godot.recorder.payload.cut" in gap.names() and "godot.recorder.left_out" not in gap.names()


def test_columns(tmp_path):
    path = r.write(tmp_path / "made.pcap", [
        announce(), r.packet(ONE, SERVER, 0, r.call(1, 0)), r.packet(ONE, SERVER, -7, r.call(1, 0)),
        r.record(r.CONNECTED, ONE, SERVER, CLIENT), r.record(r.DISCONNECTED, ONE, SERVER, CLIENT)])
    assert tshark.listing(path) == [
        (1, "Godot", "node 1 is Main/Player"), (2, "Godot", "#0() → Main/Player"), (3, "Godot", "#0() → Main/Player"),
        (4, "Godot", "client 1 connected, own ID 1"), (5, "Godot", "client 1 disconnected, own ID 1")]
    shown = tshark.run(path, "-o", 'gui.column.format:"S","%s","D","%d"').stdout.split("\n")[:3]
    assert ["server" in line for line in shown] == [True] * 3
    assert "client 1" in shown[0] and "all " in shown[1] and "all but peer 7" in shown[2]


# --- raw packets, other classes -------------------------------------------------------------------------------


def test_raw_packets_and_streams(frames):
    value = bytes.fromhex("0200000005000000")
    found = frames([
        r.record(r.RAW_PACKET, ONE, payload=value), r.record(r.STREAM, ONE, payload=struct.pack("<I", 8) + value),
        r.record(r.RAW_PACKET, ONE, payload=b"hello"), r.record(r.STREAM, ONE, payload=b"hello"),
    ])
    assert [f.all("godot.variant.text") for f in found] == [["5"], ["5"], [], []]
    assert [f.all("godot.recorder.payload") for f in found[2:]] == [[b"hello"], [b"hello"]]


def test_steam(frames):
    hello = struct.pack("<i", CLIENT)
    found = frames([
        r.info(ONE, peer_class="SteamMultiplayerPeer"),
        r.packet(ONE, SERVER, CLIENT, hello, received=True),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<i", SERVER)),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0), received=True),
        r.packet(ONE, SERVER, CLIENT, hello, received=True),
    ])
    assert [f.all("godot.recorder.sender_id") for f in found[1:]] == [[CLIENT], [SERVER], [], []]
    assert ["godot.command" in f.names() for f in found[1:]] == [False, False, True, True]


def test_steam_peers_each_tell_their_id(frames):
    """The first packet of each sender is its ID, also for a second peer."""
    two = CLIENT + 1
    found = frames([
        r.info(ONE, peer_class="SteamMultiplayerPeer"),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<i", CLIENT), received=True),
        r.packet(ONE, SERVER, two, struct.pack("<i", two), received=True),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<i", SERVER)),
        r.packet(ONE, SERVER, two, struct.pack("<i", SERVER)),
        r.packet(ONE, SERVER, two, r.call(1, 0), received=True),
    ])
    assert [f.all("godot.recorder.sender_id") for f in found[1:]] == [[CLIENT], [two], [SERVER], [SERVER], []]


def test_epic(frames):
    head = struct.pack("<BBi", 0, 2, CLIENT)
    found = frames([
        r.info(ONE, peer_class="EOSGMultiplayerPeer"),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<BBi", 1, 2, CLIENT), received=True),
        r.packet(ONE, SERVER, CLIENT, head + r.simplify(PLAYER, 1, "A"), received=True),
        r.packet(ONE, SERVER, CLIENT, r.call(1, 0), received=True),
        r.packet(ONE, SERVER, CLIENT, struct.pack("<BBi", 0, 1, SERVER) + r.confirm(1)),
        r.packet(ONE, SERVER, CLIENT, r.confirm(1)),
    ])
    assert [f.all("godot.recorder.epic.event") for f in found[1:]] == [[1], [0], [], [0], []]
    assert [f.all("godot.recorder.epic.reliability") for f in found[1:]] == [[2], [2], [], [1], []]
    assert [f.all("godot.recorder.sender_id") for f in found[1:]] == [[CLIENT], [CLIENT], [], [SERVER], []]
    assert [f.all("godot.path") for f in found[2:]] == [["A"]] * 4
    assert "godot.command" not in found[1].names()


# --- damage ---------------------------------------------------------------------------------------------------


def specimens():
    return [
        r.info(ONE, engine="4.6.3", peer_class="EOSGMultiplayerPeer", time=1),
        r.names(ONE, path="Main/Player", **METHODS),
        r.names(ONE, path="S", spawner={"parent": "A", "scenes": ["res://a.tscn"]}, synchronizer={"spawn": ["x"]}),
        r.names(ONE, scene="res://a.tscn", synchronizers=[{"path": "S", "spawn": ["a"], "always": ["b"]}]),
        announce(), r.packet(ONE, SERVER, CLIENT, r.call(1, 1, r.integer(5))), r.record(r.CONNECTED, ONE, SERVER, CLIENT),
        r.packet(TWO, CLIENT, SERVER, struct.pack("<BBi", 0, 2, SERVER) + r.call(1, 1), received=True),
        r.record(r.RAW_PACKET, ONE, payload=bytes.fromhex("0200000005000000")),
        r.record(r.STREAM, ONE, payload=bytes.fromhex("080000000200000005000000")),
    ]


@pytest.mark.parametrize("way", ["cut", "snapped", "changed"])
def test_damage(tmp_path, way):
    """Cut anywhere, truncated by a snap length, any byte changed: expert infos, no dissector bug, the same in
    both passes."""
    whole, changed, number = specimens(), [], random.Random(12)
    for record in whole:
        for place in range(len(record)):
            if way == "cut":
                changed.append(record[:place])
            else:
                value = number.choice([0, 0xFF, 0x80, record[place] ^ 1 << number.randrange(8), number.randrange(256)])
                changed.append(record[:place] + bytes([value]) + record[place + 1:])
    options = {}
    if way == "snapped":
        changed, options = whole * 8, {"snaplen": 61}
    path = r.write(tmp_path / "made.pcap", whole + changed, **options)
    tshark.run(path)
    tshark.assert_consistent(path)


def records_of(path):
    """The records in a file of the add-on."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6: # a packet: 28 bytes of header, the tags of an exported PDU, the record
            captured = struct.unpack_from("<I", data, at + 20)[0]
            yield data[at + 28 + len(r.exported(b"")):at + 28 + captured]
        at += length


KINDS = 13  # of this version


def test_nothing_in_it(frames):
    """A record of each kind that ends with its header."""
    for kind, frame in enumerate(frames([r.record(kind, ONE) for kind in range(KINDS)])):
        assert "_ws.malformed" not in frame.layers and frame.layer("godot.recorder").one("godot.recorder.kind") == kind
        assert "godot.recorder.kind.unknown" not in frame.names()


@pytest.mark.parametrize("payload", [b"", b"\1", b"of a later version"])
@pytest.mark.parametrize("kind", [KINDS, 255])
def test_kind_of_a_later_version(frames, kind, payload):
    (frame,) = frames([r.record(kind, ONE, payload=payload)])
    assert frame.all("godot.recorder.payload") == ([payload] if payload else [])
    assert ("godot.recorder.kind.unknown", "note") in [found[:2] for found in frame.experts]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_damage_of_real_recordings(tmp_path, seed):
    """20,000 records with changed, lost, duplicated or exchanged bytes: only expert infos."""
    number = random.Random(seed)
    whole = [record for path in sorted((tshark.CAPTURES / "recorder").glob("*-4.6-*.pcapng")) for record in records_of(path) if len(record) < 4096]
    damaged = []
    for _ in range(20000):
        record, other = bytearray(number.choice(whole)), number.choice(whole)
        for _ in range(number.randrange(1, 5)):
            place = number.randrange(len(record) + 1)
            end = min(len(record), place + number.choice([1, 1, 2, 4, 16, 64]))
            record[place:end] = number.choice([
                number.randbytes(end - place), b"", bytes(record[place:end]) * 2, b"\xff" * (end - place), bytes(end - place), other[place:end + 3]])
        damaged.append(bytes(record))
    path = r.write(tmp_path / "damaged.pcap", damaged)
    shown = tshark.run(path, two_pass=True, verbose=True).stdout
    assert shown.count("Frame ") >= len(damaged)
    assert "Malformed Packet" not in shown and "Exception occurred" not in shown


def test_what_is_wrong(frames):
    wrong = {
        ("godot.recorder.version.unknown", "warning"): r.packet(ONE, 1, 7, b"x", version=2),
        ("godot.recorder.cut", "error"): b"GDRC\1\0\0",
        ("godot.recorder.head_length.invalid", "error"): r.packet(ONE, 1, 7, b"x", length=23),
        ("godot.recorder.kind.unknown", "note"): r.record(77, ONE),
        ("godot.recorder.flags.unknown", "warning"): r.packet(ONE, 1, 7, b"x", flags=0x10),
        ("godot.recorder.payload.unexpected", "warning"): r.record(r.CONNECTED, ONE, 1, 7, b"x"),
        ("godot.recorder.text.invalid", "warning"): r.record(r.INFO, ONE, payload=b"{]"),
    }
    for frame, expert in zip(frames(list(wrong.values())), wrong):
        assert expert in [found[:2] for found in frame.experts]


TEXTS = {
    "nesting": ('{"a":' + "[" * 7 + "]" * 7 + "}", '{"a":' + "[" * 8 + "]" * 8 + "}"),
    "nesting after a quote in a text": (r'{"a":"\"' + "[" * 9 + '"}', r'{"a":"\"","b":' + "[" * 8 + "]" * 8 + "}"),
    "nesting after a backslash": (r'{"a":"\\","b":"' + "[" * 9 + '"}', r'{"a":"\\","b":' + "[" * 8 + "]" * 8 + "}"),
    "values": ('{"path":"A","a":[' + ",".join(["1"] * 4091) + "]}", '{"path":"A","a":[' + ",".join(["1"] * 4092) + "]}"),
    "length": ('{"a":"' + "x" * 65528 + '"}', '{"a":"' + "x" * 65529 + '"}'),
}


@pytest.mark.parametrize("limit", TEXTS)
def test_limits_of_texts(frames, limit):
    fits, exceeds = frames([r.record(r.INFO, ONE, payload=text.encode()) for text in TEXTS[limit]], memory=400)
    assert "godot.recorder.text.invalid" not in fits.names() and "godot.recorder.text.invalid" in exceeds.names()


def test_names_are_cleaned(frames):
    """Bytes that are not UTF-8 (0x9b is CSI for some terminals), and characters that change the direction of
    a line."""
    (found,) = frames([r.record(r.NAMES, ONE, payload=b'{"path":"A\x9b[1mB\xe2\x80\xaeC","methods":[{"name":"m\x9bn"}]}')])
    assert found.one("godot.recorder.path") == "A\ufffd[1mB\\u202eC" and found.one("godot.recorder.method") == "m\ufffdn"


def test_texts_of_any_kind(frames):
    """Members with wrong types, and texts that are not JSON: they are ignored without errors."""
    texts = ['{"path":5}', '{"path":"A","methods":5}', '{"path":"A","methods":[5]}', '{"path":"A","methods":[{"name":[]}]}',
             '{"path":"A","methods":[{"name":"\\ud800"}]}', '{"path":"A","synchronizer":[]}', '{"path":"A","spawner":{"scenes":[5]}}',
             '{"scene":"A","synchronizers":[5]}', '{"scene":"A","synchronizers":[{"always":[{}]}]}', '{"path":"\\u0000"}', '[]', '""', '',
             '{"path":"A\\u001b[1mB"}', '{"path":"A","path":"B"}', '{"path":"A","methods":[{"name":"a"},{"name":"a"}]}', "{'path':'A'}"]
    found = frames([r.record(r.NAMES, ONE, payload=text.encode()) for text in texts])
    assert found[13].one("godot.recorder.path") == "A [1mB"
    assert ["godot.recorder.text.invalid" in found[i].names() for i in (0, 10, 11, 12)] == [True] * 4
