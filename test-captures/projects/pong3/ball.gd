# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


remote func bounce(left, turn):
	Log.called(self, "bounce", [left, turn])


master func missed(turn):
	Log.called(self, "missed", [turn])


puppetsync func reset_ball():
	Log.called(self, "reset_ball", [])
