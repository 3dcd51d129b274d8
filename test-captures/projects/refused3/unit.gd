# SPDX-License-Identifier: GPL-2.0-or-later
# Methods with arguments of every number, and every mode.
extends Node

puppet var velocity = 1
master var wish = 1


remote func none():
	Log.called(self, "none")


remotesync func two(a, b):
	Log.called(self, "two", [a, b])


remote func optional(a, b = 1, c = ["x, (y)", {"z": [1, 2]}], d = Vector2(1, 2)):
	Log.called(self, "optional", [a, b, c, d])


master func to_master(a):
	Log.called(self, "to_master", [a])


puppet func to_puppet(a):
	Log.called(self, "to_puppet", [a])


func not_remote():
	Log.called(self, "not_remote")
