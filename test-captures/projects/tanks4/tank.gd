# SPDX-License-Identifier: GPL-2.0-or-later
# Belongs to the server.
extends Node2D


@rpc("reliable")
func explode() -> void:
	Log.called(self, "explode", [])
