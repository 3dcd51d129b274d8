# SPDX-License-Identifier: GPL-2.0-or-later
# Loads every script of the add-on with the engine's warnings as errors.
extends SceneTree

const FOLDER := "res://addons/godot_wireshark/"


func _initialize() -> void:
	var warnings: int = 0
	for property: Dictionary in ProjectSettings.get_property_list():
		var setting: String = str(property["name"])
		warnings += int(setting.begins_with("debug/gdscript/warnings/") and str(ProjectSettings.get_setting(setting)) == "2")
	print(JSON.stringify({"what": "errors", "count": warnings}))
	for file: String in DirAccess.get_files_at(FOLDER):
		if file.ends_with(".gd"):
			var script: GDScript = ResourceLoader.load(FOLDER + file) as GDScript
			print(JSON.stringify({"what": "script", "file": file, "usable": script != null and script.can_instantiate()}))
	make_others()
	quit()


# The add-on makes two scripts while a game runs. No rule for folders concerns them.
func make_others() -> void:
	for warning: String in ["inferred_declaration", "return_value_discarded"]:
		ProjectSettings.set_setting("debug/gdscript/warnings/" + warning, 2)
	var writer: RecorderWriter = RecorderWriter.new("")
	var reports: RecorderReports = RecorderReports.new(writer, true)
	var peers: Array[MultiplayerPeer] = [ENetMultiplayerPeer.new(), WebSocketMultiplayerPeer.new(), OfflineMultiplayerPeer.new()]
	var made: Array[bool] = []
	for peer: MultiplayerPeer in peers:
		made.append(RecorderForward.script_for(peer, RecorderPeer as GDScript).resource_path.is_empty())
	made.append(RecorderForward.script_for(SceneMultiplayer.new(), RecorderAPI as GDScript).resource_path.is_empty())
	print(JSON.stringify({"what": "made", "usable": made, "reports": reports.get(&"_logger") != null}))
	reports.close()
