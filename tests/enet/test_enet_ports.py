"""Ports that belong to other protocols: docs/troubleshooting.md. SPDX-License-Identifier: GPL-2.0-or-later"""

import re
import subprocess
import sys

import pytest

import ports
import tshark

CAPTURE, PORT = tshark.CAPTURES / "enet" / "godot-4.6-none.pcap", 22001
OWNED = [int(port) for port, owner in re.findall(r"^\| (\d+) \| (`[\w-]+`)", (tshark.ROOT / "docs/troubleshooting.md").read_text(), re.M)]
TAKING = {3000}


def lost(path, *options):
    """Numbers of the frames that are not ENet."""
    rows = tshark.fields(path, "frame.number", "frame.protocols", arguments=[*options])
    assert len(rows) > 100
    return [number for (number,), (protocols,) in rows if ":enet" not in protocols]


def test_the_table_is_that_of_this_wireshark():
    done = subprocess.run([sys.executable, tshark.ROOT / "script/port-owners", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(OWNED) > 5


@pytest.mark.parametrize("port", OWNED)
def test_what_the_owner_takes(port, tmp_path):
    path = ports.moved(CAPTURE, tmp_path / "moved.pcap", PORT, port)
    assert bool(lost(path)) == (port in TAKING)
    assert lost(path, "-o", "udp.try_heuristic_first:TRUE") == []
    assert lost(path, "-o", f"enet.udp.port:{port}") == []
    assert lost(path, "-d", f"udp.port=={port},enet") == []


def test_nothing_else_changes(tmp_path):
    """On the port of another protocol everything is as on an unregistered port."""
    path = ports.moved(CAPTURE, tmp_path / "moved.pcap", PORT, 3000)
    assert tshark.listing(path, "-o", "udp.try_heuristic_first:TRUE") == tshark.listing(CAPTURE)
