"""Each of the engine's texts that docs/engine-errors.md lists has been printed in a capture or a recording, whose log is beside it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import re

import pytest

import engine_logs
import tshark

PAGE = tshark.ROOT / "docs" / "engine-errors.md"
# What no packet and no call makes these engines print, and why.
NEVER = {
    "Invalid packet received. Requests invalid peer cache.": "the engine makes that cache when the peer connects (3.2, 3.6)",
}
# Names and numbers of the page's examples; what they are in a log.
EXAMPLES = [
    (r"\\ \\\(at:\\ (\w+)\\\)", r".*\\n +at: \1 "), ("…", ".*?"), ("'x'", r"'[^'\\n]*'"), (r"Node\\\(player\\\.gd\\\)::x", r"[^'\\n]*"), ("Main/X", r'[^ "\\n]+'),
    (r"(?<![\w\\+])\d+\b", r"\\d+"),
]


def texts():
    """The alternatives in the first column of the tables."""
    cells = [line[2:].replace(r"\|\|", "||").split(" | ")[0] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [re.sub(r"(\((?:Godot 3: |Mode ).*)\)$|$", r"\1", cell) for cell in cells if not cell.startswith(("the engine prints", "("))]
    return [text.strip() for cell in cells for text in re.split(r" / | \(Godot 3: |; Godot 3: | \(Godot 3\)|; (?=RSET )| \((?=Mode)", cell) if text.strip()]


def pattern(text):
    expression = re.escape(text.rstrip(" …"))
    for example, real in EXAMPLES:
        expression = re.sub(example, real, expression)
    return expression


@functools.lru_cache(maxsize=None)
def printed():
    """{capture or recording: what its engines printed}, where the log has anything but the engine's name."""
    found = {}
    for path in sorted(tshark.CAPTURES.rglob("*.log.gz")):
        stem = path.name[: -len(".log.gz")]
        beside = [file for name in (stem, stem.rpartition(".")[0]) for file in sorted(path.parent.glob(f"{name}.*pcap*"))]
        capture = next(iter(beside), None)
        if capture and '"print"' in engine_logs.text(path):
            lines = [r["text"] for r in engine_logs.records(path) if r["what"] == "print"]
            found[capture] = found.get(capture, "") + "\n".join(lines) + "\n"
    return found


@pytest.mark.parametrize("text", texts())
def test_it_was_printed(text):
    where = [path for path, lines in printed().items() if re.search(pattern(text), lines)]
    assert bool(where) != (text in NEVER)


def test_reasons_are_of_texts_of_the_page():
    assert NEVER.keys() <= set(texts())


PROVOKED = [("multiplayer-errors/godot-3.6-broken", ["client"]), ("recorder/reports/godot-4.6-untraced", ["client", "server"])]


@pytest.mark.parametrize("name, processes", PROVOKED)
def test_what_was_provoked(name, processes):
    """The engine has printed the text before the next one is provoked."""
    missing, steps = [], 0
    for process in processes:
        text = ""
        for record in engine_logs.records(tshark.CAPTURES / f"{name}.{process}.log.gz"):
            if record["what"] == "provoke":
                missing += [text] if text else []
                text, steps = record["text"], steps + 1
            elif record["what"] == "print" and text in record["text"]:
                text = ""
        missing += [text] if text else []
    assert steps > 10 and not missing
