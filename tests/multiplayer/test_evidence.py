"""Removing evidence never adds a refusal: each capture with parts removed, doubled or in another order (evidence.py).

    script/evidence multiplayer/godot-4.6-enet-relay            what is concluded of its transformed captures only

The slow tests take every capture and every transformation, the quick one some of both, chosen by a seed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import subprocess
import sys

import pytest

import captures
import evidence
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_capture(name):
    for how in evidence.NAMES:
        check(name, how)


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
    ("multiplayer/godot-4.6-websocket-relay.pcap", [how for how in evidence.NAMES[:-1] if how != "records_lost"]),
    ("recorder/godot-4.6-enet-relay.server.pcapng", ["records_lost"])])
def test_frames_know_where_they_were(name, names):
    whole = evidence.whole(tshark.CAPTURES / name)
    for how in names:
        transformed = whole.transformed(how)
        assert transformed, how
        assert all(whole.file.packets[one.origin].data.startswith(one.data) for one in transformed), how
        assert [one.time for one in transformed] == sorted(one.time for one in transformed), how
