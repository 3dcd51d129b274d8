"""ENet compared with the logs of the engines and the library, and with the counts of an independent program.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import hashlib
import json
import random
import re
import shutil
import struct
import subprocess

import pytest

import engine_logs
import pcap
import tshark

CAPTURES = tshark.CAPTURES / "enet"
EDITCAP = shutil.which("editcap")

INITIATOR, ACCEPTOR = 0, 1  # enet.sender
ACK, CONNECT, VERIFY, DISCONNECT = 1, 2, 3, 4
RELIABLE, UNRELIABLE, FRAGMENT, UNSEQUENCED, UNRELIABLE_FRAGMENT = 6, 7, 8, 9, 12
FRAGMENTS = (FRAGMENT, UNRELIABLE_FRAGMENT)
NAMES = (None, "Acknowledge", "Connect", "Verify Connect", "Disconnect", "Ping", "Send Reliable", "Send Unreliable",
         "Send Fragment", "Send Unsequenced", "Bandwidth Limit", "Throttle Configure", "Send Unreliable Fragment")
KINDS = {RELIABLE: "reliable", FRAGMENT: "reliable", UNRELIABLE: "unreliable", UNRELIABLE_FRAGMENT: "unreliable",
         UNSEQUENCED: "unsequenced"}

# Notes of a message that was sent before.
REPEATED = {"enet.analysis.retransmission", "enet.analysis.duplicate", "enet.analysis.unreliable_duplicate",
            "enet.analysis.unsequenced_duplicate"}
# Notes of a message that a receiver does not deliver.
DROPPED = {"enet.analysis.unreliable_late", "enet.analysis.unsequenced_too_far"}


def names(pattern):
    return sorted(path.name.split(".pcap")[0] for path in CAPTURES.glob(f"{pattern}.pcap*"))


def path_of(name):
    return next(CAPTURES.glob(f"{name}.pcap*"))


class Command:
    """A command of a datagram, as dissected."""

    def __init__(self, frame_number, stream, sender, node):
        self.frame = frame_number
        self.stream = stream
        self.sender = sender
        self.type = node.one("enet.command")
        self.channel = node.one("enet.channel")
        self.acknowledge = node.one("enet.command.acknowledge")
        self.names = node.names()
        self.connect_id, self.connect_data = (
            (node.all(field) or [None])[0] for field in ("enet.connect.connect_id", "enet.connect.data"))
        self.sequence, self.acked_in, self.acknowledges, self.acknowledged_frame = (
            (node.all(field) or [None])[0] for field in ("enet.sequence", "enet.acked_in", "enet.ack.sequence", "enet.ack.frame"))
        self.whole = None  # the message that this command completes
        if self.type in FRAGMENTS:
            self.whole = (node.all("enet.reassembled.data") or [None])[0]
        elif self.type in KINDS:
            self.whole = (node.all("enet.data") or [b""])[0]

    @property
    def repeated(self):
        """Fragments complete a message only once, whatever happened to the one that completed it."""
        return self.type not in FRAGMENTS and bool(self.names & REPEATED)


LAYER_FIELDS = ("enet.stream", "enet.sender", "enet.flags.compressed", "enet.compression", "enet.compression.compressed_length",
                "enet.compression.decompressed_length", "enet.checksum", "enet.checksum.status")


class Capture:
    """The data of a capture that the tests need; it is dissected only once."""

    def __init__(self, name):
        self.experts, self.layers, self.commands = [], [], []
        for frame in tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True):
            self.experts += [(frame.number, *expert) for expert in frame.experts]
            for layer in frame.children:
                if layer.name == "enet":
                    first = {field: (layer.all(field) or [None])[0] for field in LAYER_FIELDS}
                    self.layers.append(first)
                    self.commands += [Command(frame.number, first["enet.stream"], first["enet.sender"], node)
                                      for node in layer.walk() if any(child.name == "enet.command" for child in node.children)]


@functools.lru_cache(maxsize=None)
def dissected(name):
    return Capture(name)


def commands(name):
    return dissected(name).commands


def records(name, who):
    return engine_logs.records(CAPTURES / f"{name}.{who}.log.gz")


# --- an independent count ---------------------------------------------------------------------------------------


def counted(name, stream, side):
    """The commands of one direction in the terms of NAME.counts.json."""
    mine = [c for c in commands(name) if (c.stream, c.sender) == (stream, side)]
    reliable = [c for c in mine if c.type not in (ACK, CONNECT) and c.acknowledge]
    first = [c for c in reliable if not c.names & {"enet.analysis.retransmission", "enet.analysis.duplicate"}]
    again = [c for c in reliable if "enet.analysis.retransmission" in c.names]
    acks = [c for c in mine if c.type == ACK]
    messages = {kind: {"count": 0, "bytes": 0} for kind in ("reliable", "unreliable", "unsequenced")}
    fragmented = 0
    for command in mine:
        if command.whole is not None and not command.repeated:
            messages[KINDS[command.type]]["count"] += 1
            messages[KINDS[command.type]]["bytes"] += len(command.whole)
            fragmented += command.type in FRAGMENTS
    acked = sum("enet.acked_in" in c.names for c in first)
    return {
        "commands": dict(collections.Counter(NAMES[c.type] for c in mine)),
        "reliable": {"sent": len(first), "again": len(again), "copies": len(reliable) - len(first) - len(again),
                     "acked": acked, "unacked": len(first) - acked},
        "acks": {"sent": len(acks), "unknown": sum("enet.ack.frame" not in c.names for c in acks)},
        "messages": {**messages, "fragmented": fragmented},
    }


def opened(name):
    """The CONNECT of each connection by its number, without repetitions."""
    found = {}
    for command in commands(name):
        if command.type == CONNECT:
            found.setdefault(command.stream, command)
    return found


COUNTED = sorted(path.name.split(".counts")[0] for path in CAPTURES.glob("*.counts.json"))
# The capture in which the sequence numbers wrap has 65,000 commands.
LONG = [name for name in COUNTED if name.endswith("-wrap")]


def each(found):
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in found])


@each(COUNTED)
def test_independent_count(name):
    """The count cannot assign replies that the server repeats after the client has given up an attempt, so
    less is compared there."""
    expected = json.loads((CAPTURES / f"{name}.counts.json").read_text())
    connects = opened(name)
    assert sorted(connects) == list(range(len(expected)))
    abandoned = [set(judged["from_initiator"]["commands"]) <= {"Connect", "Disconnect"} for judged in expected]
    for stream, judged in enumerate(expected):
        ambiguous = any(abandoned[max(0, stream - 1) : stream + 1])
        assert "%08x" % connects[stream].connect_id == judged["connect_id"]
        assert connects[stream].connect_data == judged["data"]
        for side, direction in ((INITIATOR, "from_initiator"), (ACCEPTOR, "from_acceptor")):
            if ambiguous and side == ACCEPTOR:
                continue
            datagrams = sum((layer["enet.stream"], layer["enet.sender"]) == (stream, side) for layer in dissected(name).layers)
            assert datagrams == judged[direction]["datagrams"]
            found = counted(name, stream, side)
            judged[direction]["messages"].pop("incomplete")
            keys = ["commands", "messages"] if ambiguous else found
            assert {key: found[key] for key in keys} == {key: judged[direction][key] for key in keys}, (stream, direction)


# --- the engines' own logs --------------------------------------------------------------------------------------


def content(data):
    """The content of a message in the form of the logs."""
    return data.hex() if len(data) <= 1024 else hashlib.sha256(data).hexdigest()


def logged(name, who, what):
    return collections.Counter(r.get("hex") or r.get("sha256") or "" for r in records(name, who) if r["what"] == what)


def delivered(name, side):
    """Messages that one side sent and the other delivers, without the 8 bytes that Godot 3 puts before those
    that are not its own (channel 0)."""
    prefix = 8 if name.startswith("godot-3") else 0
    return collections.Counter(
        content(command.whole[prefix:]) for command in commands(name)
        if command.sender == side and command.whole is not None and not command.repeated
        and not command.names & DROPPED and not (prefix and command.channel == 0)
    )


UNDISTURBED = [name for name in names("godot-*") if not any(
    word in name for word in ("loss", "duplicates", "reordering", "everything", "several"))]
BAD_NETWORK = [name for name in names("godot-*") if any(
    word in name for word in ("loss", "duplicates", "reordering", "everything"))]


@pytest.mark.parametrize("name", UNDISTURBED)
def test_every_message_is_what_the_engine_received(name):
    assert delivered(name, INITIATOR) == logged(name, "server", "receive")
    assert delivered(name, ACCEPTOR) == logged(name, "client", "receive")


@pytest.mark.parametrize("name", BAD_NETWORK)
def test_messages_over_a_bad_network(name):
    """Captured at the client: what the server sent is there as the client received it. Unreliable messages
    that wait for a reliable one are dropped if too many arrive in between; that is not visible."""
    wire, engine = delivered(name, ACCEPTOR), logged(name, "client", "receive")
    assert not engine - wire
    waited = sum((wire - engine).values())
    assert waited == 0 or waited <= 5 and "enet.analysis.gap" in {n for c in commands(name) for n in c.names}
    # messages of the client may be lost on their way to the server, but every received one was sent
    assert not logged(name, "server", "receive") - delivered(name, INITIATOR)
    assert not delivered(name, INITIATOR) - logged(name, "client", "send")


@pytest.mark.parametrize("engine", ["3.6", "4.6"])
def test_the_same_under_every_compression(engine):
    """Only reliable messages: the throttle may have dropped different unreliable ones."""
    seen = {}
    for compression in ("none", "range-coder", "fastlz", "zlib", "zstd"):
        name = f"godot-{engine}-{compression}"
        mine = [c for c in commands(name) if c.type in (RELIABLE, FRAGMENT) and c.whole is not None and not c.repeated]
        prefix = 8 if engine[0] == "3" else 0
        seen[compression] = collections.Counter((c.stream, c.sender, c.channel, content(c.whole[prefix:])) for c in mine
                                                if not (prefix and c.channel == 0))
    assert len(seen["none"]) > 50
    for compression, messages in seen.items():
        assert messages == seen["none"], compression


# --- compression and checksum -----------------------------------------------------------------------------------

BAD, GOOD = 0, 1  # enet.checksum.status
COMPRESSIONS = {"none": 0, "range-coder": 1, "fastlz": 2, "zlib": 3, "zstd": 4}


@each(names("godot-*") + names("libenet-*"))
def test_layout(name):
    """Every datagram is decompressed with the right algorithm, every checksum is good."""
    compression = next((n for key, n in COMPRESSIONS.items() if key != "none" and key in name), 0)
    compressed = 0
    for layer in dissected(name).layers:
        if layer["enet.flags.compressed"]:
            assert layer["enet.compression"] == compression
            assert layer["enet.compression.decompressed_length"] > layer["enet.compression.compressed_length"]
            compressed += 1
        assert (layer["enet.checksum"] is not None) == ("checksum" in name)
        assert "checksum" not in name or layer["enet.checksum.status"] == GOOD
    assert (compressed > 0) == (compression > 0)


TITLE = re.compile(r"^(\S.*) \(\d+ bytes\):$", re.M)
DUMPED = re.compile(r"^[0-9a-f]{4,}  ((?:[0-9a-f]{2} ){1,16})", re.M)
HEADERS = 14 + 20 + 8  # Ethernet, IPv4, UDP


def uncompressed_again(name):
    """The packets of a capture without their compression, and the number of compressed bytes that the engine
    sent."""
    packets, sent = [], 0
    for frame in tshark.run(path_of(name), "-x", "-Y", "enet").stdout.strip().split("\n\n"):
        parts = TITLE.split(frame)
        parts = ["Frame", frame] if len(parts) == 1 else parts[1:]  # a single dump has no title
        data = {title: bytes.fromhex("".join(DUMPED.findall(dump))) for title, dump in zip(parts[::2], parts[1::2])}
        ports, datagram = struct.unpack_from(">HH", data["Frame"], HEADERS - 8), data["Frame"][HEADERS:]
        length = 4 if datagram[0] & 0x80 else 2
        sent += len(datagram) - length
        plain = data.get("Decompressed ENet commands", datagram[length:])
        packets.append(pcap.udp(bytes([datagram[0] & ~0x40]) + datagram[1:length] + plain,
                                *((pcap.CLIENT[0], port) for port in ports)))
    return packets, sent


@pytest.mark.parametrize("name", ["godot-4.6-range-coder", "godot-3.6-range-coder", "libenet-range-coder"])
def test_what_compression_would_save(name, tmp_path):
    """For the uncompressed capture, the predicted size is exactly the size that the engine's compression
    gave."""
    packets, sent = uncompressed_again(name)
    pcap.write(tmp_path / "plain.pcap", packets)
    rows = re.findall(r"^ *(.*?)  +(\d+) ", tshark.run(tmp_path / "plain.pcap", "-q", "-z", "enet,tree").stdout, re.M)
    at = [text for text, _ in rows].index("Bytes of commands sent uncompressed")
    plain, counts = int(rows[at][1]), collections.Counter()
    for text, count in rows[at + 1:]:
        counts[text.split()[0]] += int(count)
    assert counts["Left"] == sent < plain == counts["Connection"] == counts["Left"] + counts["Saved"]


def test_what_compression_cannot_save():
    """An engine with the range coder sends datagrams uncompressed that compression does not make shorter."""
    output = tshark.run(path_of("godot-4.6-range-coder"), "-q", "-z", "enet,tree").stdout
    assert set(re.findall(r"Saved by the range coder +(\d+) ", output)) == {"0"}


# --- nothing is called wrong that is right ----------------------------------------------------------------------


@each(names("godot-*") + names("libenet-*"))
def test_nothing_is_malformed(name):
    """What an unmodified sender writes breaks no rule, whatever the network does to it."""
    for number, field, severity, message in dissected(name).experts:
        expected = {"enet.problem.gave_up"} | ({"enet.problem.mtu_16"} if name.endswith("mtu-16") else set())
        assert field in expected or not field.startswith("enet.problem"), (number, message)
        assert severity in ("chat", "note") or field == "enet.analysis.gap", (number, field, message)
        if field == "enet.analysis.gap":
            assert any(word in name for word in ("loss", "reordering", "everything")), (number, message)


@pytest.mark.parametrize("name", ["godot-4.6-none-loss", "libenet-checksum"])
def test_filter_for_any_expert_info(name):
    """Wireshark's own filter, without a field of this plugin, finds every frame with one of its expert
    infos."""
    found = {number for number, *_ in tshark.listing(path_of(name), "-Y", "_ws.expert")}
    assert found == {number for number, *_ in tshark.experts(path_of(name))}


@pytest.mark.parametrize("name", ["godot-4.6-none", "godot-3.6-range-coder", "libenet-checksum"])
@pytest.mark.parametrize("length", [50, 60, 100, 200])
def test_truncated_captures_have_no_warnings(name, length, tmp_path):
    """The snap length of a capture is not an error of the sender."""
    cut = tmp_path / "cut.pcap"
    subprocess.run([EDITCAP, "-s", str(length), path_of(name), cut], check=True)
    for frame in tshark.packets(cut, "--disable-protocol", "godot"):
        for field, _, message in frame.experts:
            assert not field.startswith("enet.problem") or field == "enet.problem.gave_up", (frame.number, message)
            assert field not in ("enet.checksum.bad", "enet.undecoded"), (frame.number, message)
            assert not field.startswith("_ws.malformed"), (frame.number, message)


@pytest.mark.parametrize("name", ["godot-4.6-none", "godot-4.6-range-coder", "godot-3.6-zlib", "libenet-checksum"])
def test_late_start(name, tmp_path):
    """Without the handshake, the second datagram identifies the connection, and no problems are reported."""
    late = tmp_path / "late.pcap"
    first = 8
    subprocess.run([EDITCAP, "-r", path_of(name), late, f"{first}-60"], check=True)
    found = tshark.packets(late, "--disable-protocol", "godot")
    enet = [frame for frame in found if "enet" in frame.layers]
    assert len(enet) >= len(found) - 2
    for frame in enet:
        for field, severity, message in frame.experts:
            assert severity in ("chat", "note") and not field.startswith("enet.problem"), (frame.number, field, message)


# --- other protocols --------------------------------------------------------------------------------------------

NEIGHBOURS = [  # client to server, the beginning of each protocol
    "1a2b010000010000000000000377777707657861 6d706c6503636f6d0000010001",  # DNS
    "8060123400015f90deadbeef55555555555555555555555555555555",  # RTP
    "80c80006deadbeefe6c8a0000000000000015f900000001000000100",  # RTCP
    "000100002112a4420123456789abcdef01234567",  # STUN
    "e30003fa00010000000100000000000000000000000000000000000000000000000000000000 0000c50204ecec42ee92",  # NTP
    "01000000112233440011223344556677889900112233445566778899",  # WireGuard
    "16fefd0000000000000000002c010000200000000000000020fefd00112233445566778899aabbccddeeff",  # DTLS
    "c300000001088394c8f03e5157080000449e7b9aec34d1b1c98dd7689fb8ec11d242b123dc9bd8bab936b47d92ec356c0b",  # QUIC
    "4cfe4189655e5cd55c41f69080575d7999c25a5bfb",
    "0500ffff00fefefefefdfdfdfd1234567806",  # RakNet
    "0105ff5e000000000000000000c0a80001",  # RakNet ping
    "ffffffff54536f7572636520456e67696e6520517565727900",  # Source engine query
    "ffffffff676574737461747573",  # Quake
    "4d2d534541524348202a20485454502f312e310d0a",  # SSDP
    "000166696c652e747874006f6374657400",  # TFTP
    "30820026020101040670 75626c6963a019020101020100020100300e300c06082b060102010101000500",  # SNMP
]


def test_other_protocols_are_not_claimed(tmp_path):
    """Each of them many times and in both directions, so that a second datagram always agrees with the
    first."""
    packets = []
    for number, text in enumerate(NEIGHBOURS):
        client = (pcap.CLIENT[0], 30000 + number)
        payload = bytes.fromhex(text.replace(" ", ""))
        packets += [pcap.udp(payload, source=client, reply=reply) for reply in (False, True, False, True, False)]
    capture = pcap.write(tmp_path / "neighbours.pcap", packets)
    assert not [f.number for f in tshark.packets(capture) if any(layer.startswith("enet") for layer in f.layers)]


def test_random_datagrams_are_not_claimed(tmp_path):
    """300 flows of 40 datagrams each, of every length: one in about 100,000 would be accepted alone, but not
    two."""
    choice = random.Random(1)
    packets = []
    for flow in range(300):
        client = (pcap.CLIENT[0], 20000 + flow)
        for _ in range(40):
            packets.append(pcap.udp(choice.randbytes(choice.randrange(4, 200)), source=client, reply=choice.random() < 0.5))
    capture = pcap.write(tmp_path / "random.pcap", packets)
    rows = tshark.fields(capture, "enet.stream")
    assert len(rows) == len(packets) and not [row for row in rows if row[0]]


def test_ordinary_traffic_is_not_claimed():
    found = [path for path in tshark.CAPTURES.rglob("ordinary*.pcap")]
    for path in found:
        assert not [row for row in tshark.fields(path, "enet.peer_id") if row[0]], path


# --- damage -----------------------------------------------------------------------------------------------------


def test_bad_checksum(tmp_path):
    """One bit of a message is changed: the datagram is shown, and that a receiver drops it."""
    data = bytearray(path_of("libenet-checksum").read_bytes())
    target = next(c for c in commands("libenet-checksum") if c.type == RELIABLE and len(c.whole) > 8)
    at = data.index(target.whole)
    data[at] ^= 1
    changed = tmp_path / "changed.pcap"
    changed.write_bytes(data)
    frame = next(f for f in tshark.packets(changed, "--disable-protocol", "godot") if f.number == target.frame)
    layer = frame.layer("enet")
    assert layer.one("enet.checksum.status") == BAD
    assert any("checksum" in field and severity in ("warning", "error") for field, severity, _ in frame.experts)
    assert "enet.command" in layer


def test_wrong_compression_preference():
    """With the wrong algorithm, the header is shown and the rest is marked as not decompressed."""
    rows = tshark.packets(path_of("godot-4.6-range-coder"), "-o", "enet.compression:zlib")
    compressed = [f for f in rows if "enet" in f.layers and f.layer("enet").one("enet.flags.compressed")]
    assert len(compressed) > 200
    for frame in compressed:
        assert "enet.command" not in frame.layer("enet")
        assert [e for e in frame.experts if e[1] in ("error", "warning")]


@pytest.mark.parametrize("name", [name for name in COUNTED if name not in LONG])
def test_response_times(name):
    """-z enet,srt counts every acknowledged command once, like the independent count; each acknowledged copy
    of a retransmitted command counts."""
    output = tshark.run(path_of(name), "-q", "-z", "enet,srt").stdout
    rows = re.findall(r"^ +\d+  (.*?) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$", output, re.MULTILINE)
    calls = {row[0]: int(row[1]) for row in rows}
    directions = [connection[side]["reliable"] for connection in json.loads((CAPTURES / f"{name}.counts.json").read_text())
                  for side in ("from_initiator", "from_acceptor")]
    acknowledged, again = (sum(direction[key] for direction in directions) for key in ("acked", "again"))
    assert acknowledged <= sum(calls.values()) - calls["Connect"] <= acknowledged + again
    assert calls["Connect"] >= 1 and calls["Verify Connect"] >= 1 and set(calls) <= set(NAMES)
    assert all(float(low) <= float(mean) <= float(high) < 5 for _, _, low, high, mean, _ in rows)


@pytest.mark.parametrize("name", ["godot-4.6-several", "godot-3.6-several", "libenet-1.3.5"])
def test_acknowledgements_and_commands_name_each_other(name):
    """The first acknowledgement of this copy, else of another one, which the other side sends on the same channel."""
    copies, first, count = collections.defaultdict(list), {}, 0
    for command in commands(name):
        if command.type == ACK:
            key = command.stream, 1 - command.sender, command.channel, command.acknowledges
            assert command.acknowledged_frame in [copy.frame for copy in copies[key]]
            first.setdefault(key, command.frame)
            first.setdefault((key, command.acknowledged_frame), command.frame)
        elif command.acknowledge:
            copies[command.stream, command.sender, command.channel, command.sequence].append(command)
    for key, found in copies.items():
        for copy in found:
            if copy.type != CONNECT:
                assert copy.acked_in == first.get((key, copy.frame), first.get(key)), (copy.frame, key)
                count += copy.acked_in is not None
    assert count > 5


@pytest.mark.parametrize("name", ["godot-4.6-several", "godot-3.6-several", "godot-4.6-none-everything"])
def test_frames_of_a_connection(name):
    """Each frame but the first names that one, those before the first Disconnect name this."""
    of_stream, named = {}, collections.Counter()
    rows = tshark.fields(path_of(name), "frame.number", "enet.stream", "enet.command", "enet.first_frame", "enet.closed_in",
                         arguments=("-Y", "enet.stream"), two_pass=True)
    for (number,), (stream,), kinds, *_ in rows:
        of_stream.setdefault(stream, {}).setdefault("first", number)
        if DISCONNECT in kinds:
            of_stream[stream].setdefault("closed", number)
    for (number,), (stream,), _, first, closed in rows:
        begin, end = of_stream[stream]["first"], of_stream[stream].get("closed", 0)
        assert (first, closed) == ([begin] if number > begin else [], [end] if number < end else [])
        named.update({"first": len(first), "closed": len(closed)})
    assert named["first"] > 100 and named["closed"] > 100
