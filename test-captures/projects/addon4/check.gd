# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of the add-on without a game. Environment: WHAT, a method below; others say what they need.
extends SceneTree


func _initialize() -> void:
	await process_frame
	await call(OS.get_environment("WHAT"))
	quit()


func say(what: String, fields: Dictionary) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false))


# Records whose blocks are below, at and above Wireshark's limit, one by one and through a stream, into a file and to a reader. FILE, PORT.
func sizes() -> void:
	var writer := RecorderWriter.new(OS.get_environment("FILE"), 0, int(OS.get_environment("PORT")))
	var interface := writer.add_interface("sizes")
	say("ready", {})
	while not writer.has_readers():
		writer.poll()
		await process_frame
	for size: int in range(262_000, 262_201) + [300_000]:
		var record := RecorderRecord.make_head(RecorderRecord.KIND_PACKET, 0, 7, 1, 2, 0, size)
		record.resize(size)
		writer.write(interface, record)
		await process_frame
		writer.poll()
	var stream := RecorderStreamPeer.new(StreamPeerBuffer.new(), writer)
	for size in [262_050, 1_000_000]:
		var data := PackedByteArray()
		data.resize(size)
		stream.put_data(data)
	writer.close()


# What anything that has connected to the editor could send as entries of RecorderDebugger.
func hostile() -> void:
	var hub: GDScript = load("res://addons/godot_wireshark/editor_hub.gd")
	var head := RecorderRecord.make_head(0, 0, 5, 1, 2, 0)
	var no_magic := head.duplicate()
	no_magic[0] = 0
	var long_head := head.duplicate()
	long_head.encode_u16(22, 25)
	var short_head := head.duplicate()
	short_head.encode_u16(22, 23)
	var good := [[0, 0, "name"], [1, 0, head, "", 5, 24], [1, 2, head + PackedByteArray([1, 2]), "key", 5, 300_000], [2, 0, "key"], [3, 0], [4, 7], [5, 0, "why"]]
	var bad := [
		[], [1], ["1", 0], [0], [0, 0], [0, 0, 5], [0, -1, "name"], [0, 1 << 31, "name"], [0, 0.5, "name"], [0, 0, "x".repeat(5000)], [0, 0, "name", 1],
		[1, 0], [1, 0, head], [1, 0, head, "", -5, 24], [1, 0, head, "", 5, 23], [1, 0, head, "", 5, 1 << 40], [1, 0, head.slice(0, 3), "", 5, 24],
		[1, 0, PackedByteArray(), "", 5, 24], [1, 0, no_magic, "", 5, 24], [1, 0, long_head, "", 5, 24], [1, 0, short_head, "", 5, 24],
		[1, 0, "text", "", 5, 24], [1, 0, head, "k".repeat(5000), 5, 24], [1, 0, head, null, 5, 24], [1, -7, head, "", 5, 24],
		[2, 0], [2, 0, head], [3], [3, "x"], [4, -7], [4, 1 << 62], [4], [5, 0], [5, 0, 5], [6, 0], [-1, 0], [1 << 40, 0], [null, null], [{}, []],
	]
	say("valid", {"good": good.map(func(entry: Array) -> bool: return hub.call(&"is_valid", entry)), "bad": bad.map(func(entry: Array) -> bool: return hub.call(&"is_valid", entry))})
	var counters: RefCounted = load("res://addons/godot_wireshark/editor_counters.gd").new()
	const REFUSED := '{"type": "error", "packet": %s, "file": "modules/multiplayer/x.cpp", "function": "process_rpc", "text": %s}'
	for text: String in ["", "{", "[1]", "null", '{"packet": {}, "type": "error"}', REFUSED % ["1e300", '"far"'], '{"type": "error", "packet": 3, "file": 5}',
			REFUSED % ["4", '["no", "text"]'], REFUSED % ["4", '"Node path: A/B"'], REFUSED % ["5", '"two"'], REFUSED % ["6", '"two"'], "\u0001"]:
		counters.call(&"count", RecorderRecord.make_head(8, 1, 5, 1, 2, 0) + text.to_utf8_buffer(), 24 + text.length())
	var again := REFUSED % ["6", '"two"']
	counters.call(&"count", RecorderRecord.make_head(8, 1, 6, 1, 2, 0) + again.to_utf8_buffer(), 24 + again.length()) # another recording
	var rows: Dictionary = counters.get(&"refusals")
	say("counted", {"refused": counters.get(&"refused"), "rows": rows.values()})
	for i in 1000:
		var text := REFUSED % [str(i + 10), '"number %d"' % i]
		counters.call(&"count", RecorderRecord.make_head(8, 1, 5, 1, 2, 0) + text.to_utf8_buffer(), 24 + text.length())
	say("kept", {"rows": rows.size()})


