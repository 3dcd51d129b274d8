#!/usr/bin/env python3
"""Writes the vectors of the Variant decoder as seeds for fuzz_variant into the given directory.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import json
import pathlib
import sys

DIALECTS = ("godot4", "manual", "godot3", "godot2")
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def seeds():
    for line in (DATA / "variant-vectors.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        dialect, options, value = line.split("\t")[:3]
        control = DIALECTS.index(dialect) | 4 * ("compact" in options) | 8 * ("objects" in options)
        yield control, bytes.fromhex(value)
    for name, dialect in (("godot-4.6-values.jsonl", 0), ("godot-3.6-values.jsonl", 2)):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            value = bytes.fromhex(json.loads(line)["hex"])
            if len(value) <= 1000:
                yield dialect | 8, value


def main():
    directory = pathlib.Path(sys.argv[1])
    for number, (control, value) in enumerate(seeds()):
        (directory / f"seed{number:03}").write_bytes(bytes([control]) + value)


if __name__ == "__main__":
    main()
