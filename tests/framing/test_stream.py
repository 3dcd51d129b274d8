"""godot.stream: length-prefixed packets over TCP. SPDX-License-Identifier: GPL-2.0-or-later"""

import random
import struct

import pytest

import captures
import pcap
import sharkd
import tshark
import values
from variants import ENGINE_IDS, MEMORY, rows, text, u32

STREAM = ["-d", "tcp.port==4242,godot.stream"]
LITTLE, BIG = "<I", ">I"


def packet(payload, order=LITTLE):
    return struct.pack(order, len(payload)) + payload


def engine_values(version="4.6"):
    return [bytes.fromhex(r["hex"]) for r in rows(f"godot-{version}-values.jsonl") if r["hex"]]


def pieces(data, seed, longest):
    """The bytes in segments of random sizes."""
    chance, at, found = random.Random(seed), 0, []
    while at < len(data):
        size = chance.randint(1, longest)
        found.append(data[at:at + size])
        at += size
    return found


def summary(frames):
    """Everything shown, in order: values with length and type, other content with its bytes."""
    found = []
    for frame in frames:
        for layer in frame.children:
            if layer.name == "godot.stream":
                found += [layer.all(f"godot.stream.{name}")[0] for name in ("data", "stray") if f"godot.stream.{name}" in layer]
            if layer.name == "godot.variant":
                (node,) = values.children(layer)
                found.append(node.all("godot.variant.type")[0])
    return found


def shown(capture, segments, *arguments, **options):
    return summary(tshark.packets(capture(pcap.tcp(segments)), *STREAM, *arguments, **options))


# --- segmentation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [LITTLE, BIG], ids=["little-endian", "big-endian"])
@pytest.mark.parametrize("longest", [3, 40, 1400, 60000])
def test_any_segmentation(capture, order, longest):
    sent = engine_values()
    data = b"".join(packet(value, order) for value in sent)
    if longest == 3:
        sent, data = sent[:80], b"".join(packet(value, order) for value in sent[:80])
    path = capture(pcap.tcp(pieces(data, longest, longest)))
    frames = tshark.packets(path, *STREAM, "-o", "godot.variant.dialect:godot4", "-Y", "godot.stream")
    assert summary(frames) == [ENGINE_IDS["4.6"][value[0]] for value in sent]
    lengths = [length for frame in frames for length in frame.all("godot.stream.length")]
    assert lengths == [len(value) for value in sent]
    if longest == 1400:
        tshark.assert_consistent(path, *STREAM)


def test_both_directions_have_an_order_of_their_own(capture):
    segments = [packet(text("to the server"), LITTLE), (True, packet(text("to the client"), BIG))] * 3
    frames = tshark.packets(capture(pcap.tcp(segments)), *STREAM)
    texts = [t for frame in frames for t in frame.all("godot.variant.string")]
    assert texts == ["to the server", "to the client"] * 3
    assert sum("godot.stream.big_endian" in frame for frame in frames) == 3


@pytest.mark.parametrize("name, found", [("auto", ["int"]), ("big", ["int"]), ("little", [])])
def test_order_by_preference(capture, name, found):
    assert shown(capture, [packet(u32(2, 5), BIG)], "-o", f"godot.stream.byte_order:{name}") == found


def test_info_lists_values_with_a_limit(capture):
    path = capture(pcap.tcp([packet(u32(2, 1)) + packet(text("a"))]))
    assert tshark.listing(path, *STREAM)[-1][1:] == ("Variants", '1, "a"')
    path = capture(pcap.tcp([packet(u32(2, 1)) * 100]))
    assert tshark.listing(path, *STREAM)[-1][2] == "1, " * 10 + "…"


# --- what is no value ---------------------------------------------------------------------------------------------------


def test_packets_of_a_games_own(capture):
    """PacketPeerStream.put_packet: any bytes."""
    sent = [b"hello", b"", b"\x89PNG" + bytes(range(200)), u32(2, 5), b"x" * 3000]
    found = shown(capture, [b"".join(map(packet, sent))])
    assert found == [b"hello", b"\x89PNG" + bytes(range(200)), "int", b"x" * 3000]


