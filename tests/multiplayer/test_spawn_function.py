# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes made by a spawn function: packets do not contain their scene. Compared with the log of the receiving
engine."""

import collections
import functools

import pytest

import engine_logs
import projects
import tshark
from engine_logs import plain

FOLDER = tshark.CAPTURES / "multiplayer-spawn-function"
PASSES = pytest.mark.parametrize("two_pass", [False, True])
ASSUMED = {"Plane1": "plane", "Plane2": "plane", "Solid1": "solid"}  # by the type of their position
SAME = {"Box1", "Crate1"}  # two scenes with the same properties
UNKNOWN = {"Red1", "Blue1", "Code1"}  # two scenes with another order; none


@functools.lru_cache(maxsize=None)
def option():
    return projects.option("spawnfunction4")


@functools.lru_cache(maxsize=None)
def shown(two_pass):
    packets = tshark.packets(FOLDER / "godot-4.6.pcap", *option(), "-Y", "godot", two_pass=two_pass)
    assert packets
    return packets


def logged(*what):
    values = collections.defaultdict(list)
    for record in engine_logs.records(FOLDER / "godot-4.6.client1.log.gz"):
        if record["what"] in what:
            values[record["node"]].append({name: plain(text) for name, text in record["values"].items()})
    assert values
    return values


@PASSES
def test_names_of_what_fits_one_scene(two_pass):
    scenes, named, states = {}, set(), logged("spawn_state")
    for frame in shown(two_pass):
        for layer in frame.nodes("godot"):
            for state in layer.nodes("godot.spawn.state"):
                path = layer.all("godot.path")[0]
                node = path.rpartition("/")[2]
                scenes[node] = layer.all("godot.spawn.scene")
                names, texts = state.all("godot.sync.property"), [plain(text) for text in state.all("godot.variant.text")]
                if names:
                    assert dict(zip(names, texts, strict=True)) in states[path]
                    named.add(node)
    assert named == {*ASSUMED, *SAME}
    assert scenes == {**{node: [f"res://{scene}.tscn"] for node, scene in ASSUMED.items()}, **{node: [] for node in SAME | UNKNOWN}}


@PASSES
def test_names_in_what_is_synchronized(two_pass):
    received, named = logged("synchronized", "delta_synchronized"), set()
    for frame in shown(two_pass):
        for entry in frame.nodes("godot.sync.entry"):
            path, names = entry.one("godot.path"), entry.all("godot.sync.property")
            node = path.rpartition("/")[2]
            assert bool(names) == (node not in UNKNOWN), node
            for name, text in zip(names, entry.all("godot.variant.text"), strict=True) if names else ():
                assert plain(text) in [values[name] for values in received[path] if name in values], (node, name, text)
                named.add(node)
    assert named == {*ASSUMED, *SAME}


@PASSES
def test_the_assumption_is_said_once(two_pass):
    said = [frame for frame in shown(two_pass) if frame.all("godot.spawn.scene_assumed")]
    assert len(said) == 1
    messages = [text for text in said[0].all("_ws.expert.message") if "spawn function" in text]
    assert messages == ["The spawn function's scene is not on the wire: assumed to be res://plane.tscn, the only one of the project that fits"]


def test_without_the_project_nothing_is_assumed():
    for frame in tshark.packets(FOLDER / "godot-4.6.pcap", "-Y", "godot"):
        assert not frame.all("godot.spawn.scene_assumed") and not frame.all("godot.sync.property")
