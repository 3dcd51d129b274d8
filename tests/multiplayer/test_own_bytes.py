"""A game's own bytes, which dissectors of others in the tables godot.method, godot.property, godot.auth,
godot.spawn and godot.raw decode: in C (tests/common/own-bytes.c) and in Lua.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re
import struct
import subprocess

import pytest

import enet_packets
import lua
import pcap
import tshark
from test_messages import rows_of
from test_multiplayer_packets import CLIENT, capture, cstring, project, simplify  # noqa: F401
from variants import u32

IN_C = tshark.with_plugin("own-bytes")


def bytes_value(data):
    return u32(29, len(data)) + data + bytes(-len(data) % 4)


def property_state(*values):
    data = b"".join(values)
    return u32(0x80000002, len(data)) + data


SCRIPT = "@rpc func aim(a, b): pass\n@rpc func move(b): pass\n@rpc func shoot(b): pass\n"
METHODS = ("aim", "move", "shoot")
SCENE = ('[sub_resource type="SceneReplicationConfig" id="1"]\n'
         'properties/0/path = NodePath(".:bits")\nproperties/0/replication_mode = 1\n'
         'properties/1/path = NodePath(".:more")\nproperties/1/replication_mode = 1\n'
         '[node name="Main" type="Node"]\n'
         '[node name="Sync" type="MultiplayerSynchronizer" parent="."]\nreplication_config = SubResource("1")\n')
GAME = {"project.godot": "", "player.gd": SCRIPT, "main.tscn": SCENE}
# What is sent, from the client or (True, …) from the server, and what the dissector shows; None: it is not called.
PATH, SYNC = simplify("Main/Player", 1, *METHODS), (True, simplify("Main/Sync", 2))
PLACES = [
    (PATH, "node 1 is Main/Player", None),
    (SYNC, "node 2 is Main/Sync", None),
    # The only argument: bare bytes, 0x80
    (b"\x80\x01\x01" + b"abc", "move(owned 3) → Main/Player", "godot.method|Main/Player|move|0||"),
    (b"\x80\x01\x01" + b"\xec", "move(PackedByteArray(236)) → Main/Player", "godot.method|Main/Player|move|0||"),
    (b"\x80\x01\x01" + b"\xed", "move(PackedByteArray(237)) → Main/Player", None),
    (b"\x80\x01\x02" + b"abc", "shoot(owned 3) → Main/Player", "godot.method|Main/Player|shoot|0||"),
    # Two: the key has the number of the second
    (b"\x00\x01\x00\x02" + bytes_value(b"ab") + bytes_value(b"abcde"),
     "aim(PackedByteArray(97, 98), owned 5) → Main/Player", "godot.method|Main/Player|aim|1|PackedByteArray(97, 98)|"),
    ((True, b"\x06\x01\0" + property_state(bytes_value(b"abcd"), bytes_value(b"xy"))),
     "sync Main/Sync {bits: owned 4, more: PackedByteArray(120, 121)}", "godot.property|Main/Sync|bits|-1||"),
    ((True, b"\x07\x00" + b"key"), "authentication owned 3 (3 bytes)", "godot.auth|-|-|-1||"),
    (b"\x07\x00" + b"key", 'authentication "key" (3 bytes)', None),
    ((True, simplify("Main/Spawner", 3)), "node 3 is Main/Spawner", None),
    ((True, b"\x04\xff" + u32(3, 77, 0, 3) + b"P1\0" + u32(8 + 2 + 2) + bytes_value(b"ab")),
     "spawn P1 (custom) by Main/Spawner", "godot.spawn|Main/Spawner|-|-1||"),
    # Not the last: the arguments after it are known, too
    (b"\x00\x01\x02\x03" + bytes_value(b"ab") + b"\x02\x07\x81", "shoot(owned 2, 7, true) → Main/Player",
     "godot.method|Main/Player|shoot|0||7, true"),
]


def without_marks(info):
    """Without what else the line says: acknowledgements, who may call."""
    return re.sub(r" \[(not allowed|wrong arguments)\]", "", info)


@pytest.fixture
def places(tmp_path, project):  # noqa: F811
    return capture(tmp_path, [message for message, _, _ in PLACES]), project(GAME)


def test_every_place(places):
    """Tree and Info text stand where the bytes stand, with one pass, two, and with trees; the facts are those of
    plugin/multiplayer/payload/api.h."""
    path, options = places
    lines = tshark.listing(path, *options, **IN_C)
    assert [without_marks(info) for _, protocol, info in lines if protocol == "Godot"] == [info for _, info, _ in PLACES]
    assert lines == tshark.listing(path, *options, two_pass=True, **IN_C)
    for two_pass in (False, True):
        frames = tshark.packets(path, *options, two_pass=two_pass, **IN_C)[-len(PLACES):]
        for number, (frame, (message, _, facts)) in enumerate(zip(frames, PLACES), 1):
            assert frame.all("owned.facts") == ([] if facts is None else [
                f"{facts}|0|{1 if isinstance(message, tuple) else CLIENT}|{CLIENT if isinstance(message, tuple) else 1}"
                f"|0|{0 if isinstance(message, tuple) else 1}|{number}|{0 if two_pass else 1}|0"]), number


def test_below_its_item(places):
    path, options = places
    frames = tshark.packets(path, *options, **IN_C)[-len(PLACES):]
    for number, field in ((2, "godot.rpc.bytes"), (7, "godot.sync.property"), (8, "godot.sys.auth")):
        (item,) = [node for node in frames[number].nodes(field) if "owned" in node]
        assert item.all("owned.first") == [frames[number].one("owned.first")]
    assert frames[7].all("godot.sync.property") == ["bits", "more"]


def test_fields_and_filters_without_columns(places):
    """The call's text is the same where nobody wants the packet list."""
    path, options = places
    rows = tshark.fields(path, "godot.rpc.call", "owned.first", arguments=(*options, "-Y", "owned"), **IN_C)
    assert [call for call, _ in rows][0] == ["move(owned 3)"]
    assert len(rows) == sum(facts is not None for _, _, facts in PLACES)
    assert tshark.fields(path, "frame.number", arguments=(*options, "-2", "-R", "owned.first == 0x61"), **IN_C)


