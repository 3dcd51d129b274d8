# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var direction := Vector2.RIGHT
var title := "Guard"


# At both ends, which have to have the same configuration.
func _enter_tree() -> void:
	if OS.get_environment("CHANGED") == "1":
		change(OS.get_environment("PLAY"))


# What the statistic advises, if it is tried: the configuration of the scene file is the one as it is.
func change(play: String) -> void:
	if play == "on-change":
		for property in [^".:direction", ^".:title"]:
			$Sync.replication_config.property_set_replication_mode(property, SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	if play == "interval":
		$Sync.replication_interval = 0.042
