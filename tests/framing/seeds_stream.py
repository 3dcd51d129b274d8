#!/usr/bin/python3
"""Writes seeds for fuzz_stream into the directory given: packets in both byte orders, with other bytes between them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import struct
import sys

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def main(directory):
    values = [bytes.fromhex(line.split("\t")[0]) for line in open(DATA / "godot-4.6-json.tsv", encoding="utf-8")]
    for order in "<>":
        packets = [struct.pack(order + "I", len(value)) + value for value in values]
        for i in range(0, len(packets), 4):
            name = "little" if order == "<" else "big"
            (directory / f"{name}-{i}").write_bytes(b"\x80" + b"".join(packets[i : i + 4]))
            (directory / f"{name}-{i}-mixed").write_bytes(b"\xc0" + b"\0\0\0\x07between".join(packets[i : i + 4]))


main(pathlib.Path(sys.argv[1]))
