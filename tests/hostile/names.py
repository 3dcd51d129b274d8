"""Names that collide in hash tables, for the statistics.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import enet_packets
import pcap

BITS = 20  # of the number in a name
MESSAGES = 16  # in a datagram
SPREAD = 0.02  # seconds in which all datagrams were captured


def colliding(number, before=b""):
    """A name for each number below 2^20. All have the same g_str_hash(), because "Ab" and "BA" have the same
    one."""
    return before + b"".join(b"BA" if number >> bit & 1 else b"Ab" for bit in range(BITS))


def capture(folder, messages, each=MESSAGES):
    """A connection of Godot 4 with these messages of the client."""
    connection = enet_packets.Connection()
    packets = connection.open()
    for begin in range(0, len(messages), each):
        packets.append(connection.message(*messages[begin:begin + each]))
    timed = [(1_700_000_000 + index * SPREAD / len(packets), packet) for index, packet in enumerate(packets)]
    return pcap.write(folder / "capture.pcap", timed)


def announcement(number, path):
    """SIMPLIFY_PATH: a path, and the id that the client uses for its node from then on."""
    return b"\x01" + b"0" * 32 + b"\0" + number.to_bytes(4, "little") + path + b"\0"


def colliding_nodes(folder, count):
    """This many nodes, each with a different name."""
    return capture(folder, [announcement(number + 1, colliding(number)) for number in range(count)])


def nodes_at_the_limit(folder, count):
    """More nodes than any statistic has rows, then names without a row, again and again."""
    return capture(folder, [announcement(number % 4096 + 1, colliding(number % 60000)) for number in range(count)])


def ordinary_nodes(folder, count):
    """Nodes as games name them, most of them beyond the limit of rows."""
    return capture(folder, [announcement(number % 4096 + 1, b"Main/World/Bullet%d" % number) for number in range(count)])


def colliding_properties(folder, count):
    """This many properties: each synchronizer has one, at a different path."""
    messages = []
    for number in range(count):
        entry = (0x80000001 + number).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(4)
        messages += [announcement(number + 1, colliding(number)), b"\x06\x01\0" + entry]
    return capture(folder, messages)


def long_names(folder, count):
    """Names of nearly 4,000 bytes that differ at the end."""
    return capture(folder, [announcement(number + 1, colliding(number, b"N" * 3800)) for number in range(count)], each=1)


OPTIONS = ("-d", "enet.payload,godot", "-q")
KINDS = {
    "names that collide, godot,timeline": (1000, (*OPTIONS, "-z", "godot,timeline"), colliding_nodes),
    "names that collide, godot,bandwidth": (1000, (*OPTIONS, "-z", "godot,bandwidth"), colliding_nodes),
    "names that collide, godot,summary": (1000, (*OPTIONS, "-z", "godot,summary"), colliding_nodes),
    "names that collide, godot,tree": (1000, (*OPTIONS, "-z", "godot,tree"), colliding_nodes),
    "names that collide beyond the limit, godot,bandwidth": (8000, (*OPTIONS, "-z", "godot,bandwidth"), nodes_at_the_limit),
    "names that collide beyond the limit, godot,tree": (8000, (*OPTIONS, "-z", "godot,tree"), nodes_at_the_limit),
    "ordinary names, godot,tree": (4000, (*OPTIONS, "-z", "godot,tree"), ordinary_nodes),
    "ordinary names, godot,bandwidth": (4000, (*OPTIONS, "-z", "godot,bandwidth"), ordinary_nodes),
    "properties that collide, godot,replication": (500, (*OPTIONS, "-z", "godot,replication"), colliding_properties),
    "properties that collide, godot,properties": (500, (*OPTIONS, "-z", "godot,properties"), colliding_properties),
    "properties that collide, godot,savings": (500, (*OPTIONS, "-z", "godot,savings"), colliding_properties),
    "names that collide beyond the limit, godot,savings": (8000, (*OPTIONS, "-z", "godot,savings"), nodes_at_the_limit),
    "long names, godot,timeline": (250, (*OPTIONS, "-z", "godot,timeline"), long_names),
}
