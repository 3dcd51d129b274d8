#!/usr/bin/python3
"""Writes seeds for fuzz_store_file into the directory given: stored sequences, compressed files, single values.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import struct
import sys
import zlib

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def main(directory):
    values = [bytes.fromhex(line.split("\t")[0]) for line in open(DATA / "godot-4.6-json.tsv", encoding="utf-8")]
    seeds = {f"value-{i}": b"\0" + value for i, value in enumerate(values)}
    stored = b"".join(struct.pack("<I", len(value)) + value for value in values[:40])
    seeds["stored"] = stored
    seeds["stored-big"] = b"".join(struct.pack(">I", len(value)) + value for value in values[:40])
    blocks = [zlib.compress(stored[i : i + 4096]) for i in range(0, len(stored), 4096)]
    seeds["compressed"] = (
        b"GCPF"
        + struct.pack("<III", 1, 4096, len(stored))
        + b"".join(struct.pack("<I", len(block)) for block in blocks)
        + b"".join(blocks)
        + b"GCPF"
    )
    for name, seed in seeds.items():
        (directory / name).write_bytes(seed)


main(pathlib.Path(sys.argv[1]))
