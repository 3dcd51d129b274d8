# SPDX-License-Identifier: GPL-2.0-or-later
# Writes values with File.store_var to the file OUT and reads them back. KIND: plain, big-endian, mixed (other data
# between the values), encrypted, or the name of a compression.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const COMPRESSION = {
	"fastlz": File.COMPRESSION_FASTLZ, "deflate": File.COMPRESSION_DEFLATE,
	"zstd": File.COMPRESSION_ZSTD, "gzip": File.COMPRESSION_GZIP,
}

var kind = OS.get_environment("KIND")
var source = Values.new()


func _initialize():
	var file = open(File.WRITE)
	for entry in list():
		if kind == "mixed":
			file.store_32(7)
			file.store_pascal_string("between")
			Log.record("store_32 store_pascal_string", {"hex": "07000000070000006265747765656e"})
		var full = entry.size() > 2
		file.store_var(entry[1], full)
		Log.value("store_var", entry[0], entry[1], full)
	file.close()
	file = open(File.READ)
	for entry in list():
		if kind == "mixed":
			file.get_32()
			file.get_pascal_string()
		if entry.size() > 3:
			Log.record("get_packet", {"name": entry[0], "hex": file.get_buffer(file.get_32()).hex_encode()})
		else:
			Log.value("get_var", entry[0], file.get_var(entry.size() > 2), entry.size() > 2)
	quit()


func list():
	match kind:
		"plain":
			return source.every_type() + source.big()
		"mixed":
			return source.scalars().slice(0, 10)
	return source.short()


func open(mode):
	var path = OS.get_environment("OUT")
	var file = File.new()
	if kind in COMPRESSION:
		assert(file.open_compressed(path, mode, COMPRESSION[kind]) == OK)
	elif kind == "encrypted":
		assert(file.open_encrypted_with_pass(path, mode, "swordfish") == OK)
	else:
		assert(file.open(path, mode) == OK)
	file.endian_swap = kind == "big-endian"
	return file
