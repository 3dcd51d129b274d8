"""The pages for people who make games: what the engine's errors look like, and recipes with their output.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shlex
import shutil
import subprocess

import pytest

import engine_logs
import tshark

ERRORS = tshark.ROOT / "docs" / "engine-errors.md"
RECIPES = tshark.ROOT / "docs" / "recipes.md"
CLIENTS = tshark.ROOT / "docs" / "other-clients.md"
CASES = {  # filter: capture that has its case
    "godot.path.checksum_refused": "multiplayer/godot-4.6-enet-mismatch.pcap",
    "godot.rpc.checksum_failed": "multiplayer/godot-4.6-enet-mismatch.pcap",
    "godot.path.node_not_found": "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.rpc.node_not_found": "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.rpc.not_declared": "multiplayer/godot-3.6-enet-calls.pcap",
    'godot.rpc.method == "from_authority" && godot.source != 1': "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.over_mtu": "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.rpc.call": "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.object_argument": "multiplayer/godot-4.6-enet-calls.pcap",
    "godot.sys.never_admitted": "multiplayer/godot-4.6-enet-authentication.pcap",
    "enet.analysis.retransmission": "enet/godot-4.6-none-loss.pcap",
}


def project(name):
    """A copy of one of the shipped projects that tshark may read; "" for all of them."""
    place = tshark.workplace() / "documented-projects" / (name or "all")
    if not place.exists():
        shutil.copytree(tshark.CAPTURES / "projects" / name, place)
        for directory, _, files in os.walk(place.parent):
            os.chmod(directory, 0o755)
            for file in files:
                os.chmod(os.path.join(directory, file), 0o644)
    return place


def test_every_error_has_its_case():
    rows = re.findall(r"^\| .* \| `([^`]+)` \| ", ERRORS.read_text(), re.MULTILINE)
    assert set(rows) == set(CASES) and len(rows) > 10


@pytest.mark.parametrize("expression", CASES)
def test_filter_finds_its_case(expression):
    generation = re.search(r"godot-(\d)", CASES[expression]).group(1)
    options = ("-o", f"godot.project:{project('rpc' + generation)}", "-Y", expression)
    assert tshark.run(tshark.CAPTURES / CASES[expression], *options, two_pass=True).stdout


def test_errors_are_the_engines_words():
    """What the page quotes of the shipped engines' logs stands there."""
    logs = "".join(engine_logs.text(path) for path in (tshark.CAPTURES / "multiplayer").glob("*.log.gz"))
    text = ERRORS.read_text()
    for words in ("The rpc node checksum failed. Make sure to have the same methods on both nodes.", "Failed to get path from RPC: Main/",
                  "Failed to get cached path from RPC", "Invalid packet received. Requested node was not found.",
                  "Method expected 1 argument(s), but called with 0", "is not allowed on node", "Node not found: "):
        assert words in logs and words in text


# --- recipes --------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


def output(command):
    """What a documented command prints: `tshark …`, perhaps with `| head -n N` behind it, or `printf … | md5sum`."""
    if command.startswith("printf "):
        return subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=True, text=True).stdout
    command, _, lines = command.partition(" | head -n ")
    words = shlex.split(command)
    assert words[0] == "tshark" and words[words.index("-r") + 1].startswith("test-captures/")
    at = words.index("-r")
    capture = tshark.ROOT / words[at + 1]
    rest = words[1:at] + words[at + 2:]
    rest = [re.sub(r"godot\.project:test-captures/projects/?(.*)", lambda found: f"godot.project:{project(found[1])}", word) for word in rest]
    text = tshark.run(capture, *rest, two_pass="-2" in rest).stdout
    shown = text.splitlines()
    return "".join(line.rstrip() + "\n" for line in (shown[:int(lines)] if lines else shown))


def same(shown, printed):
    """Equal, where a row of "…" stands for any rows and what differs between series is alike."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), printed) is not None


def recipes():
    return BLOCK.findall(RECIPES.read_text()) + BLOCK.findall(CLIENTS.read_text())


def test_there_are_twelve():
    text = RECIPES.read_text()
    assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == 12
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        assert len(section.splitlines()) <= 45, "at most a screen"
        assert BLOCK.search(section)
        assert re.search(r"!\[.+\]\(images/[\w-]+\.png\)", section)


@pytest.mark.parametrize("command, shown", recipes())
def test_recipe(command, shown):
    printed = output(command)
    assert same(shown, printed), printed


def test_bytes_of_other_clients():
    """The rows of each table, one after another, are a packet of the frame that is named above them."""
    rows = tshark.run(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap", "-T", "fields", "-e", "frame.number", "-e", "udp.payload").stdout
    payloads = {int(number): payload for number, payload in (row.split("\t") for row in rows.splitlines())}
    tables = re.findall(r"\| bytes \| field \| of frame (\d+) \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", CLIENTS.read_text())
    assert [frame for frame, _ in tables] == ["1", "3", "13", "4"]
    for frame, table in tables:
        packet = "".join(re.sub(" ", "", found) for found in re.findall(r"\| `([0-9a-f ]+)` \|$", table, re.MULTILINE))
        assert len(packet) > 10 and payloads[int(frame)].endswith(packet)


def test_pictures_are_small():
    pictures = set(re.findall(r"\((?:docs/)?images/([\w-]+\.png)\)", "".join(page.read_text() for page in (tshark.ROOT / "docs").glob("*.md"))
                              + (tshark.ROOT / "README.md").read_text()))
    there = {path.name: path.stat().st_size for path in (tshark.ROOT / "docs" / "images").glob("*.png")}
    assert pictures == set(there)
    assert not [name for name, size in there.items() if size >= 60_000]
