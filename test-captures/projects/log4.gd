# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines on standard output, format in test-captures/multiplayer/README.md.
class_name Log
extends RefCounted


static func record(what: String, fields := {}) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false, true))


static func texts(values: Array) -> Array:
	return values.map(func(v): return var_to_str(v))


# Calls a method of a node at a peer (0: at everyone) and logs that.
static func call_at(target: int, node: Node, method: StringName, arguments := []) -> void:
	var config: Dictionary = configuration(node, method)
	var call: Array = [target, method] if target else [method]
	var error: int = node.callv("rpc_id" if target else "rpc", call + arguments)
	record("call", {
		"node": path_of(node), "method": method, "target": target, "args": texts(arguments), "error": error,
		"mode": config.get("transfer_mode", 2), "channel": config.get("channel", 0),
	})


# To be called by a method that was called from elsewhere.
static func called(node: Node, method: StringName, arguments := []) -> void:
	record("called", {
		"node": path_of(node), "method": method, "from": node.multiplayer.get_remote_sender_id(), "args": texts(arguments),
	})


static func configuration(node: Node, method: StringName) -> Dictionary:
	var of_node: Variant = node.get_node_rpc_config()
	if of_node is Dictionary and of_node.has(method):
		return of_node[method]
	return node.get_script().get_rpc_config()[method]


# As on the wire: relative to the multiplayer root.
static func path_of(node: Node) -> String:
	return str(node.get_path()).trim_prefix("/root/")


# What a node has become by replication.
static func state(what: String, node: Node, properties: Array, synchronizer: Node = null) -> void:
	var values := {}
	for property in properties:
		var found := node.get_node_and_resource(NodePath(property) if ":" in property else NodePath(".:" + property))
		values[property] = var_to_str(found[0].get_indexed(found[2]))
	record(what, {
		"node": path_of(node), "synchronizer": path_of(synchronizer) if synchronizer else path_of(node) + "/Synchronizer",
		"values": values,
	})


# Sets a property; only what was set so can be what others receive.
static func put(node: Node, property: String, value: Variant) -> void:
	var found := node.get_node_and_resource(NodePath(property) if ":" in property else NodePath(".:" + property))
	found[0].set_indexed(found[2], value)
	record("set", {"node": path_of(node), "property": property, "text": var_to_str(value)})
