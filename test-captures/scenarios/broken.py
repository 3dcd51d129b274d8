# SPDX-License-Identifier: GPL-2.0-or-later
"""Damaged Variants in datagrams, and the result of decoding them with a real engine."""

import re
import struct
import sys

from generator import pcap
from generator.scene import GODOT36, GODOT4, HERE, Scene, scenario

IDS = {
    GODOT4: {
        "Vector2": 5, "Vector3": 9, "Transform": 18, "Color": 20, "StringName": 21, "NodePath": 22, "RID": 23, "Object": 24,
        "Callable": 25, "Signal": 26, "Dictionary": 27, "Array": 28, "Bytes": 29, "Int32s": 30, "Int64s": 31, "Float32s": 32,
        "Float64s": 33, "Strings": 34, "Vector2s": 35, "Vector3s": 36, "Colors": 37, "Vector4s": 38, "end": 39,
    },
    GODOT36: {
        "Vector2": 5, "Vector3": 7, "Transform": 13, "Color": 14, "NodePath": 15, "RID": 16, "Object": 17, "Dictionary": 18,
        "Array": 19, "Bytes": 20, "Int32s": 21, "Float32s": 22, "Strings": 23, "Vector2s": 24, "Vector3s": 25, "Colors": 26,
        "end": 27,
    },
}  # fmt: skip
NIL, BOOL, INT, FLOAT, STRING = range(5)
FLAG_64 = 1 << 16


def u32(*numbers):
    return b"".join(struct.pack("<I", n & 0xFFFFFFFF) for n in numbers)


def padded(data):
    return u32(len(data)) + data + bytes(-len(data) % 4)


def text(string):
    return u32(STRING) + padded(string.encode())


def whole(ids):
    """Valid values, to be truncated."""
    yield "bool", u32(BOOL, 1)
    yield "int", u32(INT, -7)
    yield "int64", u32(INT | FLAG_64, 0, 1)
    yield "float", u32(FLOAT, 0x3FC00000)
    yield "float64", u32(FLOAT | FLAG_64, 0x9999999A, 0x3FB99999)
    yield "String", text("Godot")
    yield "String without padding", text("abcd")
    yield "Vector3", u32(ids["Vector3"], 0x3F800000, 0, 0)
    yield "NodePath", u32(ids["NodePath"], 0x80000002, 1, 1) + padded(b"root") + padded(b"A") + padded(b"x")
    yield "Object id", u32(ids["Object"] | FLAG_64, 0x123, 0)
    yield "Dictionary", u32(ids["Dictionary"], 2) + text("a") + u32(INT, 1) + text("b") + u32(ids["Array"], 0)
    yield "Array", u32(ids["Array"], 2) + u32(INT, 1) + text("a")
    yield "bytes", u32(ids["Bytes"]) + padded(b"\1\2\3\4\5")
    yield "int32s", u32(ids["Int32s"], 2, 1, -1)
    yield "strings", u32(ids["Strings"], 2) + padded(b"a\0") + padded(b"\0")
    yield "colors", u32(ids["Colors"], 1, 0, 0, 0, 0)
    if "Signal" in ids:
        yield "StringName", u32(ids["StringName"]) + padded(b"hit")
        yield "Signal", u32(ids["Signal"]) + padded(b"hit") + u32(0x123, 0)
        yield "RID", u32(ids["RID"], 7, 0)
        yield "int64s", u32(ids["Int64s"], 1, 5, 0)
        yield "typed Array", u32(ids["Array"] | FLAG_64, INT, 1) + u32(INT, 7)
        yield "typed Dictionary", u32(ids["Dictionary"] | 5 << 16, STRING, INT, 1) + text("a") + u32(INT, 1)


def cut(ids):
    for name, data in whole(ids):
        yield name, data
        for length in range(1, len(data)):
            yield f"{name} cut at {length}", data[:length]


def strings(ids):
    for name, data in {
        "lone continuation": b"\x80abc", "bad continuation": b"a\xc3(b", "overlong": b"\xc0\xafab", "surrogate": b"\xed\xa0\x80a",
        "above U+10FFFF": b"\xf4\x90\x80\x80", "cut sequence": b"abc\xc3", "five-byte form": b"\xf8\x88\x80\x80\x80",
        "byte FF": b"\xffabc", "BOM": b"\xef\xbb\xbfabc", "NUL inside": b"ab\0cd", "only NULs": b"\0\0\0\0", "latin-1": b"caf\xe9",
    }.items():  # fmt: skip
        yield f"String with {name}", u32(STRING) + padded(data)
        yield f"strings with {name}", u32(ids["Strings"], 1) + padded(data)
        yield f"NodePath with {name}", u32(ids["NodePath"], 0x80000001, 0, 0) + padded(data)
    for length in (6, 7, 8, 9, 100, 0x7FFFFFFC, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF):
        yield f"String of length {length:#x}", u32(STRING, length) + b"Godot\0\0\0"
    yield "String with dirty padding", u32(STRING, 5) + b"Godotxyz"
    yield "String without its padding", u32(STRING, 5) + b"Godot"
    yield "String in Array with dirty padding", u32(ids["Array"], 2, STRING, 5) + b"Godotxyz" + u32(INT, 1)
    yield "NodePath with dirty padding", u32(ids["NodePath"], 0x80000001, 0, 0, 1) + b"Axyz"


