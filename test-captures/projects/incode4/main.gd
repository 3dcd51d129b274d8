# SPDX-License-Identifier: GPL-2.0-or-later
# Two synchronizers whose configuration is made in code; no scene file knows of it. The client logs what it has received.
# Environment: ROLE, PORT.
extends Node

const Log = preload("log.gd")

var height := 0
var colour := "Door colour"
var power := 1.5
var fuel := "Lamp fuel"
var serving := OS.get_environment("ROLE") == "server"
var rounds := 0


func _ready() -> void:
	add_synchronizer("Door", [^".:height", ^".:colour"])
	add_synchronizer("Lamp", [^".:fuel", ^".:power"])
	var peer := ENetMultiplayerPeer.new()
	if serving:
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	multiplayer.peer_disconnected.connect(func(_id: int) -> void: get_tree().quit())
	var timer := Timer.new()
	timer.timeout.connect(tick)
	add_child(timer)
	timer.start(0.1)


func add_synchronizer(title: String, paths: Array) -> void:
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.name = title
	synchronizer.replication_config = SceneReplicationConfig.new()
	for path: NodePath in paths:
		synchronizer.replication_config.add_property(path)
	synchronizer.root_path = ^".."
	if not serving:
		synchronizer.synchronized.connect(func() -> void:
			Log.record("synchronized", {"node": title, "height": height, "colour": colour, "power": power, "fuel": fuel}))
	add_child(synchronizer)


func tick() -> void:
	rounds += 1
	if serving:
		height = rounds
	elif rounds == 12:
		multiplayer.multiplayer_peer.close()
		get_tree().quit()
