# SPDX-License-Identifier: GPL-2.0-or-later
# Switches the add-on on and off in the editor, and asks it to open Wireshark. Environment: PROGRAMS, stand-ins for Wireshark,
# separated by commas; the last one has all that is needed.
@tool
extends EditorPlugin


func _enter_tree() -> void:
	run.call_deferred()


func run() -> void:
	await get_tree().create_timer(1.0).timeout
	EditorInterface.set_plugin_enabled("godot_wireshark", true)
	await get_tree().process_frame
	record("enabled", {"autoload": ProjectSettings.has_setting("autoload/GodotWireshark"),
		"settings": ProjectSettings.has_setting("godot_wireshark/record/file")})
	var add_on: GDScript = load("res://addons/godot_wireshark/plugin.gd")
	for program: String in OS.get_environment("PROGRAMS").split(","):
		ProjectSettings.set_setting("godot_wireshark/record/wireshark", program)
		var found: String = add_on.call("find_program")
		var missing: String = add_on.call("what_is_missing", found)
		record("page", {"program": program.get_base_dir().get_file(), "found": not found.is_empty(), "missing": missing.get_slice("\n", 0)})
	for plugin in get_tree().root.find_children("*", "EditorPlugin", true, false):
		if plugin.has_method(&"open_in_wireshark"):
			plugin.call(&"open_in_wireshark")
	await get_tree().create_timer(1.0).timeout
	var stream := StreamPeerTCP.new()
	stream.connect_to_host("127.0.0.1", 5555)
	record("opened", {"environment": OS.get_environment("GODOT_RECORD_EDITOR")})
	EditorInterface.play_main_scene()
	var bytes := await read(stream, 8.0)
	EditorInterface.stop_playing_scene()
	var file := FileAccess.open(OS.get_environment("RECORDING"), FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
	EditorInterface.set_plugin_enabled("godot_wireshark", false)
	record("disabled", {"autoload": ProjectSettings.has_setting("autoload/GodotWireshark")})
	get_tree().quit()


func read(stream: StreamPeerTCP, seconds: float) -> PackedByteArray:
	var bytes := PackedByteArray()
	var end := Time.get_ticks_msec() + int(seconds * 1000.0)
	while Time.get_ticks_msec() < end:
		stream.poll()
		if stream.get_status() == StreamPeerTCP.STATUS_CONNECTED and stream.get_available_bytes() > 0:
			bytes.append_array(stream.get_data(stream.get_available_bytes())[1] as PackedByteArray)
		await get_tree().process_frame
	return bytes


func record(what: String, fields: Dictionary) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false))
