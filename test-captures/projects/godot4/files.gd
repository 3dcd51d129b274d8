# SPDX-License-Identifier: GPL-2.0-or-later
# Writes values with FileAccess.store_var to the file OUT and reads them back. KIND: plain, big-endian, mixed (other data
# between the values), encrypted, or the name of a compression.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const COMPRESSION := {
	"fastlz": FileAccess.COMPRESSION_FASTLZ, "deflate": FileAccess.COMPRESSION_DEFLATE,
	"zstd": FileAccess.COMPRESSION_ZSTD, "gzip": FileAccess.COMPRESSION_GZIP,
}

var kind := OS.get_environment("KIND")


func _initialize() -> void:
	var file := open(FileAccess.WRITE)
	for entry in list():
		if kind == "mixed":
			file.store_32(7)
			file.store_pascal_string("between")
			Log.record("store_32 store_pascal_string", {"hex": "07000000070000006265747765656e"})
		var full: bool = entry.size() > 2
		file.store_var(entry[1], full)
		Log.value("store_var", entry[0], entry[1], full)
	file.close()
	file = open(FileAccess.READ)
	for entry in list():
		if kind == "mixed":
			file.get_32()
			file.get_pascal_string()
		Log.value("get_var", entry[0], file.get_var(entry.size() > 2), entry.size() > 2)
	quit()


func list() -> Array:
	match kind:
		"plain":
			return Values.every_type() + Values.big()
		"mixed":
			return Values.short().slice(0, 10)
	return Values.short()


func open(mode: FileAccess.ModeFlags) -> FileAccess:
	var path := OS.get_environment("OUT")
	if kind in COMPRESSION:
		return FileAccess.open_compressed(path, mode, COMPRESSION[kind])
	if kind == "encrypted":
		return FileAccess.open_encrypted_with_pass(path, mode, "swordfish")
	var file := FileAccess.open(path, mode)
	file.big_endian = kind == "big-endian"
	return file