def counts(ids):
    for name in ("Bytes", "Int32s", "Int64s", "Float32s", "Float64s", "Strings", "Vector2s", "Vector3s", "Colors", "Vector4s",
                 "Array", "Dictionary"):  # fmt: skip
        for count in (1, 2, 1000, 0x10000000, 0x20000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF):
            if name in ids:
                yield f"{name} of {count:#x}", u32(ids[name], count) + u32(INT, 1)
    yield "bytes without padding", u32(ids["Bytes"], 5) + b"\1\2\3\4\5"
    yield "bytes with dirty padding", u32(ids["Bytes"], 5) + b"\1\2\3\4\5xyz"
    yield "bytes without padding in Array", u32(ids["Array"], 1, ids["Bytes"], 5) + b"\1\2\3\4\5"
    yield "bytes without padding, Array goes on", u32(ids["Array"], 2, ids["Bytes"], 5) + b"\1\2\3\4\5" + u32(INT, 1)


def headers(ids):
    for kind in (ids["end"] - 1, ids["end"], 40, 50, 63, 64, 127, 128, 200, 255):
        yield f"type {kind}", u32(kind, 0)
    for bits in (0x100, 0x8000, 0x20000, 0x40000, 0x80000, 0x100000, 0x80000000, 0xFFFEFF00):
        yield f"int, reserved bits {bits:#x}", u32(INT | bits, 5)
        yield f"Nil, reserved bits {bits:#x}", u32(NIL | bits)
    yield "bool 2", u32(BOOL, 2)
    yield "bool 0x80000000", u32(BOOL, 0x80000000)
    yield "String, bit 16", u32(STRING | FLAG_64, 1) + b"a\0\0\0"
    yield "Color, bit 16", u32(ids["Color"] | FLAG_64, 0, 0, 0, 0)
    yield "Vector2, bit 16, short", u32(ids["Vector2"] | FLAG_64, 0, 0)
    yield "Vector2, bit 16", u32(ids["Vector2"] | FLAG_64, 0, 0x3FF00000, 0, 0x40000000)
    yield "Transform, bit 16, short", u32(ids["Transform"] | FLAG_64, *[0] * 12)
    yield "trailing bytes", u32(INT, 5) + b"trailing"
    yield "two values", u32(INT, 5, INT, 6)


def node_paths(ids):
    path = ids["NodePath"]
    yield "NodePath in the old format", u32(path) + padded(b"A/B")
    yield "NodePath of 1000 names", u32(path, 0x800003E8, 0, 0) + padded(b"A")
    yield "NodePath of 0x7fffffff names", u32(path, 0xFFFFFFFF, 0, 0) + padded(b"A")
    yield "NodePath, counts wrap to one", u32(path, 0x80000002, 0xFFFFFFFF, 0) + padded(b"A")
    yield "NodePath, separate property", u32(path, 0x80000001, 0, 2) + padded(b"A") + padded(b"p")
    yield "NodePath, separate property missing", u32(path, 0x80000001, 0, 2) + padded(b"A")
    yield "NodePath, unknown flags", u32(path, 0x80000001, 0, 0xFFFFFFFC) + padded(b"A")
    yield "NodePath, empty name", u32(path, 0x80000001, 0, 0) + padded(b"")


def objects(ids):
    it = ids["Object"]
    yield "full Object", u32(it) + padded(b"RefCounted" if it == 24 else b"Reference") + u32(0)
    yield "full Object, null", u32(it, 0)
    yield "full Object, unknown class", u32(it) + padded(b"NoSuchClass") + u32(0)
    yield "full Object in Array", u32(ids["Array"], 2, INT, 1, it) + padded(b"Node") + u32(0)
    yield "full Object, nothing else", u32(it)
    yield "Object id 0", u32(it | FLAG_64, 0, 0)
    yield "Object id, high bit", u32(it | FLAG_64, 1, 0x80000000)


