# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc
func stop(turn: int) -> void:
	Log.called(self, "stop", [turn])
