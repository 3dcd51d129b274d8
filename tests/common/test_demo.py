"""script/demo in a fresh clone.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shutil
import subprocess

import pytest

import tshark

pytestmark = pytest.mark.slow

CAPTURE = "test-captures/multiplayer/godot-4.6-enet-game.pcap"


@pytest.fixture(scope="module")
def checkout():
    """The parts of a checkout that the demo needs, in a folder that only its owner can read."""
    place = tshark.workplace() / "home" / "checkout"
    for name in ("script", "profiles", "test-captures/projects/game4"):
        shutil.copytree(tshark.ROOT / name, place / name)
    (place / CAPTURE).parent.mkdir()
    shutil.copy(tshark.ROOT / CAPTURE, place / CAPTURE)
    place.parent.chmod(0o700)
    return place


def demo(checkout, *arguments, **changes):
    environment = {**os.environ, **changes, "GODOT_BUILD_DIR": str(tshark.BUILD), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    line = ["script/demo", *arguments]
    shown = subprocess.run(line, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    return shown.stdout


def blocks(text):
    """[(command, its output)]"""
    return [block.split("\n", 1) for block in text.split("\n$ ")[1:]]


def test_demo_is_short_and_its_commands_can_be_pasted(checkout):
    """In a folder that the user nobody can read; each command prints the text below it."""
    text = demo(checkout)
    assert len(text.splitlines()) < 120
    (calls, rows), (one, tree) = blocks(text)
    tree = tree.split("\n    cmake --install")[0]
    for call in ("use_item(", "update_scores(", "say("):
        assert call in rows
    assert re.search(r"^ +\d+ +[\d.]+ client 1 server reliable Godot hit\(.* 0 98$", rows, re.MULTILINE)
    assert "Remote Call" in tree and "dpkg-reconfigure wireshark-common" in text and "cmake --install" in text
    wrapper = checkout / "tshark"
    place = tshark.workplace()
    shutil.copytree(tshark.ROOT / "profiles", place / "demo" / "profiles")
    tshark.open_to_everybody(place / "demo")
    wrapper.write_text("#!/bin/sh\nexec " + " ".join(map(repr, tshark.command(WIRESHARK_CONFIG_DIR=place / "demo"))) + ' "$@"\n')
    wrapper.chmod(0o755)
    checkout.parent.chmod(0o755)
    environment = {**os.environ, "PATH": f"{checkout}:{os.environ['PATH']}", "WIRESHARK_PLUGIN_DIR": str(place / "plugins")}
    for command, output in (calls, rows), (one, tree):
        pasted = subprocess.run(["bash", "-c", command], cwd=checkout, env=environment, capture_output=True, text=True, check=True)
        assert pasted.stdout.strip() == output.strip()
    checkout.parent.chmod(0o700)


def test_demo_of_a_capture(checkout):
    """A given capture, also with a path that only root can read."""
    text = demo(checkout, CAPTURE, "-c", "20", "-Y", 'godot.rpc.method_id == 0 || frame contains "it\'s"')
    ((command, rows),) = blocks(text)
    assert command.startswith(f"tshark -C Godot -n -r {CAPTURE} -c 20 -Y ") and "it'\\''s" in command
    assert "#0(" in rows


def test_demo_of_a_project(checkout):
    """In a folder that only its owner can read; one that does not exist is as it is for tshark."""
    project = tshark.CAPTURES / "projects" / "game4"
    place = checkout / "own" / "game"
    shutil.copytree(project, place)
    (checkout / "own").chmod(0o700)
    limits = "-c", "20", "-Y", "godot.rpc.call"
    for words in (["-o", f"godot.project:{place}"], [f"-ogodot.project:{place / 'none'}:{place}"]):
        assert "move(" in (text := demo(checkout, CAPTURE, *words, *limits)) or "aim(" in text, text
    assert "#0(" in demo(checkout, CAPTURE, "-o", f"godot.project:{place / 'none'}", *limits)


@pytest.mark.parametrize("installed", [False, True])
def test_demo_says_how_to_get_the_window(checkout, installed):
    """It only needs tshark and installs nothing else, so there may be no Wireshark with a window yet."""
    programs = tshark.workplace() / f"programs-{installed}"
    programs.mkdir()
    for folder in filter(os.path.isdir, os.environ["PATH"].split(":")):
        for program in os.listdir(folder):
            if program != "wireshark" and not (programs / program).is_symlink():
                (programs / program).symlink_to(os.path.join(folder, program))
    if installed:
        (programs / "wireshark").symlink_to("/bin/true")
    assert ("sudo apt-get install -y wireshark " in demo(checkout, PATH=str(programs))) != installed
