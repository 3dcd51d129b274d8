"""ENet, datagram by datagram: connections, fragments, checksums, analysis, recognition. The datagrams are
made from the protocol's layout; captures of real engines are tested elsewhere.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re
import struct
import zlib

import pytest

import enet_packets
import pcap
import tshark

CONNECT_ID = b"\x0c\x15\x98\xb2"


# --- datagrams ------------------------------------------------------------------------------------------------


def header(peer=0, time=None, session=0, compressed=False):
    word = (time is not None) << 15 | compressed << 14 | session << 12 | peer
    return struct.pack(">H", word) + (b"" if time is None else struct.pack(">H", time & 0xFFFF))


def connect(connect_id=CONNECT_ID, peer=0, time=1, sessions=(255, 255), channels=3, data=7, answer=False):
    body = struct.pack(">BBHHBBIIIIIIII", 0x83 if answer else 0x82, 0xFF, 1, peer, *sessions, 1400, 65536, channels, 0,
                       0, 5000, 2, 2) + connect_id
    return header(0xFFF, time) + body + (b"" if answer else struct.pack(">I", data))


def verify(connect_id=CONNECT_ID, peer=1, time=2, sessions=(0, 0), to=0):
    return header(to, time, sessions[0]) + connect(connect_id, peer, 0, sessions, answer=True)[4:]


def ack(number, time, channel=0):
    return struct.pack(">BBHHH", 1, channel, number, number, time & 0xFFFF)


def ping(number):
    return struct.pack(">BBH", 0x85, 0xFF, number)


def reliable(number, data, channel=0):
    return struct.pack(">BBHH", 0x86, channel, number & 0xFFFF, len(data)) + data


def unreliable(number, unreliable_number, data, channel=0):
    return struct.pack(">BBHHH", 0x07, channel, number, unreliable_number, len(data)) + data


def unsequenced(group, data, channel=0):
    return struct.pack(">BBHHH", 0x49, channel, 0, group, len(data)) + data


def fragment(start, number, parts, channel=0, kind=0x88, sequence=None, count=None, total=None):
    offset = sum(map(len, parts[:number]))
    if sequence is None:
        sequence = start + number if kind == 0x88 else 0
    return struct.pack(">BBHHHIIII", kind, channel, sequence & 0xFFFF, start & 0xFFFF, len(parts[number]),
                       count or len(parts), number, total or sum(map(len, parts)), offset) + parts[number]


def disconnect(number, data=0, at_once=False):
    return struct.pack(">BBHI", 0x44 if at_once else 0x84, 0xFF, number, data)


HANDSHAKE = [(False, connect()), (True, verify()), (False, header(1) + ack(1, 2, 255))]


def conversation(*datagrams):
    """Packets of (from the server?, datagram)."""
    return [pcap.udp(payload, reply=reply) for reply, payload in datagrams]


def message(length, seed=1):
    return b"\x0d" + random.Random(seed).randbytes(length - 1)


def parts_of(data, size):
    return [data[i:i + size] for i in range(0, len(data), size)]


@pytest.fixture
def frames(capture):
    """frames([(reply, datagram), …]): the dissected frames after a handshake. Both passes must agree."""

    def dissect(datagrams, *options, handshake=True, name="made.pcap"):
        path = capture(conversation(*(HANDSHAKE if handshake else []), *datagrams), name)
        first = 3 if handshake else 0
        return tshark.packets(path, "--disable-heuristic", "godot_enet", *options, two_pass=True)[first:]

    return dissect


# --- connections ----------------------------------------------------------------------------------------------


def test_handshake(frames):
    opening, answer, last = frames(HANDSHAKE, handshake=False)
    assert opening.one("enet.stream") == answer.one("enet.stream") == last.one("enet.stream") == 0
    assert opening.one("enet.peer_id") == 0xFFF
    assert opening.one("enet.connect.connect_id") == int.from_bytes(CONNECT_ID, "big")
    assert opening.one("enet.connect.data") == 7
    assert opening.one("enet.acked_in") == 2 and answer.one("enet.ack.frame") == 1
    assert answer.one("enet.rtt") == pytest.approx(0.001)
    assert last.one("enet.ack.frame") == 2
    assert [frame.one("enet.sender") for frame in (opening, answer, last)] == [0, 1, 0]


def test_info(capture):
    path = capture(conversation(*HANDSHAKE, (False, header(1, 9) + ack(4, 3, 255) + reliable(1, message(43))),
                                (True, header(0) + unreliable(0, 1, b"abc", 2) + unsequenced(1, b"", 1))))
    lines = [info for _, _, info in tshark.listing(path, "--disable-heuristic", "godot_enet")]
    assert lines == ["Connect → 3 channels (data 7)", "Verify Connect → 3 channels", "Ack 1",
                     "Ack 4, Reliable ch 0 seq 1 (43 bytes)",
                     "Unreliable ch 2 seq 0.1 (3 bytes), Unsequenced ch 1 group 1 (0 bytes)"]


def test_reconnect_in_the_same_slots(frames):
    second = b"\1\2\3\4"
    shown = frames([
        (False, header(1, 5) + disconnect(2, 11)),
        (True, header(0) + ack(2, 5, 255)),
        (False, connect(second, sessions=(0, 0))),
        (True, verify(second, sessions=(1, 1))),
        (False, header(1, session=1) + ack(1, 2, 255)),
        (False, header(1, 9, session=1) + reliable(1, b"new")),
        (True, header(0, session=0) + unsequenced(1, b"late")),  # of the first connection
    ])
    assert [frame.one("enet.stream") for frame in shown] == [0, 0, 1, 1, 1, 1, 0]
    assert shown[0].one("enet.closed_by") == 0
    assert not shown[5].all("enet.analysis.duplicate")


def test_several_connections_between_two_sockets(frames):
    second = b"\1\2\3\4"
    shown = frames([
        (False, connect(second, peer=1)),
        (True, verify(second, peer=2, to=1)),
        (False, header(2) + ack(1, 2, 255)),
        (False, header(1, 5) + reliable(1, b"one")),
        (False, header(2, 5) + reliable(1, b"two")),
        (True, header(1) + ack(1, 5)),
        (True, header(0) + ack(1, 5)),
    ])
    assert [frame.one("enet.stream") for frame in shown] == [1, 1, 1, 0, 1, 1, 0]
    assert [frame.one("enet.ack.frame") for frame in shown[5:]] == [8, 7]


def test_capture_from_the_middle(frames):
    """Two connections at once; the acknowledgements show which two directions belong together."""
    shown = frames([
        (False, header(4, 100) + reliable(500, message(40))),
        (False, header(5, 200) + reliable(900, message(40))),
        (True, header(1) + ack(900, 200)),
        (True, header(0) + ack(500, 100)),
        (True, header(1, 300) + reliable(3, message(30))),
    ], "-d", "udp.port==4242,enet", handshake=False)
    assert [frame.one("enet.stream") for frame in shown] == [0, 1, 1, 0, 1]
    assert not any(frame.all("enet.sender") for frame in shown), "nothing told who is who"
    assert not any(frame.all("enet.analysis.gap") for frame in shown)


def test_broadcast(capture):
    path = capture([pcap.udp(connect(), destination=("192.0.2.255", 4242)), pcap.udp(verify(), reply=True),
                    pcap.udp(header(1) + ack(1, 2, 255))])
    assert [frame.one("enet.stream") for frame in tshark.packets(path)] == [0, 0, 0]


# --- analysis -------------------------------------------------------------------------------------------------


def test_retransmission(frames):
    data = reliable(1, b"hello")
    original, again, answer, spurious, answer_2 = frames([
        (False, header(1, 100) + data), (False, header(1, 600) + data), (True, header(0) + ack(1, 600)),
        (False, header(1, 1600) + data), (True, header(0) + ack(1, 1600))])
    assert not original.all("enet.analysis.retransmission")
    assert original.one("enet.acked_in") == 6, "the command was, if not this copy"
    assert again.one("enet.analysis.retransmission_of") == 4 and again.one("enet.acked_in") == 6
    assert not again.all("enet.analysis.spurious_retransmission")
    assert answer.one("enet.ack.frame") == 5 and answer.one("enet.rtt") == pytest.approx(0.001)
    assert spurious.all("enet.analysis.spurious_retransmission") and answer_2.one("enet.ack.frame") == 7


def test_duplicate_gap_and_order(frames):
    shown = frames([(False, header(1, 5) + reliable(1, b"a")), (False, header(1, 5) + reliable(1, b"a")),
                    (False, header(1, 6) + reliable(4, b"d")), (False, header(1, 7) + reliable(2, b"b"))])
    assert shown[1].all("enet.analysis.duplicate") and not shown[1].all("enet.analysis.retransmission")
    assert shown[2].all("enet.analysis.gap") and shown[2].one("enet.analysis.missing") == 2
    assert shown[3].all("enet.analysis.out_of_order") and not shown[3].all("enet.analysis.gap")
    assert not any(frame.all("enet.analysis.unacknowledged") for frame in shown)  # the server is not heard any more


def test_an_acknowledgement_that_would_have_been_captured(frames):
    """The server is heard later, nothing that it has sent is missing, and the client does not send it again."""
    ping = struct.pack(">BBH", 0x85, 0xFF, 2)
    shown = frames([(False, header(1, 5) + reliable(1, b"a")), (False, header(1, 6) + reliable(2, b"b")),
                    (True, header(0) + ack(2, 6)), (False, header(1, 7) + reliable(3, b"c")), (True, header(0, 8) + ping), (False, header(1) + ack(2, 8, 255))])
    assert [bool(frame.all("enet.analysis.unacknowledged")) for frame in shown] == [True, False, False, True, False, False]
    shown = frames([(False, header(1, 5) + reliable(1, b"a")), (True, header(0, 8) + ping.replace(b"\2", b"\3")), (False, header(1) + ack(3, 8, 255))])
    assert not shown[0].all("enet.analysis.unacknowledged")  # the server's number 2 is missing

def test_numbers_wrap(frames):
    shown = frames([(False, header(1, n) + reliable(65534 + n, b"x")) for n in range(4)], handshake=False,
                   *["-d", "udp.port==4242,enet"])
    assert not any(frame.all("enet.analysis." + note) for frame in shown
                   for note in ("gap", "out_of_order", "retransmission", "duplicate"))


def test_unreliable_numbers(frames):
    shown = frames([(False, header(1) + unreliable(0, n, b"x")) for n in (1, 4, 3, 4)]
                   + [(False, header(1) + unsequenced(n, b"x")) for n in (1, 3, 3, 2)])
    notes = [[note for note in ("unreliable_gap", "unreliable_late", "unreliable_duplicate", "unsequenced_duplicate")
              if frame.all("enet.analysis." + note)] for frame in shown]
    assert notes == [[], ["unreliable_gap"], ["unreliable_late"], ["unreliable_duplicate"],
                     [], [], ["unsequenced_duplicate"], []]  # group 2 comes after all


@pytest.mark.parametrize("lost", [1, 2], ids=["verify", "acknowledgement"])
def test_handshake_not_captured_to_its_end(frames, lost):
    """A frame missing in the capture causes no problems in all later ones."""
    datagrams = [datagram for number, datagram in enumerate(HANDSHAKE) if number != lost]
    datagrams += [(True, header(0, 9) + reliable(1, message(9))), (False, header(1, 10) + ack(1, 9) + ping(2))]
    shown = frames(datagrams, handshake=False)
    assert len([frame for frame in shown if "enet" in frame.layers]) == 4
    assert not any(frame.all("enet.analysis.before_handshake") for frame in shown)


def test_phases(frames):
    early = [(False, connect()), (True, verify()), (False, header(1, 3) + reliable(1, b"x"))]
    assert not frames(early, handshake=False)[2].all("enet.analysis.before_handshake")  # it has got VERIFY
    assert frames([*early, (True, verify(time=900))], handshake=False)[2].all("enet.analysis.before_handshake")
    shown = frames([(False, header(1) + disconnect(2, at_once=True)), (False, header(1, 3) + reliable(1, b"x"))])
    assert shown[1].all("enet.analysis.after_disconnect")


# --- fragments ------------------------------------------------------------------------------------------------

WHOLE = message(2500)
PARTS = parts_of(WHOLE, 1000)


def whole(frame):
    return [data for data in frame.all("enet.data")]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 1, 0, 2), (0, 2, 0, 1)])
@pytest.mark.parametrize("kind", [0x88, 0x0C])
def test_fragments_in_any_order(frames, order, kind):
    time = 5 if kind == 0x88 else None
    shown = frames([(False, header(1, time and time + i) + fragment(1, n, PARTS, kind=kind)) for i, n in enumerate(order)])
    assert [whole(frame) for frame in shown] == [[]] * (len(order) - 1) + [[WHOLE]]
    assert {value for frame in shown[:-1] for value in frame.all("enet.reassembled_in")} == {3 + len(order)}


def test_fragments_again_after_completion(frames):
    """They neither complete a second message nor become part of the next one with the same number."""
    other = message(2500, seed=2)
    first = [(False, header(1, n) + fragment(1, n, PARTS)) for n in range(3)]
    late = [(False, header(1, 700) + fragment(1, 1, PARTS))]
    around = [(False, header(1, 1000 + n // 16384) + reliable(n, b"")) for n in range(4, 65537, 16384)]
    next_ones = [(False, header(1, 2000 + n) + fragment(1, n, parts_of(other, 1000))) for n in range(3)]
    shown = frames(first + late + around + next_ones)
    assert whole(shown[2]) == [WHOLE]
    assert shown[3].all("enet.analysis.fragment_late") and not whole(shown[3])
    assert shown[3].one("enet.reassembled_in") == 6
    assert whole(shown[-1]) == [other]


def test_fragments_in_one_datagram(frames):
    parts = parts_of(message(300), 100)
    shown = frames([(False, header(1, 5) + fragment(1, 0, parts) + fragment(1, 1, parts) + fragment(1, 2, parts))])
    assert whole(shown[0]) == [message(300)]


def test_fragments_across_the_wrap(frames):
    shown = frames([(False, header(1, n) + fragment(65535, n, PARTS)) for n in range(3)],
                   "-d", "udp.port==4242,enet", handshake=False)
    assert whole(shown[2]) == [WHOLE]


def test_missing_fragment(frames):
    shown = frames([(False, header(1, n) + fragment(1, n, PARTS)) for n in (0, 2)])
    assert not any(whole(frame) for frame in shown)
    assert [frame.all("enet.fragment.data") for frame in shown] == [[PARTS[0]], [PARTS[2]]]


def test_fragments_not_reassembled(frames):
    shown = frames([(False, header(1, n) + fragment(1, n, PARTS)) for n in range(3)], "-o", "enet.reassemble:FALSE")
    assert not any(whole(frame) for frame in shown)
    assert [frame.all("enet.fragment.data") for frame in shown] == [[part] for part in PARTS]


def test_channels_and_directions_do_not_mix(frames):
    others = {(reply, channel): parts_of(message(2500, 10 * reply + channel), 1000) for reply in (0, 1) for channel in (0, 1)}
    shown = frames([(bool(reply), header(1 - reply, 5) + fragment(1, n, parts, channel=channel))
                    for n in range(3) for (reply, channel), parts in others.items()])
    assert [whole(frame) for frame in shown] == [[]] * 8 + [[b"".join(parts)] for parts in others.values()]


@pytest.mark.parametrize("change", [{"count": 1048577}, {"count": 1}, {"total": 33554433}, {"total": 10}])
def test_impossible_fragments(frames, change):
    """Refused before anything is allocated; commands before them are executed."""
    shown = frames([(False, header(1, 5) + ping(2) + fragment(1, 1, PARTS[:2], **change))])
    assert shown[0].all("enet.command") == [5, 8]
    assert any(node.name.startswith("enet.problem.") for node in shown[0].walk())
    assert not whole(shown[0])


def test_conflicting_fragment(frames):
    shown = frames([(False, header(1, 5) + fragment(1, 0, PARTS)), (False, header(1, 6) + fragment(1, 1, PARTS[:2]))])
    assert shown[1].all("enet.analysis.fragment_conflict")


def test_huge_fragment_counts_take_no_memory(capture):
    """Every datagram announces a message of the maximum size."""
    count, total = 1048576, 33554432
    pieces = [struct.pack(">BBHHHIIII", 0x88, n % 3, (n * 7 + count - 1) & 0xFFFF, n * 7, 1, count, count - 1, total, total - 1) + b"x"
              for n in range(500)]
    path = capture(conversation(*HANDSHAKE, *[(False, header(1, n) + piece) for n, piece in enumerate(pieces)]))
    assert "1048576 of 1048576" in tshark.run(path, "-V", memory=400).stdout


@pytest.mark.slow
@pytest.mark.skipif(bool(tshark.PRELOAD), reason="Wireshark's allocator for debugging looks at all of its blocks")
def test_datagrams_with_many_commands(capture):
    """Of datagrams with more than 64 commands, a million commands beyond these are analysed."""
    each, budget, frames = 1020, 1000000, 5000
    datagram = header(1, 9) + ping(2) * each
    path = capture(conversation(*HANDSHAKE, *[(False, datagram)] * frames, (False, header(1, 9) + ping(3) + ping(3))))
    tshark.run(path, memory=270, timeout=120)

    whole, rest = divmod(budget, each - 64)
    cut = len(HANDSHAKE) + whole + 1  # the frame in which the limit is reached
    for two_pass in (False, True):
        shown = tshark.fields(path, "frame.number", "enet.analysis.not_analysed", "enet.analysis.duplicate",
                              "enet.command", two_pass=two_pass, timeout=120,
                              arguments=["-Y", f"frame.number in {{{cut - 1}, {cut}, {cut + 1}}} or "
                                         f"frame.number > {len(HANDSHAKE) + frames - 1}"])
        assert [(number, len(limit), len(analysed), len(commands))
                for (number,), limit, analysed, commands in shown] == [
            (cut - 1, 0, each, each), (cut, 1, 64 + rest, each), (cut + 1, 1, 64, each),
            (len(HANDSHAKE) + frames, 1, 64, each), (len(HANDSHAKE) + frames + 1, 0, 1, 2)]


@pytest.mark.slow
@pytest.mark.skipif(bool(tshark.PRELOAD), reason="Wireshark's allocator for debugging looks at all of its blocks")
def test_decompressed_fragments_have_a_budget(capture):
    """A fragment of 4,000 bytes takes three hundred bytes on the wire. Fragments of a file are limited to 256
    MiB more than was captured."""
    length, frames, budget, rest = 4000, 80000, 256 << 20, random.Random(4).randbytes(270) + bytes(3730)
    pieces = [struct.pack(">BBHHHIIII", 0x0C, n % 3, 0, n // 3 + 1, length, 2, 0, 2 * length, 0) + rest for n in range(frames)]
    packets = conversation(*HANDSHAKE, *[(False, header(1, compressed=True) + zlib.compress(piece, 1)) for piece in pieces])
    path, decompress = capture(packets), ["-o", "enet.compression:zlib"]
    tshark.run(path, *decompress, memory=520, timeout=120)
    kept = 0
    for packet in packets[len(HANDSHAKE):]:
        budget -= length - len(packet)
        if budget < 0:
            break
        kept += 1
    for two_pass in (False, True):
        rows = tshark.fields(path, "frame.number", arguments=[*decompress, "-Y", "enet.analysis.fragment_not_kept"],
                             two_pass=two_pass, timeout=120)
        assert rows[0][0] == [len(HANDSHAKE) + kept + 1] and 1000 < len(rows) <= frames - kept


def test_many_messages_in_a_datagram(capture):
    """More messages than Wireshark allows layers in a frame, each given to a dissector that adds some
    layers."""
    datagram = header(1, 9) + b"".join(reliable(number + 1, b"\x07\x00") for number in range(505))
    path = capture(conversation(*HANDSHAKE, (False, datagram)))
    for options in ({}, {"two_pass": True}, {"verbose": True}):
        tshark.run(path, "-d", "enet.channel==0,godot", **options)
    (frame,) = tshark.packets(path, "-d", "enet.channel==0,godot", "-Y", "frame.number == 4")
    assert len(frame.all("godot.command")) == 505


def test_rows_of_connections(capture):
    """Each connection has its own rows in the statistic, but not each of a hundred thousand connections."""
    opened = [(False, connect(connect_id=struct.pack("<I", number))) for number in range(1, 1201)]
    rows = tshark.run(capture(conversation(*opened)), "-q", "-z", "enet,tree").stdout
    assert "Connection 999 " in rows and "Connection 1000 " not in rows
    assert re.search(r"Other connections +200 ", rows)


@pytest.mark.parametrize("first", [0, -1], ids=["in-order", "last-first"])
def test_very_many_fragments(capture, first):
    """A quarter of the allowed fragments, of one byte each. With quadratic time, the test would not end.
    (Fewer with sanitizers: Wireshark's debugging allocator checks all of its blocks.)"""
    count = 1 << (14 if tshark.PRELOAD else 18)
    pieces = [struct.pack(">BBHHHIIIIc", 0x0C, 0, 0, 1, 1, count, n, count, n, b"%c" % (n % 251)) for n in range(count)]
    pieces = pieces[first:] + pieces[:first]
    datagrams = [(False, header(1) + b"".join(pieces[n:n + 160])) for n in range(0, count, 160)]
    path = capture(conversation(*HANDSHAKE, *datagrams))
    frames = tshark.fields(path, "enet.reassembled.length", "enet.fragment.total_length", "enet.data", timeout=120,
                           arguments=["--disable-heuristic", "godot_enet", "-Y", "enet.reassembled.length"])
    assert len(frames) == 1
    (length,), _, (data,) = frames[0]
    assert length == count
    assert data == bytes(n % 251 for n in range(count))


# --- subdissectors of a message -----------------------------------------------------------------------------


def test_receiver_that_fails(capture):
    """A dissector with a bug: the result for its message does not depend on the order of the heuristics at
    that time."""
    messages = [b"\xef taken", b"\xee not read", b"\xf0 taken by the other one"]
    path = capture(conversation(*HANDSHAKE, *[(False, header(1, 5 + n) + reliable(1 + n, data))
                                              for n, data in enumerate(messages)]))
    once, twice = (tshark.listing(path, two_pass=passes, **tshark.with_plugin("other-dissectors"))[3:] for passes in (False, True))
    assert [protocol for _, protocol, _ in once] == ["Other", "ENet", "Greedy"]
    assert "Malformed" in once[1][2] and once == twice


# --- checksum -------------------------------------------------------------------------------------------------


def summed(datagram, seed=CONNECT_ID):
    """The datagram with a valid checksum."""
    length = 4 if datagram[0] & 0x80 else 2
    head, body = datagram[:length], datagram[length:]
    return head + struct.pack(">I", zlib.crc32(head + seed + body)) + body


def test_checksum(frames):
    shown = frames([(False, summed(connect(), bytes(4))), (True, summed(verify())),
                    (False, summed(header(1) + ack(1, 2, 255))),
                    (False, summed(header(1, 9) + reliable(1, b"good"))),
                    (False, summed(header(1, 9) + reliable(2, b"bad"), b"????"))], handshake=False)
    assert [frame.one("enet.checksum.status") for frame in shown] == [1, 1, 1, 1, 0]
    assert shown[4].all("enet.checksum.bad")
    assert all(frame.all("enet.command") for frame in shown)


def test_checksum_of_a_capture_from_the_middle(frames):
    """The second datagram confirms the connect id that the first one's checksum requires."""
    shown = frames([(False, summed(header(1, 9 + n) + reliable(50 + n, message(30)))) for n in range(3)],
                   "-d", "udp.port==4242,enet", handshake=False)
    assert [frame.one("enet.checksum.status") for frame in shown] == [2, 1, 1]


def test_checksum_by_preference(frames):
    """The same bytes are a checksum and a PING, or two PINGs."""
    datagram, decode = [(False, header(1, 9) + ping(1) + ping(2))], ["-d", "udp.port==4242,enet"]
    for choice, commands, sums in (("auto", [5, 5], []), ("none", [5, 5], []), ("crc32", [5], [0x85FF0001])):
        (shown,) = frames(datagram, *decode, "-o", f"enet.checksum:{choice}", handshake=False, name=f"{choice}.pcap")
        assert (shown.all("enet.command"), shown.all("enet.checksum")) == (commands, sums), choice


# --- recognition ----------------------------------------------------------------------------------------------


def protocols(path, *options):
    return [protocol for _, protocol, _ in tshark.listing(path, "--disable-heuristic", "godot_enet", *options)]


def test_middle_needs_two_that_agree(capture):
    datagrams = [(False, header(1, 5 + n) + reliable(10 + n, message(40))) for n in range(3)]
    assert protocols(capture(conversation(*datagrams))) == ["UDP", "ENet", "ENet"]
    assert protocols(capture(conversation(datagrams[0], (True, header(0) + ack(10, 5))))) == ["UDP", "ENet"]
    assert protocols(capture(conversation(datagrams[0], (True, header(0) + ack(10, 6))))) == ["UDP", "UDP"]


def test_user_choice(capture):
    path = capture(conversation((False, header(1, 5) + reliable(10, message(40)))))
    assert protocols(path) == ["UDP"]
    assert protocols(path, "-d", "udp.port==4242,enet") == ["ENet"]
    assert protocols(path, "-o", "enet.udp.port:4242") == ["ENet"]
    opening = capture(conversation((False, connect())), "opening.pcap")
    assert protocols(opening) == ["ENet"]
    assert protocols(opening, "--disable-heuristic", "enet_udp") == ["UDP"]


def test_other_datagrams_of_the_same_socket(capture):
    path = capture(conversation(*HANDSHAKE, (False, b"\xff\xff\xff\xffgetinfo"), (False, header(1, 3) + ping(2))))
    assert protocols(path) == ["ENet"] * 3 + ["UDP", "ENet"]


@pytest.mark.parametrize("captured", [52, 60, 79])
def test_connect_cut_by_the_snap_length(capture, captured):
    """The roles are known; the second CONNECT is a retransmission of the first one. The reply is truncated, too."""
    datagrams = [(False, connect()), *HANDSHAKE, (False, header(1, 3) + ping(2)), (True, header(0) + ack(2, 3, 255))]
    path = capture(conversation(*datagrams), snaplen=captured)
    shown = tshark.fields(path, "enet.sender", "enet.stream", two_pass=True)
    assert shown == [([side], [0]) for side in (0, 0, 1, 0, 0, 1)]
    tshark.assert_consistent(path, forward=("enet.analysis.unacknowledged", "enet.completeness"))


def test_truncated_datagrams_without_connect(capture):
    """Too few bytes, a longer datagram, another number, a field out of range; complete ones are not accepted
    as truncated."""
    good = connect()
    out_of_range = [good[:at] + bytes([value]) + good[at + 1:] for at, value in
                    ((0, 0x80), (5, 0), (7, 2), (12, 1), (16, 1), (20, 1))]
    packets = conversation(*[(False, data) for data in [*out_of_range, good + b"\0", good[:-1]]])
    assert protocols(capture(packets, snaplen=28 + 30)) == ["UDP"] * len(packets)
    assert protocols(capture(conversation((False, good)), "little.pcap", snaplen=28 + 23)) == ["UDP"]


def test_noise_is_not_enet(capture):
    rng = random.Random(5)
    packets = [pcap.udp(rng.randbytes(rng.choice((8, 10, 12, 16, 24, 48, 52, 100, 500))), source=("192.0.2.1", 1025 + n))
               for n in range(20000)]
    assert "ENet" not in protocols(capture(packets))


def test_dialects(capture):
    body = connect()[4:]
    csharp = capture(conversation((False, struct.pack(">HH", 0x4FFF, 1) + body)), "csharp.pcap")
    more = capture(conversation((False, struct.pack(">HHB", 0xA7FF, 1, 0x1F) + body)), "more.pcap")
    for capture_of, dialect in ((csharp, 1), (more, 2)):
        assert [frame.one("enet.dialect") for frame in tshark.packets(capture_of)] == [dialect], "a CONNECT is proof"


# --- bad commands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad, problem", [
    (b"\x0f\xff\0\1", "unknown_command"), (b"\x86\0\0", "truncated_header"), (b"\x86\0\0\2\0", "truncated_command"),
    (b"\x86\0\0\2\0\5abc", "data_overrun"), (reliable(2, b"x", channel=9), "channel"),
])
def test_bad_command_does_not_hide_the_others(frames, bad, problem):
    shown = frames([(False, header(1, 5) + reliable(1, b"good") + bad)])[0]
    assert shown.all("enet.command")[0] == 6 and shown.all("enet.data")[0] == b"good"
    assert shown.all("enet.problem." + problem)


