"""Every shipped capture, whole, cut and damaged, as itself and forced into each protocol: no dissector bug, no crash,
and the same facts however one looks. New captures join by being there.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import shutil
import subprocess

import pytest

import captures
import tshark

EDITCAP = shutil.which("editcap") or "/usr/bin/editcap"

# Shown at a frame by something that comes later in the file.
FORWARD = ()

shipped = pytest.mark.parametrize("capture", captures.shipped(), ids=captures.name)


def edited(capture, tmp_path, *options):
    changed = tmp_path / "changed.pcap"
    subprocess.run([EDITCAP, "-F", "pcap", *map(str, options), capture, changed], check=True, stdout=subprocess.DEVNULL)
    return changed


def look(path, original):
    """Every way of decoding: the packet list in one pass without trees, and all details in two passes."""
    for options in captures.ways(original):
        tshark.run(path, *options)
        tshark.run(path, *options, two_pass=True, verbose=True)


def test_there_are_captures():
    assert captures.shipped()


@shipped
def test_whole(capture, tmp_path):
    look(capture, capture)


@shipped
def test_same_facts_in_one_pass_and_two_with_and_without_trees(capture):
    tshark.assert_consistent(capture, *captures.heuristics(), forward=FORWARD)


@shipped
@pytest.mark.parametrize("length", [60, 75, 90, 130])
def test_truncated(capture, length, tmp_path):
    """Packets cut by the capture's snap length."""
    look(edited(capture, tmp_path, "-s", length), capture)


@shipped
@pytest.mark.parametrize("seed", [1, 2])
def test_mutated(capture, seed, tmp_path):
    """One byte in fifty changed, headers up to UDP's or TCP's left alone."""
    raw_ip = tshark.fields(capture, "frame.encap_type")[0] == ([7],)
    headers = (0 if raw_ip else 14) + 20 + (32 if captures.ports(capture, "tcp") else 8)
    look(edited(capture, tmp_path, "--seed", seed, "-E", 0.02, "-o", headers), capture)
