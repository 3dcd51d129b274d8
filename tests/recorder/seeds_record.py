#!/usr/bin/python3
"""Writes seeds for fuzz_record into the directory given: a record of every kind, with the headers of other
classes.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "common"), str(TESTS / "recorder")]

import records  # noqa: E402


def main(directory):
    payloads = [b"", b"{}", b"\x02\x01\x01\0\0\0", b"\0\2\7\0\0\0\2", b"\7\0\0\0", b"\1\0\7\0\0\0"]
    for kind in range(13):
        for number, payload in enumerate(payloads):
            data = records.record(kind, 0x11, 7, 1, payload, received=number % 2 == 1)
            (directory / f"{kind}-{number}").write_bytes(data)
    (directory / "longer").write_bytes(records.record(0, 1, payload=b"x", length=26, extension=b"ab"))
    (directory / "numbered").write_bytes(records.numbered(7, 1, 1, 2, b"x"))
    (directory / "version").write_bytes(records.record(0, 1, version=2))


main(pathlib.Path(sys.argv[1]))
