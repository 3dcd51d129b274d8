# SPDX-License-Identifier: MIT
## In the editor: how many messages and bytes an instance sends, by method and by property. Reads
## the packets of SceneMultiplayer, with the names that the recorder has put before them. Anything
## can come over the debugger's connection, so each number is checked.
@tool
extends RefCounted

const COMMAND_MASK := 7
const CALL := 0
const PATH := 1
const SPAWN := 4
const SYNCHRONIZATION := 6
const SYSTEM := 7
const RELAY := 3
const RELAY_HEAD := 6
const DELTA := 0x10
## Names of rows of what is neither a call nor a property, by command.
const OTHERS: Array[String] = ["", "(paths)", "(paths)", "(raw packets)", "(spawn)", "(despawn)",
		"(heads of states)", "(system)"]
const ON_PATH := 0x80000000
const BY_NODE := 0x8000
const MAX_ROWS := 500
const MAX_NAMES := 10000
## Characters of a path: 10 MB of all that are remembered. A longer one is not: cut, it could be
## that of another node.
const MAX_PATH := 1024
## Of one packet.
const MAX_STATES := 1000
const REST := "(others)"
## Rows of calls without names: the number is that of the field godot.rpc.method_id. The second one
## is for a node whose path is not known; "of" would make it that of a node with such a name.
const OF_PATH := "method %d of %s"
const OF_NODE := "method %d, node %d"
const UNNAMED := "(?s)^method (\\d+)(?:, node (\\d+)| of (.+))$"
## Bytes of a value after its head of four, by type; twice as many if the head says 64 bit.
const SIZES := {
	TYPE_NIL: 0, TYPE_FLOAT: 4, TYPE_VECTOR2: 8, TYPE_RECT2: 16, TYPE_VECTOR3: 12,
	TYPE_TRANSFORM2D: 24, TYPE_VECTOR4: 16, TYPE_PLANE: 16, TYPE_QUATERNION: 16, TYPE_AABB: 24,
	TYPE_BASIS: 36, TYPE_TRANSFORM3D: 48, TYPE_PROJECTION: 64,
}
const SIZES_OF_INTEGERS := {TYPE_VECTOR2I: 8, TYPE_RECT2I: 16, TYPE_VECTOR3I: 12, TYPE_VECTOR4I: 16,
		TYPE_COLOR: 16}

## Name of a row -> [messages, bytes]
var rows := {}

## Each key begins with the number of a recording. "recording peer id" -> path of a node; peer 0:
## this instance.
var _paths := {}
## "recording path" -> names of the node: see RecorderNames
var _nodes := {}
## "recording scene" or "recording path of a spawned node" -> its synchronizers
var _scenes := {}
## "recording peer id" -> names of a synchronizer that was spawned
var _states := {}


## record: a packet that the instance has sent, or names; others are not counted. length: of the
## whole record, of which the end may be missing.
func count(record: PackedByteArray, length: int) -> void:
	var head := record.decode_u16(22)
	if record[5] == RecorderRecord.KIND_NAMES:
		_take_names(record, head)
	elif record[5] == RecorderRecord.KIND_PACKET and not record[6] & RecorderRecord.FLAG_RECEIVED:
		_count_packet(record, head, length)


## Wireshark's filter for what a row counts.
static func filter_of(row: String) -> String:
	const FILTERS := {
		"(paths)": "godot.command in {\"Simplify Path\", \"Confirm Path\"}",
		"(raw packets)": "godot.command == \"Raw\"",
		"(spawn)": "godot.command == \"Spawn\"",
		"(despawn)": "godot.command == \"Despawn\"",
		"(system)": "godot.command == \"System\"",
		"(heads of states)": "godot.command in {\"Sync\", \"Delta Sync\"}", REST: "godot.command",
	}
	if FILTERS.has(row):
		return FILTERS[row]
	var unnamed := RegEx.create_from_string(UNNAMED).search(row)
	if unnamed:
		var node := "godot.path.id == %s" % unnamed.get_string(2) if unnamed.get_string(2) \
				else "godot.path == \"%s\"" % unnamed.get_string(3).c_escape()
		return "godot.rpc.method_id == %s && %s" % [unnamed.get_string(1), node]
	if row.ends_with("()"):
		return "godot.rpc.method == \"%s\"" % row.trim_suffix("()").c_escape()
	return "godot.sync.property in {\"%s\"} && godot.command != \"Spawn\"" \
			% "\", \"".join(row.c_escape().split(", "))


