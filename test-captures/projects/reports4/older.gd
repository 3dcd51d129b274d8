# SPDX-License-Identifier: GPL-2.0-or-later
# What the server has where clients have newer.gd.
extends Node


@rpc("any_peer")
func first() -> void:
	Log.called(self, "first")
