#!/usr/bin/python3
"""Writes seeds for fuzz_engine_text into the directory given: what engines printed in the captures.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "common"))

import engine_logs  # noqa: E402


def main(directory):
    texts = set()
    for log in sorted((TESTS.parent / "test-captures" / "multiplayer-debugged").glob("*.log.gz")):
        texts |= {record["text"].partition(": ")[2] for record in engine_logs.records(log) if record["what"] == "print" and "ERROR: " in record["text"]}
    for number, text in enumerate(sorted(texts)):
        (directory / str(number)).write_bytes(text.encode())


main(pathlib.Path(sys.argv[1]))