def test_with_a_read_filter(places):
    path, options = places
    everything = {number: info for number, _, info in tshark.listing(path, *options, **IN_C)}
    some = tshark.listing(path, *options, "-R", "owned", two_pass=True, **IN_C)
    assert [info for _, _, info in some] == [info for number, info in everything.items() if "owned" in info or "236" in info
                                             or "spawn P1" in info]


def test_statistics_have_the_same_bytes(places):
    path, options = places
    for statistic in ("godot,bandwidth", "godot,summary", "godot,peers", "godot,replication", "godot,tree"):
        with_it, without = (tshark.run(path, "-q", *options, "-z", statistic, **changes).stdout for changes in (IN_C, {}))
        assert with_it == without, statistic
    with_it, without = (rows_of(path, *options, **changes) for changes in (IN_C, {}))
    assert [{**row, "info": None} for row in with_it] == [{**row, "info": None} for row in without]


def test_a_dissector_that_reads_too_far(places, tmp_path):
    _, options = places
    path = capture(tmp_path, [PATH, b"\x00\x01\x00\x02" + b"\x81" + bytes_value(b"\xee"), b"\x80\x01\x01" + b"ab"])
    for passes in (False, True):
        lines = [without_marks(info) for _, _, info in tshark.listing(path, *options, two_pass=passes, **IN_C)[3:]]
        assert lines == ["aim(true, [Malformed Packet]) → Main/Player", "move(owned 2) → Main/Player"]
    frame = tshark.packets(path, *options, **IN_C)[3]
    assert frame.one("godot.rpc.method") == "aim" and "_ws.malformed" in frame and "godot.wire_length" in frame
    assert "godot.variant.packed_byte_array" in frame


def test_many_calls_of_one_frame(places, tmp_path):
    """Wireshark gives up a frame with 500 layers."""
    _, options = places
    count = 250
    call = b"\x00\x01\x01" + bytes([count]) + bytes_value(b"ab") * count
    path = capture(tmp_path, [PATH, call, call])
    frame = tshark.packets(path, *options, **IN_C)[-1]
    assert len(frame.all("owned.first")) == count
    connection = enet_packets.Connection(CLIENT)
    packets = [*connection.open(), connection.message(PATH), connection.message(*[b"\x80\x01\x01x"] * 300)]
    path = pcap.write(tmp_path / "messages.pcap", packets)
    frame = tshark.packets(path, *options, **IN_C)[-1]
    assert len(frame.all("owned.first")) == 300


