# SPDX-License-Identifier: GPL-2.0-or-later
# Two synchronizers for one node.
extends Node3D

var contents: Array[String] = []
var open := false


func _ready() -> void:
	$Place.synchronized.connect(func(): Log.state("synchronized", self, ["position"], $Place))
	$Lid.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["contents", "open"], $Lid))
