# SPDX-License-Identifier: GPL-2.0-or-later
# Methods that fail, warn and print when they are called, and what must not be taken for that.
extends Node


func _ready() -> void:
	rpc_config(&"ghost", {"rpc_mode": MultiplayerAPI.RPC_MODE_ANY_PEER})


@rpc("any_peer")
func fails(what: Variant) -> void:
	Log.called(self, "fails", [what])
	damage(what)


func damage(what: Variant) -> void:
	what.health -= 1


@rpc("any_peer")
func warns(text: String) -> void:
	Log.called(self, "warns", [text])
	push_warning("warned: %s" % text)
	push_error("failed: %s" % text)


@rpc("any_peer")
func prints() -> void:
	Log.called(self, "prints")
	print("two\nlines")
	printerr("to stderr")
	print_rich("[color=red]red[/color]")
	print("control \u0007\u0008\u000b\u000c\u001b[1m, right to left \u202eabc\u202c, a quote \" and a backslash \\")


# What is raised after the method has returned, or by another thread, is not the packet's.
@rpc("any_peer")
func later() -> void:
	Log.called(self, "later")
	push_error.call_deferred("deferred")
	var thread := Thread.new()
	thread.start(func() -> void: push_error("from a thread"))
	thread.wait_to_finish()
	await get_tree().process_frame
	push_error("after a frame")


@rpc("any_peer")
func many(count: int) -> void:
	Log.called(self, "many", [count])
	for i in count:
		push_error("one of many")


@rpc("any_peer")
func sleeps(milliseconds: int) -> void:
	Log.called(self, "sleeps", [milliseconds])
	OS.delay_msec(milliseconds)


@rpc("any_peer")
func expects(a: int, b: int) -> void:
	Log.called(self, "expects", [a, b])


@rpc
func by_authority() -> void:
	Log.called(self, "by_authority")


@rpc("any_peer")
func large(data: PackedByteArray) -> void:
	Log.record("called", {"node": Log.path_of(self), "method": "large", "from": multiplayer.get_remote_sender_id(), "size": data.size()})


@rpc("any_peer")
func number(n: int) -> void:
	Log.called(self, "number", [n])
