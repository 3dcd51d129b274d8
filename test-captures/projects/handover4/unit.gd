# SPDX-License-Identifier: GPL-2.0-or-later
# Logs every value at the moment it is set: by itself ("set"), or by what another peer has sent ("told").
extends Node

var own := false  # the value is its own
var title := "":
	set(value):
		title = value
		log_value("title", value)
var place := 0:
	set(value):
		place = value
		log_value("place", value)
var health := 100:
	set(value):
		health = value
		log_value("health", value)
var story := "":
	set(value):
		story = value
		log_value("story", value)


func log_value(property: String, value: Variant) -> void:
	Log.record("set" if own else "told", {
		"node": "Main/World/" + name, "property": property, "text": var_to_str(value),
		"at": int(Time.get_unix_time_from_system() * 1e6),
	})


func put(property: String, value: Variant) -> void:
	own = true
	set(property, value)
	own = false


func is_writer() -> bool:
	return $Synchronizer.is_multiplayer_authority()
