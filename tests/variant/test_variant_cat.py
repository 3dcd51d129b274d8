"""variant-cat: its JSON compared with Godot's, reading of files, messages and exit status.

tests/data/godot-4.6-json.tsv was printed by Godot 4.6.3: the bytes of a value and
JSON.stringify(JSON.from_native(value)).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import math
import os
import pathlib
import struct
import subprocess
import zlib

import pytest

import engine_logs
import tshark

PROGRAM = os.environ["VARIANT_CAT"]
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def run(*arguments, data=b""):
    if isinstance(data, str):
        data = data.encode()
    return subprocess.run([PROGRAM, *map(str, arguments)], input=data, capture_output=True, timeout=60, check=False)


def lines(*arguments, data=b""):
    result = run(*arguments, data=data)
    assert result.returncode == 0, result.stderr
    assert not result.stderr
    return result.stdout.decode().splitlines()


def engine_json():
    with open(DATA / "godot-4.6-json.tsv", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def test_pcap_opens_in_wireshark(tmp_path):
    """Each value is a packet of the dissector godot.variant, in every generation and byte order."""
    for version in ("3.2", "3.6", "4.6"):
        for kind in ("plain", "big-endian", "zstd"):
            path = tshark.CAPTURES / "files" / f"godot-{version}-{kind}.dat"
            capture = tmp_path / f"{version}-{kind}.pcap"
            result = run("--pcap", "--objects", path)
            assert result.returncode == 0 and not result.stderr
            capture.write_bytes(result.stdout)
            texts = [row[0][0] for row in tshark.fields(capture, "godot.variant.text")]
            printed = run("--objects", "--raw", path).stdout.decode()
            assert "\n".join(texts) + "\n" == printed and len(texts) > 5
            assert not [name for _, name, severity, _ in tshark.experts(capture) if severity == "error" and "object" not in name]


def test_pcap_of_other_values(tmp_path):
    capture = tmp_path / "one.pcap"
    capture.write_bytes(run("--pcap", "--hex", data="0200000007000000").stdout)
    assert tshark.fields(capture, "godot.variant.int") == [([7],)]
    long = struct.pack("<II", 29, 300000) + bytes(300000)
    result = run("--pcap", "--value", data=long)
    assert b"is cut" in result.stderr
    capture.write_bytes(result.stdout)
    assert tshark.fields(capture, "frame.len", "frame.cap_len") == [([300032], [262144])]
    assert run("--pcap", "--compact", data=b"\2\7").returncode == 2


def same_number(ours, engines):
    """A number of type float: the engine prints at most 14 decimals, variant-cat all digits."""
    ours, engines = float(ours), float(engines)
    if math.isnan(engines) or math.isinf(engines):
        return str(ours) == str(engines)
    return math.isclose(ours, engines, rel_tol=1e-12, abs_tol=1e-14)


def assert_same(ours, engines):
    assert type(ours) is type(engines), (ours, engines)
    if isinstance(engines, dict):
        extra = {"RID": {"id"}, "Signal": {"name", "object_id"}}.get(engines["type"], set())
        assert set(ours) - extra == set(engines)
        for key in engines:
            assert_same(ours[key], engines[key])
    elif isinstance(engines, list):
        assert len(ours) == len(engines), (ours, engines)
        for one, other in zip(ours, engines):
            assert_same(one, other)
    elif isinstance(engines, str) and engines.startswith("f:"):
        assert ours.startswith("f:") and same_number(ours[2:], engines[2:]), (ours, engines)
    else:
        assert ours == engines


@pytest.mark.parametrize("hex_text,engines", engine_json())
def test_json_is_the_engines(hex_text, engines):
    (line,) = lines("--json", "--hex", "--value", "--generation", "godot4", data=hex_text)
    assert_same(json.loads(line), json.loads(engines))


def test_what_the_engines_json_drops_is_kept():
    (rid,) = lines("-jxv", data="17000000 141a99be1c000000")
    assert json.loads(rid) == {"type": "RID", "id": "i:123456789012"}
    (signal,) = lines("-jxv", data="1a000000 05000000 7265616479000000 b105001006000000")
    assert json.loads(signal) == {"type": "Signal", "name": "ready", "object_id": "i:26038240689"}
    (thing,) = lines("-jxv", data="18000100 b005000f06000080")
    assert json.loads(thing)["props"] == ["object_id", "i:%d" % struct.unpack("<q", bytes.fromhex("b005000f06000080"))]
    (tiny,) = lines("-jxv", data="03000100 59f3f8c21f6ea501")
    assert json.loads(tiny) == "f:1e-300"


def stored(values, order="<"):
    return b"".join(struct.pack(order + "I", len(value)) + value for value in values)


VALUES = [bytes.fromhex(hex_text) for hex_text, _ in engine_json()[:60]]


@pytest.mark.parametrize("order", "<>")
def test_stored_sequences(tmp_path, order):
    file = tmp_path / "save.dat"
    file.write_bytes(stored(VALUES, order))
    printed = lines(file)
    assert printed == [line for value in VALUES for line in lines("-v", "-g", "godot4", data=value)]
    assert lines("--stored", "-g", "godot4", *(["--big-endian"] if order == ">" else []), file) == printed


def test_compressed_file_is_unpacked(tmp_path):
    content = stored(VALUES)
    blocks = [zlib.compress(content[i : i + 4096]) for i in range(0, len(content), 4096)]
    head = b"GCPF" + struct.pack("<III", 1, 4096, len(content))
    file = tmp_path / "save.dat"
    file.write_bytes(head + b"".join(struct.pack("<I", len(b)) for b in blocks) + b"".join(blocks) + b"GCPF")
    plain = tmp_path / "plain.dat"
    plain.write_bytes(content)
    assert lines(file) == lines(plain)
    file.write_bytes(head + b"".join(struct.pack("<I", len(b)) for b in blocks) + b"x" * 9000)
    result = run(file)
    assert result.returncode == 2 and b"cannot be unpacked" in result.stderr


def test_standard_input_is_bytes():
    """By default, Windows treats 0x1a as the end and drops carriage returns."""
    assert lines("-v", data=struct.pack("<II", 2, 0x1A)) == ["26"]
    assert lines("-v", data=struct.pack("<II", 2, 0x0A0D)) == ["2573"]


def test_names_of_files_are_utf8(tmp_path):
    """By default, Windows only supports the letters of one legacy character set."""
    file = tmp_path / "データ größe.dat"
    file.write_bytes(struct.pack("<III", 8, 2, 7))
    assert lines(file) == ["7"]
    missing = run(tmp_path / "нет.dat")
    assert missing.returncode == 2 and "нет.dat: No such file" in missing.stderr.decode()


def test_encrypted_file_is_named():
    result = run(data=b"GDEC" + bytes(60))
    assert result.returncode == 2 and b"encrypted" in result.stderr and not result.stdout


@pytest.mark.parametrize(
    "hex_text,verdict,offset",
    [
        ("0400000005000000616263", "ERR_FILE_EOF", 4),  # String longer than the input
        ("27000000", "ERR_INVALID_DATA", 0),  # no such type
        ("1c00000001000000 18000000 04000000 4e6f6465 00000000", "ERR_UNAUTHORIZED", 8),  # full object
        ("1c00000002000000 0200000001000000", "ERR_INVALID_DATA", 16),  # second element missing
    ],
)
def test_refused_values(hex_text, verdict, offset):
    for form in ((), ("--json",)):
        result = run("--hex", "--value", *form, data=hex_text)
        assert result.returncode == 1
        message = result.stderr.decode()
        assert verdict in message and f"offset {offset}:" in message
        if form:
            json.loads(result.stdout)
    allowed = run("-xvo", data="18000000 04000000 4e6f6465 00000000")
    assert allowed.returncode == 0


def test_generations():
    vector = "07000000 0000803f 00000040 00004040"
    assert lines("-xv", data=vector) == ["Vector3(1, 2, 3)"]  # Godot 4 would need four components
    assert lines("-xv", "-g", "godot3", data=vector) == ["Vector3(1, 2, 3)"]
    assert run("-xv", "-g", "godot4", data=vector).returncode == 1
    assert lines("-xc", data="02 05  82 40 9c 00 00  81  01") == ["5", "40000", "true", "false"]


def test_long_text_is_not_cut():
    value = struct.pack("<II", 4, 1 << 20) + b"x" * (1 << 20)
    (line,) = run("-v", data=value).stdout.splitlines()
    assert len(line) == (1 << 20) + 2
    array = struct.pack("<II", 31, 50000) + struct.pack("<50000q", *range(-(10**18), -(10**18) + 50000))
    (line,) = lines("-v", data=array)
    assert line.endswith(", %d)" % (-(10**18) + 49999))


def string(text):
    return b"\x04\0\0\0" + len(text.encode()).to_bytes(4, "little") + text.encode() + bytes(-len(text.encode()) % 4)


def test_one_value_is_one_line():
    """Escapes that read back as the same text; --raw prints the engine's text."""
    text = "a\nb\x1b[31mc\u009bd\u202ee\u2028f\tg"
    result = run("--value", data=string(text))
    assert result.stdout.decode() == '"a\\nb\\u001b[31mc\\u009bd\\u202ee\\u2028f\\tg"\n'
    assert json.loads(result.stdout) == text
    assert run("--value", "--raw", data=string(text)).stdout.decode() == '"a\nb\x1b[31mc\u009bd\\u202ee\\u2028f\tg"\n'
    escaped = run("--value", "--json", data=string(text)).stdout.decode()
    assert json.loads(escaped) == "s:" + text and escaped.isascii()