STRAY = {
    "byte": b"\xff",
    "half": b"\x00\x3e",
    "bytes": b"\x01\x02\x03",
    "number": u32(7),
    "double": struct.pack("<d", 0.1),
    "negative": u32(0xFFFFFFFF),
    "hostile": u32(0x7FFFFFFF) + b"abcd",
    "text": b"GET / HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("joined", [True, False], ids=["one-segment", "segment-each"])
@pytest.mark.parametrize("name", STRAY)
def test_finds_the_next_value(capture, name, joined):
    stray, value = STRAY[name], packet(u32(28, 1) + text("after"))
    segments = [packet(text("before")), stray, value, value]
    if joined:
        segments = [b"".join(segments)]
    for two_pass in (False, True):
        found = shown(capture, segments, two_pass=two_pass)
        kinds = [item for item in found if isinstance(item, str)]
        assert kinds == ["String", "Array", "Array"]
        assert b"".join(item for item in found if isinstance(item, bytes)) == stray


def test_impossible_length_is_reported(capture):
    frames = tshark.packets(capture(pcap.tcp([packet(u32(2, 1)), u32(0x7FFFFFF0) + b"????", packet(u32(2, 2))])), *STREAM)
    assert [name for frame in frames for name in ("godot.stream.length.impossible",) if name in frame] != []
    assert [n for frame in frames for n in frame.all("godot.variant.int")] == [1, 2]


def test_capture_that_starts_inside_of_a_packet(capture):
    data = packet(text("x" * 100))[30:] + packet(text("whole")) * 2
    frames = tshark.packets(capture(pcap.tcp([data], handshake=False)), *STREAM)
    assert [t for frame in frames for t in frame.all("godot.variant.string")] == ["whole", "whole"]


def test_broken_value_between_good_ones(capture):
    """The length keeps the stream in sync."""
    broken = u32(28, 2) + u32(2, 5)
    frames = tshark.packets(capture(pcap.tcp([packet(u32(2, 1)) + packet(broken) + packet(u32(2, 2))])), *STREAM)
    assert [e for frame in frames for e in frame.all("godot.variant.error")] == ["ERR_INVALID_DATA"]
    assert [n for frame in frames for n in frame.all("godot.variant.int")] == [1, 5, 2]


def test_no_reassembly(capture):
    """Without reassembly, the parts are shown separately."""
    data = packet(text("x" * 100))
    path = capture(pcap.tcp([data[:60], data[60:]]))
    frames = tshark.packets(path, *STREAM, "-o", "godot.stream.desegment:false")
    assert "godot.stream.incomplete" in frames[3]
    tshark.assert_consistent(path, *STREAM, "-o", "tcp.desegment_tcp_streams:false")


# --- hostile input ----------------------------------------------------------------------------------------------------------


def hostile_streams():
    chance = random.Random(5)
    yield packet(u32(0)) * 8000
    yield u32(0) * 16000
    yield u32(4) * 16000
    yield (u32(0x00FFFFF0) + u32(28, 1000)) * 5000  # plausible beginnings without an end
    yield b"\xff" * 60000
    yield bytes(chance.randrange(256) for _ in range(60000))
    yield bytes(chance.choice([0, 0, 0, 4, 8, 28]) for _ in range(60000))
    yield packet(u32(28, 1) * 7000)
    yield b"".join(packet(u32(28, 100) + bytes(396), LITTLE)[:-1] for _ in range(150))


@pytest.mark.parametrize("longest", [200, pytest.param(60000, marks=pytest.mark.slow)])
def test_hostile_streams(capture, longest):
    for number, data in enumerate(hostile_streams()):
        path = capture(pcap.tcp(pieces(data, number, longest)), name=f"{number}-{longest}.pcap")
        tshark.run(path, *STREAM, timeout=120)
        tshark.run(path, *STREAM, two_pass=True, verbose=True, memory=MEMORY, timeout=120)


def test_many_elements(capture):
    """A million elements of an array, and a million values in one."""
    for number, value in enumerate((u32(29, 1_000_000) + bytes(1_000_000), u32(30, 1_000_000) + bytes(4_000_000),
                                    u32(28, 1_000_000) + bytes(4_000_000))):
        path = capture(pcap.tcp(pcap.cut(packet(value), 60000)), name=f"{number}.pcap")
        tshark.run(path, *STREAM, "-o", "godot.variant.max_elements:4000000000", verbose=True, memory=2 * MEMORY, timeout=120)
        rows = tshark.fields(path, "godot.variant.count", "godot.variant.more", arguments=STREAM, memory=MEMORY, timeout=120)
        (row,) = [row for row in rows if row[0]]
        assert row[0][0] == 1_000_000 and (number == 0 or row[1] == [1_000_000 - 1000])


# --- finding it ----------------------------------------------------------------------------------------------------------------


def test_port_preference(capture):
    path = capture(pcap.tcp([packet(u32(2, 5))]))
    assert not any("godot.stream" in frame for frame in tshark.packets(path))
    assert any("godot.stream" in frame for frame in tshark.packets(path, "-o", "godot.stream.tcp.port:4242"))


def test_heuristic(capture):
    strong, weak = packet(text("hello")), packet(u32(2, 5))
    path = capture(pcap.tcp([strong, weak, (True, weak)]))
    assert not any("godot.stream" in frame for frame in tshark.packets(path))
    found = tshark.packets(path, "--enable-heuristic", "godot_stream_tcp")
    assert summary(found) == ["String", "int", "int"]
    path = capture(pcap.tcp([weak, weak]), name="weak.pcap")
    assert summary(tshark.packets(path, "--enable-heuristic", "godot_stream_tcp")) == []


HEURISTICS = ("godot_stream_tcp", "godot_stream_tls")
ENABLED = [option for name in HEURISTICS for option in ("--enable-heuristic", name)]
STREAMS = [path for path in captures.shipped()
           if captures.name(path).startswith(("debugger/", "dtls/", "variant/")) and captures.ports(path, "tcp")]

with_streams = pytest.mark.parametrize("path", STREAMS, ids=captures.name)


@pytest.mark.parametrize("path", captures.slow_unless(("variant/godot-3.6-chopped.pcap",), STREAMS), ids=captures.name)
def test_heuristic_finds_the_same_in_every_pass(path):
    """Including streams cut anywhere, whose first bytes other dissectors claim while they wait for more."""
    tshark.assert_consistent(path, *ENABLED)


@pytest.mark.parametrize("path", captures.slow_if_large(STREAMS), ids=captures.name)
@pytest.mark.skipif(not sharkd.PROGRAM, reason="sharkd is not installed")
def test_heuristic_finds_the_same_in_any_order(path):
    rows = tshark.listing(path, *ENABLED)
    shuffled = [number for number, *_ in rows] * 2
    random.Random(9).shuffle(shuffled)
    columns = {number: (protocol, info) for number, protocol, info in rows}
    trees = {}
    for number, (shown, layers) in zip(shuffled, sharkd.look(path, shuffled, HEURISTICS)):
        assert layers == trees.setdefault(number, layers), f"frame {number}"
        assert not layers or shown == columns[number], f"frame {number}"


def test_heuristic_finds_streams_of_the_engine():
    """If a whole packet with a container or a text is in one segment."""
    found = {captures.name(path) for path in STREAMS if summary(tshark.packets(path, *ENABLED, "-Y", "godot.stream"))}
    versions = ("3.6", "4.6")
    expected = {f"variant/godot-{version}-{kind}.pcap" for version in versions for kind in ("joined", "packet-stream")}
    expected.add("variant/godot-3.2-packet-stream.pcap")
    assert expected | {"dtls/godot-4.6-stream.pcapng"} <= found  # others depend on which dissector claims their first bytes


def test_heuristic_inside_tls():
    """The conversation remains TLS: its records do not become pieces of the stream."""
    path = tshark.CAPTURES / "dtls" / "godot-4.6-stream.pcapng"
    frames = tshark.packets(path, *ENABLED)
    inside = [frame for frame in frames if "godot.stream" in frame.layers]
    assert len(inside) > 10 and all("tls" in frame.layers for frame in inside)
    everything = summary(tshark.packets(path, "-d", f"tls.port=={min(captures.ports(path, 'tcp'))},godot.stream"))
    found = summary(inside)
    assert found == everything[-len(found):]
