# Measures how fast the engine decodes the values written by bench/variant_bodies.py; run by bench/run:
#     godot --headless --script variant.gd -- FILE ROUNDS
extends SceneTree


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	var file := FileAccess.open(arguments[0], FileAccess.READ)
	var bodies: Array[PackedByteArray] = []
	while file.get_position() < file.get_length():
		bodies.append(file.get_buffer(file.get_32()))
	var entries := 0
	for round in int(arguments[1]):
		for body in bodies:
			entries += bytes_to_var(body).size()
	print("entries ", entries)
	quit()
