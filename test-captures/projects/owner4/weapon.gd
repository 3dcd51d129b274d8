# SPDX-License-Identifier: GPL-2.0-or-later
# Its authority is that of the player above it.
extends Node


@rpc("authority", "call_local")
func fire(shot: int):
	Log.called(self, "fire", [shot])
