# SPDX-License-Identifier: GPL-2.0-or-later
# What the recorder costs a game that prints 170 errors in each of 60 frames a second: the processor time of a frame, which also has some
# work of its own.
extends Node

const ERRORS := 170
const FRAMES := 300
const WORK := 400000

var frames := -60 # until everything is loaded
var before := 0.0


func _ready() -> void:
	Engine.max_fps = 60


func _process(_delta: float) -> void:
	for i in ERRORS:
		push_error("error %d" % i)
	var sum := 0
	for i in WORK:
		sum += i
	frames += 1
	if frames == 0:
		before = processor_time()
	elif frames == FRAMES:
		print(JSON.stringify({"recorded": OS.has_environment("GODOT_RECORD"), "errors_per_frame": ERRORS, "processor_microseconds_per_frame": roundi((processor_time() - before) / FRAMES)}))
		get_tree().quit()


# Of the main thread, in microseconds.
func processor_time() -> float:
	return FileAccess.open("/proc/self/schedstat", FileAccess.READ).get_line().get_slice(" ", 0).to_float() / 1000.0
