# SPDX-License-Identifier: MIT
## Builds a script that extends a wrapper's script and forwards the methods, properties, constants
## and signals that the wrapped object has in addition to the wrapper's own class. It is compiled
## while the game runs, in release builds as well: an object answers only to methods that its script
## has, and which these are is known only then.
##
## A wrapper's script has _init(wrapped, …), a member _recorder_wrapped, and calls [method
## connect_signals] in its _init().
class_name RecorderForward
extends RefCounted

const REST_PARAMETERS := 0x040500 # the first engine version in which scripts can have these methods
## Words that a script cannot use as names; methods of C++ classes can have such names.
const RESERVED: PackedStringArray = [
	"if", "elif", "else", "for", "while", "match", "when", "break", "continue", "pass", "return",
	"class", "class_name", "extends", "is", "in", "as", "self", "super", "signal", "func",
	"static", "const", "enum", "var", "breakpoint", "preload", "await", "yield", "assert", "void",
	"and", "or", "not", "true", "false", "null", "namespace", "trait", "PI", "TAU", "INF", "NAN",
]

## Scripts built so far: "base class id-of-script" -> GDScript
static var _made := {}
## Placeholder for an argument that was omitted, so that the wrapped method uses its default value.
static var not_given := RefCounted.new()


## Returns the script of a wrapper for `wrapped`: `base`, or one that extends it.
static func script_for(wrapped: Object, base: GDScript) -> GDScript:
	var own: Script = wrapped.get_script()
	var key := "%s %s %d" \
			% [base.resource_path, wrapped.get_class(), own.get_instance_id() if own else 0]
	if not _made.has(key):
		var script := GDScript.new()
		script.source_code = source_for(wrapped, base)
		_made[key] = script if script.reload() == OK else base
	var made: GDScript = _made[key]
	return made


## Connects the signals that only the wrapped object has.
static func connect_signals(wrapper: Object, wrapped: Object) -> void:
	var native := wrapper.get_class()
	for info in wrapped.get_signal_list():
		var name := _name_of(info)
		if wrapper.has_signal(name) and not ClassDB.class_has_signal(native, name):
			wrapped.connect(name, Signal(wrapper, name).emit)


static func forward(wrapped: Object, method: StringName, arguments: Array) -> Variant:
	while not arguments.is_empty() and is_same(arguments.back(), not_given):
		arguments.pop_back()
	return wrapped.callv(method, arguments)


static func source_for(wrapped: Object, base: GDScript) -> String:
	var native := base.get_instance_base_type()
	var taken := {"script": true}
	for info in ClassDB.class_get_method_list(native) + base.get_script_method_list():
		taken[_name_of(info)] = true
	for info in ClassDB.class_get_property_list(native) + base.get_script_property_list():
		taken[_name_of(info)] = true
	for info in ClassDB.class_get_signal_list(native):
		taken[_name_of(info)] = true
	for name in ClassDB.class_get_integer_constant_list(native):
		taken[name] = true
	var lines: Array[String] = ["extends \"%s\"" % base.resource_path]
	_add_signals(lines, wrapped, taken)
	_add_properties(lines, wrapped, taken)
	_add_methods(lines, wrapped, taken)
	return "\n".join(lines) + "\n"


static func _name_of(info: Dictionary) -> String:
	return str(info["name"])


## Whether the name is valid and not used yet. Returns true only once for each name.
static func _take(name: String, taken: Dictionary) -> bool:
	if taken.has(name) or name.begins_with("_") or not name.is_valid_identifier() \
			or RESERVED.has(name):
		return false
	taken[name] = true
	return true


static func _add_signals(lines: Array[String], wrapped: Object, taken: Dictionary) -> void:
	for info in wrapped.get_signal_list():
		if _take(_name_of(info), taken):
			var arguments: Array = info["args"]
			lines.append("@warning_ignore(\"unused_signal\", \"shadowed_global_identifier\")\nsignal %s(%s)" % [
				info["name"], ", ".join(_parameters(arguments.size()))])


## Also constants: they can be read from an object like properties.
static func _add_properties(lines: Array[String], wrapped: Object, taken: Dictionary) -> void:
	const SECTIONS := PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP
	var names: PackedStringArray = ClassDB.class_get_integer_constant_list(wrapped.get_class())
	var script: Script = wrapped.get_script()
	while script:
		for name: Variant in script.get_script_constant_map():
			names.append(str(name))
		script = script.get_base_script()
	for info in wrapped.get_property_list():
		var usage: int = info["usage"]
		if not usage & SECTIONS:
			names.append(_name_of(info))
	for name in names:
		if _take(name, taken):
			lines.append("@warning_ignore(\"shadowed_global_identifier\")\nvar %s: Variant:\n\tget:\n\t\treturn _recorder_wrapped.get(&\"%s\")" % [name, name]
				+ "\n\tset(value):\n\t\t_recorder_wrapped.set(&\"%s\", value)" % name)


static func _add_methods(lines: Array[String], wrapped: Object, taken: Dictionary) -> void:
	var version: int = Engine.get_version_info()["hex"]
	for info in wrapped.get_method_list():
		var name := _name_of(info)
		var flags: int = info["flags"]
		var takes_any := flags & METHOD_FLAG_VARARG != 0
		if (takes_any and version < REST_PARAMETERS) or not _take(name, taken):
			continue
		var arguments: Array = info["args"]
		var defaults: Array = info["default_args"]
		var parameters := _parameters(arguments.size())
		for i in defaults.size():
			parameters[parameters.size() - 1 - i] += " = RecorderForward.not_given"
		var given := "[%s]" % ", ".join(_names(arguments.size()))
		if takes_any:
			parameters.append("...others: Array")
			given += " + others"
		lines.append("@warning_ignore(\"shadowed_global_identifier\")\nfunc %s(%s) -> Variant:"
				% [name, ", ".join(parameters)])
		lines.append("\treturn RecorderForward.forward(_recorder_wrapped, &\"%s\", %s)"
				% [name, given])


static func _names(count: int) -> PackedStringArray:
	var names := PackedStringArray()
	for i in count:
		names.append("argument_%d" % i)
	return names


static func _parameters(count: int) -> PackedStringArray:
	var parameters := _names(count)
	for i in count:
		parameters[i] += ": Variant"
	return parameters
