# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the RPC methods of every script of the project, inner classes and scripts inside of scenes included, as JSON lines:
# godot --headless --path names4 -s judge.gd
extends SceneTree


func _init() -> void:
	for file in DirAccess.get_files_at("res://"):
		var path := "res://" + file
		if file.ends_with(".tscn"):
			var node: Node = load(path).instantiate()
			_print(node.get_script(), node.get_script().resource_path)
			node.free()
		elif file.ends_with(".tres") or (file.ends_with(".gd") and file != "judge.gd"):
			_print(load(path), path)
	quit()


func _print(script: Script, label: String) -> void:
	var names := PackedStringArray(script.get_rpc_config().keys() if script.get_rpc_config() else [])
	var own := names.duplicate()
	own.sort()
	print(JSON.stringify({"script": label, "methods": own}))
	var constants := script.get_script_constant_map()
	for constant: String in constants:
		if constants[constant] is Script and constants[constant].resource_path == "":
			_print(constants[constant], label + (":" if not ":" in label.trim_prefix("res://") else ".") + constant)
