"""Fields compared with the bytes that they refer to, their place in the frame, and the lengths and times of
frames. This plugin's own decoders are not used: PDML contains the bytes of a field beside its text.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re
import struct
import xml.etree.ElementTree

import pytest

import captures
import projects
import tshark

# Fields that show their bytes in another way than as a number: as a text, …
TEXT_FOR_NUMBER = {"godot.command", "godot.sys.command", "godot.variant.type", "godot.variant.element_type", "godot.variant.key_type",
                   "godot.variant.value_type", "godot.variant.problem", "godot.variant.error", "godot.variant.object.class",
                   "enet.compression"}
# … or that are not the value of their bytes: a number of values, the frame of a message, a name from a
# project.
ABOUT = {"godot.debugger.argument_count", "enet.fragments.fragment", "godot.variant.more", "godot.property", "godot.sync.property",
         "enet.peer_id.full", "godot.debugger.message"}
# Items whose children refer to bytes of several frames or decompressed ones. PDML does not say which bytes an
# offset refers to.
OTHER_BYTES = {"enet.compression.decompressed_length", "enet.fragments", "tcp.segments"}
WIDTHS = (1, 2, 4, 8)

QUICK = ("multiplayer/godot-4.6-enet-synchronizers.pcap", "multiplayer/godot-3.6-enet-range-coder-calls.pcap",
         "multiplayer-errors/godot-4.6-broken.pcap", "enet/libenet-checksum.pcap", "enet/zpl-csharp-header.pcap", "enet/cube2.pcap",
         "recorder/godot-4.6-enet-reconnect.server.pcapng", "recorder/godot-4.6-peers.raw_peers.pcapng", "variant/godot-4.6-udp.pcap",
         "variant/godot-3.6-joined.pcap", "debugger/godot-4.6-tcp.pcap", "debugger/godot-3.6-tcp.pcap",
         "multiplayer/godot-4.6-websocket-replication.pcap", "multiplayer/godot-4.6-enet-authentication.pcap")


def walk(packet):
    """(element, parent element) of this plugin's protocols."""
    waiting = [(element, None) for element in packet if element.get("name", "").startswith(tshark.OURS)]
    while waiting:
        element, parent = waiting.pop()
        yield element, parent
        waiting += ((child, element) for child in element)


# --- values ----------------------------------------------------------------------------------------------------


def integers(raw, name):
    """All integers that the bytes can be; those of a Variant are at the end, after its type."""
    for width in WIDTHS if name.startswith(("godot.variant.", "godot.debugger.")) else [len(raw)]:
        for order in ("little", "big"):
            for signed in (False, True):
                if width <= len(raw):
                    yield int.from_bytes(raw[-width:], order, signed=signed)


def floats(raw):
    for width, letter in ((4, "f"), (8, "d")):
        if width <= len(raw):
            yield from (struct.unpack(order + letter, raw[-width:])[0] for order in "<>")


def number_is_in(number, raw, name):
    if number in integers(raw, name):
        return True
    if name in ("godot.sync.path_id", "godot.path.offset", "godot.sync.net_id"):  # the highest bit is a flag
        return number in (value & 0x7fffffff for value in integers(raw, name))
    if name == "godot.variant.count" and raw[-1] & 0x80:  # Godot 3: "shared"; negative for packed arrays: none
        return number in (0, *(value & 0x7fffffff for value in integers(raw, name)))
    return name == "godot.variant.type_id" and number in (raw[0], raw[0] & 0x3f)  # the highest bits are the length of the value


LEAST_FLOAT = 2.0**-149  # in single precision; a text of few digits is compared in single precision


def float_is_in(number, raw, name):
    return any(value == number or (value != value and number != number) or abs(value - number) <= max(1e-6 * abs(number), LEAST_FLOAT)
               for value in (*floats(raw), *integers(raw, name)))


def plain(text):
    """Without blanks and control characters, and up to what Wireshark may show as an escape."""
    return re.sub(r"[^!-~]", "", text.split("\\")[0])


def bool_is_in(raw):
    """An item of the packet, a Variant in one byte, or one in eight."""
    return bool(raw[0] & 0x80) if len(raw) == 1 else any(raw[4:] or raw)


