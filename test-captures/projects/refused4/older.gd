# SPDX-License-Identifier: GPL-2.0-or-later
# What the server has where clients have newer.gd.
extends Node


@rpc("any_peer")
func a_first(number) -> void:
	Log.called(self, "a_first", [number])


@rpc("any_peer")
func b_second() -> void:
	Log.called(self, "b_second")
