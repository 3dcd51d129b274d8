# SPDX-License-Identifier: MIT
## A PacketPeer that forwards everything to [member peer] and records it for Wireshark.
##
## For PacketPeerUDP, WebSocketPeer, WebRTCDataChannel, ENetPacketPeer… in games that do not use the
## multiplayer API.
class_name RecorderPacketPeer
extends RefCounted

var peer: PacketPeer

var _records: RecorderRaw


## name: name of the recording; if it is empty, the class of the peer.
func _init(wrapped: PacketPeer, writer: RecorderWriter, name := "") -> void:
	peer = wrapped
	_records = RecorderRaw.new(wrapped, writer, name, RecorderRecord.KIND_RAW_PACKET)


func get_available_packet_count() -> int:
	return peer.get_available_packet_count()


func get_packet_error() -> Error:
	return peer.get_packet_error()


func get_packet() -> PackedByteArray:
	var packet := peer.get_packet()
	if peer.get_packet_error() == OK:
		_records.write(true, packet)
	return packet


func put_packet(packet: PackedByteArray) -> Error:
	var error := peer.put_packet(packet)
	if error == OK:
		_records.write(false, packet)
	return error


## As PacketPeer.get_var(): returns null if the packet is not a value.
func get_var(allow_objects := false) -> Variant:
	var packet := get_packet()
	if packet.is_empty():
		return null
	return bytes_to_var_with_objects(packet) if allow_objects else bytes_to_var(packet)


func put_var(value: Variant, full_objects := false) -> Error:
	return put_packet(var_to_bytes_with_objects(value) if full_objects else var_to_bytes(value))
