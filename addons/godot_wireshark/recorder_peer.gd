# SPDX-License-Identifier: MIT
## A MultiplayerPeer that passes everything on to another one and records it for Wireshark.
##
## The autoload of the add-on puts it around every peer that a game sets. To do so by hand:
## [codeblock]
## multiplayer.multiplayer_peer = RecorderPeer.new(peer, RecorderWriter.new("user://game.pcapng"), multiplayer)
## [/codeblock]
## The wrapped peer is in [member peer]; its properties can be read here as well.
class_name RecorderPeer
extends MultiplayerPeerExtension

const HEAD_LENGTH := 24
const MAGIC := 0x43524447 # "GDRC"
const FLAG_RECEIVED := 1
const FLAG_SERVER := 2
const KIND_PACKET := 0
const KIND_CONNECTED := 1
const KIND_DISCONNECTED := 2
const KIND_RECORDER := 3
const KIND_NAMES := 4

## The peer that does the work.
var peer: MultiplayerPeer

var _writer: RecorderWriter
var _names: RecorderNames
var _interface := 0
var _recording := 0
var _target := 0
var _added_properties := {}


## api: whose nodes are named in the recording, null for none.
func _init(wrapped: MultiplayerPeer, writer: RecorderWriter, api: MultiplayerAPI = null) -> void:
	peer = wrapped
	_writer = writer
	_names = RecorderNames.new(api)
	_recording = new_recording()
	var peer_class := class_of(wrapped)
	_interface = writer.add_interface("%s %08x" % [peer_class, _recording])
	_write_text(KIND_RECORDER, describe(peer_class), true)
	peer.peer_connected.connect(_on_peer_connected)
	peer.peer_disconnected.connect(_on_peer_disconnected)


## A random number, not 0, that leaves the game's own sequence of random numbers alone.
static func new_recording() -> int:
	return maxi(1, Crypto.new().generate_random_bytes(4).decode_u32(0))


## The name of an object's class, its script's if that has one.
static func class_of(object: Object) -> String:
	var script: Script = object.get_script()
	return str(script.get_global_name()) if script and script.get_global_name() else object.get_class()


static func describe(peer_class: String) -> Dictionary:
	var version: String = Engine.get_version_info()["string"]
	return {
		"engine": version,
		"project": str(ProjectSettings.get_setting("application/config/name", "")),
		"project_version": str(ProjectSettings.get_setting("application/config/version", "")),
		"peer_class": peer_class,
		"platform": OS.get_name(),
		"process": OS.get_process_id(),
		"time": int(Time.get_unix_time_from_system() * 1000000.0),
		"ticks": Time.get_ticks_usec(),
	}


# --- records ---

## 0 while there is none: asking then would be an error.
func _own_id() -> int:
	return peer.get_unique_id() if peer.get_connection_status() != CONNECTION_DISCONNECTED else 0


static func make_head(kind: int, flags: int, recording: int, own: int, other: int, channel: int) -> PackedByteArray:
	var record := PackedByteArray()
	record.resize(HEAD_LENGTH)
	record.encode_u32(0, MAGIC)
	record.encode_u8(4, 1)
	record.encode_u8(5, kind)
	record.encode_u8(6, flags)
	record.encode_u8(7, 0)
	record.encode_u32(8, recording)
	record.encode_s32(12, own)
	record.encode_s32(16, other)
	record.encode_u16(20, channel & 0xFFFF)
	record.encode_u16(22, HEAD_LENGTH)
	return record


func _head(kind: int, flags: int, mode: int, other: int, channel: int) -> PackedByteArray:
	var own := _own_id()
	return make_head(kind, flags | mode << 2 | (FLAG_SERVER if own == 1 else 0), _recording, own, other, channel)


func _write_packet(flags: int, mode: int, other: int, channel: int, packet: PackedByteArray) -> void:
	if not _writer.is_open():
		return
	if _names.has_late():
		_write_late()
	for names: Dictionary in _names.look_at(packet, other if flags & FLAG_RECEIVED else 0, _own_id() == 1):
		_write_text(KIND_NAMES, names, not names.has("spawned"))
	var record := _head(KIND_PACKET, flags, mode, other, channel)
	record.append_array(packet)
	_writer.write(_interface, record)


