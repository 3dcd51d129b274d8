"""Projects whose scenes have more nodes than files have lines, and captures with all of them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

import names

LEVELS = 31
SCENE = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://level{next}.tscn" id="1"]

[node name="Level" type="Node"]

[node name="A" parent="." instance=ExtResource("1")]

[node name="B" parent="." instance=ExtResource("1")]
"""
LAST = """[gd_scene format=3]

[sub_resource type="SceneReplicationConfig" id="1"]
properties/0/path = NodePath(".:place")
properties/0/spawn = true
properties/0/replication_mode = 1

[node name="Level" type="Node"]

[node name="Sync" type="MultiplayerSynchronizer" parent="."]
replication_config = SubResource("1")
"""
SPAWNER = """
[node name="Spawner{number}" type="MultiplayerSpawner" parent="."]
_spawnable_scenes = PackedStringArray("res://level{last}.tscn")
spawn_path = NodePath("..")
"""


def write(folder, scenes):
    """A project with these scenes, by name."""
    project = folder / "project"
    project.mkdir()
    (project / "project.godot").write_text('config_version=5\n\n[application]\n\nrun/main_scene="res://main.tscn"\n')
    for name, text in scenes.items():
        (project / f"{name}.tscn").write_text(text)


def spawn(net_id, spawner, name):
    """SPAWN of the spawner's first scene, with one synchronizer and without a state."""
    return b"\x04" + struct.pack("<BIIIII", 0, spawner, net_id, 1, len(name) + 1, net_id + 1) + name + b"\0"


def state(identifier):
    """A full SYNC of one path-based synchronizer: a Vector2."""
    value = struct.pack("<Iff", 5, 1, 2)
    return b"\x06" + struct.pack("<HII", 1, identifier | 1 << 31, len(value)) + value


def instances_of_instances(folder, count):
    """The first of 31 scenes contains the last one a thousand million times. n of these instances send a
    state, twice."""
    scenes = {f"level{level}": SCENE.format(next=level + 1) for level in range(LEVELS - 1)}
    write(folder, {"main": scenes["level0"], **scenes, f"level{LEVELS - 1}": LAST})
    paths = [b"Level/" + b"/".join(b"BA"[place >> level & 1:][:1] for level in range(LEVELS - 1)) + b"/Sync" for place in range(count)]
    announced = [names.announcement(place + 1, path) for place, path in enumerate(paths)]
    return names.capture(folder, announced + 2 * [state(place + 1) for place in range(count)])


def spawners(folder, count):
    """This many spawners in one scene; each spawns a node."""
    main = '[gd_scene format=3]\n\n[node name="Main" type="Node"]\n'
    write(folder, {"main": main + "".join(SPAWNER.format(number=number, last=0) for number in range(count)), "level0": LAST})
    messages = []
    for number in range(count):
        messages += [names.announcement(number + 1, b"Main/Spawner%d" % number), spawn(2 * number + 1, number + 1, b"Node%d" % number)]
    return names.capture(folder, messages)


PROJECT = ("-V", "-o", "godot.project:{folder}/project")
KINDS = {
    "scenes: instances of instances": (1000, PROJECT, instances_of_instances),
    "scenes: spawners": (1000, PROJECT, spawners),
}
