"""godot.variant: values in datagrams. SPDX-License-Identifier: GPL-2.0-or-later"""

import json
import random
import struct

import pytest

import enet_packets
import pcap
import tshark
import values
from variants import BIGGEST, ENGINE_IDS, MEMORY, rows, text, u32

VARIANT = ["-d", "udp.port==4242,godot.variant"]
DIALECTS = ("godot4", "godot4-manual", "godot3", "godot2")


def dialect(name):
    return ["-o", f"godot.variant.dialect:{name}"]


def datagrams(capture, payloads, **options):
    """One conversation for each payload, so that they do not influence each other."""
    return capture([pcap.udp(p, source=("192.0.2.1", 1024 + i)) for i, p in enumerate(payloads)], **options)


# --- what engines made -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version, name", [("4.6", "godot4"), ("3.6", "godot3")])
def test_types_of_the_engine(capture, version, name):
    ids = ENGINE_IDS[version]
    records = [r for r in rows(f"godot-{version}-values.jsonl") if 0 < len(r["hex"]) < 2 * BIGGEST]
    frames = tshark.packets(datagrams(capture, [bytes.fromhex(r["hex"]) for r in records]), *VARIANT, *dialect(name))
    for frame, record in zip(frames, records):
        (value,) = values.top_level(frame)
        type_id = int(record["hex"][:2], 16)
        assert (value.all("godot.variant.type_id")[0], value.all("godot.variant.type")[0]) == (type_id, ids[type_id])
        assert values.TYPES[value.name] == ids[type_id], record["name"]
        assert value.one("godot.variant.dialect") == name
        rejected = record["full"] and type_id == ids.index("Object")
        assert ("godot.variant.error" in frame) == rejected, record["name"]


def test_a_note_before_what_is_wrong(capture):
    """A truncated NodePath with unknown flags: its Info line is the same with and without a tree."""
    path = datagrams(capture, [bytes.fromhex("0f0000000100008000000000020000000100000041000000")])
    tshark.assert_same_listing(path, *VARIANT, *dialect("godot3"))
    assert tshark.listing(path, *VARIANT, *dialect("godot3"))[0][2] == "<truncated>"


def engine_text(record):
    """var_to_str, unless it contains line breaks, sorted keys, or names that are not sent (Object ids,
    classes of arrays)."""
    hidden = "\n" in record["text"] or b"EncodedObjectAsID" in bytes.fromhex(record["hex"])
    return None if hidden or "Object" in record["text"] else record["text"]


def test_text_is_that_of_the_engine(capture):
    records = [r for r in rows("godot-4.6-values.jsonl") if 0 < len(r["hex"]) < 2 * BIGGEST and not r["full"]]
    records = [r for r in records if engine_text(r) and r["type"] not in (24, 26)]
    path = datagrams(capture, [bytes.fromhex(r["hex"]) for r in records])
    options = VARIANT + dialect("godot4")
    shown = tshark.fields(path, "godot.variant.text", arguments=options)
    assert len(records) > 90
    for (texts,), record in zip(shown, records):
        assert texts == [record["text"]]
    for (_, protocol, info), record in zip(tshark.listing(path, *options), records):
        assert protocol == "Variant"
        assert info == record["text"] or (len(record["text"].encode()) >= 200 and info.endswith("…"))


@pytest.mark.parametrize("version, name", [("4.6", "godot4"), ("3.6", "godot3")])
def test_accepts_what_the_engine_accepts(capture, version, name):
    """Damaged encodings: an error exactly if the engine refused the value."""
    judged = rows(f"godot-{version}-verdicts.tsv")
    judged = [(bytes.fromhex(hexadecimal.split(":")[-1]), verdict) for hexadecimal, verdict, *_ in judged]
    judged = [row for row in judged if row[0]]
    path = capture([pcap.udp(data) for data, _ in judged])
    shown = tshark.fields(path, "godot.variant.error", "godot.variant.problem", arguments=VARIANT + dialect(name))
    assert len(shown) == len(judged) > 1000
    wrong = [data.hex() for (error, _), (data, verdict) in zip(shown, judged) if (len(error) == 1) != (verdict == "reject")]
    assert wrong == []
    assert all(problems for error, problems in shown if error)


