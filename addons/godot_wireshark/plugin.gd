# SPDX-License-Identifier: MIT
## Adds the autoload, the panel "Network" and the entries of Project > Tools.
@tool
extends EditorPlugin

const AUTOLOAD := "GodotWireshark"
const OPEN_ITEM := "Open in Wireshark"
const CHECK_ITEM := "Check Scripts for Recording"
const PROGRAMS: Array[String] = ["wireshark",
		"/Applications/Wireshark.app/Contents/MacOS/Wireshark",
		"C:/Program Files/Wireshark/Wireshark.exe"]
## As godot-wireshark installs it.
const PROFILE := "Godot"
const Hub := preload("editor_hub.gd")
const Exporter := preload("editor_export.gd")
const NetworkPanel := preload("editor_panel.gd")

var hub: Hub

var _exporter: Exporter
var _panel: NetworkPanel
## Process id of the Wireshark that was started from here, 0 for none.
var _wireshark := 0


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "recorder.gd")
	ProjectSettings.save()


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)
	ProjectSettings.save()


func _enter_tree() -> void:
	RecorderSettings.add_to_project()
	hub = Hub.new()
	add_debugger_plugin(hub)
	_exporter = Exporter.new()
	_exporter.hub = hub
	add_export_plugin(_exporter)
	_panel = NetworkPanel.new()
	_panel.setup(hub, open_in_wireshark)
	add_control_to_bottom_panel(_panel, "Network")
	add_tool_menu_item(OPEN_ITEM, open_in_wireshark.bind(""))
	add_tool_menu_item(CHECK_ITEM, check_scripts)


func _exit_tree() -> void:
	hub.stop()
	remove_debugger_plugin(hub)
	remove_export_plugin(_exporter)
	remove_control_from_bottom_panel(_panel)
	_panel.queue_free()
	remove_tool_menu_item(OPEN_ITEM)
	remove_tool_menu_item(CHECK_ITEM)


func _process(_delta: float) -> void:
	if hub.is_on():
		hub.writer.poll()


func _build() -> bool:
	hub.begin_run()
	return true


## Records all instances that run or will be started. Starts Wireshark unless it already reads their
## records. filter: Wireshark shows only these frames at first, in a window of its own; "": all.
func open_in_wireshark(filter := "") -> void:
	var program := find_program()
	var missing := what_is_missing(program)
	if missing:
		show_page(missing)
		return
	if not hub.is_on() or hub.writer.get_port() == 0:
		var port: int = RecorderSettings.of_project("editor_port")
		hub.start(port, hub.writer.get_path() if hub.is_on() else "")
	if hub.writer.get_port() == 0:
		show_page("Wireshark cannot connect: the port is in use. Set another one in Project Settings: godot_wireshark/record/editor_port.")
	elif not filter and _wireshark > 0 and OS.is_process_running(_wireshark) \
			and hub.writer.has_readers():
		show_page("Wireshark is already running and shows what is recorded.")
	else:
		var process := OS.create_process(program,
				arguments(hub.writer.get_port(), ProjectSettings.globalize_path("res://"), filter,
				has_profile(program)))
		if process < 0:
			show_page("%s cannot be started." % program)
		if not filter:
			_wireshark = process


static func arguments(port: int, project: String, filter := "",
		with_profile := false) -> PackedStringArray:
	var words := PackedStringArray(["-k", "-i", "TCP@127.0.0.1:%d" % port, "-o",
			"godot.project:%s" % project])
	if with_profile:
		words.append_array(["-C", PROFILE])
	if filter:
		words.append_array(["-Y", filter])
	return words


## Whether Wireshark has the profile of godot-wireshark; it does not start with one that it does not
## have.
static func has_profile(program: String) -> bool:
	var output: Array[String] = []
	if OS.execute(tshark_beside(program), ["-G", "folders"], output) != 0:
		return false
	for line in output[0].split("\n"):
		if line.begins_with("Personal configuration:") or line.begins_with("Global configuration:"):
			var folder := line.substr(line.find(":") + 1).strip_edges()
			if DirAccess.dir_exists_absolute(folder.path_join("profiles").path_join(PROFILE)):
				return true
	return false


## Lists the lines of scripts that the recorder could affect.
func check_scripts() -> void:
	var found := RecorderUses.of_project()
	var mode := RecorderUses.mode_for(found)
	var text := "No line of the project's scripts checks the class of the peer or of the MultiplayerAPI." if found.is_empty() \
		else "Mode: %s. %d lines check the class of the peer or of the MultiplayerAPI:\n\n%s" % [
			mode, found.size(), RecorderUses.list_by_mode(found) if mode == RecorderSettings.MODE_NOTHING else RecorderUses.list(found)]
	print(text)
	show_page(text)


## Path of the program Wireshark, "" if it is not found.
static func find_program() -> String:
	var own := str(RecorderSettings.of_project("wireshark"))
	var candidates: Array[String] = PROGRAMS
	if own:
		candidates = [own]
	for candidate in candidates:
		if OS.execute(candidate, ["--version"]) == 0:
			return candidate
	return ""


## Name and version that Wireshark prints: "Wireshark 4.4.18".
static func version_of(program: String) -> String:
	var output: Array[String] = []
	OS.execute(program, ["--version"], output)
	return output[0].get_slice("\n", 0).strip_edges().trim_suffix(".") if not output.is_empty() \
			else ""


## What has to be installed first, as a message; "" if nothing.
static func what_is_missing(program: String) -> String:
	if not program:
		return "Wireshark has not been found.\n\nInstall it from https://www.wireshark.org or with your package manager. If it is in " \
			+ "another place, set its path in Project Settings: godot_wireshark/record/wireshark."
	var output: Array[String] = []
	# Only tshark lists protocols; without it, the plugin cannot be checked.
	if OS.execute(tshark_beside(program), ["-G", "protocols"], output) == 0 \
			and not "godot.recorder" in output[0]:
		return "%s is installed, but not its plugin for Godot.\n\nBuild and install godot-wireshark for this version of Wireshark: " % version_of(program) \
			+ "see its README."
	return ""


static func tshark_beside(program: String) -> String:
	var file := program.get_file().to_lower().replace("wireshark", "tshark")
	return program.get_base_dir().path_join(file)


func show_page(text: String) -> void:
	var dialog := AcceptDialog.new()
	dialog.title = "Godot Wireshark Recorder"
	dialog.dialog_text = text
	dialog.dialog_autowrap = true
	dialog.size = Vector2i(560, 0)
	dialog.confirmed.connect(dialog.queue_free)
	dialog.canceled.connect(dialog.queue_free)
	EditorInterface.popup_dialog_centered(dialog)
