"""Numbers without an opposite, in each place where the wire or a file can have one: -2^31 as a peer, -2^63 as a value,
the first and the last time. A sanitizer notices what the text does not show.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools
import struct

import pytest

import enet_packets
import pcap
import records
import tshark

LEAST, MOST = -1 << 31, (1 << 31) - 1
PEERS = (LEAST, LEAST + 1, -1, 0, 1, MOST)
STATISTICS = ("bandwidth", "properties", "timeline", "savings", "overhead", "replication", "peers", "summary", "log", "tree", "srt")
PATH = b"\x01" + b"0" * 32 + b"\0" + struct.pack("<I", 1) + b"N\0"
CALL = b"\x00\x01\x00\x01\x02\x05"
STATE = b"\x06\x01\0" + struct.pack("<II", 1 << 31 | 1, 4) + bytes(4)
CHANGES = b"\x16" + struct.pack("<IQI", 1 << 31 | 1, 1 << 63 | 1, 4) + bytes(4)
SPAWN = b"\x04\0" + struct.pack("<IIII", 1, 7, 0, 2) + b"M\0"
DESPAWN = b"\x05" + struct.pack("<I", 7)


def everything(path, *options):
    """What all statistics say, and the tree of each frame, in one pass and in two."""
    statistics = [option for name in STATISTICS for option in ("-z", f"godot,{name}")]
    statistics += ["-z", "conv,godot", "-z", "endpoints,godot", "-z", "flow,godot,standard", "-z", "enet,tree"]
    for two in (False, True):
        tshark.run(path, "-V", *options, two_pass=two)
        yield tshark.run(path, "-q", *statistics, *options, two_pass=two).stdout


def relay(peer, inner):
    return struct.pack("<BBi", 7, 3, peer) + inner


def of_godot_4(client):
    connection = enet_packets.Connection(client & 0xFFFFFFFF)
    messages = [b"\x07" + struct.pack("<Bi", kind, peer) for peer in PEERS for kind in (1, 2)]
    messages += [relay(peer, inner) for peer in PEERS for inner in (PATH, CALL, STATE, CHANGES, SPAWN, DESPAWN)]
    packets = connection.open()
    for server in (False, True):
        packets += [connection.message(message, server=server) for message in [PATH, CALL, *messages]]
        packets += [connection.message(CALL, server=server)] * 2
    return packets


@pytest.mark.parametrize("client", [1203, LEAST, -1])
def test_peers_of_godot_4(capture, client):
    for text in everything(capture(of_godot_4(client)), "-d", "enet.payload,godot"):
        assert "#0()" in text


def of_godot_3(client):
    connection = enet_packets.Connection(client & 0xFFFFFFFF)
    path, call = b"\x02" + struct.pack("<I", 1) + b"N\0", b"\0" + struct.pack("<I", 1) + b"fire\0\x01" + struct.pack("<II", 2, 5)
    rset, confirm = b"\x01" + struct.pack("<I", 1) + b"hp\0" + struct.pack("<II", 2, 5), b"\x03N\0"
    packets = connection.open()
    packets += [connection.message(struct.pack("<Ii", kind, peer), server=True) for peer in PEERS for kind in (0, 1)]
    for server, source, target in itertools.product((False, True), (1, client, LEAST), PEERS):
        head = struct.pack("<ii", source, target)
        packets += [connection.message(head + inner, server=server, channel=1) for inner in (path, call, rset, rset, confirm)]
    return packets


@pytest.mark.parametrize("client", [1203, LEAST])
def test_peers_of_godot_3(capture, client):
    for text in everything(capture(of_godot_3(client)), "-d", "enet.payload,godot"):
        assert "fire" in text and "hp" in text


@pytest.mark.parametrize("both", [False, True])
def test_peers_of_recordings(tmp_path, both):
    """A packet to all but -2^31; `both`: its receiver has recorded as well."""
    made = []
    for own, other in itertools.product((1, 7, LEAST), PEERS):
        made += [records.record(kind, 0x11, own, other) for kind in (records.CONNECTED, records.DISCONNECTED)]
        made += [records.packet(0x11, own, other, inner) for inner in (PATH, CALL, STATE, CHANGES, SPAWN, DESPAWN, relay(LEAST, CALL))]
        if both:
            made += [records.packet(0x22, other, own, inner, received=True) for inner in (PATH, CALL, STATE, CHANGES)]
    times = [(1_700_000_000 + number / 1000, record) for number, record in enumerate(made)]
    for text in everything(records.write(tmp_path / "made.pcap", times)):
        assert "Godot Peers" in text


@pytest.mark.parametrize("values", [(-1 << 63, (1 << 63) - 1), (-1 << 63,), (LEAST, MOST), (-1 << 63, 0)])
def test_values(capture, values):
    """As arguments and properties that change, and as keys of what is compared."""
    connection = enet_packets.Connection()
    packets = [*connection.open(), connection.message(PATH)]
    for number in range(80):
        value = values[number % len(values)]
        wide = struct.pack("<Bq", 0xC2, value)
        listed = struct.pack("<II", 28, 3) + struct.pack("<Iq", 2 | 1 << 16, value) * 3
        packets.append(connection.message(b"\x00\x01\x00\x02" + wide + listed))
        packets.append(connection.message(b"\x06" + struct.pack("<H", number) + struct.pack("<II", 1 << 31 | 1, 18) + wide * 2))
        packets.append(connection.message(b"\x00\x01\x01\x01" + wide))
    path = capture([(1_700_000_000 + number / 60, packet) for number, packet in enumerate(packets)])
    for text in everything(path, "-d", "enet.payload,godot"):
        assert "#0()" in text and f"{values[-1]}" in text


def block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def pcapng(path, packets, offsets):
    """Two interfaces, whose times begin at these seconds; packets: (interface, microseconds, bytes)."""
    data = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    for offset in offsets:
        data += block(1, struct.pack("<HHI", pcap.LINKTYPE_RAW, 0, 0) + struct.pack("<HHq", 14, 8, offset) + struct.pack("<HH", 0, 0))
    for interface, time, packet in packets:
        data += block(6, struct.pack("<IIIII", interface, time >> 32, time & 0xFFFFFFFF, len(packet), len(packet)) + packet + bytes(-len(packet) % 4))
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("offsets", [(-1 << 62, 1 << 62), (1 << 62, -1 << 62), (-1 << 40, 1 << 40), (0, 0)])
def test_times(tmp_path, offsets):
    """Two capture points whose clocks are as far from each other as a file can say."""
    packets = []
    for number, packet in enumerate(of_godot_4(1203)):
        packets += [(0, number * 1000, packet), (1, number * 1000 + 7, packet)]
    for text in everything(pcapng(tmp_path / "made.pcapng", packets, offsets), "-d", "enet.payload,godot"):
        assert "Godot Peers" in text
