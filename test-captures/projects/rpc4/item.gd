# SPDX-License-Identifier: GPL-2.0-or-later
# A node of which there are more than 255, so that ids of two bytes occur.
extends Node


@rpc("any_peer")
func touch(value: Variant) -> void:
	Log.called(self, "touch", [value])
