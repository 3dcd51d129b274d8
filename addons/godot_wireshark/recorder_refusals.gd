# SPDX-License-Identifier: MIT
## Counts received packets that the engine has rejected, by the errors that it reports. Godot 4.5 and later; always 0 in older versions.
class_name RecorderRefusals
extends RefCounted

## Compiled at run time because earlier engines have no class Logger. The engine may report errors on any
## thread.
const SOURCE := """extends Logger

var count := 0
var mutex := Mutex.new()
var receiving := RegEx.create_from_string("^(_?process_[a-z_]+|poll|on_[a-z]+_receive)$")


func _log_error(function: String, file: String, _line: int, _code: String, _rationale: String, _editor: bool, _type: int, _traces: Array[ScriptBacktrace]) -> void:
	if file.contains("modules/multiplayer/") and receiving.search(function):
		mutex.lock()
		count += 1
		mutex.unlock()
"""

static var _script: GDScript

var _logger: RefCounted


func _init() -> void:
	if not OS.has_method(&"add_logger"):
		return
	if not _script:
		_script = GDScript.new()
		_script.source_code = SOURCE
		_script.reload()
	_logger = _script.new()
	OS.call(&"add_logger", _logger)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _logger:
		OS.call(&"remove_logger", _logger)


## Returns the number since the previous call.
func take() -> int:
	if not _logger:
		return 0
	var mutex: Mutex = _logger.get(&"mutex")
	mutex.lock()
	var count: int = _logger.get(&"count")
	_logger.set(&"count", 0)
	mutex.unlock()
	return count
