# SPDX-License-Identifier: GPL-2.0-or-later
# Belongs to the client whose id it has as its name. Logs every value at the moment it is set: by itself ("set"), or by what
# another peer has sent ("told").
extends Node

var own := false  # the value is its own
var place := 0:
	set(value):
		place = value
		log_value("place", value)
var health := 100:
	set(value):
		health = value
		log_value("health", value)


func _enter_tree() -> void:
	set_multiplayer_authority(int(str(name)))


func log_value(property: String, value: Variant) -> void:
	Log.record("set" if own else "told", {
		"node": "Main/World/" + name, "property": property, "text": var_to_str(value),
		"at": int(Time.get_unix_time_from_system() * 1e6),
	})


func put(property: String, value: Variant) -> void:
	own = true
	set(property, value)
	own = false
