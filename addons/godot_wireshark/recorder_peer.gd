# SPDX-License-Identifier: MIT
## A MultiplayerPeer that forwards everything to another one and records it for Wireshark.
##
## The autoload of the add-on wraps every peer that a game sets. To wrap one in a script:
## [codeblock]
## multiplayer.multiplayer_peer = RecorderPeer.around(peer, GodotWireshark.writer, multiplayer)
## [/codeblock]
## What [method around] returns has the methods, properties, signals and constants of the wrapped
## peer as well. That is GodotWireshark.original(multiplayer.multiplayer_peer).
class_name RecorderPeer
extends MultiplayerPeerExtension

# All names have this prefix so that they do not hide those of the wrapped class.
var _recorder_wrapped: MultiplayerPeer
var _recorder_writer: RecorderWriter
var _recorder_names: RecorderNames
var _recorder_nodes: RecorderNodes
var _recorder_interface := 0
var _recorder_number := 0
var _recorder_target := 0
## Number of the last record of a packet.
var _recorder_packets := 0
## That of the received packet that was taken last, with its flags, mode, source and channel.
var _recorder_taken: Array[int] = [0, 0, 0, 0, 0]
var _recorder_api_id := 0


## A recorder with all methods of the peer's class. api: its nodes are named in the recording; null
## for none.
static func around(wrapped: MultiplayerPeer, writer: RecorderWriter,
		api: MultiplayerAPI = null) -> MultiplayerPeer:
	return RecorderForward.script_for(wrapped, RecorderPeer as GDScript).new(wrapped, writer, api)


func _init(wrapped: MultiplayerPeer, writer: RecorderWriter, api: MultiplayerAPI = null) -> void:
	_recorder_wrapped = wrapped
	_recorder_writer = writer
	_recorder_names = RecorderNames.new(api)
	_recorder_api_id = api.get_instance_id() if api is SceneMultiplayer else 0
	_recorder_nodes = RecorderNodes.new(_recorder_write_node)
	_recorder_number = RecorderRecord.new_recording()
	encode_buffer_max_size = wrapped.encode_buffer_max_size
	for name in wrapped.get_meta_list():
		set_meta(name, wrapped.get_meta(name))
	var peer_class := RecorderRecord.class_of(wrapped)
	_recorder_interface = writer.add_interface(peer_class)
	_recorder_write_text(RecorderRecord.KIND_RECORDER, RecorderRecord.describe(peer_class),
			RecorderWriter.KEY_RECORDER)
	wrapped.peer_connected.connect(_recorder_on_connected)
	wrapped.peer_disconnected.connect(_recorder_on_disconnected)
	RecorderForward.connect_signals(self, wrapped)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _recorder_writer:
		_recorder_writer.release_interface(_recorder_interface)


# --- records ---

## 0 before there is an id: the engine would report an error.
func _recorder_own_id() -> int:
	return _recorder_wrapped.get_unique_id() \
			if _recorder_wrapped.get_connection_status() != CONNECTION_DISCONNECTED else 0


func _recorder_head(kind: int, flags: int, mode: int, other: int, channel: int,
		number := 0) -> PackedByteArray:
	var own := _recorder_own_id()
	return RecorderRecord.make_head(kind,
			flags | mode << 2 | (RecorderRecord.FLAG_SERVER if own == 1 else 0), _recorder_number,
			own, other, channel, number)


func _recorder_write_packet(flags: int, mode: int, other: int, channel: int,
		packet: PackedByteArray) -> void:
	var key := RecorderNames.key_of(packet, flags & RecorderRecord.FLAG_RECEIVED != 0, other)
	if not _recorder_writer.takes(key):
		return
	if _recorder_names.has_late():
		_recorder_write_late()
	if _recorder_nodes.has_waiting():
		_recorder_nodes.flush()
	for names: Dictionary in _recorder_names.look_at(packet,
			other if flags & RecorderRecord.FLAG_RECEIVED else 0, _recorder_own_id() == 1):
		_recorder_write_names(names)
	_recorder_packets += 1
	if _recorder_writer.with_origins and not flags & RecorderRecord.FLAG_RECEIVED:
		_recorder_write_origin(mode, other, channel)
	var record := _recorder_head(RecorderRecord.KIND_PACKET, flags, mode, other, channel,
			_recorder_packets)
	record.append_array(packet)
	_recorder_writer.write(_recorder_interface, record, key)


func _recorder_write_late() -> void:
	for names: Dictionary in _recorder_names.look_back():
		_recorder_write_names(names)


func _recorder_write_names(names: Dictionary) -> void:
	_recorder_write_text(RecorderRecord.KIND_NAMES, names, RecorderNames.key_of_names(names))
	if names.has("path"):
		_recorder_nodes.watch(_recorder_names.find(str(names["path"])), str(names["path"]))


func _recorder_write_text(kind: int, members: Dictionary, key := "") -> void:
	var record := _recorder_head(kind, 0, TRANSFER_MODE_RELIABLE, 0, 0)
	record.append_array(RecorderRecord.text_of(members))
	_recorder_writer.write(_recorder_interface, record, key)


func _recorder_write_node(members: Dictionary) -> void:
	_recorder_write_text(RecorderRecord.KIND_NODE, members)


func _recorder_say_added(node: Node, time: int) -> void:
	var path := _recorder_names.path_of(node)
	if path:
		_recorder_nodes.add(node, path, time)


