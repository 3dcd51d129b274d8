# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "reliable")
func log_in(name: String) -> void:
	Log.called(self, "log_in", [name])


@rpc("any_peer", "reliable")
func buy(what: String, count: int = 1) -> void:
	Log.called(self, "buy", [what, count])


@rpc("authority", "reliable")
func logged_in(_text: String) -> void:
	Log.called(self, "logged_in", [_text])


@rpc("authority", "reliable")
func balance(_coins: int) -> void:
	Log.called(self, "balance", [_coins])


@rpc("authority", "reliable")
func shut_down() -> void:
	Log.called(self, "shut_down", [])