# --- bytes ----------------------------------------------------------------------------------------------------


def test_bytes_add_up(capture):
    """Shares of messages, protocol overhead and unclaimed bytes add up to the bytes of the capture."""
    packets = conversation(*HANDSHAKE, (False, header(1, 5) + ack(3, 4) + reliable(1, b"a" * 10) + reliable(2, b"b" * 20)),
                           (True, header(0) + ack(1, 5) + ack(2, 5)), (False, header(1, 6) + ping(2)),
                           *[(True, header(0, 9) + fragment(1, n, PARTS)) for n in range(3)],
                           (False, header(1) + ack(1, 9)))
    output = tshark.run(capture(packets), "-q", "-z", "enet,tree").stdout
    count = {}
    for line in output.splitlines():
        for name in ("Bytes of frames", "Share of messages", "Protocol overhead", "Not claimed by a message"):
            if line.strip().startswith(name + " "):
                count[name] = int(line.strip()[len(name):].split()[0])
    assert count["Bytes of frames"] == sum(map(len, packets))
    assert count["Not claimed by a message"] == len(packets[-1])
    assert count["Share of messages"] + count["Protocol overhead"] + len(packets[-1]) == count["Bytes of frames"]


def test_protocol_hierarchy(capture):
    text = tshark.run(capture(conversation(*HANDSHAKE)), "-q", "-z", "io,phs").stdout
    assert re.search(r"^ +enet +frames:3 ", text, re.M), text


