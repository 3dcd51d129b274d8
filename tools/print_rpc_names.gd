# print_rpc_names.gd
#
# Prints the RPC methods of every node of a running Godot 4 game, as lines for Wireshark's table "RPC names"
# (file godot_rpc_names of a profile). Add it to the project as an autoload; it looks again whenever a node enters
# the tree.
#
# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

var _printed := {}


func _ready() -> void:
	_visit(get_tree().root)
	get_tree().node_added.connect(func(node: Node) -> void: _print_names.call_deferred(node))


func _visit(node: Node) -> void:
	_print_names(node)
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