# Which lines of scripts the recorder affects.
func uses() -> void:
	var head := "extends Node\nvar _known: MultiplayerAPI\n"
	var sources := {
		"itself": head + "func _process(_delta):\n\tif multiplayer != _known:\n\t\t_known = multiplayer\nfunc off():\n\t_known = null # none\n",
		"itself, the other way round": head + "func f():\n\tself._known = get_tree().get_multiplayer()\n\tif _known == multiplayer:\n\t\tpass\n",
		"another": head + "func f():\n\t_known = SceneMultiplayer.new()\n\tif multiplayer == _known:\n\t\tpass\n",
		"parameter": head + "func f(api, other):\n\t_known = multiplayer\n\tapi = multiplayer\n\tif multiplayer == api:\n\t\tpass\n",
		"never set": head + "func f():\n\tif multiplayer == _known:\n\t\tpass\n",
		"cast": head + "func f():\n\t_known = multiplayer\n\tif multiplayer == _known and (multiplayer as SceneMultiplayer):\n\t\tpass\n",
	}
	var found := {}
	for name: String in sources:
		found[name] = RecorderUses.of_sources({name: sources[name]}).map(func(use: Dictionary) -> String: return use["kind"])
	var outside := {"itself": sources["itself"], "other": "func f(node):\n\tnode._known = SceneMultiplayer.new()\n"}
	found["set from outside"] = RecorderUses.of_sources(outside).map(func(use: Dictionary) -> String: return use["kind"])
	var both := RecorderUses.of_sources({"res://addons/a/a.gd": "var s := multiplayer as SceneMultiplayer\n", "res://b.gd": "var e = multiplayer.multiplayer_peer as ENetMultiplayerPeer\n"})
	var modes := {"both": RecorderUses.mode_for(both)}
	const API_AND := {"res://addons/a/a.gd": "var s := multiplayer as SceneMultiplayer\n"}
	for line: String in ["var e = multiplayer.get_multiplayer_peer() as ENetMultiplayerPeer", "var e = peer as ENetMultiplayerPeer\nmultiplayer.multiplayer_peer.put_packet([])"]:
		modes[line] = RecorderUses.mode_for(RecorderUses.of_sources(API_AND.merged({"res://b.gd": line})))
	modes["C#"] = RecorderUses.mode_for(RecorderUses.of_sources(API_AND.merged({"res://b.cs": "var e = (ENetMultiplayerPeer)Multiplayer.MultiplayerPeer;"})))
	var neither := RecorderUses.of_sources(API_AND.merged({"res://b.gd": "var e = multiplayer.get_multiplayer_peer() as ENetMultiplayerPeer\n"}))
	say("uses", {"found": found, "modes": modes, "text": RecorderUses.list_by_mode(neither)})


# Writes for some frames. FILE; PORT for readers, 0 for none.
func writes() -> void:
	var writer := RecorderWriter.new(OS.get_environment("FILE"), 0, int(OS.get_environment("PORT")))
	var interface := writer.add_interface("some")
	writer.write(interface, RecorderRecord.make_head(RecorderRecord.KIND_CONNECTED, 0, 7, 1, 2, 0), "peer 2 x")
	say("ready", {"path": writer.get_path().get_file()})
	var end := Time.get_ticks_msec() + int(OS.get_environment("MILLISECONDS"))
	while Time.get_ticks_msec() < end:
		writer.write(interface, RecorderRecord.make_head(RecorderRecord.KIND_CONNECTED, 0, 7, 1, 3, 0))
		writer.poll()
		await create_timer(0.05).timeout
	writer.close()


