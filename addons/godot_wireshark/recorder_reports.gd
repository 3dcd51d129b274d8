# SPDX-License-Identifier: MIT
## Records what the engine reports (errors, warnings) and, if requested, what the game prints. Godot
## 4.5 and later; nothing in older versions.
class_name RecorderReports
extends RefCounted

## Compiled at run time because earlier engines have no class Logger. The engine calls it on any
## thread, but not for an error that is raised while it prints another one. Its parameters have no
## types because checking these takes as long as all the rest for an error that is left out.
const SOURCE := """@warning_ignore_start("untyped_declaration", "inferred_declaration", "return_value_discarded")
@warning_ignore_start("integer_division", "unsafe_call_argument")
extends Logger

const MAX_IN_A_SECOND := %d
## Of as many that are left out, one asks for the time.
const ASKS := 256

var on_error: Callable
var on_message: Callable
## Number of errors and messages in this second, and of those that were left out since
## take_left_out().
var counts: Array[int] = [0, 0]
var left_out: Array[int] = [0, 0]
var second := -1
var mutex := Mutex.new()
## Whether there are as many errors or messages as a second has; and those of the main thread since,
## which alone counts them, without a lock.
var full_of_errors := false
var full_of_messages := false
var more_errors := 0
var more_messages := 0
var main_thread := OS.get_main_thread_id()


func admits(what: int) -> bool:
	mutex.lock()
	begin_second()
	counts[what] += 1
	var admitted := counts[what] <= MAX_IN_A_SECOND
	if not admitted:
		left_out[what] += 1
		full_of_errors = full_of_errors or what == 0
		full_of_messages = full_of_messages or what == 1
	mutex.unlock()
	return admitted


## Called with the lock.
func begin_second() -> void:
	var now := Time.get_ticks_msec() / 1000
	if now != second:
		second = now
		counts = [0, 0]
		full_of_errors = false
		full_of_messages = false


func look_at_time() -> void:
	mutex.lock()
	begin_second()
	mutex.unlock()


## [errors, messages], or nothing if none were left out or if there may be more of them in this
## second. Called on the main thread.
func take_left_out(at_end: bool) -> Array[int]:
	mutex.lock()
	var taken: Array[int] = []
	var before := second
	begin_second()
	left_out[0] += more_errors
	left_out[1] += more_messages
	more_errors = 0
	more_messages = 0
	if left_out[0] + left_out[1] > 0 and (at_end or before != second):
		taken = left_out
		left_out = [0, 0]
	mutex.unlock()
	return taken


func _log_error(function, file, line, code, rationale, _editor, type, traces) -> void:
	if full_of_errors and OS.get_thread_caller_id() == main_thread:
		more_errors += 1
		if more_errors %% ASKS == 0:
			look_at_time()
	elif admits(0):
		on_error.call(function, file, line, code, rationale, type, traces)
"""
## Only if requested: it is called for each print().
const SOURCE_OF_OUTPUT := """

func _log_message(message, error) -> void:
	if full_of_messages and OS.get_thread_caller_id() == main_thread:
		more_messages += 1
		if more_messages % ASKS == 0:
			look_at_time()
	elif admits(1):
		on_message.call(message, error)
"""
const MAX_IN_A_SECOND := 250
const MAX_TEXT := 4096
const MAX_NAME := 512
const MAX_FRAMES := 16
const TYPES: Array[String] = ["error", "warning", "script", "shader"]

static var _scripts := {}

var _writer: RecorderWriter
var _logger: RefCounted
var _mutex := Mutex.new()
## [kind, members] of what came from other threads, or while a record was being written.
var _waiting: Array[Array] = []


## Whether the engine reports its errors to scripts.
static func are_possible() -> bool:
	return OS.has_method(&"add_logger")


func _init(writer: RecorderWriter, with_output: bool) -> void:
	if not are_possible():
		return
	_writer = writer
	if not _scripts.has(with_output):
		var script := GDScript.new()
		script.source_code = SOURCE % MAX_IN_A_SECOND + (SOURCE_OF_OUTPUT if with_output else "")
		script.reload()
		_scripts[with_output] = script
	var made: GDScript = _scripts[with_output]
	_logger = made.new()
	_logger.set(&"on_error", _on_error)
	_logger.set(&"on_message", _on_message)
	OS.call(&"add_logger", _logger)


## The last records; the engine's reports are not received any more.
func close() -> void:
	if _logger:
		OS.call(&"remove_logger", _logger)
		flush(true)
	_logger = null
	_writer = null


func has_waiting() -> bool:
	return not _waiting.is_empty()


## Writes what has been waiting. Called on the main thread.
func flush(at_end := false) -> void:
	if not _logger:
		return
	_mutex.lock()
	var waiting := _waiting
	_waiting = []
	_mutex.unlock()
	for entry in waiting:
		var kind: int = entry[0]
		var members: Dictionary = entry[1]
		_writer.write_of_game(kind, members)
	var missing: Array[int] = _logger.call(&"take_left_out", at_end)
	if not missing.is_empty():
		_writer.write_of_game(RecorderRecord.KIND_REPORT,
				{"left_out": {"reports": missing[0], "output": missing[1]},
				"time": Time.get_ticks_usec()})


func _on_error(function: String, file: String, line: int, code: String, rationale: String,
		type: int, traces: Array) -> void:
	var members := {
		"type": TYPES[clampi(type, 0, TYPES.size() - 1)],
		"text": shortened(rationale if rationale else code, MAX_TEXT),
		"code": shortened(code, MAX_TEXT),
		"function": shortened(function, MAX_NAME),
		"file": shortened(file, MAX_NAME),
		"line": line,
		"time": Time.get_ticks_usec(),
	}
	var backtrace := _frames_of(traces)
	if not backtrace.is_empty():
		members["backtrace"] = backtrace
	_take(RecorderRecord.KIND_REPORT, members)


func _on_message(message: String, error: bool) -> void:
	_take(RecorderRecord.KIND_OUTPUT, {
		"type": "printerr" if error else "print",
		"text": shortened(message.trim_suffix("\n"), MAX_TEXT),
		"time": Time.get_ticks_usec(),
	})


func _take(kind: int, members: Dictionary) -> void:
	var is_main := OS.get_thread_caller_id() == OS.get_main_thread_id()
	if not is_main:
		members["thread"] = true
	if is_main and not _writer.is_busy():
		_writer.write_report(kind, members)
		return
	_mutex.lock()
	_waiting.append([kind, members])
	_mutex.unlock()


static func shortened(text: String, length: int) -> String:
	return text if text.length() <= length else text.left(length) + "…"


## Frames of ScriptBacktrace objects, the innermost first, without those of this add-on.
static func _frames_of(traces: Array) -> Array[Dictionary]:
	var frames: Array[Dictionary] = []
	for trace: RefCounted in traces:
		var count: int = trace.call(&"get_frame_count")
		for i in mini(count, MAX_FRAMES - frames.size()):
			var line: int = trace.call(&"get_frame_line", i)
			frames.append(frame(str(trace.call(&"get_frame_function", i)),
					str(trace.call(&"get_frame_file", i)), line))
	return frames.filter(is_of_game)


static func frame(function: String, file: String, line: int) -> Dictionary:
	return {"function": shortened(function, MAX_NAME), "file": shortened(file, MAX_NAME),
			"line": line}


## The scripts of RecorderForward have no file.
static func is_of_game(entry: Dictionary) -> bool:
	var file: String = entry["file"]
	return not file.is_empty() and not file.begins_with(RecorderUses.OWN_FOLDER) \
			and not file.begins_with("gdscript://")
