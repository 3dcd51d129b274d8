"""The limits of decompressed datagrams: src/enet/wire/budget.h.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct
import zlib

import pytest

import pcap
import tshark
from test_enet_basic import HANDSHAKE, header, ping, unreliable

EACH = 1000  # commands of a datagram with very many
CONVERSATION_BYTES, CONVERSATION_COMMANDS = 4 << 20, 16384
FILE_COMMANDS = 131072


def packed(body, peer=1, time=9):
    return header(peer, time, compressed=True) + zlib.compress(body, 9)


def many_commands(count, port=40000):
    """A handshake, a datagram that shows the compressor, and datagrams with very many commands; a
    conversation for each port."""
    datagrams = [*HANDSHAKE, (False, packed(ping(2) * 30)), *[(False, packed(ping(3 + i) * EACH)) for i in range(count)]]
    return [pcap.udp(payload, (pcap.CLIENT[0], port), reply=reply) for reply, payload in datagrams]


def payload_of(packet):
    return len(packet) - 28


def expected(packets, commands):
    """Whether each datagram is decompressed, by the definition of the limit; `commands` is the number in the
    compressed ones."""
    read, bytes_left, captured_left = [], CONVERSATION_BYTES, 2 * CONVERSATION_COMMANDS
    for packet, count in zip(packets, commands):
        bytes_left += 16 * payload_of(packet)
        captured_left += payload_of(packet)
        read.append(captured_left >= 2 * count and bytes_left >= 4 * count)
        if read[-1]:
            bytes_left, captured_left = bytes_left - 4 * count, captured_left - 2 * count
    return read


@pytest.mark.parametrize("two_pass", [False, True])
def test_commands_of_a_conversation(capture, two_pass):
    packets = many_commands(60)
    rows = tshark.fields(capture(packets), "enet.command", "enet.compression.over_budget", "enet.compression.data",
                         "enet.compression.undecoded", two_pass=two_pass)
    behind = len(HANDSHAKE) + 1
    read = expected(packets, [0] * len(HANDSHAKE) + [30] + [EACH] * 60)[behind:]
    assert 15 < sum(read) < 20
    shown = [(len(commands), len(over)) for commands, over, data, undecoded in rows[behind:]]
    assert shown == [(EACH, 0) if one else (0, 1) for one in read]
    assert all(data and not undecoded for _, _, data, undecoded in rows[behind:])


def test_undecompressed_datagrams_have_no_warnings(capture):
    """It may contain acknowledgements."""
    packets = many_commands(60)
    text = tshark.run(capture(packets), "-V", two_pass=True).stdout
    assert "Not decompressed: Too much was decompressed already for what was captured" in text
    assert "receiver drops the datagram" not in text and "Neither acknowledged" not in text
    assert tshark.listing(capture(packets))[-1][2] == "Compressed datagram"


def test_another_conversation_has_its_own(capture):
    normal = many_commands(0, 40002) + [pcap.udp(packed(unreliable(0, n + 1, bytes(100)), time=None), (pcap.CLIENT[0], 40002))
                                 for n in range(20)]
    path = capture(many_commands(60) + normal)
    assert len(tshark.fields(path, "frame.number", arguments=["-Y", "enet.compression.over_budget && udp.port == 40000"])) > 40
    assert tshark.fields(path, "frame.number", arguments=["-Y", "enet.compression.over_budget && udp.port == 40002"]) == []


def test_all_conversations_together(capture):
    packets = [packet for port in range(40000, 40030) for packet in many_commands(10, port)]
    rows = tshark.fields(capture(packets), "enet.command", "enet.compression.over_budget")
    commands = sum(len(commands) for commands, _ in rows)
    captured = sum(map(payload_of, packets))
    assert FILE_COMMANDS < commands < FILE_COMMANDS + captured / 2 + 300 and rows[-1][1]


def test_bytes_of_a_conversation(capture):
    """Long messages instead of many commands."""
    message, count = bytes(4000), 2000
    datagrams = [packed(unreliable(0, n + 1, message), time=None) for n in range(count)]
    packets = many_commands(0) + [pcap.udp(datagram) for datagram in datagrams]
    rows = tshark.fields(capture(packets), "enet.data_length", "enet.compression.over_budget")
    read = sum(length == [4000] for length, _ in rows)
    captured = sum(map(len, datagrams))
    assert 0.99 < read * 4008 / (CONVERSATION_BYTES + 16 * captured) <= 1.01
    assert sum(len(over) for _, over in rows) == count - read


def test_quoted_and_seen_again(capture):
    """Datagrams quoted in ICMP errors, and those of a second capture point, count as well."""
    (datagram,) = many_commands(1)[len(HANDSHAKE) + 1:]
    error = struct.pack(">BBHI", 3, 3, 0, 0) + datagram
    quoted = [pcap.ip(pcap.SERVER[0], pcap.CLIENT[0], 1, error)] * 200
    rows = tshark.fields(capture(many_commands(1) + quoted), "enet.command", "enet.compression.over_budget")
    assert sum(len(commands) for commands, _ in rows) < FILE_COMMANDS + 16384 and rows[-1][1]


@pytest.mark.parametrize("path", sorted((tshark.CAPTURES / "enet").glob("*.pcap")), ids=lambda path: path.stem)
def test_no_real_capture_comes_near(path):
    assert tshark.fields(path, "frame.number", arguments=["-Y", "enet.compression.over_budget"]) == []
