"""Every shipped capture, whole, truncated and damaged, with heuristics and with each protocol forced: no
dissector bug, no crash. New captures are included automatically.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import random

import pytest

import captures
import pcap
import sharkd
import tshark

DAMAGED_PACKETS = 60 if tshark.PRELOAD else 200  # frames of each capture; there are many captures, and sanitizers are slow
EVERY_PORT = "1-65535"

# Ways of decoding: with every heuristic, and everything given to one protocol of UDP and one of TCP.
WAYS = {
    "heuristics": {},
    "enet-stream": {"enet.udp.port": EVERY_PORT, "godot.stream.tcp.port": EVERY_PORT},
    "variant-debugger": {"godot.variant.udp.port": EVERY_PORT, "godot.debugger.tcp.port": EVERY_PORT},
}

each_way = pytest.mark.parametrize(
    "way", [way if way == "heuristics" else pytest.param(way, marks=pytest.mark.slow) for way in WAYS])
shipped = pytest.mark.parametrize("capture", captures.slow_if_large(captures.different()), ids=captures.name)
# A damaged encrypted record cannot be decrypted, so damage would not reach the dissectors.
can_be_damaged = pytest.mark.parametrize(
    "capture", [path for path in captures.different() if path.suffix != ".pcapng"], ids=captures.name
)
with_sharkd = pytest.mark.skipif(not sharkd.PROGRAM, reason="sharkd is not installed")


@functools.lru_cache(maxsize=None)
def session(way):
    return sharkd.Session(captures.heuristics() if way == "heuristics" else (), WAYS[way])


def look(path, way):
    """The packet list, and each frame's tree, after a first pass without trees."""
    try:
        session(way).look_at_everything(path)
    except tshark.Failure:
        session.cache_clear()  # the next capture gets a new process
        raise


def damaged(capture):
    """Packets truncated by the snap length, then with one byte in fifty changed after the UDP or TCP
    header."""
    linktype, packets = pcap.read(capture)
    packets = packets[:DAMAGED_PACKETS]
    changed = [(time, data[:length], len(data)) for length in (60, 75, 90, 130) for time, data in packets]
    network = 0 if linktype == pcap.LINKTYPE_RAW else 14
    for seed in (1, 2):
        chance = random.Random(seed)
        for time, data in packets:
            bytes_of_it = bytearray(data)
            tcp = len(data) > network + 9 and data[network + 9] == 6
            for at in range(network + 20 + (32 if tcp else 8), len(data)):
                if chance.random() < 0.02:
                    bytes_of_it[at] = chance.randrange(256)
            changed.append((time, bytes(bytes_of_it)))
    return linktype, changed


def test_there_are_captures():
    assert captures.shipped()


@with_sharkd
@each_way
@shipped
def test_whole(capture, way):
    look(capture, way)


@pytest.mark.slow
@with_sharkd
@each_way
@can_be_damaged
def test_damaged(capture, way, tmp_path):
    linktype, packets = damaged(capture)
    look(pcap.write(tmp_path / "damaged.pcap", packets, linktype=linktype), way)
