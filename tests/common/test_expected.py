"""The statistics of shipped captures are those in tests/expected/, which script/expected writes.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

import expected
import tshark


@pytest.mark.parametrize("name", expected.names())
def test_text(name):
    assert expected.text(name) == expected.file(name).read_text(encoding="utf-8"), f"if that is better: script/expected {name}"


def test_severities():
    text = expected.severities()
    assert text == expected.file("severities").read_text(encoding="utf-8"), "if that is better: script/expected"
    assert text.count("\n") > 90


def test_nothing_else_is_there():
    there = {str(path.relative_to(expected.FOLDER)) for path in expected.FOLDER.rglob("*.txt")}
    assert there == {f"{name}.txt" for name in (*expected.names(), "severities")}


def test_every_severity_and_problem_is_among_them():
    """Captures without problems would not be enough."""
    whole = "\n".join(path.read_text(encoding="utf-8") for path in expected.FOLDER.rglob("*.txt"))
    assert set(re.findall(r"^  (\w+s): \d+ ×", whole, re.MULTILINE)) == {"Errors", "Warns", "Notes", "Chats"}
    assert len(set(re.findall(r"^  \w+: \d+ × .*, filter: (\S+)$", whole, re.MULTILINE))) > 50


def test_every_filter_is_one():
    """Wireshark accepts each filter: the field exists and has the right type."""
    whole = "\n".join(path.read_text(encoding="utf-8") for path in expected.FOLDER.rglob("*.txt"))
    shown = sorted(set(re.findall(r"filter: (.*)$", whole, re.MULTILINE)))
    expression = " || ".join(f"({one})" for one in shown)
    assert len(shown) > 100 and not tshark.run(tshark.CAPTURES / "enet" / "godot-4.6-none.pcap", "-Y", expression, status=None).stderr
