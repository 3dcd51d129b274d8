# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines on standard output, format in test-captures/README.md.
extends RefCounted

const Values = preload("values.gd")

# Components in wire order.
const COMPONENTS := {
	TYPE_VECTOR2: "x y", TYPE_VECTOR2I: "x y",
	TYPE_VECTOR3: "x y z", TYPE_VECTOR3I: "x y z",
	TYPE_VECTOR4: "x y z w", TYPE_VECTOR4I: "x y z w",
	TYPE_RECT2: "position.x position.y size.x size.y", TYPE_RECT2I: "position.x position.y size.x size.y",
	TYPE_TRANSFORM2D: "x.x x.y y.x y.y origin.x origin.y",
	TYPE_PLANE: "x y z d", TYPE_QUATERNION: "x y z w", TYPE_COLOR: "r g b a",
	TYPE_AABB: "position.x position.y position.z size.x size.y size.z",
	TYPE_BASIS: "x.x y.x z.x x.y y.y z.y x.z y.z z.z",
	TYPE_TRANSFORM3D: "basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z basis.z.z"
		+ " origin.x origin.y origin.z",
	TYPE_PROJECTION: "x.x x.y x.z x.w y.x y.y y.z y.w z.x z.y z.z z.w w.x w.y w.z w.w",
}


static func record(what: String, fields := {}) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false, true))


# A value that was sent or received. `full`: objects whole, not by id.
static func value(what: String, name: String, v: Variant, full := false, fields := {}) -> void:
	var line := {
		"name": name, "type": typeof(v), "full": full,
		"text": var_to_str(v), "value": plain(v, full),
		"hex": (var_to_bytes_with_objects(v) if full else var_to_bytes(v)).hex_encode(),
	}
	line.merge(fields)
	record(what, line)


# The value as JSON; floats as the bits of a double, to lose nothing.
static func plain(v: Variant, full := false, depth := 0) -> Variant:
	if depth > 100:
		return "…"
	match typeof(v):
		TYPE_NIL, TYPE_BOOL, TYPE_STRING:
			return v
		TYPE_INT:
			return v
		TYPE_FLOAT:
			return {"f64": PackedFloat64Array([v]).to_byte_array().hex_encode()}
		TYPE_STRING_NAME, TYPE_NODE_PATH:
			return {type_name(v): str(v)}
		TYPE_RID:
			return {"RID": v.get_id()}
		TYPE_CALLABLE:
			return {"Callable": null}
		TYPE_SIGNAL:
			return {"Signal": [str(v.get_name()), v.get_object_id()]}
		TYPE_OBJECT:
			return object(v, full, depth)
		TYPE_DICTIONARY:
			var entries := []
			for key in v:
				entries.append([plain(key, full, depth + 1), plain(v[key], full, depth + 1)])
			return {"Dictionary": entries}
		TYPE_PACKED_BYTE_ARRAY:
			return {type_name(v): v.hex_encode()}
	if typeof(v) >= TYPE_ARRAY:
		var elements := []
		for element in v:
			elements.append(plain(element, full, depth + 1))
		return {type_name(v): elements}
	var numbers := []
	for path in COMPONENTS[typeof(v)].split(" "):
		var number: Variant = v
		for part in path.split("."):
			number = number[part]
		numbers.append(plain(number))
	return {type_name(v): numbers}


static func object(v: Object, full: bool, depth: int) -> Variant:
	if v == null:
		return null
	if v is EncodedObjectAsID:
		return {"Object": v.object_id}
	if not full:
		return {"Object": v.get_instance_id()}
	var properties := []
	for property in v.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE:
			var it: Variant = v.get(property.name)
			if property.name == "script" and it != null:
				it = it.resource_path
			properties.append([str(property.name), plain(it, full, depth + 1)])
	return {"Object": {"class": v.get_class(), "properties": properties}}


static func type_name(v: Variant) -> String:
	return type_string(typeof(v))
