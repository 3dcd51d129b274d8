"""The statistic Replication, counted from the messages of recount.py, and from nothing of the plugin.

Without a project: nodes have the path of their spawner in their name, properties are numbered.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import struct

from recount import Unknown, text_at, values_of


class Flow:
    """Updates of one property by one peer to another, in the order of the capture: (frame, seconds)."""

    def __init__(self):
        self.sent, self.passed_on = [], []
        self.again, self.unanswered = 0, []


class States:
    """States of a node by one peer to another: (frame, seconds, network frame), as sent, and as passed on."""

    def __init__(self):
        self.sent, self.passed_on = [], []

    def intervals(self):
        """[(seconds, frame, frame)], and the number of states. Late states are not counted here."""
        states = []
        for state in self.sent or self.passed_on:
            step = (state[2] - states[-1][2]) & 0xFFFF if states else 1
            if step >= 0x8000:
                raise Unknown("a state that came late")
            if step:
                states.append(state)
        return [(b[1] - a[1], a[0], b[0]) for a, b in zip(states, states[1:])], len(states)


class Replication:
    def __init__(self, begin):
        self.begin = begin
        self.flows = {}  # {(node, property): {(from, to): Flow}}
        self.states = collections.defaultdict(States)  # {(node, from, to): …}
        self.gone = {}  # {(node, receiver): seconds}
        self.paths, self.nodes, self.spawned = {}, {}, {}

    def property(self, node, name):
        """The synchronizer's path stands for its node, if that has the property."""
        above = node.rpartition("/")[0]
        if (node, name) not in self.flows and (above, name) in self.flows:
            return self.flows[above, name]
        return self.flows.setdefault((node, name), {})

    def value(self, ends, node, name, message):
        passed_on, frame, now, facts = message
        flow = self.property(node, name).setdefault(ends, Flow())
        (flow.passed_on if passed_on else flow.sent).append((frame, now))
        flow.again += facts["again"]
        if facts["unanswered"]:
            flow.unanswered.append(frame)

    def spawn(self, author, ends, data, message):
        scene, spawner, net, count, length = data[1], *struct.unpack("<IIII", data[2:18])
        at = 18 + 4 * count
        name = data[at:at + length].rstrip(b"\0").decode("utf-8", "replace")
        if (author, spawner) not in self.paths:
            raise Unknown("a node that was not announced")
        node = f"{self.paths[author, spawner]}/?/{name}"
        self.spawned[author, net] = node
        for identity in struct.unpack(f"<{count}I", data[18:18 + 4 * count]):
            self.nodes[author, identity] = node
        at += length
        if scene == 255:
            at += 4 + struct.unpack("<I", data[at:at + 4])[0]
        self.gone.pop((node, ends[1]), None)
        for number, _ in enumerate(values_of(data[at:])):
            self.value(ends, node, f"Property {number}", message)

    def node_of(self, author, net):
        node = self.paths.get((author, net & 0x7FFFFFFF)) if net >> 31 else self.nodes.get((author, net))
        if node is None:
            raise Unknown("a state of a node that is not known")
        return node

    def state(self, author, ends, data, message):
        delta = data[0] >> 4 & 1
        at, before = (1 if delta else 3), None
        while at < len(data):
            head = 16 if delta else 8
            net, length = struct.unpack("<I", data[at:at + 4])[0], struct.unpack("<I", data[at + head - 4:at + head])[0]
            mask = struct.unpack("<Q", data[at + 4:at + 12])[0] if delta else 0
            numbers = [bit for bit in range(64) if mask >> bit & 1] if delta else range(1 << 30)
            node = self.node_of(author, net)
            for number, _ in zip(numbers, values_of(data[at + head:at + head + length])):
                self.value(ends, node, f"{'Watched property' if delta else 'Property'} {number}", message)
            if not delta and node != before:
                states = self.states[node, *ends]
                (states.passed_on if message[0] else states.sent).append((*message[1:3], struct.unpack("<H", data[1:3])[0]))
            before = node
            at += head + length

    def message(self, author, target, data, facts, frame, now):
        passed_on, receiver = False, target
        if len(data) > 6 and data[0] & 7 == 7 and data[1] == 3:
            other = struct.unpack("<i", data[2:6])[0]
            if author == 1:
                author, passed_on = other, True
            elif other == -target:
                return  # for all others, who get one of their own
            else:
                receiver = other if other > 0 else target
            data = data[6:]
        ends, message, kind = (author, receiver), (passed_on, frame, now - self.begin, facts), data[0] & 7 if data else 7
        if kind == 1:
            self.paths[author, struct.unpack("<I", data[34:38])[0]] = text_at(data, 38)
        elif kind == 4:
            self.spawn(author, ends, data, message)
        elif kind == 5:
            node = self.spawned.get((author, struct.unpack("<I", data[1:5])[0]))
            self.gone[node, receiver] = now - self.begin
        elif kind == 6:
            self.state(author, ends, data, message)


def replication(found):
    counted = Replication(found.begin)
    for (author, target, data), facts, frame, now in zip(found.messages, found.facts, found.frames, found.times):
        counted.message(author, target, data, facts, frame, now)
    counted.end = found.end - found.begin
    return counted
