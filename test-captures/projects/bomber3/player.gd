# SPDX-License-Identifier: GPL-2.0-or-later
# Its master is the player, set where it is made.
extends Node

puppet var puppet_motion = Vector2() setget set_motion


func set_motion(motion):
	puppet_motion = motion
	Log.was_set(self, "puppet_motion", motion)


puppet func stunned(turn):
	Log.called(self, "stunned", [turn])


master func exploded(by_who):
	Log.called(self, "exploded", [by_who])


remotesync func setup_bomb(bomb, turn):
	Log.called(self, "setup_bomb", [bomb, turn])
