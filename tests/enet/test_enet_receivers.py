"""What a receiver made of ENet traffic, as its own log says: which messages it delivered, which connections there were.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import re

import pytest

import pcap
import tshark

CAPTURES = tshark.CAPTURES / "enet"
UNRELIABLE, UNRELIABLE_FRAGMENT = 7, 12


def path_of(name):
    return CAPTURES / f"{name}.pcap"


def records(name, who, what):
    lines = (CAPTURES / f"{name}.{who}.log").read_text().splitlines()
    return [record for record in map(json.loads, lines) if record["what"] == what]


def received(name):
    """How often the server got each message."""
    return collections.Counter(bytes.fromhex(record["hex"]) for record in records(name, "server", "receive"))


def followed(name):
    """The messages of the initiator in Follow Stream."""
    text = tshark.run(path_of(name), "-q", "-z", "follow,enet,raw,0").stdout
    return collections.Counter(bytes.fromhex(line) for line in text.splitlines() if re.fullmatch("(?:[0-9a-f]{2})+", line))


@pytest.mark.parametrize("name", ["refused-before-handshake", "order-reliable-unreliable"])
def test_follow_is_what_the_server_received(name):
    got, shown = received(name), followed(name)
    assert sum(got.values()) > 4
    if name == "refused-before-handshake":
        assert shown == got
    else:  # what comes after a lost one may be captured earlier than the server delivers it, or be given up by then
        assert not got - shown, "every message that was delivered is shown"


def test_only_what_the_receiver_dropped_is_said_to_be_dropped():
    """Reliable and unreliable messages on one channel, fragments among them, lost and reordered on the way."""
    name = "order-reliable-unreliable"
    got = received(name)
    late = 0
    for frame in tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True):
        for node in frame.nodes("enet.command.entry"):
            if "enet.analysis.unreliable_late" not in node:
                continue
            for data in node.all("enet.data") + node.all("enet.reassembled.data"):
                assert data not in got, f"frame {frame.number}: delivered"
                late += 1
    assert late > 0


def test_refused_commands_are_accepted_later():
    frames = tshark.packets(path_of("refused-before-handshake"), two_pass=True)
    refused = [frame for frame in frames if "enet.analysis.before_handshake" in frame]
    accepted = [node for frame in frames for node in frame.nodes("enet.command.entry") if "enet.analysis.refused_before" in node]
    assert len(refused) > 1 and len(accepted) > 3
    assert all(node.one("enet.analysis.retransmission_of") in [frame.number for frame in refused] for node in accepted)
    assert not any("enet.analysis.gap" in frame for frame in frames)


def test_connections_in_turns_from_the_middle(capture):
    """Two connections between the same sockets, of which only the unreliable messages are captured."""
    whole = tshark.packets(path_of("two-connections-in-turns"))
    middle = [frame.number for frame in whole if set(frame.all("enet.command")) == {UNRELIABLE}]
    assert len(middle) > 100
    linktype, packets = pcap.read(path_of("two-connections-in-turns"))
    target = capture([packets[number - 1] for number in middle], linktype=linktype)
    frames = tshark.packets(target)
    assert sum("enet" in frame.layers for frame in frames) >= len(middle) - 2
    assert set().union(*(frame.all("enet.stream") for frame in frames)) == {0, 1}
