# SPDX-License-Identifier: GPL-2.0-or-later
# Remote methods, of which some are refused.
extends Node


@rpc("any_peer")
func say(text: String) -> void:
	print("said: ", text)


@rpc("any_peer")
func warn(text: String) -> void:
	push_warning("warned: " + text)


@rpc
func kick_everyone() -> void:
	print("nobody may do that")


@rpc("any_peer")
func two(_first: int, _second: int) -> void:
	pass
