# SPDX-License-Identifier: GPL-2.0-or-later
# What the spawn function makes.
extends Node

var health := 100
var title := "title"
var color := Color.RED


func _ready() -> void:
	var synchronizer: MultiplayerSynchronizer = $Synchronizer
	synchronizer.synchronized.connect(func(): Log.state("synchronized", self, listed(SceneReplicationConfig.REPLICATION_MODE_ALWAYS)))
	synchronizer.delta_synchronized.connect(
		func(): Log.state("delta_synchronized", self, listed(SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)))


func listed(mode := -1) -> Array:
	var config: SceneReplicationConfig = $Synchronizer.replication_config
	return Array(config.get_properties()).filter(
		func(path: NodePath) -> bool: return mode < 0 or config.property_get_replication_mode(path) == mode
	).map(func(path: NodePath) -> String: return str(path).trim_prefix(".:"))
