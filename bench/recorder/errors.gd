# SPDX-License-Identifier: GPL-2.0-or-later
# What the recorder costs a game that prints ERRORS errors in each of 60 frames a second: the processor time of a frame, which also has some
# work of its own, and how many frames there are in a second.
extends Node

const FRAMES := 300
const WORK := 400000

var errors := int(OS.get_environment("ERRORS"))
var frames := -60 # until everything is loaded
var before := 0.0
var began := 0


func _ready() -> void:
	Engine.max_fps = 60


func _process(_delta: float) -> void:
	for i in errors:
		push_error("error %d" % i)
	var sum := 0
	for i in WORK:
		sum += i
	frames += 1
	if frames == 0:
		before = processor_time()
		began = Time.get_ticks_usec()
	elif frames == FRAMES:
		var seconds := (Time.get_ticks_usec() - began) / 1e6
		print(JSON.stringify({"recorded": OS.has_environment("GODOT_RECORD"), "errors": errors, "microseconds": (processor_time() - before) / FRAMES, "rate": FRAMES / seconds}))
		get_tree().quit()


# Of the main thread, in microseconds.
func processor_time() -> float:
	return FileAccess.open("/proc/self/schedstat", FileAccess.READ).get_line().get_slice(" ", 0).to_float() / 1000.0
