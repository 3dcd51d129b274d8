"""Writes seeds for fuzz_enet: the datagrams of the unit tests and streams of every compressor.

usage: seeds_enet.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""
import pathlib
import re
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent


def macros(text):
    """The datagrams of enet_samples.h by name: string literals and other macros, joined."""
    found = {}
    for name, body in re.findall(r"#define (\w+)((?:[^\n]*\\\n)*[^\n]*)", text):
        parts = re.findall(r'"([^"]*)"|(\b[A-Z_]{4,}\b)', body)
        found[name] = "".join(literal or found.get(other, "") for literal, other in parts)
    return found


def streams():
    text = b"\x86\0\0\1\1\x2c" + b"the quick brown fox " * 15
    yield "zlib", zlib.compress(text)
    yield "stored", zlib.compress(text, 0)
    yield "zstd", bytes.fromhex("28b52ffd0458b50000a886000001012c74686520717569636b2062726f776e20666f782001002c4f96")
    yield "fastlz", bytes.fromhex("0b82ff00010000ffff0000057040092000200bc00001138820090c0200000002a1b2c3d412345678")
    for number, line in enumerate((HERE.parent / "data" / "enet-range-coder.tsv").read_text().splitlines()[1:]):
        for column in line.split("\t")[1:]:
            yield f"range-{number}-{len(column)}", bytes.fromhex(column)


def main():
    target = pathlib.Path(sys.argv[1])
    for name, text in macros((HERE / "enet_samples.h").read_text()).items():
        digits = text.replace(" ", "")
        if digits and len(digits) % 2 == 0 and re.fullmatch(r"[0-9a-fA-F]+", digits):
            (target / name.lower()).write_bytes(bytes.fromhex(digits))
    for name, stream in streams():
        (target / name).write_bytes(stream)


main()
