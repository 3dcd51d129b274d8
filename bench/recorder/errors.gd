# SPDX-License-Identifier: GPL-2.0-or-later
# Prints ERRORS errors in each of 60 frames a second, and how much processor time a frame takes.
extends Node

const FRAMES := 300

var errors := int(OS.get_environment("ERRORS"))
var frames := -60 # until everything is loaded
var before := 0.0


func _ready() -> void:
	Engine.max_fps = 60


func _process(_delta: float) -> void:
	for i in errors:
		push_error("error %d" % i)
	frames += 1
	if frames == 0:
		before = processor_time()
	elif frames == FRAMES:
		print(JSON.stringify({"recorded": OS.has_environment("GODOT_RECORD"), "errors": errors, "microseconds": (processor_time() - before) / FRAMES}))
		get_tree().quit()


# Of the main thread, in microseconds.
func processor_time() -> float:
	return FileAccess.open("/proc/self/schedstat", FileAccess.READ).get_line().get_slice(" ", 0).to_float() / 1000.0
