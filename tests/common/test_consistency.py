"""Every shipped capture in one pass and two, with and without trees: the same facts. New captures join by being there.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import captures
import tshark

# Shown at a frame, but known only later: the acknowledgement of a command that is sent again after an earlier one,
# that none comes, that an unreliable message is overtaken, that a path or an authentication is never confirmed, the
# median of intervals.
FORWARD = ("enet.acked_in", "enet.analysis.unacknowledged", "enet.analysis.timeout", "enet.analysis.connect_unanswered",
           "enet.analysis.unreliable_overtaken", "godot.path.node_not_found", "godot.rpc.node_not_found",
           "godot.sys.never_admitted", "godot.sys.auth_failed", "godot.sync.jitter")

# Captures in which announcements are lost and sent again: from the second pass on names are known before them, so one
# pass says less (test_loss.py has both). From then on nothing may change.
LATE = "multiplayer-loss/"

# Of each protocol one, for the quick run.
QUICK = ("debugger/godot-3.6-tcp.pcap", "dtls/godot-4.6-stream.pcapng", "enet/godot-3.6-none-everything.pcap",
         "multiplayer/godot-4.6-enet-synchronizers.pcap", "recorder/godot-4.6-peers.raw_peers.pcapng", "variant/godot-4.6-mixed.pcap")


def test_there_are_captures():
    assert set(QUICK) <= set(map(captures.name, captures.shipped()))


@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, captures.shipped()), ids=captures.name)
def test_same_facts(capture):
    if captures.name(capture).startswith(LATE):
        tshark.assert_same_listing(capture, *captures.naturally(capture), passes=(True,))
    else:
        tshark.assert_consistent(capture, *captures.naturally(capture), forward=FORWARD)
