# SPDX-License-Identifier: GPL-2.0-or-later
# A player; its owner decides where it is, the server how it is.
extends Node2D

var velocity := Vector2.ZERO
var animation := &"idle"
var health := 100
var owner_id := 1


func _enter_tree() -> void:
	owner_id = str(name).trim_prefix("P").to_int()
	$Movement.set_multiplayer_authority(owner_id)
	$Movement.synchronized.connect(func(): Log.state("synchronized", self, ["position", "velocity"], $Movement))
	$Movement.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["animation"], $Movement))
	$State.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["health"], $State))


@rpc("any_peer", "call_remote", "unreliable", 1)
func shoot(direction: Vector2) -> void:
	Log.called(self, "shoot", [direction])


@rpc("any_peer", "call_remote", "reliable")
func hit(target: NodePath, damage: int) -> void:
	Log.called(self, "hit", [target, damage])
	if multiplayer.is_server() and has_node(target) and "health" in get_node(target):
		Log.put(get_node(target), "health", maxi(0, get_node(target).health - damage))


@rpc("any_peer", "call_remote", "unreliable_ordered", 2)
func aim(angle: float) -> void:
	Log.called(self, "aim", [angle])


@rpc("any_peer", "call_remote", "reliable")
func use_item(item: Dictionary) -> void:
	Log.called(self, "use_item", [item])
