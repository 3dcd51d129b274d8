# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


func add_player(name):
	Log.called(self, "add_player", [name])


func show_score(score):
	Log.called(self, "show_score", [score])
