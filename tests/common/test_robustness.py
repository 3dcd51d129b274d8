"""Every shipped capture, whole, cut and damaged, as itself and forced into each protocol: no dissector bug, no crash,
and the same facts however one looks. New captures join by being there.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import shutil
import subprocess

import pytest

import captures
import tshark

EDITCAP = shutil.which("editcap")
MERGECAP = shutil.which("mergecap")
DAMAGED_PACKETS = 200  # of each capture; there are many captures

# Shown at a frame, but known only later: the acknowledgement of a command that is sent again after an earlier one,
# and that none comes.
FORWARD = ("enet.acked_in", "enet.analysis.unacknowledged")

shipped = pytest.mark.parametrize("capture", captures.shipped(), ids=captures.name)


def edited(capture, tmp_path, *changes):
    """One file with the capture changed by editcap in several ways, one after another."""
    parts = []
    for number, options in enumerate(changes):
        parts.append(tmp_path / f"{number}.pcap")
        command = [EDITCAP, "-F", "pcap", *map(str, options), "-r", capture, parts[-1], f"1-{DAMAGED_PACKETS}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole = tmp_path / "changed.pcap"
    subprocess.run([MERGECAP, "-a", "-F", "pcap", "-w", whole, *parts], check=True)
    return whole


def look(path, original):
    """Every way of decoding: the packet list in one pass without trees, and all details in two passes."""
    for options in captures.ways(original):
        tshark.run(path, *options)
        tshark.run(path, *options, two_pass=True, verbose=True)


def test_there_are_captures():
    assert captures.shipped()


@shipped
def test_whole(capture):
    look(capture, capture)


@shipped
def test_same_facts(capture):
    """In one pass and two, with and without trees."""
    tshark.assert_consistent(capture, *captures.naturally(capture), forward=FORWARD)


# Damage to an encrypted record keeps it from being decrypted, so nothing behind it would be reached.
@pytest.mark.parametrize(
    "capture", [path for path in captures.shipped() if path.suffix != ".pcapng"], ids=captures.name
)
def test_damaged(capture, tmp_path):
    """Packets cut by the capture's snap length, then with one byte in fifty changed, headers up to UDP's or TCP's
    left alone."""
    cuts = [("-s", length) for length in (60, 75, 90, 130)]
    raw_ip = tshark.fields(capture, "frame.encap_type")[0] == ([7],)
    headers = (0 if raw_ip else 14) + 20 + (32 if captures.ports(capture, "tcp") else 8)
    mutations = [("--seed", seed, "-E", 0.02, "-o", headers) for seed in (1, 2)]
    look(edited(capture, tmp_path, *cuts, *mutations), capture)
