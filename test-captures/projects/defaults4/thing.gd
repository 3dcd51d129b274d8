# SPDX-License-Identifier: GPL-2.0-or-later
# What is replicated. Every value says whose it is: "Main/World c 1" is what property c of that node became first.
extends Node

var a := "a"
var b := "b"
var c := "c"
var d := "d"
var e := "e"
var f := "f"


func _ready() -> void:
	var synchronizer: MultiplayerSynchronizer = $MultiplayerSynchronizer
	synchronizer.synchronized.connect(func(): Log.state("synchronized", self, listed(1), synchronizer))
	synchronizer.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, listed(2), synchronizer))
	if has_node("MultiplayerSpawner"):
		$MultiplayerSpawner.spawned.connect(spawned)


func spawned(node: Node) -> void:
	Log.record("spawned", {"node": Log.path_of(node), "spawner": Log.path_of($MultiplayerSpawner), "scene": node.scene_file_path})


# Names of the properties with this replication mode.
func listed(mode: int) -> Array:
	var config: SceneReplicationConfig = $MultiplayerSynchronizer.replication_config
	return config.get_properties().filter(func(path: NodePath) -> bool: return config.property_get_replication_mode(path) == mode).map(
		func(path: NodePath) -> String: return str(path).trim_prefix(".:"))


# Spawns a scene of the spawner's list.
func spawn(index: int) -> Node:
	var spawner: MultiplayerSpawner = $MultiplayerSpawner
	var node: Node = load(spawner.get_spawnable_scene(index)).instantiate()
	spawner.get_node(spawner.spawn_path).add_child(node, true)
	Log.record("spawn", {"node": Log.path_of(node), "spawner": Log.path_of(spawner), "scene": node.scene_file_path})
	return node


func set_all(step: int) -> void:
	for property in ["a", "b", "c", "d", "e", "f"]:
		Log.put(self, property, "%s %s %d" % [Log.path_of(self), property, step])
