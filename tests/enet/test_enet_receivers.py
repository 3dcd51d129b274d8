"""Delivered messages and connections compared with the logs of ENet receivers.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import hashlib
import re

import pytest

import engine_logs
import pcap
import tshark

CAPTURES = tshark.CAPTURES / "enet"
UNRELIABLE, FRAGMENTS = 7, (8, 12)


def path_of(name):
    return CAPTURES / f"{name}.pcap"


def records(name, who, what):
    return [record for record in engine_logs.records(CAPTURES / f"{name}.{who}.log.gz") if record["what"] == what]


def received(name):
    """How often the server received each message."""
    return collections.Counter(bytes.fromhex(record["hex"]) for record in records(name, "server", "receive"))


def followed(name):
    """The client's messages in Follow Stream."""
    text = tshark.run(path_of(name), "-q", "-z", "follow,enet,raw,0" + (",255" if tshark.SUB_STREAMS else "")).stdout
    return collections.Counter(bytes.fromhex(line) for line in text.splitlines() if re.fullmatch("(?:[0-9a-f]{2})+", line))


# With one of these notes, a receiver does not deliver a message or has delivered it before.
DROPPED = ("unreliable_overtaken", "unreliable_late", "unreliable_duplicate", "unsequenced_duplicate", "unsequenced_too_far",
           "sequence_too_far", "before_handshake")
REPEATED = ("retransmission", "duplicate")
SERVERS = (22002, 22101, 22102)
TO_SERVER = ("order-reliable-unreliable", "refused-before-handshake")  # captured between the relay and the server
BEHIND_RELAY = sorted(path.name[:-len(".relay.log.gz")] for path in CAPTURES.glob("*.relay.log.gz"))


def is_delivered(node):
    if any(f"enet.analysis.{note}" in node for note in DROPPED):
        return False
    repeated = any(f"enet.analysis.{note}" in node for note in REPEATED) and "enet.analysis.refused_before" not in node
    return not repeated or "enet.reassembled.data" in node


def delivered(name, by_server, header):
    """Digests of the messages from the relay that are delivered according to the notes; after the relay, none
    are lost."""
    found = collections.Counter()
    for frame in tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True):
        if any((port in SERVERS) != by_server for port in frame.all("udp.srcport")):
            continue
        for node in filter(is_delivered, frame.nodes("enet.command.entry")):
            fragment = node.one("enet.command") in FRAGMENTS
            for data in node.all("enet.reassembled.data") or ([] if fragment else node.all("enet.data")):
                found[hashlib.sha256(data[header:]).hexdigest()] += 1
    return found


@pytest.mark.parametrize("name", BEHIND_RELAY)
def test_what_a_receiver_delivers(name):
    """On a network that loses, delays and duplicates: exactly the messages in the receiver's log, each as
    often."""
    to_server = name in TO_SERVER
    found = delivered(name, not to_server, header=8 if name.startswith("godot-3") else 0)
    got = collections.Counter(record.get("sha256") or hashlib.sha256(bytes.fromhex(record["hex"])).hexdigest()
                              for record in records(name, "server" if to_server else "client", "receive"))
    assert found == got and sum(got.values()) > 0


@pytest.mark.parametrize("name", TO_SERVER)
def test_follow_is_what_the_server_received(name):
    got, shown = received(name), followed(name)
    assert sum(got.values()) > 4
    if name == "refused-before-handshake":
        assert shown == got
    else:  # messages after a lost one may be captured earlier than the server delivers them, or be given up
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
    """Two connections between the same sockets; only their unreliable messages are captured."""
    whole = tshark.packets(path_of("two-connections-in-turns"))
    middle = [frame.number for frame in whole if set(frame.all("enet.command")) == {UNRELIABLE}]
    assert len(middle) > 100
    linktype, packets = pcap.read(path_of("two-connections-in-turns"))
    target = capture([packets[number - 1] for number in middle], linktype=linktype)
    frames = tshark.packets(target)
    assert sum("enet" in frame.layers for frame in frames) >= len(middle) - 2
    assert set().union(*(frame.all("enet.stream") for frame in frames)) == {0, 1}


# --- relatives ------------------------------------------------------------------------------------------------

RELATIVES = {"zpl": None, "zpl-csharp-header": 1, "zpl-more-peers-header": 2}  # enet.dialect


def middle_of(name, capture):
    """The capture without its handshake."""
    linktype, packets = pcap.read(path_of(name))
    return capture(packets[5:], name="middle.pcap", linktype=linktype)


@pytest.mark.parametrize("name", RELATIVES)
def test_enet_variant_is_recognised_by_its_handshake(name):
    frames = tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True)
    assert all("enet" in frame.layers for frame in frames)
    assert {dialect for frame in frames for dialect in frame.all("enet.dialect")} == ({RELATIVES[name]} - {None})
    assert {severity for frame in frames for _, severity, _ in frame.experts} <= {"chat", "note"}
    assert followed_of_both(name) == sorted(bytes.fromhex(record["hex"]) for who in ("client", "server")
                                            for record in records(name, who, "receive"))


def followed_of_both(name):
    frames = tshark.packets(path_of(name), "--disable-protocol", "godot")
    return sorted(data for frame in frames for node in frame.nodes("enet.command.entry")
                  for data in (node.all("enet.reassembled.data") or node.all("enet.data")))


@pytest.mark.parametrize("name", RELATIVES)
def test_enet_variant_without_handshake_needs_the_preference(name, capture):
    target = middle_of(name, capture)
    dialect = ("stock", "csharp", "more_peers")[RELATIVES[name] or 0]
    known = tshark.packets(target, "--disable-protocol", "godot", "-o", f"enet.dialect:{dialect}")
    assert sum("enet" in frame.layers for frame in known) >= len(known) - 2
    assert {severity for frame in known for _, severity, _ in frame.experts} <= {"chat", "note"}


