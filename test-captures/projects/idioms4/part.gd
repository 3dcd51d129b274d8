# SPDX-License-Identifier: GPL-2.0-or-later
class_name Part
extends Node


@rpc("reliable")
func act(where: String) -> void:
	Log.called(self, "act", [where])
