"""ENet without a captured handshake: a datagram has no warnings that it does not have in the whole capture.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools

import pytest

import pcap
import tshark
from test_enet_basic import HANDSHAKE, conversation, header

CAPTURES = sorted(path for path in (tshark.CAPTURES / "enet").glob("*.pcap") if path.stem != "ordinary-udp")
CSHARP = tshark.CAPTURES / "enet" / "zpl-csharp-header.pcap"
# Missing numbers, whatever the reason.
OF_NUMBERS = "Reliable numbers before this one were not seen yet"


@functools.lru_cache(maxsize=None)
def warnings(path):
    """{(frame number, message)} of expert infos with at least the severity warning."""
    rows = tshark.fields(path, "frame.number", "_ws.expert.severity", "_ws.expert.message", arguments=["-Y", "enet && _ws.expert"])
    return {(numbers[0], message) for numbers, severities, messages in rows for severity, message in zip(severities, messages)
            if tshark.SEVERITIES[severity] in ("warning", "error") and not message.startswith(OF_NUMBERS)}


def cut(path, place, first):
    linktype, packets = pcap.read(path)
    return pcap.write(place / f"from-{first}.pcap", packets[first:], linktype)


def late(path, place, first):
    """Warnings of the capture without its first frames that the whole one does not have."""
    return {(number + first, name) for number, name in warnings(cut(path, place, first))} - warnings(path)


def places(path):
    count = len(pcap.read(path)[1])
    return sorted({3, 4, 5, 8, count // 10, count // 3, count // 2, 3 * count // 4} & set(range(1, count)))


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_no_more_warnings(path, tmp_path):
    for first in places(path):
        assert late(path, tmp_path, first) == set()


def test_csharp_from_the_middle(tmp_path):
    """From any frame after the handshake: once it is recognised, every datagram is dissected as in the whole
    capture."""
    names = ("enet.dialect", "enet.sent_time", "enet.command", "enet.sequence", "enet.data")
    whole = tshark.fields(CSHARP, *names)
    for first in places(CSHARP):
        rows = tshark.fields(cut(CSHARP, tmp_path, first), *names)
        seen = [row[2] != [] for row in rows]
        assert seen.index(True) < 40
        for row, other in list(zip(rows, whole[first:]))[seen.index(True):]:
            assert row[1:] == other[1:] or not other[2]


def test_unknown_compression_is_no_fault_of_the_sender(capture):
    """A compressor that is not supported: the receiver may support it."""
    packets = conversation(*HANDSHAKE, (False, header(1, 9, compressed=True) + bytes(range(200, 240))))
    (frame,) = tshark.packets(capture(packets))[-1:]
    assert [(name, text) for name, _, text in frame.experts] == [
        ("enet.compression.undecoded", "Cannot be decompressed: The compression is not known")]
