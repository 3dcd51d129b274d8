# Prints how the engine writes floats, as a table for test_variant_text:
#     godot --headless --script godot-floats.gd > godot-4.6-floats.tsv
# Each line: the 64 bits of the float, then var_to_str() of it.
# SPDX-License-Identifier: GPL-2.0-or-later
extends SceneTree

var bytes := PackedByteArray()

func show(value: float) -> void:
	bytes.encode_double(0, value)
	print("%08x%08x\t%s" % [bytes.decode_u32(4), bytes.decode_u32(0), var_to_str(value)])

func show_bits(high: int, low: int) -> void:
	bytes.encode_u32(0, low & 0xffffffff)
	bytes.encode_u32(4, high & 0xffffffff)
	show(bytes.decode_double(0))

func show_f32_bits(bits: int) -> void:
	bytes.encode_u32(0, bits & 0xffffffff)
	show(bytes.decode_float(0))

func _init() -> void:
	bytes.resize(8)
	# ties, midpoints, both ends of plain notation
	for value in [0.0, 1.0, -1.0, INF, -INF, NAN, 257.265625, 39160328.0, 0.0001, 0.00001, 0.000434,
			0.00006, 123456789012345.0, 1234567890123456.0, 12345678901234.5, 9007199254740993.0, 0.1, 0.3,
			1.0 / 3.0, 2.0 / 3.0, 16777216.0, 16777217.0, 999999.9, 1152256000000000000.0]:
		show(value)
	# extremes of f64 and f32
	for high in [0, 0x80000000, 0x000fffff, 0x00100000, 0x7fefffff, 0x7ff00000]:
		for low in [0, 1, 0xfffffffe, 0xffffffff]:
			show_bits(high, low)
	for bits in [1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff, 0x3f7fffff, 0x3f800001]:
		show_f32_bits(bits)
	for exponent in range(-30, 31):
		show(pow(10.0, exponent))
		show(-1.5 * pow(10.0, exponent))
		show(pow(2.0, exponent * 4) * (1.0 + pow(2.0, -40)))
		show(pow(2.0, exponent * 30))
	var random := RandomNumberGenerator.new()
	random.seed = 4606
	for i in 1000:
		show_bits(random.randi(), random.randi())
		show_f32_bits(random.randi())
		show(snappedf(random.randf_range(-100000.0, 100000.0), 0.001))
	# These do not come out as the shortest or the nearest decimal.
	for value in [-1.0440072064949491e+88, -1.0550510092447969, 82191531.68121511, -5.2156028334429424e-06,
			265743.83520643873, -1.5236539742628999e-143, 0.048956341559914227]:
		show(value)
	quit()
