"""Hostile input for the statistics, as the bytes of a capture of a given size.

    statistics.GENERATORS["colliding nodes"](1000)       # a capture of 1,000 messages

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))

import enet_packets  # noqa: E402
import pcap  # noqa: E402

BITS = 20  # of the number in a name
MESSAGES = 16  # in a datagram
SPREAD = 0.02  # seconds in which all datagrams were captured


def colliding(number, before=b""):
    """A name for each number below 2^20. All have the same value under g_str_hash(): "Ab" and "BA" have it."""
    return before + b"".join(b"BA" if number >> bit & 1 else b"Ab" for bit in range(BITS))


def capture(messages):
    """A connection of Godot 4 with these messages of the client, as the bytes of a file."""
    connection = enet_packets.Connection()
    packets = connection.open()
    for begin in range(0, len(messages), MESSAGES):
        packets.append(connection.message(*messages[begin:begin + MESSAGES]))
    timed = [(1_700_000_000 + index * SPREAD / len(packets), packet) for index, packet in enumerate(packets)]
    with tempfile.TemporaryDirectory() as folder:
        return pathlib.Path(pcap.write(f"{folder}/made.pcap", timed)).read_bytes()


def announcement(number, path):
    """SIMPLIFY_PATH: a path, and the id by which the client calls its node from now on."""
    return b"\x01" + b"0" * 32 + b"\0" + number.to_bytes(4, "little") + path + b"\0"


def colliding_nodes(count):
    """So many nodes, each with a name of its own."""
    return capture([announcement(number + 1, colliding(number)) for number in range(count)])


def nodes_at_the_limit(count):
    """More nodes than any statistic has rows, then the names that have no row any more, again and again."""
    return capture([announcement(number % 4096 + 1, colliding(number % 60000)) for number in range(count)])


def colliding_properties(count):
    """So many properties: each synchronizer has one, at a path of its own."""
    messages = []
    for number in range(count):
        entry = (0x80000001 + number).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(4)
        messages += [announcement(number + 1, colliding(number)), b"\x06\x01\0" + entry]
    return capture(messages)


def long_names(count):
    """Names of nearly 4,000 bytes that differ in the last ones."""
    return capture([announcement(number + 1, colliding(number, b"N" * 3800)) for number in range(count)])


# Name: (makes a capture of that many messages, the least N, options of tshark).
OPTIONS = ("-d", "enet.payload,godot", "-q")
GENERATORS = {
    "names that collide, godot,timeline": (colliding_nodes, 2000, (*OPTIONS, "-z", "godot,timeline")),
    "names that collide, godot,bandwidth": (colliding_nodes, 2000, (*OPTIONS, "-z", "godot,bandwidth")),
    "names that collide, godot,summary": (colliding_nodes, 2000, (*OPTIONS, "-z", "godot,summary")),
    "names that collide, godot,tree": (colliding_nodes, 2000, (*OPTIONS, "-z", "godot,tree")),
    "names that collide beyond the limit, godot,bandwidth": (nodes_at_the_limit, 8000, (*OPTIONS, "-z", "godot,bandwidth")),
    "names that collide beyond the limit, godot,tree": (nodes_at_the_limit, 8000, (*OPTIONS, "-z", "godot,tree")),
    "properties that collide, godot,replication": (colliding_properties, 1000, (*OPTIONS, "-z", "godot,replication")),
    "long names, godot,timeline": (long_names, 1000, (*OPTIONS, "-z", "godot,timeline")),
}