# As many records that later readers need as there may be, and more; and readers that come all at once. PORT.
func repeated() -> void:
	var writer := RecorderWriter.new("", 0, int(OS.get_environment("PORT")))
	var interface := writer.add_interface("many")
	var record := RecorderRecord.make_head(RecorderRecord.KIND_PACKET, 0, 7, 1, 2, 0)
	record.resize(2000)
	var took := PackedInt64Array()
	for i in 8000:
		var before := Time.get_ticks_usec()
		writer.write(interface, record, "peer 2 %d" % i)
		took.append(Time.get_ticks_usec() - before)
	var early := took.slice(0, 2000)
	var late := took.slice(6000)
	early.sort()
	late.sort()
	var sockets: Array[StreamPeerTCP] = []
	for i in 16:
		sockets.append(StreamPeerTCP.new())
		sockets[i].connect_to_host("127.0.0.1", int(OS.get_environment("PORT")))
	var fresh := PackedInt64Array()
	for frame in 100: # connections beyond the backlog come after a second
		var readers: int = writer.get(&"_server").get(&"_readers").size()
		writer.poll()
		fresh.append(int(writer.get(&"_server").get(&"_readers").size()) - readers)
		for socket in sockets:
			socket.poll()
		OS.delay_msec(25)
	var kept: int = writer.get(&"_interfaces")[interface]["bytes"]
	say("took", {"early": early[1000], "late": late[1000], "fresh": fresh, "kept": kept})
	writer.close()


# A wrapper's properties and methods are those of what it wraps.
func forwarded() -> void:
	var writer := RecorderWriter.new("", 0, 0)
	var api := SceneMultiplayer.new()
	var wrapper: Object = RecorderForward.script_for(api, RecorderAPI as GDScript).new(api, writer)
	wrapper.set(&"server_relay", false)
	wrapper.call(&"set_max_sync_packet_size", 999)
	api.auth_timeout = 7
	say("forwarded", {"relay": api.server_relay, "size": api.max_sync_packet_size, "timeout": wrapper.get(&"auth_timeout")})
	writer.close()


# A text with characters that JSON escapes, names of interfaces that are free again, and a file of another program. FILE.
func names() -> void:
	var text: Dictionary = JSON.parse_string(RecorderRecord.text_of({"text": "a\u0007b\u001bc"}).get_string_from_utf8())
	var writer := RecorderWriter.new("", 0, 0)
	var interfaces := [writer.add_interface("some"), writer.add_interface("some")]
	writer.release_interface(0)
	interfaces.append(writer.add_interface("some"))
	writer.close()
	FileAccess.open(OS.get_environment("FILE"), FileAccess.WRITE).store_string("of another program")
	say("names", {"text": text["text"], "interfaces": interfaces, "file": RecorderLock.unused(OS.get_environment("FILE")).get_file()})


# What the editor counts of recordings. FILES, with commas between them; each record is also given cut, and with other bytes.
func bandwidth() -> void:
	var script: GDScript = load("res://addons/godot_wireshark/editor_bandwidth.gd")
	var damaged: RefCounted = script.new()
	for file in OS.get_environment("FILES").split(","):
		var counted: RefCounted = script.new()
		var data := FileAccess.get_file_as_bytes(file)
		var at := 0
		var chance := RandomNumberGenerator.new()
		chance.seed = 1
		while at + 12 <= data.size():
			if data.decode_u32(at) == RecorderWriter.ENHANCED_PACKET:
				var tags: int = RecorderWriter._exported_pdu_tags("godot.recorder").size()
				var record := data.slice(at + 28 + tags, at + 28 + data.decode_u32(at + 20))
				counted.call(&"count", record, data.decode_u32(at + 24) - tags)
				var head := record.decode_u16(22)
				for i in 5:
					var other := record.slice(0, chance.randi_range(head, record.size()))
					if other.size() > head and i > 1:
						other[chance.randi_range(head, other.size() - 1)] = chance.randi_range(0, 255)
					damaged.call(&"count", other, maxi(other.size(), record.size()))
			at += data.decode_u32(at + 4)
		var filters := {}
		for row: String in counted.get(&"rows"):
			filters[row] = script.call(&"filter_of", row)
		say("sent", {"file": file, "rows": counted.get(&"rows"), "filters": filters})
	var rows: Dictionary = damaged.get(&"rows")
	say("damaged", {"rows": rows.size()})
	for i in 1000:
		damaged.call(&"_add", "row %d" % i, 1, 1)
	say("kept", {"rows": rows.size()})