func _write_late() -> void:
	for names: Dictionary in _names.look_back():
		_write_text(KIND_NAMES, names, false)


func _write_text(kind: int, members: Dictionary, repeat: bool) -> void:
	var record := _head(kind, 0, TRANSFER_MODE_RELIABLE, 0, 0)
	record.append_array(JSON.stringify(members).to_utf8_buffer())
	_writer.write(_interface, record, repeat)


func _on_peer_connected(id: int) -> void:
	_writer.write(_interface, _head(KIND_CONNECTED, 0, TRANSFER_MODE_RELIABLE, id, 0))
	peer_connected.emit(id)


func _on_peer_disconnected(id: int) -> void:
	_writer.write(_interface, _head(KIND_DISCONNECTED, 0, TRANSFER_MODE_RELIABLE, id, 0))
	peer_disconnected.emit(id)


# --- MultiplayerPeer ---

func _get_packet_script() -> PackedByteArray:
	var source := peer.get_packet_peer()
	var channel := peer.get_packet_channel()
	var mode := peer.get_packet_mode()
	var packet := peer.get_packet()
	if peer.get_packet_error() == OK:
		_write_packet(FLAG_RECEIVED, mode, source, channel, packet)
	return packet


func _put_packet_script(packet: PackedByteArray) -> Error:
	# Recorded first: answers may be read while it is being sent.
	_write_packet(0, peer.transfer_mode, _target, peer.transfer_channel, packet)
	return peer.put_packet(packet)


func _poll() -> void:
	var keep: RecorderPeer = self # a callback may give the game's only reference away
	peer.poll()
	if keep.get_reference_count() == 1:
		_outlive.call_deferred(keep)


static func _outlive(_recorder: RecorderPeer) -> void:
	pass


func _close() -> void:
	peer.close()


func _disconnect_peer(id: int, force: bool) -> void:
	peer.disconnect_peer(id, force)


func _get_available_packet_count() -> int:
	if _names.has_late():
		_write_late()
	return peer.get_available_packet_count()


func _get_max_packet_size() -> int:
	return 1 << 24 # not asked for by scripts; the wrapped peer refuses what is too much


func _get_packet_channel() -> int:
	return peer.get_packet_channel()


func _get_packet_mode() -> MultiplayerPeer.TransferMode:
	return peer.get_packet_mode()


func _get_packet_peer() -> int:
	return peer.get_packet_peer()


func _set_transfer_channel(channel: int) -> void:
	peer.transfer_channel = channel


func _get_transfer_channel() -> int:
	return peer.transfer_channel


func _set_transfer_mode(mode: MultiplayerPeer.TransferMode) -> void:
	peer.transfer_mode = mode


func _get_transfer_mode() -> MultiplayerPeer.TransferMode:
	return peer.transfer_mode


func _set_target_peer(id: int) -> void:
	_target = id
	peer.set_target_peer(id)


func _is_server() -> bool:
	return _own_id() == TARGET_PEER_SERVER


func _is_server_relay_supported() -> bool:
	return peer.is_server_relay_supported()


func _get_unique_id() -> int:
	return peer.get_unique_id()


func _set_refuse_new_connections(enabled: bool) -> void:
	peer.refuse_new_connections = enabled


func _is_refusing_new_connections() -> bool:
	return peer.refuse_new_connections


func _get_connection_status() -> MultiplayerPeer.ConnectionStatus:
	return peer.get_connection_status()


## Properties that the class of the wrapped peer adds: multiplayer.multiplayer_peer.host of ENetMultiplayerPeer. Signals
## and methods are asked for here as well and are not to be taken from the wrapped peer.
func _get(property: StringName) -> Variant:
	return peer.get(property) if peer and _is_added_property(property) else null


func _set(property: StringName, value: Variant) -> bool:
	if not peer or not _is_added_property(property):
		return false
	peer.set(property, value)
	return true


func _is_added_property(property: StringName) -> bool:
	if _added_properties.is_empty():
		_added_properties[&"script"] = false
		for info: Dictionary in peer.get_property_list():
			_added_properties[StringName(str(info["name"]))] = true
		for info: Dictionary in ClassDB.class_get_property_list(&"MultiplayerPeerExtension"):
			_added_properties[StringName(str(info["name"]))] = false
	return _added_properties.get(property, false)
