# SPDX-License-Identifier: GPL-2.0-or-later
# A scene's root and a node in it. It calls the others once when it is there; who talks goes on calling.
extends Node

var calls := 0


func _ready() -> void:
	Log.record("entered", {"node": Log.path_of(self), "at": Match.now()})
	if Match.running:
		call_others("greet")
	var timer := Timer.new()
	add_child(timer)
	timer.timeout.connect(beat)
	timer.start(0.05)


func _exit_tree() -> void:
	Log.record("left", {"node": Log.path_of(self), "at": Match.now()})


func beat() -> void:
	if Match.running and Match.talks(String(name)):
		calls += 1
		call_others("told" if calls % 3 else "hinted")


func call_others(method: String) -> void:
	for id in multiplayer.get_peers() if Match.is_server else PackedInt32Array([1]):
		Match.count += 1
		Log.call_at(id, self, method, [Match.count])


@rpc("any_peer", "reliable")
func greet(from: int) -> void:
	Log.called(self, "greet", [from])


@rpc("any_peer", "reliable")
func told(number: int) -> void:
	Log.called(self, "told", [number])


@rpc("any_peer", "unreliable")
func hinted(number: int) -> void:
	Log.called(self, "hinted", [number])
