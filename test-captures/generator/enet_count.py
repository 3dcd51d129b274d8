#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts what is in an ENet capture, from its bytes only, to check the dissector's analysis.

    enet_count.py CAPTURE.pcap[.gz] PORT [--checksum]      prints JSON: one object for each connection

For ENet without compression or with zlib, which Python can decompress. PORT is the server's. A connection
begins with a CONNECT that is new for its endpoints. Its connect ID alone is not enough: hosts created in the
same second may have the same one. For each direction:

    datagrams        UDP datagrams; "copies": those whose bytes had been seen before (duplicated by the network)
    commands         how often each command type is on the wire, copies included
    reliable         "sent": distinct commands with the acknowledge flag (CONNECT apart), "again": further transmissions of
                     them, "copies": those in copies of datagrams, "acked" / "unacked": of those sent
    acks             "sent": ACK commands; "unknown": those for a command not in the capture
    messages         complete messages and their bytes: reliable, unreliable (sequenced), unsequenced, each once;
                     "fragmented": those of them that came in fragments; "incomplete": begun, but fragments
                     are missing
"""

import argparse
import gzip
import json
import struct
import zlib

NAMES = (None, "Acknowledge", "Connect", "Verify Connect", "Disconnect", "Ping", "Send Reliable", "Send Unreliable",
         "Send Fragment", "Send Unsequenced", "Bandwidth Limit", "Throttle Configure", "Send Unreliable Fragment")
SIZES = (0, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24)
ACK, CONNECT, VERIFY = 1, 2, 3
RELIABLE, UNRELIABLE, FRAGMENT, UNSEQUENCED, UNRELIABLE_FRAGMENT = 6, 7, 8, 9, 12
DATA_LENGTH_AT = {RELIABLE: 4, UNRELIABLE: 6, FRAGMENT: 6, UNSEQUENCED: 6, UNRELIABLE_FRAGMENT: 6}


def datagrams(path, port):
    """(source endpoint, target endpoint, payload) of the UDP datagrams from and to a port."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rb") as file:
        data = file.read()
    at = 24
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        ip = data[at + 30 : at + 16 + size]
        at += 16 + size
        head = 4 * (ip[0] & 15)
        ports = struct.unpack_from(">HH", ip, head)
        if ip[9] == 17 and port in ports:
            length = struct.unpack_from(">H", ip, head + 4)[0]
            yield (ip[12:16], ports[0]), (ip[16:20], ports[1]), ip[head + 8 : head + length]


def commands(payload, checksum):
    """(sent time or None, [(type, flags, channel, sequence, command bytes, data), …]) of a datagram."""
    word = struct.unpack_from(">H", payload)[0]
    time = struct.unpack_from(">H", payload, 2)[0] if word & 0x8000 else None
    body = payload[2 + 2 * (time is not None) + 4 * checksum :]
    if word & 0x4000:
        body = zlib.decompress(body)
    found, at = [], 0
    while at < len(body):
        kind = body[at] & 15
        fixed = body[at : at + SIZES[kind]]
        end = at + SIZES[kind]
        if kind in DATA_LENGTH_AT:
            end += struct.unpack_from(">H", fixed, DATA_LENGTH_AT[kind])[0]
        assert end <= len(body), "a command is cut"
        found.append((kind, body[at] & 0xF0, body[at + 1], struct.unpack_from(">H", fixed, 2)[0], fixed,
                      body[at + SIZES[kind] : end]))
        at = end
    return time, found