func _recorder_write_origin(mode: int, other: int, channel: int) -> void:
	var frames: Array[Dictionary] = []
	for entry: Dictionary in get_stack():
		var line: int = entry["line"]
		frames.append(RecorderReports.frame(str(entry["function"]), str(entry["source"]), line))
	frames = frames.filter(RecorderReports.is_of_game)
	if frames.is_empty():
		return # sent by the engine itself
	var record := _recorder_head(RecorderRecord.KIND_ORIGIN, 0, mode, other, channel)
	record.append_array(RecorderRecord.text_of({
		"packet": _recorder_packets, "stack": frames.slice(0, RecorderReports.MAX_FRAMES), "time": Time.get_ticks_usec()}))
	_recorder_writer.write(_recorder_interface, record)


## The engine has taken a packet and will now process it: what it reports until it asks for the next
## one is about this packet. SceneMultiplayer does so within one call of poll(); of other classes
## this is not known.
func _recorder_begin(mode: int, source: int, channel: int) -> void:
	if _recorder_api_id:
		_recorder_taken = [_recorder_packets, RecorderRecord.FLAG_RECEIVED, mode, source, channel]
		_recorder_writer.processing = get_instance_id()


func _recorder_end() -> void:
	if _recorder_writer.processing == get_instance_id():
		_recorder_writer.processing = 0


## Writes what was reported while the engine processed a packet. Returns false if that is not
## certain: a method called by the packet may have set another peer.
func _recorder_write_report(kind: int, members: Dictionary) -> bool:
	var api := instance_from_id(_recorder_api_id) as SceneMultiplayer
	if not api or not is_same(api.get_multiplayer_peer(), self):
		return false
	_recorder_nodes.flush()
	var record := _recorder_head(kind, _recorder_taken[1], _recorder_taken[2], _recorder_taken[3],
			_recorder_taken[4])
	members["packet"] = _recorder_taken[0]
	record.append_array(RecorderRecord.text_of(members))
	_recorder_writer.write(_recorder_interface, record)
	return true


func _recorder_on_connected(id: int) -> void:
	_recorder_writer.write(_recorder_interface,
			_recorder_head(RecorderRecord.KIND_CONNECTED, 0, TRANSFER_MODE_RELIABLE, id, 0))
	peer_connected.emit(id)


func _recorder_on_disconnected(id: int) -> void:
	_recorder_writer.write(_recorder_interface,
			_recorder_head(RecorderRecord.KIND_DISCONNECTED, 0, TRANSFER_MODE_RELIABLE, id, 0))
	_recorder_writer.forget(_recorder_interface, RecorderNames.key_of_peer(id))
	peer_disconnected.emit(id)


# --- MultiplayerPeer ---

func _get_packet_script() -> PackedByteArray:
	if _recorder_wrapped.get_available_packet_count() == 0:
		return _recorder_wrapped.get_packet() # without a packet there is no source either
	var source := _recorder_wrapped.get_packet_peer()
	var channel := _recorder_wrapped.get_packet_channel()
	var mode := _recorder_wrapped.get_packet_mode()
	var packet := _recorder_wrapped.get_packet()
	if _recorder_wrapped.get_packet_error() == OK:
		_recorder_write_packet(RecorderRecord.FLAG_RECEIVED, mode, source, channel, packet)
		_recorder_begin(mode, source, channel)
	return packet


func _put_packet_script(packet: PackedByteArray) -> Error:
	# Recorded first because replies may be read while the packet is being sent.
	_recorder_write_packet(0, _recorder_wrapped.transfer_mode, _recorder_target,
			_recorder_wrapped.transfer_channel, packet)
	return _recorder_wrapped.put_packet(packet)


func _poll() -> void:
	var keep: RecorderPeer = self # a callback may free the game's only reference
	_recorder_wrapped.poll()
	if keep.get_reference_count() == 1:
		_recorder_outlive.call_deferred(keep)


static func _recorder_outlive(_recorder: RecorderPeer) -> void:
	pass


func _close() -> void:
	_recorder_wrapped.close()


func _disconnect_peer(id: int, force: bool) -> void:
	_recorder_wrapped.disconnect_peer(id, force)


func _get_available_packet_count() -> int:
	_recorder_end()
	if _recorder_names.has_late():
		_recorder_write_late()
	return _recorder_wrapped.get_available_packet_count()


func _get_max_packet_size() -> int:
	return 1 << 24 # not used by scripts; the wrapped peer rejects longer packets


func _get_packet_channel() -> int:
	return _recorder_wrapped.get_packet_channel()


func _get_packet_mode() -> MultiplayerPeer.TransferMode:
	return _recorder_wrapped.get_packet_mode()


func _get_packet_peer() -> int:
	return _recorder_wrapped.get_packet_peer()


func _set_transfer_channel(channel: int) -> void:
	_recorder_wrapped.transfer_channel = channel


func _get_transfer_channel() -> int:
	return _recorder_wrapped.transfer_channel


func _set_transfer_mode(mode: MultiplayerPeer.TransferMode) -> void:
	_recorder_wrapped.transfer_mode = mode


func _get_transfer_mode() -> MultiplayerPeer.TransferMode:
	return _recorder_wrapped.transfer_mode


func _set_target_peer(id: int) -> void:
	_recorder_target = id
	_recorder_wrapped.set_target_peer(id)


func _is_server() -> bool:
	return _recorder_own_id() == TARGET_PEER_SERVER


func _is_server_relay_supported() -> bool:
	return _recorder_wrapped.is_server_relay_supported()


func _get_unique_id() -> int:
	return _recorder_wrapped.get_unique_id()


func _set_refuse_new_connections(enabled: bool) -> void:
	_recorder_wrapped.refuse_new_connections = enabled


func _is_refusing_new_connections() -> bool:
	return _recorder_wrapped.refuse_new_connections


func _get_connection_status() -> MultiplayerPeer.ConnectionStatus:
	var status := _recorder_wrapped.get_connection_status()
	if status == CONNECTION_DISCONNECTED:
		_recorder_end() # SceneMultiplayer.poll() returns
	return status
