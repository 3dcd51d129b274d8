"""`-z godot,replication`: the intervals of a synchronizer's states compared with the rows of its values, with
engines' logs, and with packets made for each cause of a long interval.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re
import subprocess

import pytest

import enet_packets
import pcap
import projects
import tshark
from test_multiplayer import own_project
from test_replication_report import HANDOVER, NAME, POLL, rows_by_way, rows_of, values_of
from two_points import FOLDER, merged, translated

PAIR = re.compile(r"^    (\S+) from peer (\d+) to peer (\d+)$")
TRACK = re.compile(r"^      ([a-z ]+): ([\d.]+) a second, median ([\d.]+) ms, 95 % up to ([\d.]+) ms, longest ([\d.]+) ms \(frames (\d+) to (\d+)\)(?:: (.*))?$")


def intervals(path, *options):
    """{(node, sender, receiver): {"sent": (rate, median, 95 %, longest, from, to, cause)}} in the order of the report; times in seconds"""
    found, at = {}, None
    for line in tshark.run(path, "-q", *tshark.BY_ID, "-z", "godot,replication", *options, two_pass=True).stdout.splitlines():
        if match := PAIR.match(line):
            at = found[match[1], int(match[2]), int(match[3])] = {}
        elif match := TRACK.match(line):
            rate, *times = map(float, match.groups()[1:5])
            at[match[1]] = (rate, *(time / 1000 for time in times), int(match[6]), int(match[7]), match[8])
    return found


def quantile(steps, share):
    return sorted(steps)[min(int(share * len(steps)), len(steps) - 1)]


@pytest.mark.parametrize("side", ["client", "server"])
def test_one_point_by_its_rows(side):
    path = FOLDER / f"{NAME}.{side}-side.pcap"
    times = dict((number[0], float(time[0])) for number, time in tshark.fields(path, "frame.number", "frame.time_relative"))
    found = intervals(path, *own_project(NAME))
    compared = 0
    rows = [row for row in rows_of(path, *own_project(NAME)) if row["net_frame"] is not None and row["sender"] == row["from"]]
    for (node, name, sender, receiver), (states, _) in rows_by_way(rows).items():
        frames = [row["frame"] for row in states]
        steps = [times[b] - times[a] for a, b in zip(frames, frames[1:])]
        if (node, sender, receiver) not in found or not steps:
            continue
        rate, median, most, longest, begin, end, _ = found[node, sender, receiver]["captured"]
        assert rate == pytest.approx(len(steps) / sum(steps), abs=0.06)
        assert (median, most, longest) == pytest.approx((quantile(steps, 0.5), quantile(steps, 0.95), max(steps)), abs=1e-4)
        assert (begin, end) == next((a, b) for a, b in zip(frames, frames[1:]) if times[b] - times[a] == max(steps))
        compared += 1
    assert compared > 6
    longest = [tracks["captured"][3] for tracks in found.values() if "captured" in tracks]
    assert longest == sorted(longest, reverse=True)


@pytest.mark.parametrize("client", ["client1", "client2"])
def test_what_the_engine_was_told(client):
    """A property with one writer and a different value in each state: the longest interval between two values
    logged by the engine."""
    found = intervals(translated(HANDOVER), *projects.option("handover4"))
    me, values = values_of(client)
    rate, _, _, longest, *_ = found["Main/World/Tower", 1, me]["delivered"]
    times = [time for time, _ in values["Main/World/Tower", "place"]][1:]  # the first one is part of the spawn
    steps = [b - a for a, b in zip(times, times[1:])]
    assert abs(longest - max(steps)) < POLL and rate == pytest.approx(len(steps) / sum(steps), rel=0.05)


def test_lost_meanwhile():
    """The number of states of this connection and node that were lost between the two received ones, from
    their network frames; only states of the server, which are not relayed."""
    path = merged(NAME)
    states = {number[0]: (session[0], nets, paths, lost) for number, session, nets, paths, lost in tshark.fields(
        path, "frame.number", "godot.session", "godot.sync.time", "godot.path", "enet.analysis.lost", arguments=("-Y", "godot.sync.time", *own_project(NAME)), two_pass=True)}
    checked = 0
    for (node, sender, _), tracks in intervals(path, *own_project(NAME)).items():
        begin, end, cause = tracks.get("delivered", [None] * 3)[-3:]
        match = re.match(r"(\d+) of (\d+) states? sent meanwhile lost", cause or "")
        if match and sender == 1:
            session, (first, *_), _, _ = states[begin]
            last = states[end][1][-1]
            lost = sum(first < net < last for of, nets, paths, lost in states.values() if lost and of == session and node in paths for net in nets)
            assert int(match[1]) == lost <= int(match[2])
            checked += 1
    assert checked > 3


# --- each cause ---

STATE = b"\x06%s" + (0x80000001).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(4)
NOWHERE = "nowhere"
NODE = b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + b"N\0"


def capture(tmp_path, sent, both=True):
    """The client's states, captured at both ends or at the client: [(seconds, network frame, seconds until
    the server has it; None: never; NOWHERE: nor is it captured)]."""
    connection = enet_packets.Connection()
    connect, verify = connection.open()
    opened, node = connection.opened(), connection.message(NODE)
    at_client = [(0.0, connect), (0.001, verify), (0.0015, opened), (0.002, node)]
    at_server = [(0.0002, connect), (0.0008, verify), (0.0017, opened), (0.0022, node)]
    for time, net_frame, taken in sent:
        state = connection.unreliable(STATE % net_frame.to_bytes(2, "little"))
        at_client += [] if taken is NOWHERE else [(time, state)]
        at_server += [] if taken in (None, NOWHERE) else [(time + taken, state)]
    ends = [pcap.write(tmp_path / "client.pcap", sorted(at_client, key=lambda one: one[0]))]
    if both:
        ends.append(pcap.write(tmp_path / "server.pcap", sorted(at_server, key=lambda one: one[0])))
    path = tshark.workplace() / "intervals.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *ends], check=True)
    path.chmod(0o644)
    return path


def regular(count, **changes):
    """States ten times a second, three network frames apart, except those given as _number."""
    states = [(0.1 * number, 3 * number, 0.02) for number in range(1, count)]
    for number, change in changes.items():
        states[int(number[1:]) - 1] = change
    return states


CAUSES = {
    "paused": (regular(12) + [(2.1 + 0.1 * number, 34 + 3 * number, 0.02) for number in range(10)],
               1.0, "the sender paused, its network frames went on by 1", 1.0, "none sent for 1000.0 ms"),
    "not sent": (regular(12) + [(2.1 + 0.1 * number, 63 + 3 * number, 0.02) for number in range(10)],
                 1.0, "the network frames of the sender went on by 30, states between were not sent", 1.0, "none sent for 1000.0 ms"),
    "lost": (regular(20, _9=(0.9, 27, None), _10=(1.0, 30, None)), 0.1, None, 0.3, "2 of 2 states sent meanwhile lost"),
    "late": (regular(12) + [(1.2 + 0.1 * number, 36 + 3 * number, 0.42) for number in range(5)],
             0.1, None, 0.5, "delivered late, after 400.0 ms more than the one before"),
    "overtaken": (regular(20, _9=(0.9, 27, 0.25), _10=(1.0, 30, 0.16)), 0.1, None, 0.3, "2 of 2 replaced by a newer one that came first"),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_causes(tmp_path, cause):
    states, longest_sent, why_sent, longest, why = CAUSES[cause]
    (tracks,) = intervals(capture(tmp_path, states), "-d", "enet.payload,godot").values()
    assert (tracks["sent"][3], tracks["sent"][-1]) == (pytest.approx(longest_sent, abs=2e-4), why_sent)
    assert (tracks["delivered"][3], tracks["delivered"][-1]) == (pytest.approx(longest, abs=2e-4), why)


@pytest.mark.parametrize("behind, pauses", [(2, False), (4, True)])
def test_a_pause_is_no_chance(tmp_path, behind, pauses):
    """A sender of 60 network frames a second that has made none for so many: the rate is not exact."""
    gap = (behind + 1) / 60
    states = [(number / 60, number, 0.02) for number in range(1, 300)] + [(299 / 60 + gap + number / 60, 300 + number, 0.02) for number in range(300)]
    (tracks,) = intervals(capture(tmp_path, states, both=False), "-d", "enet.payload,godot").values()
    assert tracks["captured"][3] == pytest.approx(gap, abs=2e-4)
    assert tracks["captured"][-1].startswith("the sender paused") == pauses


MISSED = {f"_{number}": (0.1 * number, 3 * number, NOWHERE) for number in range(5, 14)}


@pytest.mark.parametrize("states, fate", [(CAUSES["not sent"][0], "not sent"), (regular(20, **MISSED), "not sent, lost or not captured")])
def test_one_point_does_not_tell_who_lost_it(tmp_path, states, fate):
    """But ENet's numbers tell that nothing was lost."""
    path = capture(tmp_path, states, both=False)
    (tracks,) = intervals(path, "-d", "enet.payload,godot").values()
    assert tracks["captured"][-1] == f"the network frames of the sender went on by 30, states between were {fate}"
    assert "delivered" not in tracks