def says_its_bytes(name, ftype, show, raw):
    """Whether the value is that of the bytes; None if the field does not show its bytes."""
    if name in TEXT_FOR_NUMBER | ABOUT:
        return None
    if ftype.startswith("FT_STRING"):
        as_text = not name.startswith("godot.variant.") or name.endswith("string")
        return plain(show) in plain(raw.decode("utf-8", "replace").replace("\\", "")) or "\\" in show if as_text else None
    if ftype == "FT_BYTES":
        shown = bytes.fromhex(show.replace(":", ""))
        return shown in raw if name.startswith("godot.variant.packed") else shown == raw
    if name == "godot.variant.node_path.absolute":
        return bool(int.from_bytes(raw, "little") & 1) == (show in ("1", "True", "true"))
    if ftype == "FT_BOOLEAN":
        return bool_is_in(raw) == (show in ("1", "True", "true")) if name == "godot.variant.bool" else None
    if ftype in ("FT_FLOAT", "FT_DOUBLE"):
        return float_is_in(float(show), raw, name)
    if re.fullmatch(r"FT_U?INT\d+", ftype):
        return number_is_in(int(show, 0), raw, name)
    return None


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, captures.different()), ids=captures.name)
def test_values_are_those_of_their_bytes(path):
    wrong, judged = [], collections.Counter()
    for packet in tshark.pdml(path, *captures.naturally(path), two_pass=True):
        for element, _ in walk(packet):
            name, value = element.get("name"), element.get("value")
            ftype = tshark.field_type(name)
            if not name.startswith(tshark.OURS) or not value or not ftype or element.get("size") == "0" or element.get("unmaskedvalue"):
                continue
            answer = says_its_bytes(name, ftype, element.get("show"), bytes.fromhex(value))
            judged[answer] += 1
            if answer is False:
                wrong.append((number_of(packet), name, element.get("show"), value[:80]))
    assert not wrong, f"{len(wrong)} of {judged.total()}: {wrong[:5]}"


def number_of(packet):
    return int(packet.find("proto[@name='frame']/field[@name='frame.number']").get("show"))


# --- places ----------------------------------------------------------------------------------------------------


def bytes_of(packet):
    """{offset: byte} of the transport's payload, as far as PDML has it; empty if it is encrypted or
    masked."""
    found = {}
    if any(element.get("name") in ("dtls.record", "websocket.masking_key") for element in packet.iter()):
        return found
    for name in ("udp.payload", "tcp.payload"):
        for field in packet.iterfind(f".//field[@name='{name}']"):
            found.update(enumerate(bytes.fromhex(field.get("value") or ""), int(field.get("pos"))))
    return found


def place(element, parent, payload):
    """(begin, end), or None for generated items. PDML adds the parent's offset to items that begin before the
    parent."""
    begin, size = int(element.get("pos") or 0), int(element.get("size") or 0)
    if not size:
        return None
    if parent:
        inside = parent[0] <= begin and begin + size <= parent[1]
        there = "".join(f"{payload.get(at, 0):02x}" for at in range(begin, begin + size))
        value = element.get("unmaskedvalue") or element.get("value")
        known = value and begin in payload and begin + size - 1 in payload
        if (not inside or known and there != value) and 0 <= begin - parent[0] < parent[0]:
            begin -= parent[0]
    return begin, begin + size


def places_of(packet):
    """[(element, its place or None, its parent's)]"""
    payload, known, found = bytes_of(packet), {}, []
    for element, parent in walk(packet):
        here = place(element, known.get(parent), payload)
        found.append((element, here, known.get(parent)))
        known[element] = here or known.get(parent)
    return found


def misplaced(packet, places):
    """Fields outside of the frame or of their parent. A length or a key may be right before the parent."""
    length, parents, found = int(packet.find("proto[@name='frame']").get("size")), dict(walk(packet)), []
    for element, here, above in places:
        if here and not 0 <= here[0] <= here[1] <= length:
            found.append((element.get("name"), here, length))
        elif element.get("name") == "godot.variant.problem":  # e.g. the end of a truncated value
            continue
        elif here and above and not (above[0] <= here[0] and here[1] <= above[1]) and here[1] != above[0]:
            found.append((element.get("name"), here, parents[element].get("name"), above))
    return found


def test_what_is_misplaced_is_named_with_its_parent():
    packet = xml.etree.ElementTree.fromstring("""<packet><proto name="frame" size="20"/><proto name="godot" pos="5" size="9">
        <field name="godot.path" pos="5" size="4"/><field name="godot.path.id" pos="12" size="4"/></proto></packet>""")
    assert misplaced(packet, places_of(packet)) == [("godot.path.id", (12, 16), "godot", (5, 14))]


