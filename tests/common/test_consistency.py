"""Every shipped capture in one pass and two, with and without trees: the same output. New captures are
included automatically.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import captures
import tshark

# Fields of a frame that depend on later frames: the acknowledgement of a retransmission, that an
# acknowledgement is missing, that an unreliable message is overtaken or comes late, what the capture lacks, that a path or an authentication is
# never confirmed, the median of intervals.
FORWARD = ("enet.acked_in", "enet.analysis.unacknowledged", "enet.analysis.timeout", "enet.analysis.connect_unanswered",
           "enet.analysis.unreliable_overtaken", "enet.analysis.unreliable_gap", "enet.analysis.missing", "enet.completeness",
           "enet.analysis.paused", "godot.path.node_not_found", "godot.rpc.node_not_found",
           "godot.sys.never_admitted", "godot.sys.auth_failed", "godot.sync.jitter")

# Captures in which announcements are lost and sent again: the second pass has names before them, so the first
# one shows less (test_loss.py tests both); or in which engines report errors about packets before (test_said.py and
# test_debugged.py test both); or in which a receiver gets a node that it lacked when its path was announced, which only
# later packets show (lobby), or is called before anything shows that it has it (owner, websocket). Later passes must not differ.
LATE = ("multiplayer-authority/godot-4.6-lobby", "multiplayer-authority/godot-4.6-owner", "multiplayer-ends/godot-4.6-websocket.pcap",
        "multiplayer-debugged/", "recorder/reports/", "multiplayer-loss/", "multiplayer-ends/godot-4.6-restart-client")

# One of each protocol, for the quick run.
QUICK = ("debugger/godot-3.6-tcp.pcap", "dtls/godot-4.6-stream.pcapng", "enet/godot-3.6-none-everything.pcap",
         "multiplayer/godot-4.6-enet-synchronizers.pcap", "recorder/godot-4.6-peers.raw_peers.pcapng", "variant/godot-4.6-mixed.pcap")


def test_there_are_captures():
    assert set(QUICK) <= set(map(captures.name, captures.shipped()))


@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, captures.different()), ids=captures.name)
def test_same_facts(capture):
    if captures.name(capture).startswith(LATE):
        tshark.assert_same_listing(capture, *captures.naturally(capture), passes=(True,))
    else:
        tshark.assert_consistent(capture, *captures.naturally(capture), forward=FORWARD)
