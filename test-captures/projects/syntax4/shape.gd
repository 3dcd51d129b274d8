@tool
@abstract
class_name Shape
extends Node

@warning_ignore_start("unused_parameter")
@export_category("x")
@export_tool_button("Do it", "Callable") var button: Callable = func() -> void: print("func no(): pass")
@export_storage var hidden := 1
@export_custom(PROPERTY_HINT_NONE, "", PROPERTY_USAGE_DEFAULT) var custom: int
@export_file_path("*.txt") var where: String
var typed: Dictionary[String, Array] = {"a": [1]}
var other: Dictionary[StringName, Node]
var t := r"raw \ string @rpc func no():"
var property: int = 1:
	get = _get_it, set = _set_it
var prop2: int:
	set(value):
		prop2 = value
	get:
		return prop2

@abstract func area() -> float

@abstract
@rpc("any_peer")
func abstract_rpc(a: int) -> void

@rpc("any_peer", "call_local", "unreliable", 2)
@abstract func abstract_rpc_2(a: int, ...args: Array) -> Dictionary[String, int]

@abstract @rpc func same_line()

@rpc
func variadic(a: int, b := 2, ...args: Array) -> void:
	pass

@rpc("any_peer") func typed_dictionary(d: Dictionary[String, Array]) -> Array[Dictionary]:
	for i: int in 3:
		pass
	match d:
		{"a": var x} when x == 1:
			pass
		[..]:
			pass
	return []

@rpc(
	"any_peer",
	"call_remote", # comment
	"reliable",
	3,
)
@warning_ignore("unused_parameter")
static func static_rpc(...rest: Array) -> Variant: return rest

@warning_ignore_restore("unused_parameter")
func _get_it() -> int:
	return 1

func _set_it(v: int) -> void:
	var f := func named(x: int = 1) -> int:
		return x
	f.call()

@abstract class Inner:
	extends Node
	@abstract func q() -> void
	@rpc("authority", "call_local") func inner_rpc(...a: Array) -> void: pass

	@abstract class Deep extends Inner:
		@rpc("any_peer")
		@abstract
		func deep_rpc()

static func _static_init() -> void:
	pass

@abstract class Empty extends Node: pass
@abstract class Empty2 extends Node:
	@abstract func f()
	@rpc func after_abstract_in_empty2(): pass

@rpc func last() -> void: pass; pass
