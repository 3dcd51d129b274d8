# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines, format in test-captures/README.md. For Godot 3.2 and later.
# On standard error, because standard output waits in a buffer and would lose its place among the engine's messages.
extends Reference

# By type id, named as in Godot 4; components in wire order.
const TYPES = [
	["Nil"], ["bool"], ["int"], ["float"], ["String"], ["Vector2", "x y"],
	["Rect2", "position.x position.y size.x size.y"], ["Vector3", "x y z"],
	["Transform2D", "x.x x.y y.x y.y origin.x origin.y"], ["Plane", "x y z d"], ["Quaternion", "x y z w"],
	["AABB", "position.x position.y position.z size.x size.y size.z"],
	["Basis", "x.x y.x z.x x.y y.y z.y x.z y.z z.z"],
	["Transform3D", "basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z basis.z.z origin.x origin.y origin.z"],
	["Color", "r g b a"], ["NodePath"], ["RID"], ["Object"], ["Dictionary"], ["Array"], ["PackedByteArray"],
	["PackedInt32Array"], ["PackedFloat32Array"], ["PackedStringArray"], ["PackedVector2Array"],
	["PackedVector3Array"], ["PackedColorArray"],
]


static func record(what, fields = {}):
	var line = {"what": what}
	for key in fields:
		line[key] = fields[key]
	printerr(to_json(line))


# A value that was sent or received. `full`: objects whole, not by id.
static func value(what, name, v, full = false, fields = {}):
	var line = {
		"name": name, "type": typeof(v), "full": full, "text": var2str(v), "value": plain(v, full),
		"hex": var2bytes(v, full).hex_encode(),
	}
	for key in fields:
		line[key] = fields[key]
	record(what, line)


# The value as JSON; floats as the bits of a double, to lose nothing.
static func plain(v, full = false, depth = 0):
	if depth > 100:
		return "…"
	var name = TYPES[typeof(v)][0]
	match typeof(v):
		TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_STRING:
			return v
		TYPE_REAL:
			var bits = StreamPeerBuffer.new()
			bits.put_double(v)
			return {"f64": bits.data_array.hex_encode()}
		TYPE_NODE_PATH:
			return {name: str(v)}
		TYPE_RID:
			return {name: v.get_id()}
		TYPE_OBJECT:
			return object(v, full, depth)
		TYPE_DICTIONARY:
			var entries = []
			for key in v:
				entries.append([plain(key, full, depth + 1), plain(v[key], full, depth + 1)])
			return {name: entries}
		TYPE_RAW_ARRAY:
			return {name: v.hex_encode()}
	var list = []
	if typeof(v) >= TYPE_ARRAY:
		for element in v:
			list.append(plain(element, full, depth + 1))
		return {name: list}
	for path in TYPES[typeof(v)][1].split(" "):
		var number = v
		for part in path.split("."):
			number = number[part]
		list.append(plain(number))
	return {name: list}


static func object(v, full, depth):
	if v == null:
		return null
	if v is EncodedObjectAsID:
		return {"Object": v.object_id}
	if not full:
		return {"Object": v.get_instance_id()}
	var properties = []
	for property in v.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE:
			properties.append([property.name, plain(v.get(property.name), full, depth + 1)])
	return {"Object": {"class": v.get_class(), "properties": properties}}
