# SPDX-License-Identifier: GPL-2.0-or-later
"""Values that no engine writes, to be decoded by engines: headers of typed containers, Strings with invalid
UTF-8, and damaged values of engines."""

import itertools
import json
import pathlib
import random
import struct

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
DICTIONARY, ARRAY = {4: 27, 3: 18}, {4: 28, 3: 19}
NONE, BUILTIN, CLASS, SCRIPT = range(4)
# Words for the damage: limits of counts, lengths and flags.
WORDS = (0, 1, 2, 3, 4, 5, 8, 16, 24, 27, 28, 38, 39, 40, 255, 0x10000, 0x20000, 0x30000, 0xF0000, 0x7FFFFFFF, 0x80000000,
         0x80000001, 0xFFFFFFFC, 0xFFFFFFFF)  # fmt: skip


def u32(*numbers):
    return b"".join(struct.pack("<I", number & 0xFFFFFFFF) for number in numbers)


def text(data):
    return u32(len(data)) + data + bytes(-len(data) % 4)


def types(kind):
    """Headers for the type of a container's elements, valid and invalid ones."""
    if kind == NONE:
        return [b""]
    if kind == BUILTIN:
        return [u32(number) for number in (0, 2, 4, 24, 38, 39, 40, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)]
    names = [b"", b"\t", b"Node", b"EncodedObjectAsID", b"NoSuchClass", b"res://item.gd", b"res://missing.gd", b"/etc/passwd",
             b"res://", b"ab\0cd", b"\xef\xbb\xbfres://item.gd", b"\xff\xff"]  # fmt: skip
    return [*map(text, names), u32(1000) + b"Node", u32(-1) + b"Node"]


def typed(generation):
    """Every pair of kinds and types for a Dictionary, every type for an Array: empty, with an entry, cut, and inside of others."""
    kinds = (NONE, BUILTIN, CLASS, SCRIPT)
    array, dictionary = ARRAY[generation], DICTIONARY[generation]
    entry = u32(2, 7, 4) + text(b"a")
    heads = [(u32(array | kind << 16) + one, u32(2, 7)) for kind in kinds for one in types(kind)]
    for key, value in itertools.product(kinds, kinds):
        for one, two in itertools.product(types(key), types(value)):
            heads.append((u32(dictionary | key << 16 | value << 18) + one + two, entry))
    for head, child in heads:
        yield head + u32(0)
        yield head + u32(1) + child
    for head, _ in heads[::7]:
        yield head
        yield head[:-2]
        yield u32(array, 2) + head + u32(0) + u32(2, 7)
        yield u32(dictionary, 1) + head + u32(0) + u32(2, 7)


def strings(_generation):
    """Strings of one sequence of bytes: every form of UTF-8 at its limits, too long, too short, truncated."""
    leads = (0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8,
             0xF9, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF)  # fmt: skip
    others = (0x41, 0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for lead in leads:
        yield u32(4) + text(bytes([lead]))
        for second in others:
            yield u32(4) + text(bytes([lead, second]))
            for third, last in itertools.product(others, (0x80, 0xBF)):
                bits = format(lead ^ 0xFF, "08b")
                yield u32(4) + text(bytes([lead, second, third]) + bytes([last]) * max(0, bits.find("1") - 3))


def written(version):
    """Values that an engine wrote, without those of more than 2 KB."""
    lines = (DATA / f"godot-{version}-values.jsonl").read_text().splitlines()
    return [bytes.fromhex(row["hex"]) for row in map(json.loads, lines) if 0 < len(row["hex"]) <= 4096]


def _damage(data, values, source):
    way = source.randrange(8)
    at = source.randrange(len(data)) if data else 0
    word = at & ~3
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + bytes([data[at] ^ 1 << source.randrange(8)]) + data[at + 1 :]
    if way == 2:
        return data[:word] + u32(source.choice(WORDS)) + data[word + 4 :]
    if way == 3:
        return data[:word] + u32(source.getrandbits(32)) + data[word + 4 :]
    if way == 4:
        return data[:at] + data[at + 1 + source.randrange(8) :]
    if way == 5:  # the flags of a header
        return data[:2] + bytes([source.randrange(256)]) + data[3:]
    other = source.choice(values)
    if way == 6:
        return data[:word] + other
    return data[:word] + other[: source.randrange(len(other)) + 1] + data[word:]


def damaged(version, count, seed):
    """`count` values, each damaged one to three times, the same ones for the same seed."""
    source, values = random.Random(seed), written(version)
    containers = list(itertools.islice(typed(int(version[0])), 0, None, 5))
    for number in range(count):
        data = source.choice(containers if number % 8 == 0 else values)
        for _ in range(source.randint(1, 3)):
            data = _damage(data, values, source) or data
        yield data or u32(0)