class Direction:
    def __init__(self):
        self.datagrams = self.copies = self.acks = self.unknown_acks = 0
        self.seen = set()
        self.commands = dict.fromkeys(NAMES[1:], 0)
        self.live = {}  # (channel, sequence) -> transmission of a reliable command that may still be repeated
        self.sent = self.again = self.again_copies = self.acked = 0
        self.order = {}  # channel -> highest reliable number, without wrapping
        self.messages = {k: [0, 0] for k in ("reliable", "unreliable", "unsequenced")}
        self.fragmented = 0
        self.partial = {}  # fragmented messages
        self.known_groups = set()
        self.known_unreliable = set()

    def unwrap(self, channel, sequence):
        """Sequence numbers without wrapping; a number is near the highest one of its channel."""
        last = self.order.get(channel, 0)
        whole = last + ((sequence - last + 0x8000) & 0xFFFF) - 0x8000
        self.order[channel] = max(last, whole)
        return whole

    def complete(self, kind, size, fragmented=False):
        self.messages[kind][0] += 1
        self.messages[kind][1] += size
        self.fragmented += fragmented

    def fragment(self, kind, key, fixed, data):
        _, _, count, number, total, _ = struct.unpack_from(">HHIIII", fixed, 4)
        entry = self.partial.setdefault((kind, key), {"count": count, "total": total, "have": set(), "bytes": 0})
        if number not in entry["have"]:
            entry["have"].add(number)
            entry["bytes"] += len(data)
            if len(entry["have"]) == count:
                assert entry["bytes"] == total, "fragments do not add up"
                self.complete("reliable" if kind == FRAGMENT else "unreliable", total, True)

    def add(self, time, command, copy):
        kind, flags, channel, sequence, fixed, data = command
        self.commands[NAMES[kind]] += 1
        if kind in (ACK, CONNECT):
            return
        whole = self.unwrap(channel, sequence) if kind != UNSEQUENCED else 0
        if flags & 0x80:
            entry = self.live.get((channel, whole))
            if entry is None:
                entry = self.live[channel, whole] = {"times": {time}, "acked": False}
                self.sent += 1
                if kind == RELIABLE:
                    self.complete("reliable", len(data))
            elif copy:
                self.again_copies += 1
            else:
                entry["times"].add(time)
                self.again += 1
        if kind == FRAGMENT:
            start = whole - struct.unpack_from(">I", fixed, 12)[0]
            self.fragment(kind, (channel, start), fixed, data)
        elif kind == UNRELIABLE_FRAGMENT:
            self.fragment(kind, (channel, whole, struct.unpack_from(">H", fixed, 4)[0]), fixed, data)
        elif kind == UNRELIABLE:
            key = (channel, whole, struct.unpack_from(">H", fixed, 4)[0])
            if key not in self.known_unreliable:
                self.known_unreliable.add(key)
                self.complete("unreliable", len(data))
        elif kind == UNSEQUENCED:
            group = self.unwrap("group", struct.unpack_from(">H", fixed, 4)[0])
            if group not in self.known_groups:
                self.known_groups.add(group)
                self.complete("unsequenced", len(data))

    def acknowledge(self, channel, sequence, time):
        """An ACK from the other side; False if its command is not in the capture."""
        last = self.order.get(channel, 0)
        whole = last + ((sequence - last + 0x8000) & 0xFFFF) - 0x8000
        entry = self.live.get((channel, whole))
        if entry is None or time not in entry["times"]:
            return False
        self.acked += not entry["acked"]
        entry["acked"] = True
        return True

    def result(self):
        incomplete = sum(len(e["have"]) < e["count"] for e in self.partial.values())
        return {
            "datagrams": self.datagrams, "copies": self.copies,
            "commands": {k: v for k, v in self.commands.items() if v},
            "reliable": {"sent": self.sent, "again": self.again, "copies": self.again_copies, "acked": self.acked,
                         "unacked": self.sent - self.acked},
            "acks": {"sent": self.acks, "unknown": self.unknown_acks},
            "messages": {**{k: {"count": c, "bytes": b} for k, (c, b) in self.messages.items()},
                         "fragmented": self.fragmented, "incomplete": incomplete},
        }


class Connection:
    def __init__(self, initiator, acceptor, connect):
        self.ends = (initiator, acceptor)
        self.connect = connect
        self.connect_id = connect[40:44]
        self.data = struct.unpack_from(">I", connect, 44)[0]
        self.peer_ids = [struct.unpack_from(">H", connect, 4)[0], None]  # to the client, to the server
        self.sessions = [None, None]
        self.directions = (Direction(), Direction())  # from the client, from the server

    def verify(self, command):
        self.peer_ids[1] = struct.unpack_from(">H", command, 4)[0]
        self.sessions = [command[6], command[7]]

    def owns(self, source, target, word):
        """0 or 1 for a datagram from the client or the server of this connection, None for any other."""
        for sender in (0, 1):
            if (source, target) == (self.ends[sender], self.ends[1 - sender]):
                if (word & 0xFFF, word >> 12 & 3) == (self.peer_ids[1 - sender], self.sessions[1 - sender]):
                    return sender
        return None


def count(path, port, checksum=False):
    connections = []
    for moment, (source, target, payload) in enumerate(datagrams(path, port)):
        word = struct.unpack_from(">H", payload)[0]
        time, found = commands(payload, checksum)
        owner, sender = None, None
        first = found[0]
        if word & 0xFFF == 0xFFF:
            same = [c for c in connections if c.ends == (source, target)]
            if first[0] == CONNECT:
                same = [c for c in same if c.connect == first[4]]
                if not same:
                    connections.append(Connection(source, target, first[4]))
                    same = connections
            owner, sender = same[-1], 0
        else:
            for kind, *_, fixed, _ in found:
                if kind == VERIFY:
                    answered = [c for c in connections if c.ends == (target, source) and c.connect_id == fixed[40:44]]
                    answered[-1].verify(fixed)
            for c in reversed(connections):
                sender = c.owns(source, target, word)
                if sender is not None:
                    owner = c
                    break
        assert owner, f"datagram {moment + 1} belongs to no connection"
        direction, other = owner.directions[sender], owner.directions[1 - sender]
        direction.datagrams += 1
        copy = payload in direction.seen and time is not None
        direction.copies += copy
        direction.seen.add(payload)
        for command in found:
            direction.add(time, command, copy)
            if command[0] == ACK:
                direction.acks += 1
                direction.unknown_acks += not other.acknowledge(command[2], *struct.unpack_from(">HH", command[4], 4))
    return [
        {"connect_id": c.connect_id.hex(), "data": c.data, "initiator_port": c.ends[0][1],
         "from_initiator": c.directions[0].result(), "from_acceptor": c.directions[1].result()}
        for c in connections
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture")
    parser.add_argument("port", type=int)
    parser.add_argument("--checksum", action="store_true")
    options = parser.parse_args()
    print(json.dumps(count(options.capture, options.port, options.checksum), indent=1))


if __name__ == "__main__":
    main()
