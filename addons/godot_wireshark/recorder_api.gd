# SPDX-License-Identifier: MIT
## A MultiplayerAPI that passes everything on to another one and puts a recorder around the peers
## that it is given.
##
## The game sees the peer that it has set, of its own class. What it sees of the MultiplayerAPI has
## the methods, properties, signals and constants of SceneMultiplayer, but is none: that is
## GodotWireshark.original(multiplayer).
class_name RecorderAPI
extends MultiplayerAPIExtension

# All names have this prefix so that they do not hide those of the wrapped class.
var _recorder_wrapped: MultiplayerAPI
var _recorder_writer: RecorderWriter


static func around(wrapped: MultiplayerAPI, writer: RecorderWriter) -> MultiplayerAPI:
	return RecorderForward.script_for(wrapped, RecorderAPI as GDScript).new(wrapped, writer)


func _init(wrapped: MultiplayerAPI, writer: RecorderWriter) -> void:
	_recorder_wrapped = wrapped
	_recorder_writer = writer
	for name in wrapped.get_meta_list():
		set_meta(name, wrapped.get_meta(name))
	for name: StringName in [&"peer_connected", &"peer_disconnected", &"connected_to_server",
			&"connection_failed", &"server_disconnected"]:
		wrapped.connect(name, Signal(self, name).emit)
	RecorderForward.connect_signals(self, wrapped)


func _set_multiplayer_peer(peer: MultiplayerPeer) -> void:
	if peer and is_same(peer, _get_multiplayer_peer()):
		return # as in SceneMultiplayer, nothing to do
	_recorder_wrapped.multiplayer_peer = RecorderPeer.new(peer, _recorder_writer,
			_recorder_wrapped) if _recorder_is_recorded(peer) else peer


## Not if the engine would reject it or if nothing changes.
static func _recorder_is_recorded(peer: MultiplayerPeer) -> bool:
	return peer and not peer is OfflineMultiplayerPeer and not peer is RecorderPeer \
		and peer.get_connection_status() != MultiplayerPeer.CONNECTION_DISCONNECTED


func _get_multiplayer_peer() -> MultiplayerPeer:
	var recorder := _recorder_wrapped.multiplayer_peer as RecorderPeer
	return recorder._recorder_wrapped if recorder else _recorder_wrapped.multiplayer_peer


func _poll() -> Error:
	var keep := _recorder_wrapped # a callback may set another peer
	var result := keep.poll()
	_recorder_writer.processing = 0
	return result


func _get_unique_id() -> int:
	return _recorder_wrapped.get_unique_id()


func _get_peer_ids() -> PackedInt32Array:
	return _recorder_wrapped.get_peers()


func _get_remote_sender_id() -> int:
	return _recorder_wrapped.get_remote_sender_id()


func _rpc(peer: int, object: Object, method: StringName, arguments: Array) -> Error:
	return _recorder_wrapped.rpc(peer, object, method, arguments)


func _object_configuration_add(object: Object, configuration: Variant) -> Error:
	return _recorder_wrapped.object_configuration_add(object, configuration)


func _object_configuration_remove(object: Object, configuration: Variant) -> Error:
	return _recorder_wrapped.object_configuration_remove(object, configuration)
