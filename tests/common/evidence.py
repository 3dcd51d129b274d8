"""Removing evidence never adds a refusal: captures with parts removed, and what is concluded from them.

A transformation (late start, one sender only, a hole, …) makes another capture and knows of each of its frames which
one of the whole capture it is. `Seen` has what the plugin concludes of the frames, and what the statistics conclude of
the connections. `new()` is what it concludes of the transformed capture and not of the whole one, but for what is about
the capture itself, which ABOUT_THE_CAPTURE and WORDS_ABOUT_THE_CAPTURE list.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import functools
import os
import random
import re
import struct

import captures
import expected
import merged
import projects
import tshark

# What these expert infos say is about the capture: frames that it has twice, not at all, or in another order.
ABOUT_THE_CAPTURE = {
    "enet.analysis.ack_unknown": "acknowledges what was not captured",
    "enet.analysis.ack_time_unknown": "the same",
    "enet.analysis.ack_repeated": "a frame is there twice",
    "enet.analysis.duplicate": "a frame is there twice",
    "enet.analysis.unreliable_duplicate": "a frame is there twice",
    "enet.analysis.unsequenced_duplicate": "a frame is there twice",
    "enet.analysis.fragment_duplicate": "a frame is there twice",
    "enet.analysis.fragment_late": "a frame is there twice",
    "enet.analysis.out_of_order": "the order of the capture",
    "enet.analysis.unreliable_late": "the order of the capture, of which alone it speaks",
    "enet.analysis.unreliable_overtaken": "the order of the capture",
    "enet.analysis.unacknowledged": "in this capture",
    "enet.analysis.gap": "not seen yet: late, lost or not captured",
    "enet.analysis.unreliable_gap": "lost, dropped by the sender's throttle, or not captured",
    "godot.path.confirms_nothing": "not in this capture",
    "godot.path.unconfirmed": "not in this capture",
    "godot.path.announced_later": "the order of the capture",
    "godot.net_id.spawned_later": "the order of the capture",
    "godot.relay.direction": "the capture does not show which end is the server",
    "godot.stream.incomplete": "the rest is missing",
    "godot.stream.stray.found": "its beginning was not captured",
    "godot.debugger.resync": "its beginning was captured",
    "godot.variant.problem.truncated": "the value is cut off",
    "godot.recorder.cut": "the record is cut off",
}
# Or their text says so: of a frame, an expert info is one of these if its text has the words.
WORDS_ABOUT_THE_CAPTURE = re.compile(r"not captured|not (?:seen )?in this capture|cut by the capture|not judged|or that it is not allowed")

# Words of the engine, not conclusions. Where the capture has them they replace ours, which come back if what the engine said
# about the packet is removed: then the engine has said the same.
QUOTED = "godot.engine."
SAID = {name: re.compile(words) for name, words in {
    "godot.rpc.wrong_arguments": "Method expected", "godot.rpc.not_allowed": "is not allowed", "godot.rpc.not_declared": "is not allowed",
    "godot.rpc.node_not_found": "Failed to get path from RPC|Failed to get cached node|Node not found", "godot.path.node_not_found": "Node not found",
    "godot.path.checksum_refused": "checksum failed", "godot.rpc.checksum_failed": "checksum failed",
    "godot.path.undefined": "Failed to get cached|no cached node|not found in cache|Condition .*cache", "godot.path.redefined": "Duplicate remote cache ID",
    "godot.net_id.unknown": "recv_nodes.has|invalid synchronizer", "godot.sys.not_server": "p_from != 1",
    "godot.rpc.method_not_found": "configs.has"}.items()}
# What follows of one such word for other packets: of a method list that was refused for the calls of its methods.
# An authentication without the end of its connection is not finished.
FOLLOWS = {"godot.rpc.checksum_failed": "godot.path.checksum_refused", "godot.sys.never_admitted": "godot.sys.auth_failed"}
# Advice of the summary that needs more than the problem above it: that the network is proven to lose something.
ADVICE = re.compile(r"^    To do: ((?:a better network|this is the loopback interface).*)$", re.MULTILINE)

# Once for a connection or a node, at whichever frame shows it: only their number counts.
ONCE = {"enet.analysis.timeout", "enet.analysis.paused", "enet.analysis.connect_unanswered", "godot.sys.never_admitted", "godot.sys.auth_failed",
        "godot.generation_mismatch", "godot.version_mismatch", "godot.path.checksum_differs", "godot.path.checksum_refused",
        "godot.rpc.unknown_script", "godot.project.unreadable", "godot.names.misfit", "godot.names.differ", "godot.forgotten",
        "enet.analysis.not_analysed"}
# Labels that are no expert infos.
LABELS = re.compile(r"\.(finding|invalid|row|entry|fragments|encoding|arguments|sync_ids|state|packet)$")

# Lines of Godot Summary about a connection, and of Godot Replication about all: what is concluded, and how much of it.
ENDS = {"left": r"; left in", "disconnected by the server": r"; disconnected by the server", "timed out": r"timed out|gave up",
        "not heard": r"not heard for ([\d.]+) s", "closed": r"closed by"}
LOSSES = {"not arrived": r"(\d+) of \d+ reliable commands sent again because they, or their acknowledgements, did not arrive",
          "throttled": r"(\d+) unreliable messages? dropped by the sender's throttle",
          "lost": r"(\d+) datagrams? lost on the network"}
CAUSES = {"never acknowledged": r"(\d+) never acknowledged", "lost": r"(\d+) lost", "did not get": r" did not get ()",
          "paused": r"the sender paused()", "two writers": r"Two writers at once()",
          "not sent": r"between were not sent()\n"}
TABLE = ("Lost", "Throttled")  # columns of Godot Peers; what is missing, is missing in the capture


# --- files -----------------------------------------------------------------------------------------------------------


class Packet:
    """A frame of a file: `origin` is its place in the whole capture, `before` the blocks in front of it."""

    __slots__ = ("origin", "time", "data", "length", "rest", "before")

    def __init__(self, origin, time, data, length, rest=None, before=()):
        self.origin, self.time, self.data, self.length, self.rest, self.before = origin, time, data, length, rest, before

    def with_data(self, data):
        return Packet(self.origin, self.time, data, self.length, self.rest, self.before)

    @property
    def ticks(self):
        """Its time in the units of its file: microseconds, or what a pcapng file says."""
        return self.time[0] * self._high + self.time[1]

    @property
    def _high(self):
        return 1 << 32 if self.rest else 1_000_000  # halves of 64 bits; seconds

    def later(self, ticks):
        return Packet(self.origin, divmod(self.ticks + ticks, self._high), self.data, self.length, self.rest, self.before)

    def at(self, other):
        """This one, when and after the blocks where the other one was."""
        return Packet(self.origin, other.time, self.data, self.length, self.rest, other.before)


def _pcap(data):
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    packets, position = [], 24
    while position + 16 <= len(data):
        seconds, part, length, original = struct.unpack_from(order + "IIII", data, position)
        packets.append(Packet(len(packets), (seconds, part), data[position + 16:position + 16 + length], original))
        position += 16 + length
    return order, packets


def _pcapng(data):
    """Enhanced packet blocks are the packets; the other blocks stay where they are."""
    order, packets, before, position = "<", [], [], 0
    while position + 12 <= len(data):
        if data[position:position + 4] == b"\n\r\r\n":
            order = "<" if data[position + 8:position + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        kind, length = struct.unpack_from(order + "II", data, position)
        block = data[position:position + length]
        if kind == 6:
            interface, high, low, captured, original = struct.unpack_from(order + "IIIII", block, 8)
            options = block[28 + (captured + 3) // 4 * 4:-4]
            packets.append(Packet(len(packets), (high, low), block[28:28 + captured], original, (order, interface, options), before))
            before = []
        else:
            before.append(block)
        position += length
    return packets, before


def _block(packet):
    order, interface, options = packet.rest
    body = struct.pack(order + "IIIII", interface, *packet.time, len(packet.data), packet.length)
    body += packet.data + bytes(-len(packet.data) % 4) + options
    return struct.pack(order + "II", 6, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


class File:
    """The packets of a pcap or pcapng file, and files with some of them."""

    def __init__(self, path):
        data = path.read_bytes()
        self.is_pcapng = data[:4] == b"\n\r\r\n"
        self.order, self.header, self.last = "<", data[:24], []
        if self.is_pcapng:
            self.packets, self.last = _pcapng(data)
        else:
            self.order, self.packets = _pcap(data)

    @property
    def links(self):
        """The link type of each interface."""
        if not self.is_pcapng:
            return [struct.unpack_from(self.order + "I", self.header, 20)[0]]
        blocks = [block for one in self.packets for block in one.before if block[:4] in (b"\1\0\0\0", b"\0\0\0\1")]
        return [struct.unpack_from("<H" if block[0] else ">H", block, 8)[0] for block in blocks]

    @property
    def second(self):
        """The units of time in a second."""
        return 1_000_000_000 if self.is_pcapng and any(b"\x09\0\1\0\x09" in block for one in self.packets for block in one.before) else 1_000_000

    def elsewhere(self, begin, where):
        """The file, but from `begin` on (in seconds), and between other sockets."""
        links, shift = self.links, round(begin * self.second) - self.packets[0].ticks
        return [merged.moved(one, links[one.rest[1] if one.rest else 0], **where).later(shift) for one in self.packets]

    def with_packets(self, packets):
        """The bytes of a file with these. All other blocks of a pcapng file remain."""
        if not self.is_pcapng:
            heads = (struct.pack(self.order + "IIII", *one.time, len(one.data), one.length) + one.data for one in packets)
            return self.header + b"".join(heads)
        parts, kept, place = [], {}, 0
        for one in packets:
            kept.setdefault(id(one.before), one)
        blocks = [(one.origin, one.before) for one in self.packets if one.before]
        for one in packets:
            slot = next((index for index, whole in enumerate(blocks) if whole[1] is one.before), None)
            upto = slot + 1 if slot is not None else place
            while place < upto or place < len(blocks) and blocks[place][0] <= one.origin:
                parts += blocks[place][1]
                place += 1
            parts.append(_block(one))
        return b"".join(parts + [block for _, rest in blocks[place:] for block in rest] + self.last)


# --- transformations ---------------------------------------------------------------------------------------------------


class Ends:
    """Who sent each frame: {frame: (stream, sender)}, and who takes part in most of them."""

    def __init__(self, seen):
        self.senders = seen.senders
        self.proofs = seen.acknowledge_repeated()
        count = collections.Counter(end for one in seen.senders if one for end in (one[1], one[2]))
        self.hub = count.most_common(1)[0][0] if count else None

    def is_hubs(self, packet):
        ends = self.senders[packet.origin]
        return bool(ends) and ends[1] == self.hub

    def has_record(self, packet):
        ends = self.senders[packet.origin]
        return bool(ends) and ends[0] == "recording"

    def has_segment(self, packet):
        ends = self.senders[packet.origin]
        return bool(ends) and ends[0].startswith("tcp") and ends[3] > 0


def late_start(packets, ends, chance):
    return packets[len(packets) * 2 // 5:]


def early_end(packets, ends, chance):
    return packets[:len(packets) * 3 // 5]


def one_sender(packets, ends, chance):
    return [one for one in packets if ends.is_hubs(one)]


def without_one_sender(packets, ends, chance):
    return [one for one in packets if not ends.is_hubs(one)]


def hole(packets, ends, chance):
    begin, length = len(packets) // 4, max(1, len(packets) // 20)
    return packets[:begin] + packets[begin + length:]


def dropped(packets, ends, chance):
    """But for acknowledgements of commands that were sent more than once: without one of them the capture is, byte for byte, that
    of a network that has lost the first transmission. Nothing else tells the two apart: acknowledgements have no numbers."""
    return [one for one in packets if chance.random() >= 0.03 or one.origin in ends.proofs]


def _swap(packets, pairs):
    packets = list(packets)
    for first, second in pairs:
        packets[first], packets[second] = packets[second].at(packets[first]), packets[first].at(packets[second])
    return packets


def swapped(packets, ends, chance):
    return _swap(packets, [(i, i + 1) for i in range(0, len(packets) - 1, 2) if chance.random() < 0.1])


def doubled(packets, ends, chance):
    return [one for packet in packets for one in (packet, packet)]


def snapped(packets, length):
    return [one.with_data(one.data[:length]) for one in packets]


def snapped_60(packets, ends, chance):
    return snapped(packets, 60)


def snapped_100(packets, ends, chance):
    return snapped(packets, 100)


def snapped_200(packets, ends, chance):
    return snapped(packets, 200)


def begun(packets, ends, chance):
    """A capture that begins within the handshake."""
    return packets[chance.randint(1, 8):]


def few_lost(packets, ends, chance):
    """Up to three frames, of which much can depend: near the beginning."""
    lost = {int(len(packets) * chance.random() ** 2) for _ in range(chance.randint(1, 3))}
    return [one for place, one in enumerate(packets) if place not in lost or one.origin in ends.proofs]


def without(name):
    """Transformation "without 82,84": without these frames; "without -8": without the first eight; "without 82-"; "snapped 150"."""
    kind, numbers = name.split(" ")
    if kind == "snapped":
        return lambda packets, ends, chance: snapped(packets, int(numbers))
    spans = [re.fullmatch(r"(\d*)(-?)(\d*)", span).groups() for span in numbers.split(",")]
    spans = [(int(first or 0), int(last or 1 << 32) if to else int(first)) for first, to, last in spans]
    return lambda packets, ends, chance: [one for place, one in enumerate(packets, 1)
                                          if not any(first <= place <= last for first, last in spans)]


def segments_lost(packets, ends, chance):
    return [one for one in packets if not ends.has_segment(one) or chance.random() >= 0.05]


def segments_swapped(packets, ends, chance):
    of = collections.defaultdict(list)
    for index, one in enumerate(packets):
        if ends.has_segment(one):
            of[ends.senders[one.origin][:2]].append(index)
    return _swap(packets, [pair for indexes in of.values() for pair in zip(indexes[::2], indexes[1::2]) if chance.random() < 0.1])


def records_lost(packets, ends, chance):
    """Up to eight records in a row, in a few places: of a recording, with what stands between its packets."""
    if not any(map(ends.has_record, packets)):
        return packets
    kept, left = [], 0
    for one in packets:
        left = left - 1 if left > 0 else chance.randint(1, 8) if chance.random() < 0.02 else 0
        kept += [one] if left == 0 else []
    return kept


def cut(packets, ends, chance):
    """Every third frame is cut at another place, also within headers."""
    return [one.with_data(one.data[:chance.randint(15, len(one.data))]) if len(one.data) > 15 and chance.random() < 0.33 else one
            for one in packets]


def other_clock(packets, ends, chance):
    """What the hub sends was captured by another interface, the clock of which is wrong. The order is right."""
    late = chance.choice((-1, 1)) * chance.choice((300, 20_000, 1_500_000, 40_000_000))
    return [one.later(late) if ends.is_hubs(one) else one for one in packets]


TRANSFORMATIONS = (late_start, early_end, one_sender, without_one_sender, hole, dropped, swapped, doubled, snapped_60,
                   snapped_100, snapped_200, begun, few_lost, segments_lost, segments_swapped, records_lost, cut, other_clock)
# What another seed changes.
DRAWN = (dropped, swapped, begun, few_lost, segments_lost, segments_swapped, records_lost, cut, other_clock)
# Which frames are dropped and swapped; "": those of the list.
SEED = os.environ.get("EVIDENCE_SEED", "")
APPENDED = "appended"  # the next capture of the folder behind it
# That capture at the same time: between other addresses; through other ports, captured by another interface.
# The capture goes on while the other one does: an end that is silent from there on looks given up, as the documentation says.
GOES_ON = re.compile(r"enet\.analysis\.(timeout|connect_unanswered)|.*(not heard|timed out|closed by)")
MERGED = {"merged": {"address": 0x40}, "merged_ports": {"port": 7}}
# What each direction's interface captured, with clocks that differ, put in order by these clocks.
CLOCKS = "two_clocks"
NAMES = (*(one.__name__ for one in TRANSFORMATIONS), APPENDED, *MERGED, CLOCKS)


# --- what is concluded -------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def filters():
    """Expert infos of this plugin from a note on."""
    chats = {line.split(":")[0] for line in expected.severities().splitlines() if line.endswith((": chat", ": comment"))}
    found = []
    for line in tshark.run(None, "-G", "fields").stdout.splitlines():
        kind, _, name, ftype, *_ = line.split("\t") + [""] * 4
        if kind == "F" and ftype == "FT_NONE" and name.startswith(tshark.OURS) and not LABELS.search(name) and name not in chats:
            found.append(name)
    return found


# Fields whose value in a transformed capture is one of the whole capture's, or says that it is not known: other names are
# other calls.
NAMES_OF = {"godot.path": re.compile(r"^$|\?|…|^node \d+"), "godot.rpc.method": re.compile(r"^#\d+|…"), "godot.spawn.scene": re.compile("…")}

PLACES = ("enet.stream", "tcp.stream", "udp.stream", "ip.src", "ipv6.src", "ip.dst", "ipv6.dst", "udp.srcport", "tcp.srcport", "udp.dstport", "tcp.dstport",
          "tcp.len", "enet.command", "enet.channel", "enet.sequence", "enet.fragment.start_sequence", "godot.recorder.recording",
          "godot.recorder.received", "godot.recorder.own_id", "_ws.expert.message", "godot.engine.report", *NAMES_OF)
ACKNOWLEDGE, RELIABLE = {"1"}, {"2", "3", "4", "5", "6", "8", "10", "11"}


def _senders(cells):
    """(stream, source, destination, bytes of a TCP segment) of a frame, or None."""
    first = {name: cells[name][0] if cells[name] else "" for name in PLACES}
    if cells["godot.recorder.recording"]:
        ends = ("recorder", "other")
        there = first["godot.recorder.received"] in ("1", "True")
        return ("recording", *(ends[::-1] if there else ends), 0)
    if not first["udp.srcport"] and not first["tcp.srcport"]:
        return None
    source, target = (f"{first['ip.' + way] or first['ipv6.' + way]}:{first['udp.' + port] or first['tcp.' + port]}"
                      for way, port in (("src", "srcport"), ("dst", "dstport")))
    if first["tcp.stream"]:
        return (f"tcp{first['tcp.stream']}", source, target, int(first["tcp.len"] or 0))
    return (f"udp{first['udp.stream']}", source, target, 0)


def _rows(text):
    """The rows of the table without their frame numbers. Names that are not what they seem may have line feeds."""
    rows = []
    for line in re.split("^={60,}$", text, flags=re.M)[0].rstrip("\n").split("\n"):
        number = f"{len(rows) + 1}\t"
        if line.startswith(number):
            rows.append(line[len(number):])
        elif rows:
            rows[-1] += " " + line
    return rows


class Seen:
    """What the plugin concludes of a file."""

    def __init__(self, path, options):
        self.in_order = "tcp.reassemble_out_of_order:TRUE" in options
        peers = tshark.workplace() / "evidence" / f"{os.getpid()}.csv"
        peers.parent.mkdir(exist_ok=True)
        peers.parent.chmod(0o777)
        names = filters()
        columns = [word for name in ("frame.number", *PLACES, *names) for word in ("-e", name)]
        text = tshark.run(path, "-T", "fields", "-E", "aggregator=\x1f", *columns, "-z", "godot,summary", "-z", "godot,replication",
                          "-z", f"godot,peers,{peers}", *options, two_pass=True).stdout
        lines, *pages = re.split(r"^(?=Godot Replication:|Godot Summary:)", text, flags=re.M)
        rows = [row.split("\t") for row in _rows(lines)]
        self.senders, self.commands, self.reliable, self.acknowledged, self.found, self.told, self.names, self.reports = [], [], [], [], [], [], [], []
        for row in rows:
            cells = {name: value.split("\x1f") if value else [] for name, value in zip(PLACES, row)}
            self.senders.append(_senders(cells))
            self.commands.append(self._commands(cells))
            self.reliable.append(self._numbers(cells, RELIABLE))
            self.acknowledged.append(self._numbers(cells, ACKNOWLEDGE))
            self.names.append({(name, value) for name, unknown in NAMES_OF.items() for value in cells[name] if not unknown.search(value)})
            said, quoted = collections.Counter(), False
            excused = len([one for one in cells["_ws.expert.message"] if WORDS_ABOUT_THE_CAPTURE.search(one)])
            for name, value in zip(names, row[len(PLACES):]):
                quoted |= bool(value) and name.startswith(QUOTED)
                if value and name not in ABOUT_THE_CAPTURE and not name.startswith(QUOTED):
                    said[name] = value.count("\x1f") + 1
            self.found.append((said, excused, cells["_ws.expert.message"]))
            self.reports.append([int(number) - 1 for number in cells["godot.engine.report"]])  # also of what the server passes on of it
            self.told.append(self._told(cells["_ws.expert.message"]) if quoted else collections.Counter())
        self.pages = collections.Counter()
        self.is_short = any(re.search(r"^  and \d+ more:", page, re.M) for page in pages)  # not of all connections
        for page in pages:
            self._read(page)
        for row in csv.DictReader(peers.open(encoding="utf-8", newline="")):
            for name in TABLE:
                self.pages[f"Godot Peers, {name}", row["Address"]] += int(row[name] or 0)
            if row["Closed by"] not in ("", "?"):
                self.pages[f"Godot Peers, closed by {row['Closed by']}", row["Address"]] = 1

    @property
    def is_recording(self):
        return any(sender and sender[0] == "recording" for sender in self.senders)

    @staticmethod
    def _told(messages):
        """{conclusion: how often the engine says so of a frame}"""
        return collections.Counter(name for name, words in SAID.items() for text in messages if words.search(text))

    @staticmethod
    def _numbers(cells, kinds):
        """Channels and numbers of the commands of these kinds."""
        commands, channels, numbers = (cells["enet." + name] for name in ("command", "channel", "sequence"))
        same = len(commands) == len(numbers) == len(channels)
        return {(channel, number) for kind, channel, number in zip(commands, channels, numbers) if same and kind in kinds}

    def _commands(self, cells):
        """What identifies the reliable commands and messages of a frame."""
        found = self._numbers(cells, RELIABLE) | {(cells["enet.channel"][-1], number) for number in cells["enet.fragment.start_sequence"]}
        return (cells["enet.stream"][:1], cells["udp.srcport"][:1]), found

    def _read(self, page):
        if page.startswith("Godot Replication"):
            for name, pattern in CAUSES.items():
                self.pages[f"Godot Replication, {name}", ""] += sum(int(one or 1) for one in re.findall(pattern, page))
            return
        for advice in ADVICE.findall(page):
            self.pages[f"To do: {advice}", ""] = 1
        for title, table in ("Loss", LOSSES), ("Peers", ENDS):
            section = re.search(rf"^{title}\n((?:  .*\n)*)", page, re.M)
            for line in section[1].splitlines() if section else ():
                who = re.match(r"^  [^(]*\(([^ ()]+)\)|^  (A peer|peer \d+|[a-z]+ \d+)", line)
                for name, pattern in table.items() if who else ():
                    if found := re.search(pattern, line):
                        self.pages[f"Godot Summary, {title}: {name}", who[1] or who[2]] += float(found[1]) if found.groups() else 1

    def acknowledge_repeated(self):
        """Frames that acknowledge reliable commands which the other end has sent more than once."""
        def of(index, ends):
            return tuple(self.commands[index][0][0]), ends

        sent = collections.Counter((of(index, sender[1:3]), command) for index, sender in enumerate(self.senders) if sender
                                   for command in self.reliable[index])
        return {index for index, sender in enumerate(self.senders) if sender
                if any(sent[of(index, sender[2:0:-1]), command] > 1 for command in self.acknowledged[index])}

    def linked(self):
        """{frame: frames with some of the same reliable commands or bytes of a stream, among them itself}"""
        of, streams = collections.defaultdict(list), collections.defaultdict(list)
        for index, (where, commands) in enumerate(self.commands):
            for command in commands:
                of[str(where), command].append(index)
            sender = self.senders[index]
            if sender and sender[3]:
                streams[sender[:2]].append(index)
        linked, near = collections.defaultdict(set), 64 if self.in_order else 4  # segments that wait for another come together
        for group in of.values():
            for index in group[:100]:
                linked[index].update(group[:100])
        for group in streams.values():
            for place, index in enumerate(group):
                linked[index].update(group[max(0, place - near):place + near + 1])
        return linked


class Whole:
    """A shipped capture, and what is concluded of it."""

    def __init__(self, path):
        self.path, self.file = path, File(path)
        own = projects.of_capture(captures.name(path))
        self.options = (*captures.naturally(path), *(projects.option(*own) if own else ()))
        self.seen = Seen(path, self.options)
        assert len(self.seen.senders) == len(self.file.packets), path
        linked = self.seen.linked()
        self.allowed, self.names = [], []
        for index, (said, _, _) in enumerate(self.seen.found):
            most, names = said + self.seen.told[index], set(self.seen.names[index])
            for other in self.seen.reports[index]:
                most |= Seen._told(self.seen.found[other][2])
            for other in linked.get(index, ()):
                most |= self.seen.found[other][0] + self.seen.told[other]
                names |= self.seen.names[other]
            self.allowed.append(most)
            self.names.append(names)

    def transformed(self, name):
        """The packets of a transformation, or None if it changes nothing or leaves nothing."""
        how = without(name) if " " in name else next(one for one in TRANSFORMATIONS if one.__name__ == name)
        chance = random.Random(f"{captures.name(self.path)} {name} {SEED}".rstrip())
        packets = how(self.file.packets, Ends(self.seen), chance)
        same = len(packets) == len(self.file.packets) and all(a.data == b.data for a, b in zip(packets, self.file.packets))
        return None if same or not packets else packets


@functools.lru_cache(maxsize=3)
def whole(path):
    return Whole(path)


def _game(path):
    """Without which of its processes recorded it, or where it was captured."""
    return re.sub(r"\.\D[\w-]*(?=\.pcap)", "", str(path))


def _following(path, another_game=False):
    """The next capture of the same kind and game; of the folder, if there is one. If there is no other: one of ENet without calls.
    Not itself: the same connections do not come again with the same numbers, times and ids."""
    own = projects.of_capture(captures.name(path))
    kind = [one for one in captures.shipped() if one.suffix == path.suffix]
    if another_game:  # not from another place, or a recording of another process
        kind = [one for one in kind if one == path or _game(one) != _game(path)]
    after = kind[kind.index(path) + 1:] + kind[:kind.index(path)]
    same = [one for one in after if projects.of_capture(captures.name(one)) == own]
    near = [one for one in same if one.parent == path.parent]
    return (near + same + [one for one in after if one.parent.name == "enet"] + [None])[0]


def _later(packets, after):
    """At times from an hour after `after` on. Not from a second: if a capture goes on at once, and what was sent again and again
    is not sent any more, the other end has been given up. That is so, too, if what goes on is another game."""
    if not packets or not after:
        return packets
    seconds = after[-1].time[0] + 3600 - packets[0].time[0]
    return [one.later(seconds * 1_000_000) for one in packets]


def _place(suffix):
    place = tshark.workplace() / "evidence"
    place.mkdir(exist_ok=True)
    place.chmod(0o777)
    return place / f"{os.getpid()}{suffix}"


def write(data, suffix):
    path = _place(suffix)
    path.write_bytes(data)
    return path


def _can_be_merged(first, second, name):
    """The other one is another game; mergecap 4.0 reads no files with keys; the debugger is recognised by its port."""
    with_keys = any(block[:4] == b"\x0a\0\0\0" for one in (first, second) if one.file.is_pcapng for block in one.file.packets[0].before)
    return not with_keys and ("port" not in MERGED[name] or "debug" not in f"{first.path}{second.path}")


def _merged(first, second, where):
    """[(file, place)] of the frames of a file with both, which is written, and the options for it. `second` begins later by
    a tenth of the time of the first one."""
    file, other = first.file, second.file
    begin, end = (file.packets[at].ticks / file.second for at in (0, -1))
    moved = other.elsewhere(begin + max(end - begin, 0) / 10, where)
    parts = [write(file.with_packets(file.packets), ".1"), write(other.with_packets(moved), ".2")]
    target = _place(first.path.suffix)
    merged.merge(target, parts, not file.is_pcapng and "address" in where)
    target.chmod(0o644)
    times = [[one.ticks * (1_000_000_000 // of.second) for one in packets] for of, packets in ((file, file.packets), (other, moved))]
    port = where.get("port", 0)
    options = [re.sub(r"port==(\d+)", lambda found: f"port=={int(found[1]) + port}", one) for one in second.options]
    return merged.order(*times), [*first.options, *options]


def _with_two_clocks(first):
    """The same for a file of two interfaces: of the hub, and of the others."""
    ends, chance = Ends(first.seen), random.Random(f"{captures.name(first.path)} {CLOCKS} {SEED}".rstrip())
    late = chance.choice((-1, 1)) * chance.choice((300, 20_000, 1_500_000, 40_000_000))
    file = first.file
    sides = [[one for one in file.packets if ends.is_hubs(one) is side] for side in (True, False)]
    if file.is_pcapng or not all(sides):
        return None
    sides[0] = [one.later(late) for one in sides[0]]
    merged.merge(_place(".pcap"), [write(file.with_packets(side), f".{number}") for number, side in enumerate(sides)], False)
    return [sides[side][place].origin for side, place in merged.order(*([one.time for one in side] for side in sides))]


def _more(seen, origins, allowed, names, neighbours, follows):
    """What is concluded of frames, and is not allowed of their origins nor in `follows`."""
    found = collections.Counter()
    for (said, excused, _), named, origin in zip(seen.found, seen.names, origins):
        most, known_names = allowed[origin], names[origin]
        for other in neighbours and (origin - 1, origin + 1) or ():
            if 0 <= other < len(allowed):
                most, known_names = most | allowed[other], known_names | names[other]
        found.update({f"another {name}" for name, _ in named - known_names})
        for name, count in said.items():
            if name not in ONCE and count > most[name] and name not in follows:
                if excused:
                    excused -= 1
                else:
                    found[name] += 1
    return found


def _named_by(names, other):
    """A recording has names, by checksums and numbers, of frames that have none without it; a capture has not."""
    brought = set().union(*other.names) if other.is_recording else set()
    return [own | {name for name in brought if name[0] not in {field for field, _ in own}} for own in names]


def _totals(*wholes):
    """{conclusion of the statistics or once for all frames: how much of it}"""
    pages, once = collections.Counter(), collections.Counter()
    for one in wholes:
        for key, count in one.pages.items():
            pages[key] += count
        for said, _, _ in one.found:
            once.update({name: count for name, count in said.items() if name in ONCE})
    return pages, once


def _told(*wholes):
    """{conclusion: how often engines say so}"""
    return collections.Counter({name: sum(told[name] for one in wholes for told in one.told) for name in SAID})


def _lost(seen, origins, wholes):
    """{"lost: …": how often}: what the parts conclude and the file of both does not."""
    lost = collections.Counter()
    before = [one for whole_one in wholes for one in whole_one.found]
    known = [one for whole_one in wholes for one in whole_one.names]
    for (said, _, _), named, origin in zip(seen.found, seen.names, origins):
        for name, count in before[origin][0].items():
            lost[f"lost: {name}"] += max(count - said[name], 0) if name not in ONCE else 0
        lost.update({f"lost: {name}" for name, _ in known[origin] - named})
    (pages, once), (had_pages, had_once) = _totals(seen), _totals(*wholes)
    pages, had_pages = _of_all(pages), _of_all(had_pages)
    for key, count in had_pages.items():
        said_once = key[0].startswith("To do") or key[0].endswith((", two writers", ", paused", ", did not get", ", not sent"))
        if not (seen.is_short and key[0].startswith("Godot Summary")):
            lost[f"lost: {key[0]}"] += (min(count, 1) if said_once else count - 0.5) > pages[key]
    for key, count in had_once.items():
        lost[f"lost: {key}"] += max(count - once[key], 0)
    return +lost


def _of_all(pages):
    """What the statistics conclude, whoever it is about."""
    found = collections.Counter()
    for (what, _), count in pages.items():
        found[what, ""] += count
    return found


def new(path, name):
    """{conclusion: how many frames, or connections, have it only in the transformed capture}. None: not applicable."""
    first = whole(path)
    if name in (cut.__name__, CLOCKS) and "restart" in path.name:
        return None  # the same sockets again: only the handshakes, in their order, tell the connections apart
    allowed, names, wholes, options = first.allowed, first.names, (first.seen,), first.options
    if name == APPENDED or name in MERGED:
        following = _following(path, name in MERGED)
        if not following:
            return None
        second = whole(following)
        if name in MERGED and not _can_be_merged(first, second, name):
            return None
        if not first.file.is_pcapng and first.file.header != second.file.header:
            return None
        allowed = first.allowed + second.allowed
        names = _named_by(first.names, second.seen) + _named_by(second.names, first.seen)
        wholes, count = (first.seen, second.seen), len(first.file.packets)
        if name == APPENDED:
            behind = second.file.packets if first.file.is_pcapng else _later(second.file.packets, first.file.packets)
            data = first.file.with_packets(first.file.packets)
            target = write(data + second.file.with_packets(behind)[0 if first.file.is_pcapng else 24:], path.suffix)
            origins, options = range(count + len(second.file.packets)), (*first.options, *second.options)
        else:
            places, options = _merged(first, second, MERGED[name])
            target, origins = _place(path.suffix), [count * file + place for file, place in places]
    elif name == CLOCKS:
        origins, target = _with_two_clocks(first), _place(path.suffix)
    else:
        packets = first.transformed(name)
        origins = packets and [one.origin for one in packets]
        target = packets and write(first.file.with_packets(packets), path.suffix)
    if origins is None:
        return None
    seen = Seen(target, options)
    assert len(seen.found) == len(origins), f"{path} {name}: {len(seen.found)} frames, {len(origins)} written"
    lost = _lost(seen, origins, wholes) if name in MERGED else {}
    told = _told(*wholes)
    follows = {name for name, reason in FOLLOWS.items() if told[reason]}
    found = _more(seen, origins, allowed, names, name == swapped.__name__, follows)
    (pages, once), (had_pages, had_once) = _totals(seen), _totals(*wholes)
    if name in MERGED:  # addresses are others
        pages, had_pages = _of_all(pages), _of_all(had_pages)
    if name == swapped.__name__:  # other times: another interval is the longest, of which the cause is told
        del pages["Godot Replication, paused", ""]
    for key, count in pages.items():
        if count > had_pages[key] + (0.5 if "not heard" in key[0] else 0):
            found[key[0]] += 1
    had_once += told
    for key, count in once.items():
        if key not in follows and count > had_once[key] * (2 if name == doubled.__name__ else 1):
            found[key] += 1
    if name in MERGED:
        found = collections.Counter({key: count for key, count in found.items() if not GOES_ON.match(key)})
    return found + collections.Counter(lost)


def all_new(name):
    """{transformation: {conclusion: count}} of a capture, without those that add nothing."""
    path = tshark.CAPTURES / name
    found = {how: dict(new(path, how) or {}) for how in ([*(one.__name__ for one in DRAWN), CLOCKS] if SEED else NAMES)}
    return {how: conclusions for how, conclusions in found.items() if conclusions}


def keep(target, path, name):
    """Writes a transformed capture."""
    assert new(path, name) is not None, "this transformation does not change this capture"
    target.write_bytes((tshark.workplace() / "evidence" / f"{os.getpid()}{path.suffix}").read_bytes())
