# SPDX-License-Identifier: MIT
## Switches the autoload on, and adds "Open in Wireshark" to Project > Tools.
@tool
extends EditorPlugin

const AUTOLOAD := "GodotWireshark"
const MENU_ITEM := "Open in Wireshark"
const PORT := 5555 # udpdump's
const PROGRAMS: Array[String] = ["wireshark", "/Applications/Wireshark.app/Contents/MacOS/Wireshark", "C:/Program Files/Wireshark/Wireshark.exe"]
const SETTINGS: Dictionary = {"file": "", "udp": "", "size": "", "wireshark": ""}


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "recorder.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)


func _enter_tree() -> void:
	for setting: String in SETTINGS:
		var path := "godot_wireshark/record/%s" % setting
		if not ProjectSettings.has_setting(path):
			ProjectSettings.set_setting(path, SETTINGS[setting])
		ProjectSettings.set_initial_value(path, SETTINGS[setting])
	add_tool_menu_item(MENU_ITEM, open_in_wireshark)


func _exit_tree() -> void:
	remove_tool_menu_item(MENU_ITEM)


## Starts Wireshark on a UDP port to which all games send that are run from the editor from now on.
func open_in_wireshark() -> void:
	var program := find_program()
	var missing := what_is_missing(program)
	if missing:
		show_page(missing)
		return
	OS.set_environment("GODOT_RECORD_UDP", "127.0.0.1:%d" % PORT)
	if OS.create_process(program, arguments(ProjectSettings.globalize_path("res://"))) < 0:
		show_page("%s cannot be started." % program)


static func arguments(project: String) -> PackedStringArray:
	return PackedStringArray([
		"-k", "-i", "udpdump", "-o", "extcap.udpdump.port:%d" % PORT, "-o", "extcap.udpdump.payload:godot.recorder",
		"-o", "godot.project:%s" % project,
	])


## The command of Wireshark, "" if there is none.
static func find_program() -> String:
	var own := str(ProjectSettings.get_setting("godot_wireshark/record/wireshark", ""))
	var candidates: Array[String] = PROGRAMS
	if own:
		candidates = [own]
	for candidate in candidates:
		if OS.execute(candidate, ["--version"]) == 0:
			return candidate
	return ""


## What has to be installed first, "" if nothing.
static func what_is_missing(program: String) -> String:
	if not program:
		return "Wireshark has not been found.\n\nInstall it from https://www.wireshark.org or with your package manager. If it is in " \
			+ "an unusual place, name the program in Project Settings: godot_wireshark/record/wireshark."
	var output: Array[String] = []
	# Only tshark lists protocols; where it is not installed this cannot be known.
	if OS.execute(tshark_beside(program), ["-G", "protocols"], output) == 0 and not "godot.recorder" in output[0]:
		return "Wireshark is there, but not its plugin for Godot.\n\nBuild and install godot-wireshark for this version of Wireshark: " \
			+ "see its README."
	output.clear()
	OS.execute(program, ["-D"], output)
	if output.is_empty() or not "udpdump" in output[0]:
		return "Wireshark and the plugin are there, but not udpdump.\n\nIt is one of Wireshark's own extcap programs: on Debian and Ubuntu in the " \
			+ "package wireshark-common, on Windows and macOS a component of the installer (\"External capture tools\", \"Udpdump\")."
	return ""


static func tshark_beside(program: String) -> String:
	return program.get_base_dir().path_join(program.get_file().to_lower().replace("wireshark", "tshark"))


func show_page(text: String) -> void:
	var dialog := AcceptDialog.new()
	dialog.title = MENU_ITEM
	dialog.dialog_text = text
	dialog.dialog_autowrap = true
	dialog.size = Vector2i(560, 0)
	dialog.confirmed.connect(dialog.queue_free)
	dialog.canceled.connect(dialog.queue_free)
	EditorInterface.popup_dialog_centered(dialog)