def test_decode_as(places):
    path, options = places
    frames = tshark.packets(path, *options, "-d", "godot.method==aim:0,godot.variant", "-d", "godot.property==more,json")
    assert "json" in frames[-6] and sum("json" in frame for frame in frames) == 1
    lines = [info for *_, info in tshark.listing(path, *options, "-d", "godot.raw,owned", **IN_C)]
    assert lines == [info for *_, info in tshark.listing(path, *options, **IN_C)]  # there are no raw packets


def test_raw(tmp_path):
    path = capture(tmp_path, [PATH, b"\x03abc", (True, b"\x07\x03" + struct.pack("<i", 77) + b"\x03\x01\x02\x03\x04\x05")])
    arguments = ("-d", "godot.raw,owned")
    assert [info for *_, info in tshark.listing(path, *arguments, *tshark.BY_ID, **IN_C)][3:] == \
        ["raw owned 3 (3 bytes)", "raw owned 5 (5 bytes) [relayed from peer 77]"]
    first, second = tshark.packets(path, *arguments, **IN_C)[-2:]
    assert first.one("owned.facts").startswith(f"godot.raw|-|-|-1|||0|{CLIENT}|1|0|1|")
    assert second.one("owned.facts").startswith(f"godot.raw|-|-|-1|||0|77|{CLIENT}|0|0|")


def test_a_cut_capture(places, tmp_path):
    """Bytes that the snap length has cut: of arguments none are passed on, and nothing is called malformed."""
    _, options = places
    whole = capture(tmp_path, [PATH, b"\x00\x01\x01\x01" + bytes_value(b"x" * 300), b"\x03" + b"y" * 300])
    path = pcap.write(tmp_path / "cut.pcap", [data for _, data in pcap.read(whole)[1]], snaplen=200)
    for frame in tshark.packets(path, *options, "-d", "godot.raw,owned", **IN_C)[-2:]:
        assert "_ws.malformed" not in frame and "_ws.short" in frame


def test_godot_3():
    path = tshark.CAPTURES / "multiplayer" / "godot-3.6-enet-calls.pcap"
    arguments = ("-d", "godot.method==any,json", "-d", "godot.property==health,json")
    frames = tshark.packets(path, *arguments, "-Y", "json || _ws.malformed")
    assert {text for frame in frames for text in frame.all("godot.rset.property") + frame.all("godot.rpc.method")} == {"any", "health"}


# --- Lua ---


LUA = """
local own = Proto("owned", "Owned")
own.fields.facts = ProtoField.string("owned.facts", "Facts")
own.fields.first = ProtoField.uint8("owned.first", "First", base.HEX)
function own.dissector(tvb, pinfo, tree)
    local first = tvb:len() > 0 and tvb(0, 1):uint() or 0
    if first == 0xed then return 0 end
    local told = {}
    for _, name in ipairs({"table", "node", "name", "argument", "before", "after", "session", "source", "target", "target_unknown",
                           "from_initiator", "number", "first", "repeated"}) do
        told[#told + 1] = pinfo.private["godot." .. name] or "-"
    end
    local item = tree:add(own, tvb())
    item:add(own.fields.facts, table.concat(told, "|"))
    if tvb:len() > 0 then item:add(own.fields.first, tvb(0, 1)) end
    pinfo.cols.protocol = "Owned"
    if first == 0xee then tvb(0, 10000000):uint() end
    if first == 0xef then error("of the script") end
    if first == 0xf0 then for i = 1, 100000 do item:add(own.fields.first, tvb(0, 1)) end end
    if first == 0xf1 then for i = 1, 1000001 do item:add(own.fields.first, tvb(0, 1)) end end
    if first == 0xf2 then
        local sum, all = 0, tvb:raw()
        for i = 1, #all do sum = sum + all:byte(i) end
        pinfo.cols.info = "sum " .. sum
    elseif first ~= 0xec then
        pinfo.cols.info:append("owned " .. tvb:len())
    end
    return tvb:len()
end
for name, keys in pairs({method = {"move", "Main/Player.aim:1", "player.shoot"}, property = {"bits"}, auth = {"server"},
                         spawn = {"Main/Spawner"}}) do
    for _, key in ipairs(keys) do DissectorTable.get("godot." .. name):add(key, own) end
end
"""