def test_vectors(capture):
    """The decoder's own vectors in all dialects: text and findings in the tree."""
    vectors = [row for row in rows("variant-vectors.tsv") if row[1] == "-" and row[0] in DIALECTS]
    assert len(vectors) > 100
    for name in DIALECTS:
        mine = [row for row in vectors if row[0] == name and 0 < len(row[2]) < 2 * BIGGEST]
        path = capture([pcap.udp(bytes.fromhex(row[2])) for row in mine], name=f"{name}.pcap")
        shown = tshark.fields(path, "godot.variant.text", "godot.variant.problem", arguments=VARIANT + dialect(name))
        for (texts, problems), (_, _, hexadecimal, _, expected, findings) in zip(shown, mine):
            assert len(texts) == 1, hexadecimal
            wanted = [] if findings == "-" else [f.split(" ", 1)[1].split(":")[0] for f in findings.split("; ")]
            assert problems == wanted, hexadecimal


# --- the tree ----------------------------------------------------------------------------------------------------


def one(capture, payload, *arguments, **options):
    (frame,) = tshark.packets(capture([pcap.udp(payload)]), *VARIANT, *arguments, **options)
    return frame


def labels(capture, payload, *arguments):
    lines = tshark.run(capture([pcap.udp(payload)]), "-O", "godot.variant", *VARIANT, *arguments, verbose=True).stdout
    return [line.strip() for line in lines.splitlines()]


def test_labels(capture):
    dictionary = u32(27, 2) + text("hp") + u32(2, 100) + u32(2, 7) + u32(28, 1, 3, 0x3FC00000)
    shown = labels(capture, dictionary)
    for line in ('Value: {"hp": 100, 7: [1.5]}', "Count: 2", '"hp": 100', "7: [1.5]", "[0]: 1.5", 'Key: "hp"'):
        assert line in shown


def test_simple_values_take_one_row(capture):
    """Type, length and text of a simple value are hidden fields for filters; of a vector, they come last."""
    shown = labels(capture, u32(28, 3) + u32(2, 7) + text("hp") + u32(5, 0x3FC00000, 0))
    at = shown.index('Value: [7, "hp", Vector2(1.5, 0)]')
    assert shown[at + 1 : at + 9] == ["Count: 3", "[0]: 7", '[1]: "hp"', "[2]: Vector2(1.5, 0)", "x: 1.5", "y: 0", "Type: Vector2", "Type ID: 5"]
    path = capture([pcap.udp(u32(2, 7))])
    row = tshark.fields(path, "godot.variant.type", "godot.variant.type_id", "godot.variant.dialect", "godot.variant.text", arguments=VARIANT)
    assert row == [(["int"], [2], ["godot4"], ["7"])]


def test_more_events_than_are_kept(capture):
    """32 events of a value are kept; the tree and text of a larger value are the same before, after and
    across this limit."""
    count = 20
    payload = u32(28, count) + b"".join(u32(28, 2) + u32(2, i) + u32(28, 1) + u32(2, i) for i in range(count))
    texts = [f"[{i}, [{i}]]" for i in range(count)]
    whole = "[" + ", ".join(texts) + "]"
    path = capture([pcap.udp(payload), pcap.udp(payload[:-3])])
    rows = tshark.fields(path, "godot.variant.array", "godot.variant.text", "godot.variant.problem",
                         arguments=[*VARIANT, "-o", "godot.variant.dialect:godot4"])
    assert rows[0] == ([whole] + [text for i in range(count) for text in (texts[i], f"[{i}]")], [whole], [])
    assert rows[1][1:] == ([whole[:whole.rindex("[") + 1] + "<truncated>]]]"], ["truncated"])


