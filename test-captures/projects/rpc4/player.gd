# SPDX-License-Identifier: GPL-2.0-or-later
extends "res://actor.gd"


@rpc("any_peer")
func any(value: Variant) -> void:
	Log.called(self, "any", [value])


@rpc("any_peer")
func blob(bytes: PackedByteArray) -> void:
	Log.called(self, "blob", [bytes])


@rpc("any_peer")
func blob_and_more(bytes: PackedByteArray, more: int) -> void:
	Log.called(self, "blob_and_more", [bytes, more])


@rpc("any_peer")
func many(a: int, b: String, c: Vector2, d: Array, e: Dictionary, f: Variant) -> void:
	Log.called(self, "many", [a, b, c, d, e, f])


@rpc("any_peer", "reliable", "call_remote", 1)
func reliable1(number: int) -> void:
	Log.called(self, "reliable1", [number])


@rpc("any_peer", "call_remote", "unreliable", 1)
func unreliable1(number: int) -> void:
	Log.called(self, "unreliable1", [number])


@rpc("any_peer", "call_remote", "unreliable_ordered", 1)
func ordered1(number: int) -> void:
	Log.called(self, "ordered1", [number])


@rpc("any_peer", "call_remote", "reliable", 3)
func reliable3(number: int) -> void:
	Log.called(self, "reliable3", [number])


@rpc("any_peer", "call_remote", "unreliable", 4)
func unreliable4(number: int) -> void:
	Log.called(self, "unreliable4", [number])


@rpc("any_peer", "call_remote", "unreliable_ordered", 5)
func ordered5(number: int) -> void:
	Log.called(self, "ordered5", [number])


@rpc("any_peer", "call_remote", "unreliable")
func big_unreliable(text: String) -> void:
	Log.called(self, "big_unreliable", [text])


@rpc("any_peer", "call_local")
func everywhere(text: String) -> void:
	Log.called(self, "everywhere", [text])


@rpc
func from_authority(text: String) -> void:
	Log.called(self, "from_authority", [text])


@rpc("authority", "call_remote", "unreliable_ordered", 2)
func update(tick: int, position: Vector2) -> void:
	Log.called(self, "update", [tick, position])
