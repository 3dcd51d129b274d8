# SPDX-License-Identifier: GPL-2.0-or-later
# Made by a spawn function, not from a scene; its owner is a client, who sends the position to everyone.
extends Node2D

var color := Color.WHITE
var owner_id := 1


func prepare(data: Dictionary) -> void:
	owner_id = data.owner
	color = data.color
	var config := SceneReplicationConfig.new()
	config.add_property(^".:position")
	config.property_set_replication_mode(^".:position", SceneReplicationConfig.REPLICATION_MODE_ALWAYS)
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config = config
	synchronizer.replication_interval = 0.1
	synchronizer.set_multiplayer_authority(owner_id)
	synchronizer.synchronized.connect(func(): Log.state("synchronized", self, ["position"]))
	add_child(synchronizer)