def follow(path, channel):
    return tshark.run(path, "-q", "-z", f"follow,enet,ascii,0{f',{channel}' if tshark.SUB_STREAMS else ''}").stdout


def test_follow(capture):
    path = capture(conversation(*HANDSHAKE, (False, header(1, 5) + reliable(1, b"question")),
                                (True, header(0, 6) + reliable(1, b"answer", channel=1))))
    assert "question" in follow(path, 255) and "answer" in follow(path, 255)
    if tshark.SUB_STREAMS:
        assert "question" in follow(path, 0) and "answer" not in follow(path, 0)


def test_lines_say_who_and_where(capture):
    """The data of Connect, which is the peer id in Godot; the channel of an Ack; which end disconnects."""
    path = capture(conversation(*HANDSHAKE, (True, header(0) + ack(1, 3, 2)), (False, header(1, 9) + disconnect(1, 11))))
    lines = [info for _, _, info in tshark.listing(path, "--disable-heuristic", "godot_enet")]
    assert lines[0] == "Connect → 3 channels (data 7)" and lines[3].endswith("Ack 1 ch 2")
    assert re.fullmatch(r"Disconnect( at once)? by the client \(data 11\)", lines[4])


def test_several_datagrams_in_a_frame(tmp_path):
    """As Wi-Fi sends them, several packets in one A-MSDU (IEEE 802.11, 9.3.2.2): each has what it has in a frame of its own."""
    connection = enet_packets.Connection()
    packets = [*connection.open(), connection.opened(), *(connection.message(bytes([3, number])) for number in range(6))]
    alone = pcap.write(tmp_path / "alone.pcap", packets)
    head = bytes.fromhex("88000000") + 3 * bytes.fromhex("020000000001") + bytes.fromhex("00008000")  # QoS data, an A-MSDU
    frames = []
    for group in (packets[:2], packets[2:4], packets[4:]):
        parts = [bytes(12) + struct.pack(">H", 8 + len(packet)) + bytes.fromhex("aaaa030000000800") + packet for packet in group]
        frames.append(head + b"".join(part + bytes(-len(part) % 4) for part in parts))
    together = pcap.write(tmp_path / "together.pcap", frames, linktype=105)
    names = ("enet.sent_time", "enet.stream", "enet.sender", "enet.command", "enet.sequence", "enet.data")
    found = []
    for path in alone, together:
        rows = tshark.fields(path, *names, two_pass=True)
        found.append({name: [value for values in column for value in values] for name, column in zip(names, zip(*rows))})
    assert len(found[0]["enet.sent_time"]) == 9 and found[0] == found[1]