def without_field(packet, places):
    """Offsets of bytes that no field shows, but for zeroes behind texts and in padding, and what is behind damage. A value shows
    all of its own."""
    payload, shown, all_bytes = bytes_of(packet), set(), set()
    for element, here, above in places:
        if element.get("name") in ("godot.finding", "_ws.malformed"):
            return []
        if element.get("name") == "godot.debugger.encoding":
            shown.update(range(here[0], here[0] + 8))  # the array that the whole message is
        if here and not above:
            all_bytes.update(range(*here))
        if here and (element.get("name").startswith("godot.variant.") or not any(child.get("size") != "0" for child in element)):
            shown.update(range(*here))
    return sorted(offset for offset in all_bytes - shown if payload.get(offset))


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, captures.different()), ids=captures.name)
def test_fields_are_inside_of_what_they_are_in(path):
    wrong, unseen, judged = [], [], 0
    for packet in tshark.pdml(path, *captures.naturally(path), two_pass=True):
        if not any(element.get("name") in OTHER_BYTES for element in packet.iter()):
            judged += 1
            places = places_of(packet)
            wrong += ((number_of(packet), *one) for one in misplaced(packet, places))
            unseen += ((number_of(packet), offset) for offset in without_field(packet, places))
    assert judged and not wrong, wrong[:5]
    assert not unseen, f"in no field: {unseen[:5]}"


@pytest.mark.parametrize("name", ["godot-4.6-enet-synchronizers", "godot-3.6-enet-relay"])
def test_numbers_of_the_encoding_are_below_it(name):
    """What a packet says stands above; the numbers by which it says so are below "Encoding"."""
    path = tshark.CAPTURES / "multiplayer" / f"{name}.pcap"
    above, below = set(), set()
    for packet in tshark.pdml(path, *captures.naturally(path), two_pass=True):
        for layer in packet.iterfind("proto[@name='godot']"):
            above |= {field.get("name") for field in layer if field.get("size") != "0"}
            below |= {field.get("name") for field in layer.iterfind("field[@name='godot.encoding']/field") if field.get("size") != "0"}
    said = {"godot.path.id", "godot.despawn.net_id"}  # what the packet is about
    assert above and below and not {one for one in above - said if re.search(r"(_id|_ids|_count|_length|[.]offset|[.]time)$", one)}
    assert above & below <= said | {"godot.sys.command"}


# --- lengths ---------------------------------------------------------------------------------------------------

ACKNOWLEDGE, DATA, FRAGMENTS, CONNECTION_CHANNEL = 1, (6, 7, 8, 9, 12), (8, 12), 255


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-relay.pcap",
                                  "multiplayer/godot-4.6-enet-synchronizers.pcap", "multiplayer/godot-4.6-enet-range-coder-replication.pcap",
                                  "multiplayer/godot-4.6-enet-raw.pcap"])
def test_messages_share_the_bytes_of_enet_frames(name):
    """The messages of a frame account for its bytes and for those of earlier frames that only have
    acknowledgements of messages or other fragments of these messages."""
    waiting, under_way, count = collections.Counter(), set(), 0
    rows = tshark.fields(tshark.CAPTURES / name, "frame.len", "enet.stream", "enet.command", "enet.channel", "godot.wire_length",
                         arguments=("-Y", "enet"))
    for (length,), (stream,), commands, channels, shares in rows:
        if set(commands) & set(DATA) or set(commands) == {ACKNOWLEDGE} and CONNECTION_CHANNEL not in channels:
            waiting[stream] += length - sum(shares)
        if set(commands) & set(FRAGMENTS):
            under_way.add(stream)
        if not waiting[stream]:
            under_way.discard(stream)
        if set(commands) & set(DATA) and stream not in under_way:
            assert waiting[stream] == 0
            count += 1
    assert count > 20


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-relay.pcap"])
def test_bytes_of_enet_frames_in_the_statistic(name):
    """Frames without messages are protocol overhead, unless they only have acknowledgements of messages; all
    other bytes are those of messages, or not claimed yet."""
    path, counts = tshark.CAPTURES / name, collections.Counter()
    for line in tshark.run(path, "-q", "-z", "enet,tree").stdout.splitlines():
        if match := re.match(r" +(Share of messages|Protocol overhead|Not claimed by a message) +(-?\d+) ", line):
            counts[match[1]] += int(match[2])
    rows = tshark.fields(path, "frame.len", "enet.command", "enet.channel", "godot.wire_length", arguments=("-Y", "enet"))
    own = [length for (length,), commands, channels, _ in rows
           if not set(commands) & set(DATA) and (set(commands) != {ACKNOWLEDGE} or CONNECTION_CHANNEL in channels)]
    assert counts["Protocol overhead"] == sum(own) > 500
    assert counts["Share of messages"] == sum(sum(shares) for _, _, _, shares in rows)
    assert sum(counts.values()) == sum(length for (length,), *_ in rows)


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-websocket-relay.pcap", "multiplayer/godot-3.6-websocket-calls.pcap",
                                  "multiplayer/godot-4.6-websocket-raw.pcap"])
