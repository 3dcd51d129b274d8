"""Writes a large game: python3 make_game.py DIRECTORY [SCRIPTS [SCENES]]

Scripts inherit from each other, scenes instance each other, and have spawners and synchronizers; half of the
scripts set some property of a spawner. Only the amount matters.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys

BODY = """
func work_{0}(delta: float) -> void:
	# A comment, some words of it: what this is for, and why.
	var text := "value %d" % {0}
	for i in range(10):
		if i > {0} % 7 and text.length() > 3:
			position += Vector2(i, delta) * 0.5
			print("moved ", position, " by ", self)
"""


def script(number):
    base = f"Base{number // 10}" if number % 10 else "Node2D"
    name = f"class_name Base{number // 10}\n" if number % 10 == 0 else ""
    rpcs = "".join(f'@rpc("any_peer", "call_local")\nfunc action_{number}_{i}(value: int) -> void:\n\tprint(value)\n\n'
                   for i in range(4))
    return f"extends {base}\n{name}\nvar health := 100\n\n{rpcs}" + "".join(BODY.format(i) for i in range(12))


def scene(number, scripts):
    instance = f'[ext_resource type="PackedScene" path="res://scenes/scene{number - 1}.tscn" id="2"]\n' if number % 5 else ""
    nodes = "".join(f'[node name="Part{i}" type="Sprite2D" parent="."]\nposition = Vector2({i}, 2)\n'
                    f'texture = null\nmodulate = Color(1, 1, 1, 1)\n\n' for i in range(60))
    return f"""[gd_scene load_steps=4 format=3 uid="uid://b{number:06d}abc"]

[ext_resource type="Script" path="res://scripts/script{number % scripts}.gd" id="1"]
{instance}
[sub_resource type="SceneReplicationConfig" id="config"]
properties/0/path = NodePath(".:position")
properties/0/spawn = true
properties/0/replication_mode = 1
properties/1/path = NodePath(".:health")
properties/1/spawn = true
properties/1/replication_mode = 2

[node name="Scene{number}" type="Node2D"]
script = ExtResource("1")

[node name="MultiplayerSynchronizer" type="MultiplayerSynchronizer" parent="."]
replication_config = SubResource("config")

[node name="Spawner{number}" type="MultiplayerSpawner" parent="."]
_spawnable_scenes = PackedStringArray("res://scenes/scene{number}.tscn")
spawn_path = NodePath("..")

{'[node name="Inner" parent="." instance=ExtResource("2")]' if instance else ""}

{nodes}"""


def main():
    folder = pathlib.Path(sys.argv[1])
    scripts, scenes = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (2000, 500)
    for place in ("scripts", "scenes"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / "project.godot").write_text("config_version=5\n")
    for number in range(scripts):
        (folder / "scripts" / f"script{number}.gd").write_text(script(number))
        (folder / "scripts" / f"script{number}.gd.uid").write_text(f"uid://s{number:06d}abc\n")
    for number in range(scenes):
        (folder / "scenes" / f"scene{number}.tscn").write_text(scene(number, scripts))


main()
