"""When a sender is reported to have given up, by number of transmissions and time. The limits are those of
enet_protocol_check_timeouts() in protocol.c: from the sixth transmission on after 5 s, in any case after 30
s.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

import enet_packets
import pcap
import tshark

START = 1_700_000_000
CASES = {  # times of the transmissions in seconds: number of transmissions if the message was given up
    "six": ((1, 1.25, 1.75, 2.75, 4.75, 8.75), 6),
    "five": ((1, 1.25, 1.75, 2.75, 4.75), None),
    "six, up to 5.04 s": ((1, 1.08, 1.24, 1.56, 2.20, 3.48), 6),
    "six, up to 4.95 s": ((1, 1.08, 1.24, 1.56, 2.20, 3.45), None),
    "two, up to 30.1 s": ((1, 11.05), 2),
    "two, up to 29.9 s": ((1, 10.95), None),
    "acknowledged": ((1, 1.25, 1.75, 2.75, 4.75, 8.75), None),
}


@pytest.mark.parametrize("case", CASES)
def test_limits(case, capture):
    times, count = CASES[case]
    connection, other = enet_packets.Connection(), enet_packets.Connection(port=40002)
    packets = [(START + number / 1000, data) for number, data in enumerate(connection.open())]
    command = connection.command(b"\x20\0", server=True)
    packets += [(START + time, connection.datagram(command, server=True)) for time in times]
    if case == "acknowledged":
        acknowledgement = b"\x01\0\0\x01\0\x01" + connection.time.to_bytes(2, "big")
        ping = b"\x85\xff\0\2"
        packets.append((START + times[-1] + 0.01, connection.datagram(acknowledgement)))
        packets.append((START + times[-1] + 0.5, connection.datagram(ping, server=True)))
    packets += [(START + 100 + number, data) for number, data in enumerate(other.open())]  # the capture goes on
    experts = tshark.experts(capture(packets), two_pass=True)
    found = [(number, message) for number, name, severity, message in experts if (name, severity) == ("enet.analysis.timeout", "warning")]
    if count is None:
        assert not found
    else:
        ((number, message),) = found
        assert number == 2 + count
        assert f"sent {count} times in {times[-1] - times[0]:.1f} s" in message
        given_up = times[-1] + 2 * (times[-1] - times[-2])
        found = re.search(r": the server gives up client 1 \(peer \d+\), or has exited: .*, not answered in ([\d.]+) s, last heard in frame 1, ([\d.]+) s before$", message)
        assert [float(one) for one in found.groups()] == pytest.approx([given_up - times[0], given_up], abs=0.06)


def test_frames_captured_twice():
    """A time-out is said once, at the transmission and not at its copy."""
    for name, of, count in (("timeout", "timeout", 3), ("connect", "connect_unanswered", 3)):
        linktype, packets = pcap.read(tshark.CAPTURES / "multiplayer-errors" / f"godot-4.6-{name}.pcap")
        twice = pcap.write(tshark.workplace() / "twice.pcap", [packet for packet in packets for _ in range(2)], linktype)
        assert [name for _, name, *_ in tshark.experts(twice, two_pass=True)].count(f"enet.analysis.{of}") == count


CONNECTS = {"unanswered": ([], 60, True), "the client goes on": ([b"\x85\xff\0\2"], 60, False), "it leaves, connected": ([b"\x84\xff\0\3\0\0\0\0"], 60, False),
            "it gives up": ([b"\x44\xff\0\0\0\0\0\0"], 60, True), "the capture ends": ([], 1.6, False)}


@pytest.mark.parametrize("case", CONNECTS)
def test_connect_that_is_never_answered(case, capture):
    """Not if the client shows that it is connected, in a capture of its direction only; nor if it still waits."""
    commands, end, unanswered = CONNECTS[case]
    connection, other = enet_packets.Connection(), enet_packets.Connection(port=40002)
    packets = [(START + time, connection.open()[0]) for time in (0, 0.5, 1.5)]
    packets += [(START + 5, connection.datagram(command)) for command in commands]
    packets.append((START + end, other.open()[0]))
    found = [number for number, name, *_ in tshark.experts(capture(packets), two_pass=True) if name == "enet.analysis.connect_unanswered"]
    assert found == ([3] if unanswered else [])