# --- parts of captures ----------------------------------------------------------------------------------------

ABOUT_WHAT_IS_MISSING = {"enet.analysis.gap", "enet.analysis.unreliable_gap", "enet.analysis.out_of_order",
                         "enet.analysis.ack_unknown", "enet.analysis.ack_time_unknown", "enet.analysis.unacknowledged"}


@pytest.mark.parametrize("name", ["libenet-checksum", "libenet-checksum-range-coder", "libenet-plain", "godot-4.6-none"])
@pytest.mark.parametrize("snaplen", [56, 60, 96, 110])
def test_short_snap_length_has_no_warnings(name, snaplen, capture):
    """Nothing is lost on the loopback interface: missing messages are in the parts that were not captured."""
    linktype, packets = pcap.read(path_of(name))
    target = capture(packets, snaplen=snaplen, linktype=linktype)
    whole = {expert for frame in tshark.packets(path_of(name), two_pass=True) for expert, _, _ in frame.experts}
    claimed = set()
    for frame in tshark.packets(target, two_pass=True):
        claimed |= {expert for expert, _, _ in frame.experts}
    assert not (claimed - whole) & (ABOUT_WHAT_IS_MISSING | {"enet.checksum.bad"})


def test_disconnect_of_an_attempt_that_was_not_captured(capture):
    """libenet: the client gives up a connection that it has just started."""
    linktype, packets = pcap.read(path_of("libenet-plain"))
    given_up = [packet for packet in packets if packet[1][-10:-4] == bytes.fromhex("0fff44ff0002")]
    assert len(given_up) == 1
    frames = tshark.packets(capture(given_up, linktype=linktype))
    assert frames[0].one("enet.disconnect.data") == 5 and "enet.problem.gave_up" in frames[0]


@pytest.mark.parametrize("path", ["enet/libenet-plain.pcap", "multiplayer/godot-4.6-enet-calls.pcap"])
def test_quoted_datagrams_are_shown_and_not_counted(path, capture):
    """ICMP errors of a router that quote datagrams of a connection; calls in them are not shown again."""
    linktype, packets = pcap.read(tshark.CAPTURES / path)
    assert linktype == pcap.LINKTYPE_ETHERNET
    quoting = []
    for time, packet in packets[:40]:
        quote = packet[14:]
        body = b"\x03\x03\0\0\0\0\0\0" + quote
        error = body[:2] + pcap._checksum(body).to_bytes(2, "big") + body[4:]
        quoting += [(time, packet), (time, packet[:14] + pcap.ip("192.0.2.9", "192.0.2.1", 1, error))]
    target = capture(quoting, linktype=linktype)
    plain = tshark.packets(capture([packet for packet in packets[:40]], name="plain.pcap", linktype=linktype), two_pass=True)
    shown = tshark.packets(target, two_pass=True)
    assert sum("enet" in frame.layers for frame in shown[1::2]) > 30, "the quotes are dissected"
    assert not any(frame.all("enet.stream") or "godot" in frame.layers for frame in shown[1::2])
    assert sum("godot" in frame.layers for frame in shown[::2]) > 5 or "libenet" in path
    for before, now in zip(plain, shown[::2]):
        assert [expert for expert in before.experts if expert[0].startswith("enet")] == \
               [expert for expert in now.experts if expert[0].startswith("enet")]
    counts = [line.split()[1] for line in tshark.run(target, "-q", "-z", "enet,tree").stdout.splitlines()
              if line.startswith("Datagrams ")]
    assert counts == [str(sum("enet" in frame.layers for frame in plain))]


def test_what_a_kernel_quotes():
    """The server has ended: its kernel quotes what arrives. The client's statistics say what was on the
    wire."""
    name = "quoted-by-icmp"
    frames = tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True)
    quotes = [frame for frame in frames if "icmp" in frame.layers]
    assert len(quotes) == 8 and all("enet" in frame.layers for frame in quotes)
    assert not any(frame.all("enet.stream") or frame.experts for frame in quotes)
    (totals,), (statistics,) = records(name, "client", "totals"), records(name, "client", "statistics")
    assert len(frames) - len(quotes) == totals["sent_datagrams"] + totals["received_datagrams"]
    again = [node for frame in frames for node in frame.nodes("enet.command.entry") if "enet.analysis.retransmission" in node]
    assert len(again) == statistics["packets_lost"] == 10
    counts = [line.split()[1] for line in tshark.run(path_of(name), "-q", "-z", "enet,tree").stdout.splitlines()
              if line.startswith("Datagrams ")]
    assert counts == [str(len(frames) - len(quotes))]
    assert followed(name) == collections.Counter(bytes.fromhex(record["hex"]) for record in records(name, "client", "send"))


@pytest.mark.parametrize("name", ["libenet-1.3.5", "libenet-1.3.5-mtu-16"])
def test_old_library(name):
    frames = tshark.packets(path_of(name), "--disable-protocol", "godot", two_pass=True)
    experts = {(expert, severity) for frame in frames for expert, severity, _ in frame.experts if severity != "chat"}
    assert experts == ({("enet.problem.mtu_16", "note")} if name.endswith("16") else set())
    (statistics,) = records(name, "client", "statistics")
    connect = next(frame for frame in frames if 2 in frame.all("enet.command"))
    assert statistics["mtu"] == connect.one("enet.connect.mtu")
    assert followed(name) == received(name) and sum(received(name).values()) == 6
