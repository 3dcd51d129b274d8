# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var state := "walking"


func _enter_tree() -> void:
	$Synchronizer.synchronized.connect(func(): Log.state("synchronized", self, ["position"]))
	$Synchronizer.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["state"]))
