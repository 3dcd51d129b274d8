# SPDX-License-Identifier: GPL-2.0-or-later
extends "res://actor.gd"

remote var health = 100 setget set_health
puppet var velocity = Vector2() setget set_velocity
remotesync var label = "" setget set_label


func set_health(value):
	health = value
	Log.was_set(self, "health", value)


func set_velocity(value):
	velocity = value
	Log.was_set(self, "velocity", value)


func set_label(value):
	label = value
	Log.was_set(self, "label", value)


remote func any(value):
	Log.called(self, "any", [value])


remote func blob(bytes):
	Log.called(self, "blob", [bytes])


remote func many(a, b, c, d, e, f):
	Log.called(self, "many", [a, b, c, d, e, f])


remote func big(text):
	Log.called(self, "big", [text])


remotesync func everywhere(text):
	Log.called(self, "everywhere", [text])


mastersync func to_master_too(text):
	Log.called(self, "to_master_too", [text])


puppetsync func to_puppets_too(text):
	Log.called(self, "to_puppets_too", [text])
