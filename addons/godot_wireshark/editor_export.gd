# SPDX-License-Identifier: MIT
## Leaves the add-on out of release exports, unless the project records there or uses the add-on in
## its scripts. An export that contains the add-on also gets the list of lines that the recorder
## would search for in scripts, as these are exported without source.
@tool
extends EditorExportPlugin

const Hub := preload("editor_hub.gd")
const FOLDER := "res://addons/godot_wireshark/"
const AUTOLOAD := "autoload/GodotWireshark"
const NAMES := "\\b(?:GodotWireshark|Recorder(?:API|PacketPeer|Peer|StreamPeer|Writer))\\b"

## Set in an export that is run at once, in a browser or on a phone, and reports to the editor's
## debugger.
const FLAG_REMOTE_DEBUG := 2

var hub: Hub

var _left_out := false
var _autoload: Variant


func _get_name() -> String:
	return "godot_wireshark"


func _export_begin(_features: PackedStringArray, is_debug: bool, _path: String, flags: int) -> void:
	var in_release: bool = RecorderSettings.of_project("in_release")
	_left_out = not is_debug and not in_release
	if _left_out:
		var user := RecorderUses.first_file_with(NAMES)
		if user:
			print("godot_wireshark: %s uses the add-on, so it is exported, but it records nothing in release builds" % user)
			_left_out = false
	if _left_out and not _can_skip_scripts():
		print("godot_wireshark: its autoload is left out, but not its scripts, for this preset compiles scripts: exclude %s*" % FOLDER.trim_prefix("res://"))
	if _left_out and ProjectSettings.has_setting(AUTOLOAD):
		_autoload = ProjectSettings.get_setting(AUTOLOAD)
		ProjectSettings.set_setting(AUTOLOAD, null)
	if flags & FLAG_REMOTE_DEBUG and hub.is_on():
		ProjectSettings.set_setting(RecorderSettings.EXPORTED_BY_EDITOR, true)
	if not _left_out:
		add_file(RecorderUses.FOUND, JSON.stringify(RecorderUses.of_project()).to_utf8_buffer(),
				false)


## The engine's own plugin adds a compiled script before other plugins are called for it.
func _can_skip_scripts() -> bool:
	# from Godot 4.4 on
	var preset: Object = call(&"get_export_preset") if has_method(&"get_export_preset") else null
	if not preset:
		return true # the preset is not known
	var excluded: String = preset.call(&"get_exclude_filter")
	var mode: int = preset.call(&"get_script_export_mode")
	return mode == 0 or FOLDER.trim_prefix("res://") in excluded


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if _left_out and path.begins_with(FOLDER):
		skip()


func _export_end() -> void:
	ProjectSettings.set_setting(RecorderSettings.EXPORTED_BY_EDITOR, null)
	if _autoload:
		ProjectSettings.set_setting(AUTOLOAD, _autoload)
		_autoload = null
