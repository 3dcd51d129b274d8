# SPDX-License-Identifier: GPL-2.0-or-later
# What is spawned. Every value says whose it is: "Squad1 a 0" is property a of Squad1, the first value that it had.
extends Node

var a := "a"
var b := "b"
var c := "c"
var d := "d"
var e := "e"
var f := "f"


# "Mixed_1203": the synchronizer Mine is that client's, before it enters the tree. At the server and at the client alike.
func _enter_tree() -> void:
	if "_" in name:
		$Mine.set_multiplayer_authority(str(name).get_slice("_", 1).to_int())


func _ready() -> void:
	for synchronizer in find_children("*", "MultiplayerSynchronizer", true, false):
		var root: Node = synchronizer.get_node(synchronizer.root_path)
		synchronizer.synchronized.connect(func(): Log.state("synchronized", root, listed(synchronizer, "always"), synchronizer))
		synchronizer.delta_synchronized.connect(
			func(): Log.state("delta_synchronized", root, listed(synchronizer, "change"), synchronizer))


# Names of a synchronizer's properties that are sent in this way.
static func listed(synchronizer: MultiplayerSynchronizer, how: String) -> Array:
	var config := synchronizer.replication_config
	return config.get_properties().filter(func(path: NodePath) -> bool:
		var mode := config.property_get_replication_mode(path)
		if how == "spawn":
			return config.property_get_spawn(path)
		return mode == (config.REPLICATION_MODE_ALWAYS if how == "always" else config.REPLICATION_MODE_ON_CHANGE)
	).map(func(path: NodePath) -> String: return str(path).trim_prefix(".:"))


func set_all(step: int) -> void:
	for property in ["a", "b", "c", "d", "e", "f"]:
		Log.put(self, property, "%s %s %d" % [name, property, step])
	if has_node("Body"):
		Log.put($Body, "heat", "%s heat %d" % [name, step])
