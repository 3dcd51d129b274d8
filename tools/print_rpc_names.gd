# print_rpc_names.gd
#
# Prints the RPC methods of every node of a running Godot 4 game, as lines for Wireshark's table "RPC names"
# (file godot_rpc_names of a profile). Add it to the project as an autoload; it looks again whenever a node enters
# the tree.
#
# What synchronizers replicate and what spawners make goes into a file, in the form of a scene, so that configurations made
# in code are known, too: add the file, whose path is printed, to the preference godot.project. (It is not meant for Godot.)
#
# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

const REPLICATION := "user://replication.tscn"

var _printed := {}
var _configs: PackedStringArray
var _nodes: PackedStringArray


func _ready() -> void:
	_visit(get_tree().root)
	get_tree().node_added.connect(func(node: Node) -> void: _look_at.call_deferred(node))


func _look_at(node: Node) -> void:
	if is_instance_valid(node) and node.is_inside_tree():
		_print_names(node)
		_write_replication(node)


func _visit(node: Node) -> void:
	_look_at.call_deferred(node)
	for child in node.get_children():
		_visit(child)


func _print_names(node: Node) -> void:
	if not is_instance_valid(node):
		return
	var script: Script = node.get_script()
	var names := _names(script.get_rpc_config() if script else null)
	var node_names := _names(node.get_node_rpc_config())
	if names.is_empty() and node_names.is_empty():
		return
	var label: String = script.resource_path if script else node.get_class()
	var line := '"%s","%s","%s"' % [label, " ".join(names), " ".join(node_names)]
	if not _printed.has(line):
		_printed[line] = true
		print(line)


func _names(config: Variant) -> PackedStringArray:
	var names := PackedStringArray()
	if config is Dictionary:
		for method: Variant in config:
			names.append(str(method))
	names.sort()
	return names


func _write_replication(node: Node) -> void:
	var main := get_tree().current_scene
	if main == null or not main.is_ancestor_of(node) or _printed.has(node.get_path()):
		return
	var lines: PackedStringArray
	var head := '[node name="%s" type="%s" parent="%s"]' % [node.name, node.get_class(), main.get_path_to(node.get_parent())]
	if node is MultiplayerSynchronizer and node.replication_config:
		lines = [head, 'root_path = NodePath("%s")' % node.root_path,
				'replication_config = SubResource("%d")' % _configs.size()]
		_configs.append(_config(node.replication_config))
	elif node is MultiplayerSpawner:
		var scenes := PackedStringArray()
		for i: int in node.get_spawnable_scene_count():
			scenes.append(node.get_spawnable_scene(i))
		lines = [head, "_spawnable_scenes = " + var_to_str(scenes), 'spawn_path = NodePath("%s")' % node.spawn_path]
	else:
		return
	_printed[node.get_path()] = true
	_nodes.append("\n".join(lines) + "\n")
	var file := FileAccess.open(REPLICATION, FileAccess.WRITE)
	if _nodes.size() == 1:
		print("Replication: ", ProjectSettings.globalize_path(REPLICATION))
	file.store_string("[gd_scene format=3]\n\n%s\n[node name=\"%s\" type=\"Node\"]\n\n%s" % [
			"\n".join(_configs), main.name, "\n".join(_nodes)])


func _config(config: SceneReplicationConfig) -> String:
	var text := '[sub_resource type="SceneReplicationConfig" id="%d"]\n' % _configs.size()
	for i in config.get_properties().size():
		var path := config.get_properties()[i]
		text += 'properties/%d/path = NodePath("%s")\nproperties/%d/spawn = %s\nproperties/%d/replication_mode = %d\n' % [
				i, path, i, config.property_get_spawn(path), i, config.property_get_replication_mode(path)]
	return text