def test_output_that_cannot_be_written():
    with open("/dev/full", "wb") as full:
        result = subprocess.run([PROGRAM, "--value"], input=string("x"), stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == 2 and b"standard output" in result.stderr


def test_trouble():
    assert run("/nonexistent").returncode == 2
    assert run("--generation", "godot5").returncode == 2
    assert run("--nonsense").returncode == 2
    assert run("--hex", data="0g").returncode == 2
    assert run("--hex", data="012").returncode == 2
    assert run("--help").returncode == 0
    after = run("-xv", data="02000000 05000000 ff")
    assert after.returncode == 0 and b"1 bytes after" in after.stderr


# --- values of three generations, sent and logged by engines (test-captures/README.md) --------------------

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "test-captures"
PACKED_VECTORS = {"PackedVector2Array": 2, "PackedVector3Array": 3, "PackedVector4Array": 4, "PackedColorArray": 4}


def logged_number(value):
    if value is None:
        return "nan"
    return ("inf" if value > 0 else "-inf") if isinstance(value, float) and math.isinf(value) else value


def logged_form(native):
    """The form of JSON.from_native() for a value, converted to the form of the logs."""
    if native is None or isinstance(native, bool):
        return native
    if isinstance(native, list):
        return {"Array": [logged_form(one) for one in native]}
    if isinstance(native, str):
        kind, text = native.split(":", 1)
        if kind == "f":
            return logged_number(float(text)) if text != "nan" else "nan"
        return {"i": int, "s": str}[kind](text) if kind in "is" else {{"sn": "StringName", "np": "NodePath"}[kind]: text}
    name, parts = native["type"], native.get("args")
    if "props" in native:
        pairs = list(zip(native["props"][::2], native["props"][1::2]))
        if name == "EncodedObjectAsID":
            return {"Object": logged_form(pairs[0][1])}
        return {"Object": {"class": name, "properties": [[key, logged_form(value)] for key, value in pairs]}}
    if name == "Dictionary":
        return {name: [[logged_form(key), logged_form(value)] for key, value in zip(parts[::2], parts[1::2])]}
    if name == "Array":
        return {name: [logged_form(one) for one in parts]}
    if name == "PackedByteArray":
        return {name: bytes(parts).hex()}
    if name in ("RID", "Signal", "Callable"):
        return {name: {"RID": lambda: int(native["id"][2:]), "Callable": lambda: None,
                       "Signal": lambda: [native["name"], int(native["object_id"][2:])]}[name]()}  # fmt: skip
    if name in PACKED_VECTORS:
        size = PACKED_VECTORS[name]
        element = name[len("Packed") : -len("Array")]
        numbers = [logged_number(one) for one in parts]
        return {name: [{element: numbers[i : i + size]} for i in range(0, len(numbers), size)]}
    if name in ("Basis", "Transform3D"):  # by axis here, by row in the log
        parts = [parts[i % 3 * 3 + i // 3] for i in range(9)] + parts[9:]
    return {name: parts if name == "PackedStringArray" else [logged_number(one) for one in parts]}


def logged_values(engine):
    for path in sorted(CAPTURES.glob(f"variant/{engine}-*.sender.log.gz")):
        for entry in engine_logs.records(path):
            if entry["what"] == "put_var" and "hex" in entry and "…" not in json.dumps(entry["value"], ensure_ascii=False):
                if entry["name"] == "Object EncodedObjectAsID":  # logged with the id that it refers to, sent with its own id
                    entry["value"] = {"Object": struct.unpack("<q", bytes.fromhex(entry["hex"])[4:])[0]}
                yield entry["hex"], entry["value"]


@pytest.mark.parametrize("engine,generation", [("godot-4.6", "godot4"), ("godot-3.6", "godot3"), ("godot-3.2", "godot3")])
def test_json_is_what_the_engine_logged(tmp_path, engine, generation):
    entries = list(logged_values(engine))
    assert len(entries) > 100
    file = tmp_path / "values"
    file.write_bytes(stored([bytes.fromhex(hex_text) for hex_text, _ in entries]))
    printed = lines("--json", "--objects", "--stored", "--generation", generation, file)
    for line, (_, value) in zip(printed, entries, strict=True):
        assert logged_form(json.loads(line)) == value
