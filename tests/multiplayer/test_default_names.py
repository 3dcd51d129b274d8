"""A game whose spawners and synchronizers all have the name that the editor gives them: each has its own names. Compared with
what the engines logged.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import pathlib
import re
import shutil
import tempfile

import pytest

import engine_logs
import projects
import tshark

CAPTURE = tshark.CAPTURES / "multiplayer-defaults" / "godot-4.6.pcap"
PASSES = pytest.mark.parametrize("two_pass", [False, True])


def logged(process, what):
    return [r for r in engine_logs.records(CAPTURE.with_name(f"godot-4.6.{process}.log.gz")) if r["what"] == what]


@functools.lru_cache(maxsize=None)
def shown(two_pass):
    return tshark.packets(CAPTURE, *projects.option("defaults4"), "-Y", "godot", two_pass=two_pass)


def spawns(packets):
    """{path: its scene, None if there is none}"""
    found = {}
    for frame in packets:
        for layer in frame.nodes("godot"):
            if layer.all("godot.spawn.name"):
                found[layer.all("godot.path")[0]] = (layer.all("godot.spawn.scene") or [None])[0]
    return found


@PASSES
def test_scene_and_parent_of_each_spawned_node(two_pass):
    expected = {r["node"]: r["scene"] for r in logged("client1", "spawned")}
    assert len(expected) == 16 and spawns(shown(two_pass)) == expected


@PASSES
def test_the_property_of_each_value(two_pass):
    """A value is the name of its property or, later, "NODE PROPERTY STEP"."""
    arrived, count = {(r["node"], name, text) for what in ("synchronized", "delta_synchronized")
                      for r in logged("client1", what) for name, text in r["values"].items()}, 0
    seen = set()
    for frame in shown(two_pass):
        for entry in [*frame.nodes("godot.sync.entry"), *frame.nodes("godot.spawn.state")]:
            names, texts = entry.all("godot.sync.property"), entry.all("godot.variant.text")
            assert names and len(names) == len(texts)
            for name, text in zip(names, texts):
                words = text.strip('"').split(" ")
                assert name == (words[1] if len(words) == 3 else words[0])
                count += 1
                seen.add((words[0], name, text) if len(words) == 3 else None)
    assert count > 100 and seen - {None} == {one for one in arrived if " " in one[2]}


THIRD = 'properties/2/path = NodePath(".:c")\nproperties/2/spawn = true\nproperties/2/replication_mode = 2\n'
NEWER = {"another scene first": r'PackedStringArray("res://extra.tscn", \1)',
         "another scene instead": r'PackedStringArray("res://extra.tscn", "res://extra.tscn")'}


@pytest.mark.parametrize("newer", NEWER)
@PASSES
def test_a_project_that_is_newer_than_the_capture(newer, two_pass):
    """No scene is shown that is not the logged one, from a spawner's first node on that has other values than its scene."""
    place = pathlib.Path(tempfile.mkdtemp(dir=tshark.workplace())) / "newer"
    shutil.copytree(projects.FOLDER / "defaults4", place)
    lamp = (place / "lamp.tscn").read_text(encoding="utf-8")
    for path in place.glob("*.tscn"):
        path.write_text(re.sub(r"PackedStringArray\((.*)\)", NEWER[newer], path.read_text(encoding="utf-8")), encoding="utf-8")
    (place / "extra.tscn").write_text(re.sub(r"\n\n\[node", f"\n{THIRD}\n[node", lamp, count=1), encoding="utf-8")
    tshark.open_to_everybody(place.parent)
    packets = tshark.packets(CAPTURE, "-o", f"godot.project:{place}", "-Y", "godot", two_pass=two_pass)
    found = spawns(packets)
    assert found.keys() == {r["node"] for r in logged("client1", "spawned")} and not any(found.values())
    assert any(entry.all("godot.sync.property") for frame in packets for entry in frame.nodes("godot.sync.entry"))
