# SPDX-License-Identifier: MIT
## The settings: on the command line, in the environment, in the project.
class_name RecorderSettings
extends RefCounted

const FOLDER := "godot_wireshark/record/"
## Set by the editor for the instances that it starts while recording; a project setting in an
## export for a browser or a phone.
const FROM_EDITOR := "GODOT_RECORD_EDITOR"
const EXPORTED_BY_EDITOR := "godot_wireshark/recorded_by_editor"
const MODE_AUTOMATIC := "automatic"
const MODE_API := "api"
const MODE_PEER := "peer"
const MODE_PROPERTY := "property"
const MODE_NOTHING := "nothing"
const MODES: Array[String] = [MODE_AUTOMATIC, MODE_API, MODE_PEER, MODE_PROPERTY, MODE_NOTHING]

## name -> [default value, command line option, environment variable, hint, hint string]
const ALL := {
	"file": ["", "--godot-record", "GODOT_RECORD", PROPERTY_HINT_SAVE_FILE, "*.pcapng"],
	"editor_port": [5555, "", "", PROPERTY_HINT_RANGE, "1,65535"],
	"tcp_port": [0, "--godot-record-tcp", "GODOT_RECORD_TCP", PROPERTY_HINT_RANGE, "0,65535"],
	"tcp_token": ["", "", "GODOT_RECORD_TCP_TOKEN", PROPERTY_HINT_PASSWORD, ""],
	"size": [0.0, "--godot-record-size", "GODOT_RECORD_SIZE", PROPERTY_HINT_RANGE,
			"0,4096,0.001,or_greater,suffix:MiB"],
	"mode": [MODE_AUTOMATIC, "--godot-record-mode", "GODOT_RECORD_MODE", PROPERTY_HINT_ENUM,
			"automatic,api,peer,property,nothing"],
	"log": [false, "--godot-record-log", "GODOT_RECORD_LOG", PROPERTY_HINT_NONE, ""],
	"stack": [false, "--godot-record-stack", "GODOT_RECORD_STACK", PROPERTY_HINT_NONE, ""],
	"save_key": ["", "", "", PROPERTY_HINT_PLACEHOLDER_TEXT, "F9"],
	"in_release": [false, "", "", PROPERTY_HINT_NONE, ""],
	"wireshark": ["", "", "", PROPERTY_HINT_GLOBAL_FILE, ""],
}

static var _run := 0


## Adds all settings to the editor's Project Settings.
static func add_to_project() -> void:
	for name: String in ALL:
		var setting: Array = ALL[name]
		var path := FOLDER + name
		if not ProjectSettings.has_setting(path):
			ProjectSettings.set_setting(path, setting[0])
		ProjectSettings.set_initial_value(path, setting[0])
		ProjectSettings.set_as_basic(path, true)
		ProjectSettings.add_property_info({"name": path, "type": typeof(setting[0]),
				"hint": setting[3], "hint_string": setting[4]})


static func of_project(name: String) -> Variant:
	return ProjectSettings.get_setting(FOLDER + name, ALL[name][0])


static func asked_for(name: String) -> String:
	var setting: Array = ALL[name]
	var option: String = setting[1]
	var variable: String = setting[2]
	for argument in OS.get_cmdline_user_args():
		if option and argument.begins_with(option + "="):
			return argument.trim_prefix(option + "=")
		if argument == option and setting[0] is bool:
			return "true"
	if variable and OS.has_environment(variable):
		return OS.get_environment(variable)
	return str(of_project(name))


## Of a setting that is on or off.
static func is_asked_for(name: String) -> bool:
	return asked_for(name).to_lower() in ["true", "1", "yes", "on"]


## 0 for none.
static func asked_for_port() -> int:
	var text := asked_for("tcp_port")
	if text.is_empty():
		return 0
	var port := text.to_int()
	if not text.is_valid_int() or port < 0 or port > 65535:
		RecorderWriter.complain("%s is no port" % text)
		return 0
	return port


## Whether the editor has started this game and records it.
static func is_for_editor() -> bool:
	return EngineDebugger.is_active() \
			and (OS.has_environment(FROM_EDITOR) or ProjectSettings.get_setting(EXPORTED_BY_EDITOR,
			false))


## Which start of the game from the editor this is, from 1 on; 0 if it was not started there.
static func run_of_editor() -> int:
	return _run if _run or not EngineDebugger.is_active() \
			else OS.get_environment(FROM_EDITOR).to_int()


## The editor has said it: a browser or a phone does not have the editor's environment.
static func set_run_of_editor(run: int) -> void:
	_run = run


## A recording contains unencrypted traffic, so a release build makes none unless its project allows
## it.
static func is_allowed() -> bool:
	var in_release: bool = of_project("in_release")
	return OS.is_debug_build() or in_release
