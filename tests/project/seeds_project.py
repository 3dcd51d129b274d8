"""Writes small projects: python3 seeds_project.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys

GDSCRIPT = b'P' + b'''class_name Base extends Node
const Other = preload("res://1.gd")
@rpc("any_peer", "call_remote", "reliable", 3)
func hello(): # comment
\tvar text = """@rpc"""
\trpc_config(&"late", {"rpc_mode": 1})
class Inner extends Other.Deep:
\t@rpc func inner(a, b = [1, 2]): pass
remotesync func old(): pass
'''
OTHER = b'P' + b'extends "res://0.gd".Inner\nclass Deep:\n\textends Base\n\t@rpc static func deep(): pass\n'
CSHARP = b'Q' + b'''namespace A.B; // comment
public partial class C<T> : D<T>, IThing where T : class {
  [Rpc(Mode.Any, CallLocal = true)] [Obsolete("x")] public void M(int a = 1) { if (true) { M(2); } }
  string s = @"\\"; char c = '"'; /* x */ class N { [Godot.Rpc] void I() {} }
}
'''

directory = pathlib.Path(sys.argv[1])
(directory / "mixed").write_bytes(b"\0".join([GDSCRIPT, OTHER, CSHARP, b"Smove, hit"]))
(directory / "gdscript").write_bytes(b"\0".join([GDSCRIPT, OTHER]))
(directory / "scene").write_bytes(b'''[gd_scene format=3 uid="uid://a"]
[sub_resource type="SceneReplicationConfig" id="1"]
properties/0/path = NodePath(".:position")
properties/0/spawn = true
properties/0/replication_mode = 1
properties/1/path = NodePath("A:b")
properties/1/sync = true
[node name="Main" type="Node"]
[node name="Sync" type="MultiplayerSynchronizer" parent="."]
replication_config = SubResource("1")
[node name="Spawner" type="MultiplayerSpawner" parent="."]
_spawnable_scenes = PackedStringArray("uid://a", "res://b.tscn")
spawn_path = NodePath("../%World")
''')
(directory / "scenes").write_bytes(b'''[gd_scene format=3]
[ext_resource type="PackedScene" uid="uid://b" path="res://b.tscn" id="1"]
[sub_resource type="SceneReplicationConfig" id="2"]
properties/0/path = NodePath(".:position")
properties/0/spawn = true
properties/0/replication_mode = 2
[node name="Main" instance=ExtResource("1")]
text = "a
[node"
; comment
[node name="World" type="Node" parent="."]
unique_name_in_owner = true
[node name="Sync" type="MultiplayerSynchronizer" parent="World" index="2"]
root_path = NodePath("../..")
replication_config = SubResource("2")
[node name="Spawner" parent="."]
spawn_path = NodePath("/root/Main/World")
[node name="Spawner" type="MultiplayerSpawner" parent="."]
spawn_path = NodePath("%World")
spawn_path == "set_spawn_path"
''')
(directory / "csharp").write_bytes(b"\0".join([CSHARP, CSHARP]))
(directory / "authority").write_bytes(b'''[autoload]
Net="*res://0.gd"
[ext_resource type="Script" path="res://0.gd" id=1]
[node name="Main" type="Node"]
script = ExtResource( 1 )
[node name="Player" parent="." instance=ExtResource("2")]
@onready var input: Node = $"Input"
func _ready():
\tset_multiplayer_authority(str(self.name).to_int(), false)
\tinput.set_multiplayer_authority(7)
\tvar made = preload("a").instantiate(); made.call_deferred("set_network_master", 1)
\t$A/%B.get_node("../C").set_network_master.call_deferred(id)
\tNet.x = Net; get_tree().root.add_child(self)
func give(node): node.set_multiplayer_authority(2)
class A { void _Ready() { GetNode<Node>("B").SetMultiplayerAuthority(int.Parse(Name)); x.CallDeferred(MethodName.SetMultiplayerAuthority, 3); } }
''')
