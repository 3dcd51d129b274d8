# SPDX-License-Identifier: GPL-2.0-or-later
# What is replicated. Every value says whose it is: "Walker a 1" is property a of Walker, the value of step 1.
extends Node

var a := "a"
var b := "b"
var c := "c"
var d := "d"
var e := "e"
var f := "f"


func _ready() -> void:
	for synchronizer: MultiplayerSynchronizer in find_children("*", "MultiplayerSynchronizer", true, false):
		synchronizer.synchronized.connect(func(): Log.state("synchronized", self, listed(synchronizer, 1), synchronizer))
		synchronizer.delta_synchronized.connect(
			func(): Log.state("delta_synchronized", self, listed(synchronizer, 2), synchronizer))


# Names of a synchronizer's properties with this mode.
static func listed(synchronizer: MultiplayerSynchronizer, mode: int) -> Array:
	var config := synchronizer.replication_config
	return config.get_properties().filter(func(path: NodePath) -> bool:
		return config.property_get_replication_mode(path) == mode
	).map(func(path: NodePath) -> String: return str(path).trim_prefix(".:"))


func set_all(step: int) -> void:
	for property in ["a", "b", "c", "d", "e", "f"]:
		Log.put(self, property, "%s %s %d" % [name, property, step])
