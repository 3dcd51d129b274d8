"""The rate of false positives of the heuristic for Variants on UDP. The figures are those of docs/variant.md.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import struct

import pytest

import pcap
import tshark

COUNT = 20000
ENABLE = ["--enable-heuristic", "godot_variant_udp"]


def random_bytes(chance):
    return chance.randbytes(chance.randint(8, 1200))


def name(chance):
    labels = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz0123456789-", k=chance.randint(1, 14))) for _ in range(3)]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def dns(chance):
    """A query, or a response with addresses."""
    answers = chance.choice([0, 0, 1, 4])
    question = name(chance) + struct.pack(">HH", chance.choice([1, 28, 15]), 1)
    header = struct.pack(">6H", chance.getrandbits(16), 0x8180 if answers else 0x0100, 1, answers, 0, 0)
    answer = b"".join(struct.pack(">HHHIH4s", 0xC00C, 1, 1, chance.randint(0, 86400), 4, chance.randbytes(4))
                      for _ in range(answers))
    return header + question + answer


def quic(chance):
    """Long header with Initial's fields, or short header; the rest is encrypted."""
    rest = chance.randbytes(chance.randint(20, 1180))
    if chance.random() < 0.3:
        return bytes([0xC0 | chance.getrandbits(4)]) + struct.pack(">I", 1) + b"\x08" + chance.randbytes(8) + b"\0\0" + rest
    return bytes([0x40 | chance.getrandbits(6)]) + chance.randbytes(8) + rest


def rtp(chance):
    """Voice and video, sometimes silence."""
    header = struct.pack(">BBHII", 0x80, chance.choice([0, 8, 96, 224]), chance.getrandbits(16), chance.getrandbits(32),
                         chance.getrandbits(32))
    return header + (b"\xff" * 160 if chance.random() < 0.2 else chance.randbytes(chance.choice([33, 160, 1100])))


def small_words(chance):
    """The worst case: little-endian words with mostly small values, as in the formats of other games."""
    words = [chance.choice([0, 1, 2, 3, 4, 5, 8, 28, chance.getrandbits(8), chance.getrandbits(32)])
             for _ in range(chance.randint(2, 40))]
    return struct.pack(f"<{len(words)}I", *words)


def taken(capture, make, seed=1):
    chance = random.Random(seed)
    # Each datagram in its own conversation, because a recognised one claims its conversation.
    packets = [pcap.udp(make(chance), source=(f"192.0.2.{1 + i // 60000}", 1024 + i % 60000)) for i in range(COUNT)]
    return len(tshark.fields(capture(packets), "frame.number", arguments=[*ENABLE, "-Y", "godot.variant"]))


@pytest.mark.parametrize("make", [random_bytes, dns, quic, rtp], ids=lambda make: make.__name__)
def test_other_protocols_are_left_alone(capture, make):
    assert taken(capture, make) == 0


def test_small_words_are_rarely_taken(capture):
    assert taken(capture, small_words) < COUNT // 20
