# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

@export var player := 1:
	set(id):
		player = id
		# Give authority over the player input to the appropriate peer.
		$Input.set_multiplayer_authority(id)


func _process(delta: float) -> void:
	if is_multiplayer_authority():
		position += $Input.direction * 40 * delta


@rpc("authority", "call_local", "reliable")
func take_damage(damage: int) -> void:
	Log.called(self, "take_damage", [damage])


@rpc("any_peer", "reliable")
func ask_for(what: String) -> void:
	Log.called(self, "ask_for", [what])
	if Net.is_server:
		Log.call_at(0, self, "take_damage", [1])
