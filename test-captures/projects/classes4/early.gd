# SPDX-License-Identifier: GPL-2.0-or-later
# An autoload before the recorder's, as add-ons have them: it knows the MultiplayerAPI from the beginning, asks for its class, and leaves
# the tree last.
extends Node

var _known: MultiplayerAPI


func _ready() -> void:
	_known = multiplayer
	(multiplayer as SceneMultiplayer).peer_packet.connect(_on_packet)


func _process(_delta: float) -> void:
	if multiplayer != _known:
		Log.record("another_api")
		_known = multiplayer


func _on_packet(id: int, packet: PackedByteArray) -> void:
	Log.record("raw", {"from": id, "hex": packet.hex_encode()})
	if packet == "bad".to_utf8_buffer():
		push_error("a bad packet")


func _exit_tree() -> void:
	push_warning("left the tree")
