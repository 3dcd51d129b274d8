# SPDX-License-Identifier: GPL-2.0-or-later
# Look and all below it, Bag alone and Sword are the player's; the hero itself and Shadow remain the server's.
extends Part

var id := 1

@onready var sword := $Sword


func _ready() -> void:
	%Look.set_multiplayer_authority(id)
	get_node("Bag").set_multiplayer_authority(id, false)
	for weapon in [sword]:
		weapon.set_multiplayer_authority(id)


@rpc("any_peer", "reliable")
func ask(round: int) -> void:
	Log.called(self, "ask", [round])
	Log.call_at(multiplayer.get_remote_sender_id(), self, "act", ["answer"])