def typed(ids):
    if "Signal" not in ids:
        return
    array, dictionary = ids["Array"], ids["Dictionary"]
    for kind in (0, 2, 24, 38, 39, 0x7FFFFFFF, 0xFFFFFFFF):
        yield f"Array of type {kind:#x}", u32(array | 1 << 16, kind, 1, INT, 7)
        yield f"Dictionary of key type {kind:#x}", u32(dictionary | 1 << 16, kind, 0)
        yield f"Dictionary of value type {kind:#x}", u32(dictionary | 4 << 16, kind, 0)
    yield "Array[String] with an int", u32(array | 1 << 16, STRING, 1, INT, 7)
    yield "Dictionary[String, int] with an int key", u32(dictionary | 5 << 16, STRING, INT, 1, INT, 7, INT, 8)
    yield "Array of class EncodedObjectAsID", u32(array | 2 << 16) + padded(b"EncodedObjectAsID") + u32(0)
    yield "Array of class Node", u32(array | 2 << 16) + padded(b"Node") + u32(0)
    yield "Array of no class", u32(array | 2 << 16) + padded(b"NoSuchClass") + u32(0)
    yield "Array of empty class", u32(array | 2 << 16) + padded(b"") + u32(0)
    yield "Array of script", u32(array | 3 << 16) + padded(b"res://item.gd") + u32(0)
    yield "Array of script, missing", u32(array | 3 << 16) + padded(b"res://missing.gd") + u32(0)
    yield "Array of script, elsewhere", u32(array | 3 << 16) + padded(b"/etc/passwd") + u32(0)
    yield "Array of class, bad UTF-8", u32(array | 2 << 16) + padded(b"\xff\xff") + u32(0)
    yield "Dictionary of classes", u32(dictionary | 10 << 16) + 2 * padded(b"EncodedObjectAsID") + u32(0)
    yield "Dictionary of scripts", u32(dictionary | 15 << 16) + 2 * padded(b"res://item.gd") + u32(0)


def nested(ids):
    for depth in (100, 1023, 1024, 1025, 1026, 1030, 2000):
        yield f"{depth} Arrays", u32(ids["Array"], 1) * depth + u32(NIL)
        yield f"{depth} Arrays, innermost empty", u32(ids["Array"], 1) * (depth - 1) + u32(ids["Array"], 0)
    yield "1030 Dictionaries", (u32(ids["Dictionary"], 1, INT, 1)) * 1030 + u32(NIL)
    yield "1500 empty Arrays", u32(ids["Array"], 1500) + u32(ids["Array"], 0) * 1500
    yield "Dictionary with a key twice", u32(ids["Dictionary"], 2) + (text("a") + u32(INT, 1)) * 2
    yield "Dictionary with a key only", u32(ids["Dictionary"], 1) + text("a")
    yield "Array with a bad element", u32(ids["Array"], 3, INT, 1, 99, 0, INT, 2)
    yield "Array marked as shared", u32(ids["Array"], 0x80000001, INT, 1)
    yield "Dictionary marked as shared", u32(ids["Dictionary"], 0x80000001, INT, 1, INT, 2)


def foreign(_ids):
    yield "text", b"hello, this is not a Variant"
    yield "zeros", bytes(64)
    yield "ones", b"\xff" * 64
    yield "DNS", bytes.fromhex("12340100000100000000000007676f646f746563036f72670000010001")
    yield "one byte", b"\0"


def own(complaints):
    """Each error message once (a nested value repeats it on every level), without the script's backtrace."""
    return [line for line in dict.fromkeys(complaints) if not line.startswith(("GDScript backtrace", "["))]


def verdicts(records):
    """The receiver's records, each value with the errors that the engine printed while decoding it."""
    complaints, verdict = [], {}
    for record in records:
        if record["what"] == "print":
            complaints.append(record["text"].strip())
        elif record["what"] == "decoded":
            # get_var prints an error in its own name if, and only if, decoding failed
            rejected = any("_bnd_get_var" in line for line in complaints)
            names = re.findall(r"Return\w+: (ERR_\w+)", "\n".join(complaints))
            name = next(iter(names), None) if rejected else "OK"
            verdict = {"accepted": not rejected, "verdict": name, "complaints": own(complaints)}
        elif record["what"] == "get_var":
            yield {**record, **verdict}
        if record["what"] != "print":
            complaints = []


def broken(engine, project):
    @scenario(f"variant/{engine.label}-broken-udp")
    def make(name):
        ids = IDS[engine]
        parts = (cut, strings, counts, headers, node_paths, objects, typed, nested, foreign)
        datagrams = [entry for part in parts for entry in part(ids)]
        with Scene(name, "udp dst port 21002", project) as scene:
            table = scene.folder / "datagrams"
            table.write_text("".join(f"{label}\t{data.hex()}\n" for label, data in datagrams))
            receiver = scene.engine("receiver", engine, "judge.gd", COUNT=len(datagrams))
            receiver.wait_for("ready")
            scene.process("sender", [sys.executable, HERE / "generator/send_datagrams.py", table, 21002])
            scene.finish()
            assert pcap.datagrams(scene.pcap, 21002) == [data for _, data in datagrams]
            judged = list(verdicts(receiver.records))
            assert len(judged) == len(datagrams)
            receiver.records = [{**r, "name": label} for r, (label, _) in zip(judged, datagrams)]


broken(GODOT4, "godot4")
broken(GODOT36, "godot3")
