# SPDX-License-Identifier: GPL-2.0-or-later
# Reads values in hex, one a line, from the file $VALUES and writes into the file $VERDICTS what bytes_to_var() makes of each, and
# then bytes_to_var_with_objects(): the id of the type that it returns, or -1 if it refuses. godot --headless -s verdicts.gd
extends SceneTree


func _init() -> void:
	Engine.print_error_messages = false
	var values := FileAccess.open(OS.get_environment("VALUES"), FileAccess.READ)
	var verdicts := FileAccess.open(OS.get_environment("VERDICTS"), FileAccess.WRITE)
	var with_objects := OS.get_environment("OBJECTS") != ""
	while true:
		var line := values.get_line()
		if line == "":
			break
		var bytes := line.hex_decode()
		var verdict := str(_type(bytes, bytes_to_var))
		if with_objects:
			verdict += "\t%d" % _type(bytes, bytes_to_var_with_objects)
		verdicts.store_line(verdict)
	verdicts.close()
	print("done")
	quit()


# A refused value is null, as some that are accepted are; in an Array the two differ.
func _type(bytes: PackedByteArray, decode: Callable) -> int:
	var value: Variant = decode.call(bytes)
	if value == null:
		var around: Variant = decode.call(PackedByteArray([TYPE_ARRAY, 0, 0, 0, 1, 0, 0, 0]) + bytes)
		return typeof(around[0]) if around is Array else -1
	return typeof(value)
