# SPDX-License-Identifier: GPL-2.0-or-later
# Base of unit.gd.
extends Node


@rpc("any_peer")
func inherited(a) -> void:
	Log.called(self, "inherited", [a])
