# SPDX-License-Identifier: GPL-2.0-or-later
# Reads values in hex, one a line, from the file $VALUES and writes into the file $VERDICTS what StreamPeer.get_var() makes of each,
# and then with objects allowed: the id of the type that it returns, or -1 if it refuses. godot3-server -s verdicts.gd
extends SceneTree

var stream = StreamPeerBuffer.new()


func _init():
	Engine.print_error_messages = false
	var values = File.new()
	values.open(OS.get_environment("VALUES"), File.READ)
	var verdicts = File.new()
	verdicts.open(OS.get_environment("VERDICTS"), File.WRITE)
	var with_objects = OS.get_environment("OBJECTS") != ""
	while true:
		var line = values.get_line()
		if line == "":
			break
		var bytes = _bytes(line)
		var verdict = str(_type(bytes, false))
		if with_objects:
			verdict += "\t%d" % _type(bytes, true)
		verdicts.store_line(verdict)
	verdicts.close()
	print("done")
	quit()


func _bytes(line):
	var bytes = PoolByteArray()
	bytes.resize(line.length() / 2)
	for i in bytes.size():
		bytes[i] = ("0x" + line.substr(2 * i, 2)).hex_to_int()
	return bytes


# bytes2var() of what it refuses would end the script.
func _decode(bytes, objects):
	stream.clear()
	stream.put_32(bytes.size())
	stream.put_data(bytes)
	stream.seek(0)
	return stream.get_var(objects)


# A refused value is null, as some that are accepted are; in an Array the two differ.
func _type(bytes, objects):
	var value = _decode(bytes, objects)
	if value == null:
		var around = _decode(PoolByteArray([TYPE_ARRAY, 0, 0, 0, 1, 0, 0, 0]) + bytes, objects)
		return typeof(around[0]) if around is Array else -1
	return typeof(value)
