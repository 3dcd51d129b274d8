"""The messages of Godot 3, counted from the bytes that recount.py found, and from nothing of the plugin.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import struct

from recount import Unknown, Updates, answered, own_ways, text_at
from recount_replication import Replication

SYSTEM_ENET, SYSTEM_WEBSOCKET = {0: "Add Peer", 1: "Remove Peer"}, {1: "Add Peer", 2: "Remove Peer", 3: "Assign Id"}
CALL, SET, SIMPLIFY, CONFIRM, RAW = range(5)


class Packet:
    """kind, name, path, content (arguments or value); author and target of its header; own: not passed on."""


def packets(found):
    """(message's author, message's receiver, what is in it), for each message."""
    paths = {}
    for (author, target, data), facts in zip(found.messages, found.facts):
        one = Packet()
        one.kind, one.name, one.path, one.size, one.content = None, None, None, len(data), b""
        one.author, one.target, one.own = author, target, True
        websocket = facts["channel"] is None
        if websocket and data[0] or facts["channel"] == 0:
            one.name = SYSTEM_WEBSOCKET[data[0]] if websocket else SYSTEM_ENET[struct.unpack("<I", data[:4])[0]]
        else:
            one.author, one.target = struct.unpack("<Ii", data[websocket:8 + websocket])
            one.own = one.author == author
            packet(one, data[8 + websocket:], paths)
        yield author, target, one


def packet(one, data, paths):
    one.kind = data[0]
    if one.kind in (SIMPLIFY, CONFIRM):
        at = 5 if one.kind == SIMPLIFY else 1
        one.name, one.path = "path cache", text_at(data, at)
        if one.kind == SIMPLIFY:
            paths[one.author, struct.unpack("<I", data[1:5])[0]] = one.path
    elif one.kind == RAW:
        one.name = "raw"
    elif one.kind in (CALL, SET):
        node, end = struct.unpack("<I", data[1:5])[0], data.index(b"\0", 5)
        full = node >> 31
        one.path = text_at(data, node & 0x7FFFFFFF) if full else paths[one.author, node]
        one.name = data[5:end].decode() + ("()" if one.kind == CALL else "")
        one.content = data[end + 1:node & 0x7FFFFFFF] if full else data[end + 1:]
    else:
        raise Unknown("another command")


def kinds(found):
    """As recount.kinds()."""
    by_name, nodes = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    for _, _, one in packets(found):
        by_name[one.name, ""][0] += 1
        by_name[one.name, ""][1] += one.size
        nodes[one.path or "(no node)"] += one.size
    return by_name, nodes


def updates(found):
    """As recount.updates()."""
    all_of_them = Updates()
    for (author, receiver, one), time, facts in zip(packets(found), found.times, found.facts):
        ends = author, receiver, one.author, one.target, facts["connection"]
        if one.kind == CALL:
            to = one.target if one.own and one.target > 0 else receiver
            all_of_them.call(one.name[:-2], ends, one.author, to, one.own, one.path, one.content, time)
        elif one.kind == SET:
            all_of_them.update("rset", one.name, (ends, one.path), one.content)
    return all_of_them.found, all_of_them.calls


def replication(found):
    """As recount_replication.replication(): properties that RSET sets."""
    counted = Replication(found.begin)
    for (_, receiver, one), facts, frame, now in zip(packets(found), found.facts, found.frames, found.times):
        if one.kind == SET and one.target != -receiver:
            ends = one.author, one.target if one.target > 0 else receiver
            counted.value(ends, one.path, one.name, (not one.own, frame, now - found.begin, facts))
    counted.end = found.end - found.begin
    return counted


def between(found):
    """As recount.between(): each packet says for whom it is, also that it is for all."""
    return collections.Counter(own_ways((sender, receiver, one.author, one.target) for sender, receiver, one in packets(found)))


def confirmations(found):
    """As recount.answered(): a path is confirmed by itself."""
    return answered((now, one.author, one.target, one.path, one.kind == SIMPLIFY)
                    for (*_, one), now in zip(packets(found), found.times) if one.kind in (SIMPLIFY, CONFIRM))
