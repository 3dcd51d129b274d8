"""The fields of the preference *Property to plot*: `godot.plot…`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import re

import pytest

import projects
import tshark

GAME = tshark.CAPTURES / "multiplayer/godot-4.6-enet-game.pcap", projects.option("game4")
REPLICATION = tshark.CAPTURES / "multiplayer-loss/godot-4.6-replication.client-side.pcap", projects.option("replication4")
AXES = "xyzw"


def numbers_in(node):
    """the value that is plotted, as numbers; [] if there is none"""
    return node.all("godot.plot") or [value for axis in AXES for value in node.all(f"godot.plot.{axis}")]


def updates(capture, wanted):
    """(track, whether it is a spawn, numbers, change, whether the packet is a repetition) of each value, in order"""
    path, project = capture
    for frame in tshark.packets(path, *project, "-o", f"godot.plot:{wanted}"):
        for layer in frame.children:
            if layer.name != "godot":
                continue
            session, source = layer.all("godot.session"), layer.all("godot.source")
            for kind in ("godot.sync.entry", "godot.spawn.state"):
                for node in layer.nodes(kind):
                    numbers = numbers_in(node)
                    if numbers:
                        where = node.all("godot.path") or layer.all("godot.path")
                        yield ((str(session), str(source), where[-1]), kind == "godot.spawn.state", numbers,
                               node.all("godot.plot.change"), bool(layer.all("godot.repeated")))


@pytest.mark.parametrize("capture, wanted, components", [(GAME, "position", {2}), (GAME, "health", {1}),
                                                         (REPLICATION, "position", {2, 3})])
def test_change(capture, wanted, components):
    last, count, moved = {}, 0, 0
    for track, spawned, numbers, change, repeated in updates(capture, wanted):
        assert len(numbers) in components
        if repeated:
            assert not change
            continue
        if spawned or track not in last:
            assert not change
        else:
            assert change == [pytest.approx(math.dist(numbers, last[track]), abs=1e-9)]
            count, moved = count + 1, moved + (change[0] > 0)
        last[track] = numbers
    assert count > 20 and moved > 5


@pytest.mark.parametrize("capture, wanted", [(GAME, "position"), (REPLICATION, "position")])
def test_two_passes(capture, wanted):
    """A change is one from the value before, as of that frame."""
    path, project = capture
    arguments = [*project, "-o", f"godot.plot:{wanted}", "-Y", "godot.plot.change"]
    first, second = (tshark.fields(path, "frame.number", "godot.plot.change", arguments=arguments, two_pass=two_pass)
                     for two_pass in (False, True))
    assert len(first) > 20 and first == second
    assert len(tshark.fields(path, "frame.number", arguments=[*arguments[:-1], "godot.plot.change > 1"])) < len(first)


def test_one_node():
    """A node's name before the property: no other node is plotted."""
    paths = {track[2] for track, *_ in updates(REPLICATION, "position")}
    assert len(paths) > 2
    for path in sorted(paths)[:2]:
        for prefix in ("", "/root/"):
            assert {track[2] for track, *_ in updates(REPLICATION, f"{prefix}{path}:position")} == {path}


def test_node_as_pages_write_it():
    """A node that is named after a peer: pages have the peer's name instead of the id."""
    paths = {track[2] for track, *_ in updates(GAME, "position")}
    of_a_peer = [path for path in sorted(paths) if re.search(r"[0-9]{7,}", path)]
    assert of_a_peer
    as_written = [re.sub(r"[0-9]{7,}", f"{{client {number}}}", of_a_peer[0]) for number in range(1, 5)]
    assert {track[2] for path in as_written for track, *_ in updates(GAME, f"{path}:position")} == set(of_a_peer)