@pytest.mark.parametrize("payload, name, gdscript", [
    (u32(5, 0x3F000000, 0xBF800000), "vector2", "Vector2(0.5, -1)"),
    (u32(9, 0x3F000000, 0, 0x40000000), "vector3", "Vector3(0.5, 0, 2)"),
    (u32(6, 3, 0xFFFFFFFF), "vector2i", "Vector2i(3, -1)"),
    (u32(28, 2) + u32(2, 1) + u32(28, 1) + u32(2, 2), "array", "[1, [2]]"),
    (u32(27, 1) + u32(2, 1) + u32(5, 0, 0), "dictionary", "{1: Vector2(0, 0)}"),
    (u32(35, 1, 0x3F800000, 0), "packed_vector2_array", "PackedVector2Array(1, 0)"),
    (u32(0), "nil", "null"),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_compound_values_are_their_text(capture, payload, name, gdscript):
    """Copy Value, Apply as Filter and columns have the text that a script would have."""
    path = capture([pcap.udp(payload), pcap.udp(u32(2, 1))])
    field = f"godot.variant.{name}"
    rows = tshark.fields(path, field, arguments=[*VARIANT, "-Y", f'{field} == "{gdscript}"'])
    assert [row[0][0] for row in rows] == [gdscript]


def test_long_labels_are_cut_between_characters(capture):
    long = "\u0142\u20ac" * 200
    dictionary = u32(27, 1) + text(long) + u32(28, 1) + text(long)
    shown = tshark.run(capture([pcap.udp(dictionary)]), "-T", "pdml", *VARIANT).stdout
    assert "\ufffd" not in shown


def test_matrices_are_shown_by_row(capture):
    shown = labels(capture, u32(18) + struct.pack("<12f", *range(1, 13)))
    for line in ("Row x: 1, 2, 3", "Row z: 7, 8, 9", "origin: 10, 11, 12", "y.x: 2", "origin.z: 12"):
        assert line in shown


def test_components_can_be_filtered(capture):
    path = capture([pcap.udp(u32(9) + struct.pack("<3f", x, 0.1, 0)) for x in (0.5, 1, 1.5, 2)])
    frames = tshark.packets(path, *VARIANT, "-Y", "godot.variant.vector3.x > 1")
    assert [frame.number for frame in frames] == [3, 4]
    assert len(tshark.packets(path, *VARIANT, "-Y", "godot.variant.vector3.y == 0.1")) == 4


def test_doubles(capture):
    frame = one(capture, u32(9 | 0x10000) + struct.pack("<3d", 0.1, 1e300, -2))
    assert frame.one("godot.variant.vector3.x") == pytest.approx(0.1, rel=1e-14)
    assert frame.one("godot.variant.vector3.y") == pytest.approx(1e300, rel=1e-14)
    assert frame.one("godot.variant.wide") is True


def ranges(node):
    return {(f.get("name"), int(f.get("pos")), int(f.get("size"))) for f in node.iter("field")}


def test_items_cover_their_bytes(capture):
    payload = u32(27, 1) + text("hp") + text("abcde")
    (packet,) = tshark.pdml(capture([pcap.udp(payload)]), *VARIANT)
    start = 28
    found = ranges(packet)
    assert ("godot.variant.dictionary", start, len(payload)) in found
    assert ("godot.variant.count", start + 4, 4) in found
    assert "godot.variant.string" in {name for name, _, size in found if size == 12}  # the key, which is in the item of its value
    assert ("godot.variant.string", start + 20, 16) in found
    assert ("godot.variant.padding", start + 18, 2) in found
    assert ("godot.variant.padding", start + 33, 3) in found


@pytest.mark.parametrize("type_id, size", [(2, 8), (3, 8), (9, 24)])
def test_the_flag_of_64_bits_is_where_it_is(capture, type_id, size):
    payload = u32(type_id | 0x10000) + bytes(size)
    (packet,) = tshark.pdml(capture([pcap.udp(payload)]), *VARIANT)
    (place,) = [int(field.get("pos")) for field in packet.iter("field") if field.get("name") == "godot.variant.wide"]
    assert payload[place - 28] == 1


def test_full_object_warns_with_class_and_script(capture):
    def pstr(string):
        return text(string)[4:]

    payload = u32(24) + pstr("Node2D") + u32(1) + pstr("script") + text("res://evil.gd")
    frame = one(capture, payload)
    messages = [message for name, severity, message in frame.experts if name == "godot.variant.object.code"]
    assert len(messages) == 2 and all("Node2D" in message for message in messages)
    assert "res://evil.gd" in messages[1]
    assert frame.one("godot.variant.error") == "ERR_UNAUTHORIZED"
    assert frame.one("godot.variant.object.class") == "Node2D"


def test_trailing_bytes(capture):
    frame = one(capture, u32(2, 5) + b"rest")
    assert frame.one("godot.variant.trailing") == b"rest"
    assert "godot.variant.error" not in frame and "godot.variant.trailing.ignored" in frame
    assert frame.one("godot.variant.int") == 5


def test_text_of_several_lines_stays_on_one(capture):
    path = capture([pcap.udp(text("two\nlines"))])
    assert tshark.listing(path, *VARIANT) == [(1, "Variant", '"two lines"')]
    assert tshark.packets(path, *VARIANT)[0].one("godot.variant.string") == "two\nlines"


def test_elastic_output(capture):
    path = capture([pcap.udp(u32(27, 1) + text("hp") + u32(2, 100))])
    lines = tshark.run(path, *VARIANT, "-T", "ek").stdout.splitlines()
    layers = json.loads(lines[1])["layers"]
    flat = json.dumps(layers)
    assert "godot_variant_int" in flat.replace(".", "_") and '"100"' in flat


# --- generations -----------------------------------------------------------------------------------------------------


def test_generation_is_recognised_and_remembered(capture):
    """A Color of Godot 3 has the layout of a Plane of Godot 4: the Array before it shows the generation."""
    array = u32(19, 1, 2, 5)
    color = u32(14) + struct.pack("<4f", 0.5, 0.25, 1, 1)
    path = capture([pcap.udp(array), pcap.udp(color), pcap.udp(color, source=("192.0.2.9", 5))])
    for two_pass in (False, True):
        first, second, other = tshark.packets(path, *VARIANT, two_pass=two_pass)
        assert first.one("godot.variant.dialect") == "godot3"
        assert second.one("godot.variant.dialect") == "godot3" and "godot.variant.color" in second
        assert other.one("godot.variant.dialect") == "godot4" and "godot.variant.plane" in other


def test_many_generations_in_one_conversation(capture):
    """The result does not depend on the pass."""
    seed = random.Random(3)
    payloads = [u32(28, 1, 2, 5), u32(19, 1, 2, 5), u32(21, 1, 2, 5), u32(2, 7), u32(14, 0, 0, 0, 0)]
    tshark.assert_consistent(capture([pcap.udp(seed.choice(payloads)) for _ in range(100)]), *VARIANT)


def test_values_at_the_same_place_of_two_buffers(capture):
    """Each reassembled message is a separate buffer with the value at offset 0; two of them end in one
    datagram."""
    connection, parts = enet_packets.Connection(), {}
    for start, kind in ((1, 19), (3, 28)):
        value = u32(kind, 100, *[2, 5] * 100)
        for number, part in enumerate((value[:700], value[700:])):
            parts[kind, number] = struct.pack(">BBHHHIIII", 0x88, 0, start + number, start, len(part), 2, number, len(value),
                                              700 * number) + part
    acknowledgement = struct.pack(">BBHHH", 1, 0xFF, 1, 1, 2)
    path = capture(connection.open() + [connection.datagram(commands) for commands in (
        acknowledgement + parts[19, 0], parts[28, 0], parts[19, 1] + parts[28, 1])])
    for two_pass in (False, True):
        *_, last = tshark.packets(path, "-d", "enet.channel==0,godot.variant", two_pass=two_pass)
        assert last.all("godot.variant.dialect") == ["godot3", "godot4"]
        assert last.all("godot.variant.type")[:1] == ["Array"] and last.all("godot.variant.count") == [100, 100]


def test_settled_generation_stays(capture):
    """An invalid Dictionary of Godot 4 that would be a valid Vector3Array of Godot 2. One value three times, as of frames that the
    capture has twice, settles nothing."""
    broken = (u32(27, 2) + text("a") + u32(2, 1) + text("bc"))[:32]
    *_, last = tshark.packets(capture([pcap.udp(u32(28, 1, 2, n)) for n in range(3)] + [pcap.udp(broken)]), *VARIANT)
    assert last.one("godot.variant.dialect") == "godot4"
    assert last.one("godot.variant.error") == "ERR_INVALID_DATA"
    *_, last = tshark.packets(capture([pcap.udp(u32(28, 1, 2, 5))] * 3 + [pcap.udp(broken)]), *VARIANT)
    assert last.one("godot.variant.dialect") == "godot2"


GUESSED = "Generation not judged: values before it do not show it"


def doubts(path, *options, **others):
    """For each frame: whether its problems depend on a generation that nothing shows; None without problems."""
    said = [frame.all("_ws.expert.message") for frame in tshark.packets(path, *VARIANT, *options, **others)]
    return [any(GUESSED in one for one in texts) if texts else None for texts in said]


@pytest.mark.parametrize("two_pass", [False, True])
def test_problems_of_a_guessed_generation(capture, two_pass):
    """An Array that is cut off in Godot 4 is a whole PoolColorArray of Godot 3, and vice versa. Of a bool or an int all generations
    say the same."""
    array = u32(28, 2, 2, 7, 2)
    alone = datagrams(capture, [array, u32(1, 7), u32(2)])
    assert doubts(alone, two_pass=two_pass) == [True, False, False]
    assert doubts(alone, *dialect("godot4"), two_pass=two_pass) == [False] * 3
    shown = capture([pcap.udp(u32(28, 1, 2, n)) for n in range(3)] + [pcap.udp(array)])
    assert doubts(shown, two_pass=two_pass) == [None] * 3 + [False]
    in_one_frame_less = capture([pcap.udp(u32(28, 1, 2, n)) for n in range(2)] + [pcap.udp(array)])
    assert doubts(in_one_frame_less, two_pass=two_pass)[2]


def test_values_of_two_generations_show_none(capture):
    """Four times as many of one than of others show it."""
    arrays = [pcap.udp(u32(28, 1, 2, n)) for n in range(100, 108)]
    other = [pcap.udp(u32(19, 1, 2, n)) for n in range(2)]
    cut = [pcap.udp(u32(28, 2, 2, 7, 2))]
    assert doubts(capture(arrays[:4] + other + cut))[-1]
    assert doubts(capture(arrays[:4] + other + arrays[4:] + cut))[-1] is False
    assert doubts(capture(arrays[:4] + other[:1] + cut))[-1] is False


def test_what_fits_two_generations_shows_none(capture):
    """A Color of Godot 3 is as well a Plane of Godot 4; the Arrays after three of them are those of Godot 3."""
    colors = [pcap.udp(u32(14) + struct.pack("<4f", 0.5, 0.25, number, 1)) for number in range(3)]
    arrays = [pcap.udp(u32(19, 2, 2, number, 2, 5)) for number in range(6)]
    cut = [pcap.udp(u32(19, 2, 2, 7, 2))]
    path = capture(colors + arrays + cut)
    for two_pass in (False, True):
        found = [frame.one("godot.variant.dialect") for frame in tshark.packets(path, *VARIANT, two_pass=two_pass)]
        assert found == ["godot4"] * 3 + ["godot3"] * 7
        assert doubts(path, two_pass=two_pass) == [None] * 9 + [False]
    assert doubts(capture(colors + cut))[-1]


def test_order_of_two_generations(capture):
    """Not which of them came first."""
    some = [pcap.udp(u32(28, 1, 2, n)) for n in range(2)]
    others = [pcap.udp(u32(19, 1, 2, n)) for n in range(100, 104)]
    cut = [pcap.udp(u32(19, 2, 2, 7, 2))]
    assert doubts(capture(some + others + cut))[-1] and doubts(capture(others + some + cut))[-1]


def test_settled_for_good(capture):
    """Neither what fits another generation, too, nor many values of it change it."""
    settled = [pcap.udp(u32(18, 1, 2, n, 2, 5)) for n in range(6)]
    others = [pcap.udp(u32(28, 1, 2, n)) for n in range(1005)]
    frames = tshark.packets(capture(settled + [pcap.udp(u32(28, 0)), pcap.udp(u32(28, 1, 0))] + others), *VARIANT)
    assert {frame.one("godot.variant.dialect") for frame in frames} == {"godot3"}


def test_few_of_many_values(capture):
    """However many: those of a long conversation weigh less and less."""
    good = [pcap.udp(u32(28, 1, 2, n)) for n in range(1100)]
    other = [pcap.udp(u32(19, 1, 2, n)) for n in range(300)]
    assert doubts(capture(good + other + good + [pcap.udp(u32(28, 2, 2, 7, 2))]))[-1] is False


@pytest.mark.parametrize("name, expected", list(zip(DIALECTS, ("Rect2", "Vector3", "Vector3", "Vector3"))))
def test_generation_by_preference(capture, name, expected):
    frame = one(capture, u32(7) + struct.pack("<4f", 1, 2, 3, 4), *dialect(name))
    assert frame.all("godot.variant.type") == [expected]


# --- every truncation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version, name", [("4.6", "godot4"), ("3.6", "godot3")])
def test_truncations(capture, version, name):
    """Truncated anywhere, a value has one finding for the truncation, which is an error, and its preceding
    parts."""
    payloads = []
    for record in rows(f"godot-{version}-values.jsonl"):
        data = bytes.fromhex(record["hex"])
        if len(data) <= 400 and not record["full"]:
            payloads += [data[:end] for end in range(1, len(data))]
    path = capture([pcap.udp(data) for data in payloads])
    fields = tshark.fields(path, "godot.variant.problem", "godot.variant.error", "_ws.malformed.expert",
                           arguments=VARIANT + dialect(name))
    assert len(fields) == len(payloads) > 1000
    for (problems, errors, malformed), data in zip(fields, payloads):
        tolerated = problems == ["padding missing"]  # of a byte array at the very end
        assert len(problems) == 1, data.hex()
        assert len(errors) == (0 if tolerated else 1), data.hex()
        assert not malformed
    tshark.run(path, *VARIANT, *dialect(name), verbose=True)
    tshark.run(path, *VARIANT, *dialect(name), two_pass=True)


def test_snap_length(capture):
    """The snap length of a capture is not an error of the sender."""
    data = u32(28, 2) + text("shown") + text("x" * 100)
    path = capture([pcap.udp(data)], snaplen=60)
    (frame,) = tshark.packets(path, *VARIANT)
    assert "shown" in frame.all("godot.variant.string")
    assert "godot.variant.problem" not in frame and "_ws.short" in frame


# --- hostile input ------------------------------------------------------------------------------------------------------


def nested(levels):
    return u32(28, 1) * levels


HOSTILE = {
    "count 0x7fffffff": u32(28, 0x7FFFFFFF) + u32(0) * 1000,
    "count 0xffffffff": u32(28, 0xFFFFFFFF) + u32(0) * 1000,
    "packed count": u32(30, 0x7FFFFFFF) + bytes(4000),
    "packed strings": u32(34, 0x7FFFFFFF) + u32(0) * 1000,
    "path counts": u32(22, 0x80000002, 0xFFFFFFFF, 0) + u32(0) * 100,
    "string length": u32(4, 0x7FFFFFFF),
    "depth": nested(8000),
    "depth, accepted": nested(1024) + u32(0),
    "arrays of nothing": u32(28, 8000) + u32(28, 0) * 8000,
    "nils": u32(28, 16000) + u32(0) * 16000,
    "wide dictionary": u32(27, 8000) + u32(0, 0) * 8000,
    "bad bools": u32(28, 8000) + u32(1, 7) * 8000,
    "objects": u32(28, 2000) + (u32(24, 1) + b"X\0\0\0" + u32(0)) * 2000,
    "keys of arrays": u32(27, 1, 28, 1) * 2000,
    "bytes": u32(29, 64000) + bytes(range(256)) * 250,
}


@pytest.mark.parametrize("elements", [1000, 0xFFFFFFFF])
def test_hostile(capture, elements):
    path = capture([pcap.udp(data) for data in HOSTILE.values()])
    options = VARIANT + ["-o", f"godot.variant.max_elements:{elements}"]
    for two_pass in (False, True):
        tshark.run(path, *options, two_pass=two_pass, memory=MEMORY, timeout=60)
        tshark.run(path, *options, two_pass=two_pass, verbose=True, memory=MEMORY, timeout=60)
    tshark.run(path, *options, "-Y", "godot.variant.int == 1", memory=MEMORY, timeout=60)
    frames = dict(zip(HOSTILE, tshark.packets(path, *options)))
    assert all("godot.variant" in frame and "_ws.malformed.expert" not in frame for frame in frames.values())
    for name, error in [("count 0x7fffffff", "ERR_INVALID_DATA"), ("depth", "ERR_OUT_OF_MEMORY"),
                        ("string length", "ERR_FILE_EOF"), ("packed count", "ERR_INVALID_DATA")]:
        assert frames[name].one("godot.variant.error") == error
    assert "godot.variant.error" not in frames["depth, accepted"] and "godot.variant.more" in frames["depth, accepted"]
    assert "godot.variant.more_problems" in frames["bad bools"]
    assert len(frames["bad bools"].all("godot.variant.problem")) == 50
    assert ("godot.variant.not_shown" in frames["nils"]) == (elements == 1000)


def test_cap_on_elements(capture):
    frame = one(capture, u32(30, 100) + u32(*range(100)), "-o", "godot.variant.max_elements:10")
    assert frame.all("godot.variant.int") == list(range(10))
    assert frame.one("godot.variant.more") == 90
    assert frame.one("godot.variant.count") == 100
    text_of_it = frame.one("godot.variant.text")
    assert text_of_it.endswith("98, 99)")
    frame = one(capture, u32(27, 3) + u32(2, 1, 2, 2) * 3, "-o", "godot.variant.max_elements:2")
    assert frame.one("godot.variant.more") == 1


def test_nothing_is_lost_in_a_small_tree(capture):
    """With a lower limit of the tree's depth, the rest is one item, without a dissector bug."""
    data = nested(100) + u32(2, 5)
    frame = one(capture, data, "-o", "gui.max_tree_depth:60")
    assert "godot.variant.more" in frame and "godot.variant.error" not in frame
    assert len(frame.all("godot.variant.type")) < 60


# --- finding it ------------------------------------------------------------------------------------------------------------


def test_port_preference(capture):
    path = capture([pcap.udp(u32(2, 5))])
    assert "godot.variant" not in tshark.packets(path)[0]
    assert "godot.variant" in tshark.packets(path, "-o", "godot.variant.udp.port:4000-5000")[0]


def test_heuristic(capture):
    path = capture([pcap.udp(text("hello")), pcap.udp(u32(2, 5)), pcap.udp(b"\1\2\3\4"),
                    pcap.udp(u32(2, 5), source=("192.0.2.7", 9))])
    assert not any("godot.variant" in frame for frame in tshark.packets(path))
    found = [frame.number for frame in tshark.packets(path, "--enable-heuristic", "godot_variant_udp")
             if "godot.variant" in frame]
    assert found == [1, 2]
