"""Counts what is in a capture of ENet or WebSocket, from its bytes: usage: recount.py CAPTURE...

Written from the descriptions of the protocols alone: shares no code with the plugin, with tshark or with the other
tests, and knows only what it counts. Plain pcap, IPv4 and IPv6, whole frames, one capture point; ENet without
checksums, uncompressed or with zlib or the range coder; Godot 4.3 to 4.6. Godot 3: recount_godot3.py.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import struct
import sys
import zlib

from recount_range_coder import range_decoded

ACKNOWLEDGE, CONNECT, VERIFY_CONNECT, DISCONNECT, RELIABLE, UNRELIABLE, FRAGMENT, UNSEQUENCED, UNRELIABLE_FRAGMENT = 1, 2, 3, 4, 6, 7, 8, 9, 12
FIXED = {1: 8, 2: 48, 3: 44, 4: 8, 5: 4, 6: 6, 7: 8, 8: 24, 9: 8, 10: 12, 11: 16, 12: 24}
SYSTEM = {0: "Authentication", 1: "Add Peer", 2: "Delete Peer"}
KINDS = {1: "path cache", 2: "path cache", 3: "raw", 4: "spawn", 5: "despawn"}


class Unknown(Exception):
    """The capture has something that is not counted here."""


def frames(path):
    """(seconds, bytes of the frame on the wire, network protocol's packet)"""
    data = open(path, "rb").read()
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<"}.get(data[:4])
    if not order:
        raise Unknown("not pcap")
    link = struct.unpack(order + "I", data[20:24])[0]
    skip = {1: 14, 101: 0, 113: 16, 276: 20, 0: 4, 228: 0}[link]
    units = 1e9 if data[:4] == b"\x4d\x3c\xb2\xa1" else 1e6
    at = 24
    while at + 16 <= len(data):
        seconds, part, kept, length = struct.unpack(order + "IIII", data[at:at + 16])
        if kept != length:
            raise Unknown("cut frames")
        yield seconds + part / units, length, data[at + 16 + skip:at + 16 + kept]
        at += 16 + kept


def segments(packet):
    """(protocol, source, destination, payload of IP)"""
    if packet[:1] and packet[0] >> 4 == 4:
        head, size = (packet[0] & 15) * 4, struct.unpack(">H", packet[2:4])[0]
        return packet[9], packet[12:16], packet[16:20], packet[head:size]
    size = struct.unpack(">H", packet[4:6])[0]
    return packet[6], packet[8:24], packet[24:40], packet[40:40 + size]


class Count:
    def __init__(self):
        self.datagrams = self.frame_bytes = self.header_bytes = self.data_bytes = self.acknowledgement_bytes = 0
        self.commands, self.reliable = collections.Counter(), 0
        self.messages = []  # (author, whom it is for, bytes)
        self.times = []  # of the messages, seconds
        self.frames = []  # of the messages, from 1
        self.facts = []  # of the messages: {"again": copies of its commands, "unanswered": there is no acknowledgement}
        self.now = self.frame = 0
        self.begin = None  # seconds of the first frame
        self.end = 0  # of the last message, or of a copy of one
        self.message_frames = 0  # bytes of frames with data, and of those before with acknowledgements alone
        self.compressed = self.copies = 0  # datagrams; commands with data, again
        self.connections = []  # of ENet

    def message(self, author, target, content):
        self.end = self.now
        self.messages.append((author, target, content))
        self.times.append(self.now)
        self.frames.append(self.frame)
        self.facts.append({"again": 0, "unanswered": False, "channel": None, "connection": 0})
        return self.facts[-1]


class Numbers:
    """Sequence numbers of 16 bits as numbers that grow."""

    def __init__(self):
        self.newest = 0

    def unwrapped(self, number):
        step = (number - self.newest) & 0xFFFF
        step -= 0x10000 if step & 0x8000 else 0
        found = self.newest + step
        self.newest = max(self.newest, found)
        return found


class Side:
    """What one end of a connection sends."""

    def __init__(self):
        self.numbers = collections.defaultdict(Numbers)
        self.unreliable = collections.defaultdict(Numbers)
        self.seen, self.parts = set(), collections.defaultdict(dict)
        self.unreliable_seen = collections.defaultdict(set)  # numbers
        self.facts = {}  # of the message that a command belongs to, and whether the command was acknowledged


def decompressed(data):
    """By zlib, or else by the range coder: what either makes of the other's bytes is no ENet."""
    try:
        return zlib.decompress(data)
    except zlib.error:
        try:
            return range_decoded(data)
        except ValueError as error:
            raise Unknown("compression") from error


class ENet:
    def __init__(self, count):
        self.count, self.connections, self.datagrams, self.unclaimed = count, {}, set(), collections.Counter()
        self.parts, self.part_of, self.finished = collections.Counter(), set(), 0  # frames of messages in fragments; messages

    def datagram(self, source, destination, payload, frame):
        if len(payload) < 4:
            raise Unknown("not ENet")
        word = struct.unpack(">H", payload[:2])[0]
        at = 4 if word & 0x8000 else 2
        if word & 0x4000:
            self.count.compressed += 1
            body = decompressed(payload[at:])
        else:
            body = payload[at:]
        self.count.datagrams += 1
        self.count.frame_bytes += frame
        self.count.header_bytes += frame - len(payload)
        copy = (source, destination, payload) in self.datagrams  # sent again, it would have another time
        self.datagrams.add((source, destination, payload))
        self.part_of, finished, pair = set(), self.finished, frozenset((source, destination))
        self.sent_time = payload[2:4] if word & 0x8000 else None
        data, only_acknowledges = self.body(source, destination, body, copy)
        self.of_connection(source, destination, frame)
        if data and self.part_of and self.finished == finished:  # nothing but a part of a message that may stay incomplete
            self.parts[min(self.part_of)] += frame + self.unclaimed.pop(pair, 0)
        elif data:
            self.count.message_frames += frame + self.unclaimed.pop(pair, 0) + sum(self.parts.pop(one, 0) for one in self.part_of)
        elif only_acknowledges:
            self.unclaimed[pair] += frame

    def body(self, source, destination, body, copy):
        """Returns whether there is data, and whether there are only acknowledgements of some."""
        at, data, only_acknowledges = 0, False, True
        while at < len(body):
            byte, channel, number = struct.unpack(">BBH", body[at:at + 4])
            kind = byte & 15
            if kind not in FIXED:
                raise Unknown("not ENet")
            fixed = body[at:at + FIXED[kind]]
            length = struct.unpack(">H", fixed[{RELIABLE: 4, UNRELIABLE: 6, UNSEQUENCED: 6, FRAGMENT: 6, UNRELIABLE_FRAGMENT: 6}[kind]:][:2])[0] if kind in (6, 7, 8, 9, 12) else 0
            content = body[at + len(fixed):at + len(fixed) + length]
            if len(fixed) < FIXED[kind] or len(content) < length:
                raise Unknown("broken ENet")
            at += len(fixed) + length
            self.count.commands[kind] += 1
            reliable = 0 if copy else byte >> 7
            self.count.reliable += reliable
            only_acknowledges &= kind == ACKNOWLEDGE and channel != 255
            self.count.acknowledgement_bytes += FIXED[kind] if kind == ACKNOWLEDGE else 0
            if kind == CONNECT:
                self.connect(source, destination, fixed)
            if frozenset((source, destination)) in self.connections:
                self.connections[frozenset((source, destination))]["reliable"] += reliable
                self.connections[frozenset((source, destination))]["ends"] |= kind == DISCONNECT
            if kind == ACKNOWLEDGE:
                self.acknowledged(destination, source, channel, struct.unpack(">H", fixed[4:6])[0])
                self.round_trip(destination, source, channel, fixed[4:8])
            if kind == VERIFY_CONNECT:
                self.verified(destination, source)
            if byte >> 7 and not copy:
                self.leaves(source, destination, channel, number)
            if length or kind in (6, 7, 9):
                data = True
                self.count.data_bytes += length
                self.data(source, destination, kind, channel, number, fixed, content)
        return data, only_acknowledges

    def connect(self, source, destination, fixed):
        opened, peer = fixed[40:44], struct.unpack(">I", fixed[44:48])[0]
        known = self.connections.get(frozenset((source, destination)))
        if not known or known["opened"] != opened:
            self.unclaimed.pop(frozenset((source, destination)), None)
            self.connections[frozenset((source, destination))] = {
                "opened": opened, source: Side(), destination: Side(), "peers": {source: peer, destination: 1}, "client": source, "first": self.count.now, "last": 0,
                "ends": False, "ended": False, "verified": False, "sent": {}, "trips": collections.defaultdict(list), "reliable": 0, "bytes": collections.Counter()}
            self.count.connections.append(self.connections[frozenset((source, destination))])

    def leaves(self, source, destination, channel, number):
        """A reliable command, which an acknowledgement names with its number and the time in its datagram."""
        connection = self.connections.get(frozenset((source, destination)))
        if connection and self.sent_time is not None:
            command = connection["sent"].setdefault((source, channel, struct.pack(">H", number)), {"sent": [], "first": None})
            command["sent"].append({"named": self.sent_time, "at": self.count.now, "answered": False})

    def round_trip(self, sender, receiver, channel, answered):
        """From the transmission that it names; each of them is acknowledged."""
        connection = self.connections.get(frozenset((sender, receiver)))
        command = connection["sent"].get((sender, channel, answered[:2])) if connection else None
        for position, one in enumerate(command["sent"] if command else []):
            if one["named"] == answered[2:] and not one["answered"]:
                connection["trips"][sender].append(self.count.now - one["at"])
                one["answered"] = True
                command["first"] = position if command["first"] is None else command["first"]
                return

    def verified(self, sender, receiver):
        """The answer to CONNECT, whose number is 1; if that was sent several times it is not known to which."""
        connection = self.connections.get(frozenset((sender, receiver)))
        command = connection["sent"].get((sender, 255, b"\0\1")) if connection and not connection["verified"] else None
        if command and len(command["sent"]) == 1:
            connection["trips"][sender].append(self.count.now - command["sent"][0]["at"])
        if command:
            command["sent"], command["first"] = command["sent"][-1:], 0
        if connection:
            connection["verified"] = True

    def of_connection(self, source, destination, frame):
        """What is sent after the end is counted, but does not make it longer."""
        connection = self.connections.get(frozenset((source, destination)))
        if not connection:
            return
        connection["bytes"][source == connection["client"]] += frame
        if not connection["ended"]:
            connection["last"], connection["ended"] = self.count.now, connection["ends"]

    def acknowledged(self, sender, receiver, channel, number):
        connection = self.connections.get(frozenset((sender, receiver)))
        for facts in connection[sender].facts.get((channel, number), []) if connection else []:
            facts["unanswered"] = False

    def data(self, source, destination, kind, channel, number, fixed, content):
        connection = self.connections.get(frozenset((source, destination)))
        if not connection:
            raise Unknown("begins late")
        side = connection[source]
        if kind == UNSEQUENCED:
            key = (kind, channel, side.unreliable["group"].unwrapped(struct.unpack(">H", fixed[4:6])[0]))
            side.unreliable_seen["group"].add(key[-1])
        elif kind in (RELIABLE, FRAGMENT):
            key = (channel, side.numbers[channel].unwrapped(number))
        else:
            before = side.numbers[channel].unwrapped(number)
            key = (kind, channel, before, side.unreliable[channel, before].unwrapped(struct.unpack(">H", fixed[4:6])[0]))
            side.unreliable_seen[channel, before].add(key[-1])
        self.finished += kind not in (FRAGMENT, UNRELIABLE_FRAGMENT)
        self.count.end = self.count.now
        if key in side.seen and kind not in (FRAGMENT, UNRELIABLE_FRAGMENT):
            self.count.copies += 1
            for facts in side.facts.get((channel, number), []) if kind == RELIABLE else []:
                facts["again"] += 1
            return
        if kind in (FRAGMENT, UNRELIABLE_FRAGMENT):
            begin, _, count, index, total, offset = struct.unpack(">HHIIII", fixed[4:24])
            whole = (kind, channel, begin, total)
            if whole in side.seen:
                self.finished += 1
                self.count.copies += 1
                return
            self.part_of.add((source, destination, *whole, id(side)))
            side.parts[whole][index] = (offset, content)
            if len(side.parts[whole]) < count:
                return
            self.finished += 1
            content = b"".join(part for _, part in sorted(side.parts.pop(whole).values()))
            side.seen.add(whole)
        side.seen.add(key)
        facts = self.count.message(connection["peers"][source], connection["peers"][destination], content)
        facts["channel"], facts["connection"] = channel, id(connection)
        if kind == RELIABLE:
            facts["unanswered"] = True
            side.facts[channel, number] = [facts]


class Stream:
    """One direction of a TCP connection."""

    def __init__(self):
        self.next, self.waiting, self.bytes, self.opened, self.message = None, {}, b"", False, b""

    def add(self, number, flags, payload):
        if flags & 2:
            self.next = number + 1 & 0xFFFFFFFF
            return
        if self.next is None:
            raise Unknown("begins late")
        if payload:
            self.waiting[number] = payload
        while self.next in self.waiting:
            part = self.waiting.pop(self.next)
            self.bytes += part
            self.next = self.next + len(part) & 0xFFFFFFFF

    def messages(self):
        if not self.opened:
            head, end, rest = self.bytes.partition(b"\r\n\r\n")
            if not end:
                return
            if b"websocket" not in head.lower():
                raise Unknown("not WebSocket")
            self.opened, self.bytes = True, rest
        while len(self.bytes) >= 2:
            length, at = self.bytes[1] & 127, 2
            if length >= 126:
                size = 2 if length == 126 else 8
                length, at = int.from_bytes(self.bytes[2:2 + size], "big"), 2 + size
            mask = self.bytes[at:at + 4] if self.bytes[1] & 128 else None
            at += 4 if mask is not None else 0
            if len(self.bytes) < at + length:
                return
            content, first = self.bytes[at:at + length], self.bytes[0]
            self.bytes = self.bytes[at + length:]
            if mask:
                content = bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
            if first & 0x70:
                raise Unknown("an extension of WebSocket")
            if first & 15 in (0, 1, 2):
                self.message += content
                if first & 128:
                    content, self.message = self.message, b""
                    yield content


class WebSocket:
    """The server tells each client its id in the first message."""

    def __init__(self, count):
        self.count, self.streams, self.peers, self.servers = count, {}, {}, {}

    def segment(self, source, destination, payload, frame):
        number = struct.unpack(">I", payload[4:8])[0]
        flags, head = payload[13], (payload[12] >> 4) * 4
        if flags & 2:
            self.servers[source, destination] = bool(flags & 16)
            self.streams[source, destination] = Stream()
        stream = self.streams.get((source, destination))
        if not stream:
            raise Unknown("begins late")
        stream.add(number, flags, payload[head:])
        for content in stream.messages():
            pair, server = frozenset((source, destination)), self.servers[source, destination]
            if server and pair not in self.peers:
                if len(content) == 4:  # Godot 4; not recognised as Godot's by itself
                    self.peers[pair] = struct.unpack("<I", content)[0]
                    continue
                if len(content) != 13 or content[0] != 3:
                    raise Unknown("not Godot")
                self.peers[pair] = struct.unpack("<I", content[9:])[0]
            client = self.peers.get(pair, 0)
            self.count.message(*((1, client) if server else (client, 1)), content)


def missing(connection):
    """Unreliable messages whose numbers are not in the capture, before one with a higher number; they begin at 1 again after
    each reliable command."""
    ends = [side for side in connection.values() if isinstance(side, Side)]
    return sum(max(numbers) - len(numbers) for side in ends for numbers in side.unreliable_seen.values())


def losses(connection):
    """(lost, needless) transmissions of commands that were acknowledged: those without an acknowledgement before the one
    that was answered first, and all others but that one."""
    lost = needless = 0
    for command in connection["sent"].values():
        if command["first"] is not None:
            before = sum(not one["answered"] for one in command["sent"][:command["first"]])
            lost += before
            needless += len(command["sent"]) - 1 - before
    return lost, needless


# --- frames of the game, seconds, pairs of peers ---

FRAME_SECONDS = 0.005


def messages_of(count):
    """(seconds since the capture began, author, whom it is for, bytes)"""
    return [(time - count.begin, *message) for message, time in zip(count.messages, count.times) if message[2]]


def game_frames(count):
    """{sender: [[seconds, messages]]}: what is sent within 5 ms of the first."""
    found = collections.defaultdict(list)
    for time, sender, *_ in messages_of(count):
        rows = found[sender]
        if rows and time - rows[-1][0] < FRAME_SECONDS:
            rows[-1][1] += 1
        else:
            rows.append([time, 1])
    return found


def seconds(count):
    """{second: [messages, bytes]}"""
    found = collections.defaultdict(lambda: [0, 0])
    for time, _, _, content in messages_of(count):
        found[int(time)][0] += 1
        found[int(time)][1] += len(content)
    return found


def ends_of(count):
    """(seconds, maker, whom it is for, bytes): a relayed one is between its ends, on both of its ways."""
    for time, author, target, content in messages_of(count):
        if content[0] & 7 == 7 and len(content) > 6 and content[1] == 3:
            other = struct.unpack("<i", content[2:6])[0]
            author, target = (author, other) if author != 1 else (other, target)
            content = content[6:]
        yield time, author, target, content


def own_ways(ways):
    """(author, whom it is for) of (sender, receiver, author, whom it is for): without what the server passes on of those
    whose own way to the server was captured."""
    ways = list(ways)
    captured = {end for sender, receiver, *_ in ways for end in (sender, receiver) if end > 1}
    return [(author, target) for sender, _, author, target in ways if author in (sender, 1) or author not in captured]


def between(count):
    """{(maker, whom it is for): messages}"""
    hops = ((sender, receiver) for _, sender, receiver, _ in messages_of(count))
    return collections.Counter(own_ways((*hop, author, target) for hop, (_, author, target, _) in zip(hops, ends_of(count))))


def answered(announced_and_confirmed):
    """{who confirms: [seconds since the announcement]} of (seconds, maker, whom it is for, path, whether it announces it):
    what the server passes on counts once."""
    waiting, found = {}, collections.defaultdict(list)
    for time, author, target, path, announces in announced_and_confirmed:
        if announces:
            waiting[author, target, path] = time
        elif (target, author, path) in waiting:
            found[author].append(time - waiting.pop((target, author, path)))
    return found


def confirmations(count):
    """As answered(): paths by their ids."""
    kinds_of = ((content[0] & 7, *one, content) for *one, content in ends_of(count))
    return answered((*one, content[34:38] if kind == 1 else content[2:6], kind == 1) for kind, *one, content in kinds_of if kind in (1, 2))


# --- Godot 4 ---


def text_at(data, at):
    return data[at:data.index(b"\0", at)].decode("utf-8", "replace")


def kinds(messages):
    """{(kind or call, node or ""): [messages, bytes]} and {path of a node: bytes}"""
    found, nodes, paths = collections.defaultdict(lambda: [0, 0]), collections.Counter(), {}

    def number(author, identity):
        return paths.get((author, identity), f"node {identity}")

    def add(name, node, size, parts=None):
        found[name, node if name.startswith("#") else ""][0] += 1
        found[name, node if name.startswith("#") else ""][1] += size
        for path, share in parts or [(node, size)]:
            nodes[path or "(no node)"] += share

    def packet(author, target, data, size):
        kind = data[0] & 7
        if kind == 7:
            if data[1] == 3:  # to the server: for whom; from the server: from whom
                other = struct.unpack("<i", data[2:6])[0]
                packet(author if author != 1 else other, target, data[6:], size)
            else:
                add(SYSTEM[data[1]], None, size)
        elif kind == 0:
            width = (1, 2, 4)[data[0] >> 4 & 3]
            node = int.from_bytes(data[1:1 + width], "little")
            wide = 2 if data[0] & 0x40 else 1
            method = int.from_bytes(data[1 + width:1 + width + wide], "little")
            path = text_at(data, node & 0x7FFFFFFF) if width == 4 and node >> 31 else number(author, node)
            add(f"#node:{method & 0x7FFF}()" if method & 0x8000 and wide == 2 else f"#{method}()", path, size)
        elif kind == 1:
            identity = struct.unpack("<I", data[34:38])[0]
            paths[author, identity] = text_at(data, 38)
            add(KINDS[kind], paths[author, identity], size)
        elif kind == 6:
            delta, at, parts = data[0] >> 4 & 1, 3, []
            at = (1 if delta else 3) + 0
            while at + 8 <= len(data):
                head = 16 if delta else 8
                net = struct.unpack("<I", data[at:at + 4])[0]
                length = struct.unpack("<I", data[at + head - 4:at + head])[0]
                parts.append((net, head + length))
                at += head + length
            add("synchronize changes" if delta else "synchronize", None, size, [("(synchronized)", size)])
        else:
            add(KINDS[kind], None, size, [("(other)", size)])

    for author, target, data in messages:
        if data:
            packet(author, target, data, len(data))
    return found, nodes


# --- properties and calls of Godot 4 ---

# Bytes of values by type, after the header; of the elements of packed arrays.
SIZES = {0: 0, 5: 8, 6: 8, 7: 16, 8: 16, 9: 12, 10: 12, 11: 24, 12: 16, 13: 16, 14: 16, 15: 16, 16: 24, 17: 36, 18: 48, 19: 64, 20: 16, 23: 8, 25: 0}
ELEMENTS = {29: 1, 30: 4, 31: 8, 32: 4, 33: 8, 35: 8, 36: 12, 37: 16, 38: 16}
WITH_64_BITS = 1 << 16
CALL_SECONDS = 0.005


def padded(length):
    return (length + 3) // 4 * 4


def text_size(data, at):
    return 4 + padded(struct.unpack("<I", data[at:at + 4])[0])


def named_end(data, at, kind):
    """The end of a NodePath, a Signal or the id of an object."""
    if kind != 22:
        return at + 8 + (text_size(data, at) if kind == 26 else 0)
    names, parts, _ = struct.unpack("<III", data[at:at + 12])
    at += 12
    for _ in range((names & 0x7FFFFFFF) + parts):
        at += text_size(data, at)
    return at


def value_end(data, at):
    """Where the value that begins there ends."""
    header, at = struct.unpack("<I", data[at:at + 4])[0], at + 4
    kind, wide = header & 0xFF, bool(header & WITH_64_BITS)
    if kind in (1, 2, 3):
        return at + (8 if wide and kind != 1 else 4)
    if kind in (4, 21):
        return at + text_size(data, at)
    if kind in SIZES and not (wide and SIZES[kind]):
        return at + SIZES[kind]
    if kind in (22, 26) or (kind == 24 and wide):
        return named_end(data, at, kind)
    for _ in range({27: 2, 28: 1}.get(kind, 0)):  # the types of what is in a container
        typed, header = header >> 16 & 3, header >> 2
        at += {0: 0, 1: 4}.get(typed) if typed < 2 else text_size(data, at)
    count = struct.unpack("<I", data[at:at + 4])[0] & 0x7FFFFFFF
    if kind in ELEMENTS and not wide:
        return at + 4 + padded(count * ELEMENTS[kind])
    if kind not in (27, 28, 34):
        raise Unknown("a value of another type")
    at += 4
    for _ in range(count * (2 if kind == 27 else 1)):
        at = at + text_size(data, at) if kind == 34 else value_end(data, at)
    return at


def compact_end(data, at):
    """The same of a property: an int takes as many bytes as it needs, a bool is in the header."""
    kind = data[at] & 0x3F
    return at + 1 if kind == 1 else at + 1 + (1, 2, 4, 8)[data[at] >> 6] if kind == 2 else value_end(data, at)


def values_of(data):
    at = 0
    while at < len(data):
        end = compact_end(data, at)
        if end > len(data):
            raise Unknown("a value that does not end")
        yield data[at:end]
        at = end


class Updates:
    """{(kind, name): [updates, those without a change]} of properties and calls, and {method: calls of scripts}."""

    def __init__(self):
        self.found, self.calls = collections.defaultdict(lambda: [0, 0]), collections.Counter()
        self.latest, self.called = {}, {}

    def update(self, kind, name, where, content):
        self.found[kind, name][0] += 1
        self.found[kind, name][1] += self.latest.get((kind, name, where)) == content
        self.latest[kind, name, where] = content

    def call(self, name, ends, author, receiver, own, path, arguments, time):
        """`own`: sent by its author, not passed on by the server."""
        self.update("call", name, (ends, author, path), arguments)
        before = self.called.get(author)
        if not own:
            self.calls[name] += before is None
            return
        same = before and before[:2] == [(path, name, arguments), before[1]] and 0 <= time - before[1] < CALL_SECONDS
        if same and receiver not in before[2]:
            before[2].add(receiver)
        else:
            self.called[author] = [(path, name, arguments), time, {receiver}]
            self.calls[name] += 1


def updates(count):
    all_of_them, paths = Updates(), {}

    def state(ends, data):
        delta = data[0] >> 4 & 1
        at = 1 if delta else 3
        while at < len(data):
            head = 16 if delta else 8
            net, length = struct.unpack("<I", data[at:at + 4])[0], struct.unpack("<I", data[at + head - 4:at + head])[0]
            mask = struct.unpack("<Q", data[at + 4:at + 12])[0] if delta else 0
            numbers = [bit for bit in range(64) if mask >> bit & 1] if delta else range(1 << 30)
            for number, value in zip(numbers, values_of(data[at + head:at + head + length])):
                all_of_them.update("on change" if delta else "always", f"{'Watched property' if delta else 'Property'} {number}", (ends, net), value)
            at += head + length

    def call(ends, author, receiver, own, data, time):
        width, wide = (1, 2, 4)[data[0] >> 4 & 3], 2 if data[0] & 0x40 else 1
        node = int.from_bytes(data[1:1 + width], "little")
        method, at = int.from_bytes(data[1 + width:1 + width + wide], "little"), 1 + width + wide
        full = width == 4 and node >> 31
        path = text_at(data, node & 0x7FFFFFFF) if full else paths.get((author, node), node)
        arguments = data[at:node & 0x7FFFFFFF] if full else data[at:]
        name = f"#node:{method & 0x7FFF}" if method & 0x8000 and wide == 2 else f"#{method}"
        all_of_them.call(name, ends, author, receiver, own, path, arguments, time)

    for (author, target, data), time, facts in zip(count.messages, count.times, count.facts):
        ends, receiver, own = (author, target, facts["connection"]), target, True
        if len(data) > 6 and data[0] & 7 == 7 and data[1] == 3:
            other = struct.unpack("<i", data[2:6])[0]
            own, receiver = author != 1, other if author != 1 and other > 0 else target
            author, ends, data = (author if author != 1 else other), (*ends, other), data[6:]
        kind = data[0] & 7 if data else 7
        if kind == 1:
            paths[author, struct.unpack("<I", data[34:38])[0]] = text_at(data, 38)
        elif kind == 0:
            call(ends, author, receiver, own, data, time)
        elif kind == 6:
            state(ends, data)
    return all_of_them.found, all_of_them.calls


def count(path):
    all_of_it = Count()
    enet, websocket = ENet(all_of_it), WebSocket(all_of_it)
    for all_of_it.frame, (all_of_it.now, length, packet) in enumerate(frames(path), 1):
        all_of_it.begin = all_of_it.now if all_of_it.begin is None else all_of_it.begin
        protocol, source, destination, payload = segments(packet)
        ports = struct.unpack(">HH", payload[:4])
        ends = (source, ports[0]), (destination, ports[1])
        if protocol == 17:
            enet.datagram(*ends, payload[8:], length)
        elif protocol == 6:
            websocket.segment(*ends, payload, length)
    return all_of_it


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            result = count(name)
            calls, _ = kinds(result.messages)
            print(name, json.dumps({"datagrams": result.datagrams, "bytes": result.frame_bytes, "messages": len(result.messages),
                                    "kinds": {" ".join(key): value for key, value in sorted(calls.items())}}))
        except Unknown as error:
            print(name, "not counted:", error)