# A packet that the instance sends. missing: bytes at its end that the record does not have.
func count_sent(counted: RefCounted, bytes: PackedByteArray, missing := 0) -> void:
	var record := RecorderRecord.make_head(0, 0, 5, 1, 2, 0) + bytes
	counted.call(&"count", record, record.size() + missing)


func number(value: int) -> PackedByteArray:
	var bytes := PackedByteArray([0, 0, 0, 0])
	bytes.encode_u32(0, value)
	return bytes


func count_path(counted: RefCounted, id: int, path: String) -> void:
	var checksum := PackedByteArray([1])
	checksum.resize(34)
	count_sent(counted, checksum + number(id) + path.to_utf8_buffer() + PackedByteArray([0]))


# What the editor remembers of paths. The rows are those of calls.
func remembered() -> void:
	var script: GDScript = load("res://addons/godot_wireshark/editor_bandwidth.gd")
	var limit: int = script.get_script_constant_map()["MAX_NAMES"]
	var longest: int = script.get_script_constant_map()["MAX_PATH"]
	var counted: RefCounted = script.new()
	for id in limit:
		count_path(counted, id, "Node%d" % id)
	count_path(counted, 0, "Again")
	count_path(counted, limit, "Newest")
	count_path(counted, 2, "x".repeat(longest + 1))
	for i in 2: # the second time, none has to be forgotten
		count_path(counted, limit + 1, "y".repeat(longest))
	for id in [0, 1, 2, 3, limit, limit + 1]:
		count_sent(counted, PackedByteArray([0x20]) + number(id) + PackedByteArray([7, 0]))
	var on_path := number(0x80000007)
	for path in ["Full", "x".repeat(longest + 1), ""]:
		count_sent(counted, PackedByteArray([0x20]) + on_path + PackedByteArray([8, 0]) + path.to_utf8_buffer() + PackedByteArray([0]))
	var rows: Dictionary = counted.get(&"rows")
	var paths: Dictionary = counted.get(&"_paths")
	say("remembered", {"rows": rows, "paths": paths.size(), "limit": limit, "longest": longest})


# How the editor splits states: small values at their end; a size beyond it; a record that was cut.
func split() -> void:
	var script: GDScript = load("res://addons/godot_wireshark/editor_bandwidth.gd")
	for values: Array in [[[1, 2, 5, 2, 7], 0], [[2, 5, 0xC2, 0, 0, 0, 0, 0, 0, 0, 1, 1], 0], [[2, 5, 0x82, 1], 0], [[1, 2, 5, 2, 7], 3]]:
		var counted: RefCounted = script.new()
		var names := '{"path": "Main/Sync", "synchronizer": {"always": ["a", "b", "c"]}}'
		var record := RecorderRecord.make_head(RecorderRecord.KIND_NAMES, 0, 5, 1, 0, 0) + names.to_utf8_buffer()
		counted.call(&"count", record, record.size())
		count_path(counted, 9, "Main/Sync")
		var value := PackedByteArray(values[0] as Array)
		count_sent(counted, PackedByteArray([6, 0, 0]) + number(0x80000009) + number(value.size()) + value, values[1] as int)
		var rows: Dictionary = counted.get(&"rows")
		rows.erase("(paths)")
		say("split", {"rows": rows})
