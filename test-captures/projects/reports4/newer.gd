# SPDX-License-Identifier: GPL-2.0-or-later
# One method more than older.gd.
extends Node


@rpc("any_peer")
func first() -> void:
	Log.called(self, "first")


@rpc("any_peer")
func second() -> void:
	Log.called(self, "second")
