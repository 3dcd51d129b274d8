# SPDX-License-Identifier: GPL-2.0-or-later
# A thing that moves; what it sends is configured in unit.tscn.
extends Node2D

var velocity := Vector2.ZERO
var health := 100
var title := "unit"
var inventory := {}


func _ready() -> void:
	var synchronizer: MultiplayerSynchronizer = $Synchronizer
	synchronizer.synchronized.connect(func(): Log.state("synchronized", self, ["position", "velocity", "Turret:rotation"]))
	synchronizer.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["health", "inventory"]))


@rpc("any_peer")
func hit(damage: int) -> void:
	Log.called(self, "hit", [damage])
	Log.put(self, "health", health - damage)
