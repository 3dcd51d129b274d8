"""Removing evidence never adds a refusal: each capture with parts removed, doubled or in another order (evidence.py).

    script/evidence multiplayer/godot-4.6-enet-relay            what is concluded of its transformed captures only

The slow tests take every capture and every transformation, the quick one some of both, chosen by a seed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import subprocess
import sys
import zlib

import pytest

import captures
import evidence
import projects
import tshark

ALL = [captures.name(path) for path in captures.different()]
QUICK_CAPTURES, QUICK_PAIRS = 14, 3


def quick_pairs():
    """Some captures with some transformations each."""
    chance = random.Random(35)
    small = [captures.name(path) for path in captures.different() if path.stat().st_size < 60_000]
    several = [name for name in small if name.startswith(("multiplayer", "enet"))]
    chosen = chance.sample(several, QUICK_CAPTURES * 2 // 3) + chance.sample(small, QUICK_CAPTURES // 3)
    return [(name, how) for name in sorted(set(chosen)) for how in chance.sample(evidence.NAMES, QUICK_PAIRS)]


def check(name, how):
    assert not evidence.new(tshark.CAPTURES / name, how), f"concluded only of the transformed capture: script/evidence {name} {how}"


@pytest.mark.parametrize("name, how", quick_pairs())
def test_some(name, how):
    check(name, how)


# The games of savings/ are alike: of each eighth one these are tried, which take the longest.
LONG = {"cut", "other_clock", *evidence.MERGED, evidence.CLOCKS}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_capture(name):
    few = name.startswith("savings/") and zlib.crc32(name.encode()) % 8
    for how in evidence.NAMES:
        if not (few and how in LONG):
            check(name, how)


# Frames on which conclusions rested that the whole capture disproves: announcements, confirmations, parts of handshakes.
@pytest.mark.parametrize("name, how", [
    ("multiplayer-errors/godot-4.6-scenes", "without 195"), ("multiplayer-ends/godot-4.6-restart-client", "without -2"),
    ("multiplayer-authority/godot-4.6-lobby", "without 82,84"), ("multiplayer-authority/godot-4.6-lobby", "without 76"),
    ("multiplayer-authority/godot-4.6-lobby", "without 82-"), ("multiplayer/godot-4.6-websocket-replication", "snapped 150"),
    ("multiplayer/godot-3.6-websocket-relay", "snapped 200"), ("debugger/godot-4.6-tcp", "snapped 300"), ("debugger/godot-3.6-tcp", "snapped 200"),
    ("enet/libenet-checksum", "without 3-5"), ("multiplayer-errors/godot-4.6-connect", "without 54"),
    ("enet/libenet-checksum-steady-loss", "without 3"), ("multiplayer/godot-4.6-websocket-relay", "without 1-2"),
    ("multiplayer-ends/godot-4.6-killed", "without -307"), ("enet/libenet-restart-8s", "without 24,26,28,30,32,34"),
    ("multiplayer-loss/godot-3.6-relay.server-side", "without 421-"), ("netfox/godot-4.6-1.39-schema", "without 5"),
    ("multiplayer/godot-4.6-enet-reconnect", "without 2,17"), ("multiplayer-errors/godot-4.6-broken", "without 1"),
    ("variant/godot-4.6-chopped", "without 24,34"), ("multiplayer/godot-4.6-websocket-calls", "without 28,34,47"),
    ("multiplayer-errors/godot-4.6-timeout", "without 305,327"), ("savings/godot-4.6-array", "without 8,10"),
    ("multiplayer/godot-3.2-websocket-relay", "without 276,284"), ("multiplayer-ends/godot-4.6-websocket", "without 70,110")])
def test_without_frames(name, how):
    check(f"{name}.pcap", how)


@pytest.mark.parametrize("name, how", [
    ("multiplayer/godot-3.2-enet-relay", "two_clocks"), ("enet/libenet-plain", "two_clocks"), ("multiplayer/godot-4.6-enet-calls", "cut"),
    ("websocket-loss/godot-3.6-relay.server-side", "two_clocks"), ("multiplayer/godot-3.6-enet-calls", "merged_ports"),
    ("multiplayer-errors/godot-3.6-refused", "merged"), ("multiplayer/godot-4.6-websocket-relay", "other_clock")])
def test_other_clocks_games_and_lengths(name, how):
    check(f"{name}.pcap", how)


def test_what_a_game_loses_beside_another_is_found(monkeypatch):
    path = tshark.CAPTURES / "multiplayer-errors" / "godot-3.6-refused.pcap"
    monkeypatch.setattr(evidence, "_more", lambda *_: evidence.collections.Counter())
    whole = evidence.whole(path)
    for said, _, _ in whole.seen.found:
        said.update(["godot.rpc.not_allowed"] if said["godot.rpc.not_allowed"] else [])
    assert set(evidence.new(path, "merged")) == {"lost: godot.rpc.not_allowed"}
    evidence.whole.cache_clear()


REFUSALS = ("godot.rpc.not_allowed", "godot.rpc.node_not_found", "godot.rpc.wrong_arguments", "godot.rpc.method_not_found")


def test_one_pass_refuses_nothing_that_the_second_one_does_not():
    """Whether the receiver has the node is known later only: that it does not is a doubt of the first pass."""
    for name, project in (("multiplayer-authority/godot-4.6-owner", "owner4"), ("multiplayer-authority/godot-4.6-lobby", "lobby4")):
        path, options = tshark.CAPTURES / f"{name}.pcap", projects.option(project)
        said = {two_pass: {tuple(number) for number, *found in tshark.fields(path, "frame.number", *REFUSALS, arguments=options, two_pass=two_pass)
                           if any(found)} for two_pass in (False, True)}
        assert said[True] and said[False] <= said[True], name
    path, options = tshark.CAPTURES / "multiplayer-authority/godot-4.6-owner.pcap", projects.option("owner4")
    not_allowed = {two_pass: [text for _, kind, _, text in tshark.experts(path, *options, two_pass=two_pass) if kind == "godot.rpc.not_allowed"]
                   for two_pass in (False, True)}
    assert [text for text in not_allowed[False] if text.endswith(", or that the node is not found")]
    assert not [text for text in not_allowed[True] if "not found" in text]


def test_an_end_without_a_datagram_has_no_time():
    whole = evidence.whole(tshark.CAPTURES / "multiplayer-ends/godot-4.6-killed.pcap")
    path = evidence.write(whole.file.with_packets(whole.transformed("without -307")), ".pcap")
    text = tshark.run(path, "-q", "-z", "godot,summary", two_pass=True).stdout
    assert "Peers" in text and "frame 0" not in text and "-17" not in text


def test_when_a_peer_was_heard_does_not_depend_on_the_filter():
    path = tshark.CAPTURES / "multiplayer/godot-4.6-enet-changes.pcap"
    assert "not heard" not in tshark.run(path, "-q", "-z", "godot,summary,godot", two_pass=True).stdout


SEEDED = [f"{name}.pcap" for name in ("enet/godot-3.6-several", "enet/godot-4.6-several", "multiplayer/godot-4.6-enet-changes",
                                      "multiplayer-ends/godot-4.6-restart", "multiplayer-loss/godot-4.6-relay.server-side")]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["dropped", "swapped"])
@pytest.mark.parametrize("name", SEEDED)
def test_other_frames(name, how, monkeypatch):
    """EVIDENCE_SEED draws others."""
    monkeypatch.setattr(evidence, "SEED", evidence.SEED or "7")
    found = evidence.new(tshark.CAPTURES / name, how) or {}
    assert not [what for what in found if what.startswith(("enet.", "Godot Peers", "Godot Summary", "To do: ", "Godot Replication, lost",
                                                          "Godot Replication, never acknowledged"))]


@pytest.mark.parametrize("words", [(), ("multiplayer",)])
def test_a_seed_is_a_number(words):
    said = subprocess.run([sys.executable, tshark.ROOT / "script" / "evidence", "--seed", *words], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (1, "script/evidence --seed needs a number\n")


def test_what_is_about_the_capture_exists():
    assert set(evidence.ABOUT_THE_CAPTURE) | evidence.ONCE <= set(evidence.filters())


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-relay.pcap", "recorder/godot-4.6-enet-relay.server.pcapng",
                                  "web/godot-4.6-websocket.pcap"])
def test_files_are_written_as_they_were(name):
    """Otherwise nothing that is compared would be about what was removed."""
    path = tshark.CAPTURES / name
    file = evidence.File(path)
    assert len(file.packets) > 20 and file.with_packets(file.packets) == path.read_bytes()


def test_a_refusal_that_is_added_is_found(monkeypatch):
    """Of a capture that the others are compared with: without what it concludes, all of it is new."""
    path = tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-refused.pcap"
    whole = evidence.Whole(path)
    assert sum(said["godot.rpc.not_allowed"] for said, _, _ in whole.seen.found) > 4
    whole.allowed = [type(most)() for most in whole.allowed]
    monkeypatch.setattr(evidence, "whole", lambda _: whole)
    found = evidence.new(path, "early_end")
    assert found["godot.rpc.not_allowed"] > 1 and found["godot.rpc.wrong_arguments"] > 1


@pytest.mark.parametrize("name, names", [
    ("multiplayer/godot-4.6-websocket-relay.pcap", [how.__name__ for how in evidence.TRANSFORMATIONS if how.__name__ not in ("records_lost", "other_clock")]),
    ("recorder/godot-4.6-enet-relay.server.pcapng", ["records_lost"])])
def test_frames_know_where_they_were(name, names):
    whole = evidence.whole(tshark.CAPTURES / name)
    for how in names:
        transformed = whole.transformed(how)
        assert transformed, how
        assert all(whole.file.packets[one.origin].data.startswith(one.data) for one in transformed), how
        assert [one.time for one in transformed] == sorted(one.time for one in transformed), how