func _add(row: String, messages: int, bytes: int) -> void:
	if not rows.has(row):
		if rows.size() >= MAX_ROWS:
			row = REST
		if not rows.has(row):
			rows[row] = [0, 0]
	var counted: Array = rows[row]
	counted[0] += messages
	counted[1] += bytes


## If there are as many as may be, the oldest is forgotten.
static func _remember(where: Dictionary, key: String, value: Variant) -> void:
	where.erase(key) # what comes again is the newest
	if where.size() >= MAX_NAMES:
		for oldest: String in where:
			where.erase(oldest)
			break
	where[key] = value


func _take_names(record: PackedByteArray, head: int) -> void:
	var json := JSON.new() # parse_string() would print an error
	if json.parse(record.slice(head).get_string_from_utf8()) != OK or not json.data is Dictionary:
		return
	var names: Dictionary = json.data
	for key: String in ["path", "scene", "spawned"]:
		if names.get(key) is String:
			_remember(_nodes if key == "path" else _scenes,
					"%d %s" % [record.decode_u32(8), names[key]], names)


func _count_packet(record: PackedByteArray, head: int, length: int) -> void:
	var at := head
	var source := 0
	if record.size() > at + RELAY_HEAD and record[at] == SYSTEM and record[at + 1] == RELAY:
		source = record.decode_s32(at + 2) if record[6] & RecorderRecord.FLAG_SERVER else 0
		at += RELAY_HEAD
	if record.size() < at + 1:
		return
	var command := record[at] & COMMAND_MASK
	var whose := "%d %d " % [record.decode_u32(8), source]
	if command == CALL:
		_add(_method(record, at, whose), 1, length - head)
		return
	var row := OTHERS[command]
	var split := 0
	if command == PATH and record.size() > at + 38:
		_take_path(record, at, whose)
	elif command == SPAWN and record.size() >= at + RecorderNames.SPAWN_HEAD:
		_take_spawn(record, at, whose)
	elif command == SYNCHRONIZATION:
		if record.size() == length:
			split = _count_states(record, at, whose)
		else:
			row = REST
	_add(row, 1, length - head - split)


func _take_path(record: PackedByteArray, at: int, whose: String) -> void:
	var key := whose + str(record.decode_u32(at + 34))
	var path := record.slice(at + 38).get_string_from_utf8()
	if path.length() <= MAX_PATH:
		_remember(_paths, key, path)
	else:
		_paths.erase(key)


func _method(record: PackedByteArray, at: int, whose: String) -> String:
	var node_size := 1 << (record[at] >> 4 & 3)
	var method_size := 2 if record[at] & 0x40 else 1
	if node_size > 4 or record.size() < at + 1 + node_size + method_size:
		return REST
	var node := _number(record, at + 1, node_size)
	var method := _number(record, at + 1 + node_size, method_size)
	var path: String = _paths.get(whose + str(node), "")
	if node_size == 4 and node & ON_PATH and at + (node & ~ON_PATH) < record.size():
		path = record.slice(at + (node & ~ON_PATH)).get_string_from_utf8()
		if not path or path.length() > MAX_PATH:
			return REST
	var names: Dictionary = _nodes.get("%s %s" % [whose.get_slice(" ", 0), path], {})
	var methods := _list(names, "node_methods" if method & BY_NODE else "methods")
	var number := method & ~BY_NODE
	if number < methods.size() and methods[number] is Dictionary:
		var named: Dictionary = methods[number]
		return "%s()" % named.get("name")
	return OF_PATH % [method, path] if path else OF_NODE % [method, node]


static func _number(bytes: PackedByteArray, at: int, size: int) -> int:
	return bytes[at] if size == 1 else bytes.decode_u16(at) if size == 2 else bytes.decode_u32(at)