@lua.needed
def test_every_place_in_lua(places):
    path, options = places
    lines = tshark.listing(path, *options, *lua.script(LUA))
    assert [without_marks(info) for _, protocol, info in lines if protocol == "Godot"] == [info for _, info, _ in PLACES]
    assert lines == tshark.listing(path, *options, *lua.script(LUA), two_pass=True)
    for two_pass in (False, True):
        in_lua, in_c = (tshark.packets(path, *options, *arguments, two_pass=two_pass, **changes)
                        for arguments, changes in ((lua.script(LUA), {}), ((), IN_C)))
        for told, known in zip(in_lua, in_c):
            for one, other in zip(told.all("owned.facts"), known.all("owned.facts"), strict=True):
                # Lua does not get what is not known or false.
                pairs = zip(one.split("|"), other.split("|"))
                assert all(a == b or (a == "-" and b in ("0", "-1")) for a, b in pairs), (one, other)


@lua.needed
@pytest.mark.parametrize("first,said", [(b"\xee", "Lua Error"), (b"\xef", "Lua Error: .*of the script")])
def test_lua_that_errors(places, tmp_path, first, said):
    _, options = places
    path = capture(tmp_path, [PATH, b"\x00\x01\x00\x02" + b"\x81" + bytes_value(first), b"\x80\x01\x01" + b"ab"])
    for two_pass in (False, True):
        result = tshark.run(path, *options, *lua.script(LUA), "-V", two_pass=two_pass)
        assert re.search(said, result.stdout)
        frames = tshark.packets(path, *options, *lua.script(LUA), two_pass=two_pass)
        assert frames[3].one("godot.rpc.method") == "aim" and "godot.wire_length" in frames[3]
        assert [without_marks(info) for _, _, info in tshark.listing(path, *options, *lua.script(LUA), two_pass=two_pass)][-1] == \
            "move(owned 2) → Main/Player"


def fragments(payload, size=1200):
    """Reliable fragments of a message, a datagram for each."""
    connection = enet_packets.Connection(CLIENT)
    acknowledged = connection.datagram(struct.pack(">BBHHH", 1, 0xFF, 1, 1, 2))
    packets = [*connection.open(), acknowledged, connection.message(PATH)]
    pieces = [payload[at:at + size] for at in range(0, len(payload), size)]
    for number, piece in enumerate(pieces):
        packets.append(connection.datagram(struct.pack(
            ">BBHHHIIII", 0x88, 0, 2 + number & 0xffff, 2, len(piece), len(pieces), number, len(payload), size * number) + piece))
    return packets


@lua.needed
def test_lua_that_loops_over_much(places, tmp_path):
    """Ten megabytes: that takes a second, and the packet is whole."""
    _, options = places
    size = 10_000_000
    path = pcap.write(tmp_path / "big.pcap", fragments(b"\x00\x01\x01\x01" + bytes_value(b"\xf2" + b"\x01" * (size - 1))))
    lines = [info for *_, info in tshark.listing(path, *options, *lua.script(LUA))]
    assert f"move(sum {0xf2 + size - 1}) → Main/Player" in without_marks(lines[-1])


@lua.needed
@pytest.mark.parametrize("first,limit", [(b"\xf0", 50000), (b"\xf1", 1000000)])
def test_lua_that_adds_too_many_items(places, tmp_path, first, limit):
    """More than Wireshark allows: of one dissector 50,000 without progress from 4.6 on, of a frame a million. Wireshark calls
    that a bug of a dissector and says so; the rest of the packet is there, but no other dissector is called in that frame."""
    _, options = places
    connection, move = enet_packets.Connection(CLIENT), b"\x80\x01\x01" + b"ab"
    calls = (b"\x00\x01\x00\x02" + b"\x81" + bytes_value(first), move)
    path = pcap.write(tmp_path / "items.pcap", [*connection.open(), connection.message(PATH), connection.message(*calls), connection.message(move)])
    line = tshark.command("-n", "-r", tshark.readable(path), *options, *lua.script(LUA), "-O", "godot,owned", WIRESHARK_LOG_FATAL="critical")
    result = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True, timeout=300)
    stopped = "Dissector bug" in result.stdout
    assert stopped or len(re.findall("First: 0xf0", result.stdout)) == 100001
    assert limit < 100_000 or stopped
    assert "Argument 0: true" in result.stdout and "Bytes on the Wire" in result.stdout
    lines = [without_marks(line) for line in result.stdout.splitlines() if line.startswith("Godot Multiplayer")]
    same_frame = "PackedByteArray(97, 98)" if stopped else "owned 2"
    assert [line.partition(", ")[2] for line in lines[-2:]] == [f"move({same_frame}) → Main/Player", "move(owned 2) → Main/Player"]
