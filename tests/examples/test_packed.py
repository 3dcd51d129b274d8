"""examples/packed.lua and the page docs/own-bytes.md, compared with what a game has packed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import gzip
import json
import math
import re
import struct

import lua
import projects
import tshark

CAPTURE = tshark.CAPTURES / "own-bytes" / "godot-4.6-enet.pcap"
SCRIPT = tshark.ROOT / "examples" / "packed.lua"
PAGE = tshark.ROOT / "docs" / "own-bytes.md"

pytestmark = lua.needed


def packed():
    """{place: {hex: values}} of what the game has packed."""
    found = {}
    for process in ("server", "client"):
        with gzip.open(CAPTURE.with_suffix(f".{process}.log.gz"), "rt") as file:
            for record in map(json.loads, file):
                if record["what"] == "packed":
                    found.setdefault(record["place"], {})[record["hex"]] = record["values"]
    return found


def shown(two_pass=False):
    """{place: [(hex, layer)]}"""
    places = {"godot.rpc.bytes": "argument", "godot.sys.auth": "auth", "godot.raw": "raw"}
    found = {}
    for frame in tshark.packets(CAPTURE, *lua.file(SCRIPT), *projects.option("ownbytes4"), "-Y", "input", two_pass=two_pass):
        for node in frame.walk():
            for layer in (child for child in node.children if child.name == "input"):
                place = places.get(node.name) or ("property" if "property" in node.name else "spawn" if frame.one("godot.command") == "Spawn"
                                                  else "second argument")
                data = node.value if isinstance(node.value, bytes) else frame.all("godot.variant.packed_byte_array")[0]
                found.setdefault(place, []).append((data.hex(), layer))
    return found


def test_every_value_is_what_the_game_has_packed():
    made, found = packed(), shown()
    count = 0
    for place, list_ in found.items():
        for data, layer in list_:
            (values,) = {json.dumps(values) for name in made if name.startswith(place) for key, values in made[name].items() if key == data}
            values = json.loads(values)
            number = {name: float(layer.all(f"input.{name}")[0]) for name in values}
            assert number["tick"] == values["tick"] and number["weapon"] == values["weapon"] and number["jump"] == int(values["jump"])
            assert math.isclose(number["aim"], struct.unpack("<e", bytes.fromhex(data)[3:5])[0], rel_tol=1e-9)
            assert abs(number["aim"] - values["aim"]) < 2e-3 and abs(number["x"] - values["x"]) <= 200 / 65535
            count += 1
    assert found.keys() == {"argument", "second argument", "property", "auth", "raw", "spawn"}
    assert len(found["argument"]) == 60 and count > 80


def test_info_column_in_both_passes():
    once, twice = (tshark.listing(CAPTURE, *lua.file(SCRIPT), *projects.option("ownbytes4"), two_pass=passes) for passes in (False, True))
    assert once == twice
    lines = [info for *_, info in once]
    assert any(re.search(r"submit_input_of\(3, input 10\) → Main/Player$", line) for line in lines)
    assert any(re.search(r"sync Main/Player/Synchronizer {packed: input \d+}$", line) for line in lines)
    assert any(re.search(r"raw input 10 \(7 bytes\)$", line) for line in lines)


def functions(path):
    """The functions before the dissector, as they are copied."""
    return re.search(r"-- IEEE 754.*?(?=\n\n(?:-- The same below|-- ---|local \w+ = Proto))", path.read_text(encoding="utf-8"), re.DOTALL)[0]


def test_forms_of_numbers():
    """half() of both examples against Python's, for each of the 65,536; the others against arithmetic."""
    assert functions(SCRIPT) == functions(tshark.ROOT / "examples" / "netfox.lua")
    below = re.search(r"local function signed_bits.*?\nend", SCRIPT.read_text(encoding="utf-8"), re.DOTALL)[0]
    text = functions(SCRIPT) + "\n" + below + """
for number = 0, 65535 do print(("%.17g"):format(half(number))) end
print(quantized(0, 255, -1, 1), quantized(255, 255, -1, 1), bits(0xb6, 1, 3), signed_bits(0x0f, 0, 4), signed_bits(0x07, 0, 4))
"""
    lines = tshark.run(CAPTURE, "-c", "1", *lua.script(text)).stdout.splitlines()
    for number, line in enumerate(lines[:65536]):
        (value,) = struct.unpack("<e", struct.pack("<H", number))
        assert math.isnan(value) and "nan" in line or float(line) == value, (number, line)
    assert [float(word) for word in lines[65536].split()] == [-1, 1, 3, -1, 7]


def test_the_script_of_the_page():
    """Twenty lines, as they are on the page."""
    (text,) = re.findall(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(text.splitlines()) <= 20
    frames = tshark.packets(CAPTURE, *lua.script(text), *projects.option("ownbytes4"), "-Y", "input")
    made = packed()["argument"]
    assert len(frames) == 60
    for frame in frames:
        values = made[frame.one("godot.rpc.bytes").hex()]
        assert int(frame.all("input.tick")[0]) == values["tick"] and abs(float(frame.all("input.x")[0]) - values["x"]) <= 200 / 65535
        assert int(frame.all("input.weapon")[0]) == values["weapon"]
