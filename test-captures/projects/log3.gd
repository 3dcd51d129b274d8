# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines on standard output, format in test-captures/multiplayer/README.md.
class_name Log
extends Reference


static func record(what, fields = {}):
	var line = {"what": what}
	for key in fields:
		line[key] = fields[key]
	print(JSON.print(line))


static func texts(values):
	var list = []
	for value in values:
		list.append(var2str(value))
	return list


static func hex(data):
	var text = ""
	for byte in data:
		text += "%02x" % byte
	return text


# Calls a method of a node at a peer (0: at everyone) and logs that.
static func call_at(target, node, method, arguments = [], unreliable = false):
	var function = ("rpc_unreliable" if unreliable else "rpc") + ("_id" if target else "")
	node.callv(function, ([target, method] if target else [method]) + arguments)
	record("call", {
		"node": path_of(node), "method": method, "target": target, "args": texts(arguments), "mode": 0 if unreliable else 2,
	})


# Sets a property at a peer (0: at everyone) and logs that.
static func set_at(target, node, property, value, unreliable = false):
	var function = ("rset_unreliable" if unreliable else "rset") + ("_id" if target else "")
	node.callv(function, ([target, property] if target else [property]) + [value])
	record("set_at", {
		"node": path_of(node), "property": property, "target": target, "text": var2str(value), "mode": 0 if unreliable else 2,
	})


# To be called by a method that was called from elsewhere.
static func called(node, method, arguments = []):
	record("called", {
		"node": path_of(node), "method": method, "from": node.get_tree().get_rpc_sender_id(), "args": texts(arguments),
	})


# To be called by the setter of a property.
static func was_set(node, property, value):
	if node.is_inside_tree():
		record("was_set", {
			"node": path_of(node), "property": property, "from": node.get_tree().get_rpc_sender_id(), "text": var2str(value),
		})


# As on the wire: relative to the multiplayer root.
static func path_of(node):
	return str(node.get_path()).trim_prefix("/root/")