## Which synchronizers the numbers stand for.
func _take_spawn(record: PackedByteArray, at: int, whose: String) -> void:
	var recording := whose.get_slice(" ", 0)
	var states := record.decode_u32(at + 10)
	var name_length := record.decode_u32(at + 14)
	var name_at := at + RecorderNames.SPAWN_HEAD + 4 * states
	if states > MAX_STATES or name_length > record.size() or name_at + name_length > record.size():
		return
	var path: String = _paths.get(whose + str(record.decode_u32(at + 2)), "")
	var spawner: Dictionary = _nodes.get("%s %s" % [recording, path], {})
	var of_spawner := _members(spawner, "spawner")
	var scenes := _list(of_spawner, "scenes")
	var node := record.slice(name_at, name_at + name_length).get_string_from_utf8()
	var key := "%s/%s" % [of_spawner.get("parent"), node]
	if not _scenes.has("%s %s" % [recording, key]) and record[at + 1] < scenes.size():
		key = str(scenes[record[at + 1]])
	var found: Dictionary = _scenes.get("%s %s" % [recording, key], {})
	var synchronizers := _list(found, "synchronizers")
	if synchronizers.size() != states:
		return
	for i in states:
		_remember(_states, whose + str(record.decode_u32(at + RecorderNames.SPAWN_HEAD + 4 * i)),
				synchronizers[i])


## Counts the properties; returns the number of their bytes.
func _count_states(record: PackedByteArray, at: int, whose: String) -> int:
	var is_delta := record[at] & DELTA != 0
	var head := 16 if is_delta else 8
	var counted := 0
	at += 1 if is_delta else 3
	for i in MAX_STATES:
		if at + head > record.size():
			break
		var id := record.decode_u32(at)
		var size := record.decode_u32(at + head - 4)
		at += head
		if size > record.size() - at:
			break
		var mask := record.decode_u64(at - head + 4) if is_delta else -1
		_split(record, at, at + size, _properties(id, mask, is_delta, whose))
		at += size
		counted += size
	return counted


## Names of the properties that follow; fewer if they are not known.
func _properties(id: int, mask: int, is_delta: bool, whose: String) -> Array:
	var names := _members(_states, whose + str(id))
	if id & ON_PATH:
		var path: String = _paths.get(whose + str(id & ~ON_PATH), "")
		var node: Dictionary = _nodes.get("%s %s" % [whose.get_slice(" ", 0), path], {})
		names = _members(node, "synchronizer")
	var properties := _list(names, "on_change" if is_delta else "always")
	var chosen := []
	for i in mini(properties.size(), 64):
		if mask >> i & 1:
			chosen.append(properties[i])
	return chosen


static func _list(members: Dictionary, name: String) -> Array:
	var list: Variant = members.get(name)
	return list if list is Array else []


static func _members(of: Dictionary, name: String) -> Dictionary:
	var members: Variant = of.get(name)
	return members if members is Dictionary else {}


func _split(record: PackedByteArray, at: int, end: int, properties: Array) -> void:
	for i in properties.size():
		var size := size_of_value(record, at) if i < properties.size() - 1 else end - at
		if size == 0 or size > end - at: # the sizes of what follows are not known
			_add(", ".join(properties.slice(i)), 1, end - at)
			return
		_add(str(properties[i]), 1, size)
		at += size
	if at < end:
		_add(REST, 1, end - at)


## Bytes of a value in a state, 0 if they are not known.
static func size_of_value(bytes: PackedByteArray, at: int) -> int:
	if at >= bytes.size():
		return 0
	var type := bytes[at] & 0x3F
	match type: # these have no more of a head than this byte
		TYPE_BOOL:
			return 1
		TYPE_INT:
			return 1 + (1 << (bytes[at] >> 6))
	if at + 8 > bytes.size():
		return 0
	var is_long := bytes.decode_u32(at) & 1 << 16 != 0
	var padded := 4 + (bytes.decode_u32(at + 4) + 3 & ~3)
	match type:
		TYPE_STRING, TYPE_STRING_NAME, TYPE_PACKED_BYTE_ARRAY:
			return 4 + padded
	if SIZES.has(type):
		var size: int = SIZES[type]
		return 4 + size * (2 if is_long else 1)
	return 4 + SIZES_OF_INTEGERS[type] if SIZES_OF_INTEGERS.has(type) else 0
