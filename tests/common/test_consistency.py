"""Every shipped capture in one pass and two, with and without trees: the same facts. New captures join by being there.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import captures
import tshark

# Shown at a frame, but known only later: the acknowledgement of a command that is sent again after an earlier one,
# and that none comes.
FORWARD = ("enet.acked_in", "enet.analysis.unacknowledged")

# Of each protocol one, for the quick run.
QUICK = ("debugger/godot-4.6-tcp.pcap", "dtls/godot-4.6-stream.pcapng", "enet/godot-3.6-none-everything.pcap",
         "multiplayer/godot-4.6-enet-synchronizers.pcap", "variant/godot-4.6-chopped.pcap")


def test_there_are_captures():
    assert set(QUICK) <= set(map(captures.name, captures.shipped()))


@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, captures.shipped()), ids=captures.name)
def test_same_facts(capture):
    tshark.assert_consistent(capture, *captures.naturally(capture), forward=FORWARD)