def test_messages_have_the_bytes_of_websocket_frames(name):
    """All messages of a captured frame: their payload, WebSocket's headers, and the headers of the captured
    frame once."""
    counts = collections.Counter()
    rows = tshark.fields(tshark.CAPTURES / name, "frame.len", "websocket.opcode", "tcp.len", "websocket.payload_length",
                         "websocket.payload_length_ext_16", "websocket.mask", "godot.wire_length", arguments=("-Y", "godot"))
    for (length,), opcodes, (tcp,), payloads, longer, masks, shares in rows:
        if set(opcodes) == {2} and len(shares) == len(payloads) and 127 not in payloads:
            headers = sum((4 if size == 126 else 2) + 4 * mask for size, mask in zip(payloads, masks))
            assert sum(shares) == length - tcp + sum(size for size in payloads if size < 126) + sum(longer) + headers
            counts[any(masks)] += 1
    assert min(counts[False], counts[True]) > 5


# --- times -----------------------------------------------------------------------------------------------------


def time_of_day(text):
    hours, minutes, seconds = re.search(r"(\d\d):(\d\d):(\d\d\.\d+)", text).groups()
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


@pytest.mark.parametrize("path", sorted((tshark.CAPTURES / "recorder").glob("*.server.pcapng")), ids=captures.name)
def test_recordings_say_the_time_of_their_frames(path):
    ((text, epoch),) = tshark.fields(path, "godot.recorder.time", "frame.time_epoch", arguments=("-Y", "godot.recorder.time", "-c", "1"))
    assert abs(time_of_day(text[0]) - float(str(epoch[0]) if not isinstance(epoch[0], str) else epoch[0]) % 86400) < 0.05


SINCE = (  # a time, and the frame that it is relative to
    ("godot.response_time", "godot.response_to", "multiplayer/godot-4.6-enet-replies.pcap"),
    ("godot.path.time", "godot.path.confirms", "multiplayer/godot-4.6-enet-synchronizers.pcap"),
    ("enet.rtt", "enet.ack.frame", "enet/godot-4.6-none-loss.pcap"),
    ("enet.analysis.rto", "enet.analysis.retransmission_of", "enet/godot-4.6-none-loss.pcap"),
)


@pytest.mark.parametrize("time, since, name", SINCE, ids=lambda value: value)
def test_times_are_those_between_frames(time, since, name):
    options = ("-o", "godot.rpc_reply_conventions:TRUE", *projects.option("rpc4"))
    rows = tshark.fields(tshark.CAPTURES / name, "frame.number", "frame.time_relative", time, since, arguments=options, two_pass=True)
    when = {number[0]: float(at[0]) for number, at, _, _ in rows}
    pairs = [(number[0], shown, frame) for number, _, times, frames in rows if len(times) == len(frames)
             for shown, frame in zip(times, frames)]
    assert len(pairs) > 5
    assert not [pair for pair in pairs if abs(when[pair[0]] - when[pair[2]] - pair[1]) > 1e-6]


def test_whole_peer_id_is_where_its_low_bits_are():
    """A number that consists of two parts."""
    packets = tshark.pdml(tshark.CAPTURES / "enet" / "zpl-more-peers-header.pcap", "-Y", "enet.peer_id.full")
    fields = [{element.get("name"): (element.get("pos"), element.get("size")) for element, _ in walk(packet)} for packet in packets]
    assert fields and all(found["enet.peer_id.full"] == found["enet.peer_id"] for found in fields)


def test_heads_of_commands_are_where_they_are():
    """A byte for the command and its flags, one for the channel, two for the number (enet/protocol.h)."""
    count = 0
    for packet in tshark.pdml(tshark.CAPTURES / "enet" / "libenet-1.3.5.pcap"):
        for entry in packet.iterfind(".//field[@name='enet.command.entry']"):
            begin = int(entry.get("pos"))
            fields = {field.get("name"): (int(field.get("pos")) - begin, int(field.get("size"))) for field in entry.iter("field")}
            assert [fields[f"enet.{name}"] for name in ("command", "channel", "sequence")] == [(0, 1), (1, 1), (2, 2)]
            count += 1
    assert count > 5
