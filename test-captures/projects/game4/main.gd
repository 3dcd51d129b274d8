# SPDX-License-Identifier: GPL-2.0-or-later
# A small game that plays itself. Environment: ROLE (server or client), PORT, COMPRESSION mode 0..4, NUMBER of the client, PLAYERS
# that the server waits for, SECONDS that it lasts.
extends Node

const PlayerScene = preload("player.tscn")
const EnemyScene = preload("enemy.tscn")
const WORDS := ["hi all", "behind you!", "gg", "Łucja wins 🎉", "need help at the gate"]

var is_server := OS.get_environment("ROLE") == "server"
var random := RandomNumberGenerator.new()
var seconds := float(OS.get_environment("SECONDS"))


func _ready() -> void:
	$Spawner.spawned.connect(func(node): Log.record("spawned", {
		"node": Log.path_of(node), "spawner": "Main/Spawner", "scene": node.scene_file_path,
	}))
	$Spawner.despawned.connect(func(node): Log.record("despawned", {"node": "Main/World/" + node.name, "spawner": "Main/Spawner"}))
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	multiplayer.peer_disconnected.connect(func(id): Log.record("peer_disconnected", {"id": id}))
	multiplayer.server_disconnected.connect(get_tree().quit)
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	random.seed = int(OS.get_environment("NUMBER"))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
	else:
		peer.create_client("127.0.0.1", port)
	peer.host.compress(int(OS.get_environment("COMPRESSION")))
	multiplayer.multiplayer_peer = peer
	if is_server:
		multiplayer.peer_connected.connect(join)
		Log.record("ready")
		serve()
	else:
		multiplayer.connected_to_server.connect(play)


func pause(time: float) -> void:
	await get_tree().create_timer(time).timeout


func add(node: Node, as_name: String) -> Node:
	node.name = as_name
	Log.record("spawn", {"node": "Main/World/" + as_name, "scene": node.scene_file_path})
	$World.add_child(node, true)
	return node


func join(id: int) -> void:
	add(PlayerScene.instantiate(), "P%d" % id)


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("PLAYERS")):
		await pause(0.05)
	var scores := {}
	var enemies := []
	var wave := 0
	for tick in int(seconds * 10):
		if tick % 25 == 0:
			wave += 1
			for enemy in enemies:
				Log.record("despawn", {"node": Log.path_of(enemy)})
				enemy.queue_free()
			enemies.clear()
			for i in 3:
				var enemy := EnemyScene.instantiate()
				enemy.position = Vector2(100 * i, 50 * wave)
				enemies.append(add(enemy, "Enemy%d_%d" % [wave, i]))
		for enemy in enemies:
			Log.put(enemy, "position", enemy.position + Vector2(random.randf_range(-2, 2), 1))
		if tick % 7 == 3:
			Log.put(enemies[random.randi() % 3], "state", ["walking", "attacking", "fleeing"][tick / 7 % 3])
		if tick % 10 == 9:
			for id in multiplayer.get_peers():
				scores[id] = scores.get(id, 0) + random.randi() % 50
			Log.call_at(0, $Scores, "update_scores", [scores])
		await pause(0.1)
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()


func play() -> void:
	Log.record("connected_to_server", {"me": multiplayer.get_unique_id()})
	var mine := NodePath("World/P%d" % multiplayer.get_unique_id())
	while not has_node(mine):
		await pause(0.02)
	var me := get_node(mine)
	Log.call_at(0, $Chat, "say", [WORDS[random.randi() % WORDS.size()]])
	var angle := random.randf() * TAU
	for tick in int(seconds * 20):
		angle += random.randf_range(-0.2, 0.2)
		Log.put(me, "velocity", Vector2.from_angle(angle) * 120)
		Log.put(me, "position", me.position + me.velocity / 20)
		if tick % 4 == 0:
			Log.call_at(0, me, "aim", [angle])
		if random.randf() < 0.1:
			Log.call_at(0, me, "shoot", [Vector2.from_angle(angle)])
			if random.randf() < 0.4:
				var targets := $World.get_children().filter(func(n): return n != me and "health" in n)
				if targets:
					var target: Node = targets[random.randi() % targets.size()]
					Log.call_at(1, me, "hit", [me.get_path_to(target), random.randi_range(1, 20)])
		if tick % 30 == 7:
			Log.put(me, "animation", [&"run", &"jump", &"idle"][random.randi() % 3])
		if tick % 60 == 20:
			Log.call_at(1, me, "use_item", [{"item": &"potion", "amount": random.randi() % 3 + 1, "at": me.position}])
		if tick % 70 == 33:
			Log.call_at(0, $Chat, "say", [WORDS[random.randi() % WORDS.size()]])
		if tick % 90 == 50:
			Log.call_at(1, $Scores, "request_scores")
		await pause(0.05)
