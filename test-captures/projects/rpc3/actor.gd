# SPDX-License-Identifier: GPL-2.0-or-later
# Base of player.gd, which names it by its path.
extends Node


remote func hello():
	Log.called(self, "hello")


remote func move(to, speed):
	Log.called(self, "move", [to, speed])


master func to_master(value):
	Log.called(self, "to_master", [value])


puppet func to_puppet(value):
	Log.called(self, "to_puppet", [value])
