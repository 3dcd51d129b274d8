# SPDX-License-Identifier: GPL-2.0-or-later
# A game with netfox: the server and its clients log what they send and receive, tick by tick.
# Environment: ROLE (server or client), PORT, TICKS, ENDS: number of clients, SCHEMA.
extends Node

const PlayerScene := preload("player.tscn")

var is_server := OS.get_environment("ROLE") == "server"
var synchronized := 0
var last := 0


func _ready() -> void:
	NetworkTime.after_tick.connect(log_tick)
	NetworkRollback.on_record_tick.connect(log_state)
	var synchronization := get_node_or_null("/root/NetworkSynchronizationServer") # since 1.40
	if synchronization:
		synchronization._on_input.connect(log_received.bind("received_input"))
		synchronization._on_state.connect(log_received.bind("received_state"))
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		multiplayer.peer_connected.connect(add_player)
		NetworkTime.after_client_sync.connect(begin)
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
		multiplayer.server_disconnected.connect(get_tree().quit)
		multiplayer.connected_to_server.connect(
			func() -> void: Log.record("connected_to_server", {"id": multiplayer.get_unique_id()}))
	multiplayer.multiplayer_peer = peer
	if is_server:
		Log.record("ready")


func add_player(id: int) -> void:
	var player := PlayerScene.instantiate()
	player.name = str(id)
	$Players.add_child(player, true)


func begin(_id: int) -> void:
	synchronized += 1
	if synchronized == int(OS.get_environment("ENDS")):
		last = NetworkTime.tick + int(OS.get_environment("TICKS"))


func log_values(what: String, tick: int, node: Node, properties: Array) -> void:
	var values := {}
	for property in properties:
		values[property] = var_to_str(node.get(property))
	Log.record(what, {"tick": tick, "node": str(node.get_path()), "values": values})


func log_tick(_delta: float, tick: int) -> void:
	for player in $Players.get_children():
		if player.get_node("Input").is_multiplayer_authority():
			log_values("input", tick, player.get_node("Input"), player.get_node("Input").INPUTS)
	if is_server:
		log_values("synchronized", tick + 1, $Platform, $Platform.STATE)
		log_values("synchronized", tick + 1, $Platform/Lamp, ["modulate"])
		if last and tick >= last:
			multiplayer.multiplayer_peer.close()
			get_tree().quit()


# The values that are recorded as those of this tick, which netfox sends.
func log_state(tick: int) -> void:
	for player in $Players.get_children():
		if is_server:
			log_values("state", tick, player, player.STATE)


func log_received(snapshot: Object, what: String) -> void:
	var values := {}
	for subject in snapshot.get_subjects():
		for property in snapshot.get_subject_properties(subject):
			values["%s:%s" % [subject.get_path(), property]] = var_to_str(snapshot.get_property(subject, property))
	Log.record(what, {"tick": snapshot.tick, "now": NetworkTime.tick, "values": values})
