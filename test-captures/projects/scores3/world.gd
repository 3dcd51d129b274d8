# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


master func add_player(name):
	Log.called(self, "add_player", [name])


puppet func show_score(score):
	Log.called(self, "show_score", [score])


remote func ping(number):
	Log.called(self, "ping", [number])
