# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

puppet var place = 0 setget set_place


func set_place(value):
	place = value
	Log.was_set(self, "place", value)


puppet func flash(turn):
	Log.called(self, "flash", [turn])
