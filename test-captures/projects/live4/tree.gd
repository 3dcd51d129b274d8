# SPDX-License-Identifier: GPL-2.0-or-later
# Knows when a frame has begun: before the engine polls.
class_name FrameTree
extends SceneTree

var begun := 0


func _process(_delta: float) -> bool:
	begun = Time.get_ticks_usec()
	return false
