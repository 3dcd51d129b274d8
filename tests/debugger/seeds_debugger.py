#!/usr/bin/python3
"""Writes seeds for fuzz_debugger into the directory given: messages between engines, one by one and as
streams.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import gzip
import json
import pathlib
import struct
import sys

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "test-captures" / "debugger"


def main(directory):
    for log in sorted(CAPTURES.glob("godot-*.listener.log.gz")):
        name = log.name.removesuffix(".log.gz")
        entries = map(json.loads, gzip.decompress(log.read_bytes()).decode().splitlines())
        values = [bytes.fromhex(entry["hex"]) for entry in entries if "hex" in entry]
        values = [value for value in values if len(value) < 2000][:120]
        for i, value in enumerate(values):
            (directory / f"{name}-{i}").write_bytes(value)
        for i in range(0, len(values), 8):
            stream = b"".join(struct.pack("<I", len(value)) + value for value in values[i : i + 8])
            (directory / f"{name}-stream-{i}").write_bytes(stream)


main(pathlib.Path(sys.argv[1]))
