@tool
@icon("res://icon.svg")
@static_unload
extends "res://shape.gd"
func area() -> float: return 1.0
func abstract_rpc(a: int) -> void: pass
func abstract_rpc_2(a: int, ...args: Array) -> Dictionary[String, int]: return {}
func same_line(): pass
@rpc("any_peer") func über_größe(): pass
@rpc
@warning_ignore("unused_parameter") func own(...all: Array): pass
const Alias = preload("res://shape.gd")
class C extends Alias.Inner:
	func q() -> void: pass
	@rpc func of_c(): pass
var x = $%Unique/Path if true else ^"A/B:c"; var y = &"name"
@rpc("any_peer") func after_semicolon(): pass
enum {A, B = 2,
	C2}
enum Named {X}
signal s(a: int, b: Dictionary[String, int])
