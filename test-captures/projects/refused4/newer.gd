# SPDX-License-Identifier: GPL-2.0-or-later
# One method more than older.gd, so that the last one's number stands for nothing there.
extends Node


@rpc("any_peer")
func a_first(number) -> void:
	Log.called(self, "a_first", [number])


@rpc("any_peer")
func b_second() -> void:
	Log.called(self, "b_second")


@rpc("any_peer")
func c_third() -> void:
	Log.called(self, "c_third")
