# SPDX-License-Identifier: GPL-2.0-or-later
# The server tells everybody of a shot by the method that it was told with.
extends "res://game.gd"


func begin() -> void:
	random.seed = 5 + index()


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 6 != index():
		return
	var from := Vector3(random.randf() * 100, 1.7, random.randf() * 100)
	var to := Vector3(random.randf(), random.randf(), random.randf()).normalized()
	shoot.rpc_id(1, from, to, "res://weapons/rifle.tres", multiplayer.get_unique_id())


@rpc("any_peer", "reliable")
func shoot(from: Vector3, to: Vector3, weapon: String, shooter: int) -> void:
	if shooter != multiplayer.get_unique_id():
		count("shot by %d" % players.find(shooter))
	if not multiplayer.is_server():
		return
	if not changed:
		shoot.rpc(from, to, weapon, shooter)
		return
	for player in multiplayer.get_peers():
		if player != shooter:
			shoot.rpc_id(player, from, to, weapon, shooter)
