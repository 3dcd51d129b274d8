# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc
func open():
	Log.called(self, "open", [])


@rpc("any_peer")
func knock(times: int):
	Log.called(self, "knock", [times])
