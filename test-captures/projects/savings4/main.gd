# SPDX-License-Identifier: GPL-2.0-or-later
# A server that tells a client things, each frame for FRAMES frames, as they are and as the statistic "savings" advises.
# Environment: ROLE (server, client, or other: a second client that has no Level), PORT, PLAY: what is told, CHANGED: 1 if
# as advised.
extends Node

const UnitScene = preload("unit.tscn")
const BEFORE := 30
const FRAMES := 300
const AFTER := 6
const KEYS := ["walking", "shield", "carried", "burning", "invisible"]

var is_server := OS.get_environment("ROLE") == "server"
var play := OS.get_environment("PLAY")
var changed := OS.get_environment("CHANGED") == "1"
var random := RandomNumberGenerator.new()
var frame := 0
var client := 0
var told := []
var received := 0
var marks := []


func _ready() -> void:
	random.seed = 26
	$Sparks.spawn_function = make_spark
	if play == "path":
		add_marks()
	if OS.get_environment("ROLE") == "other":
		$Level.free()
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		multiplayer.peer_connected.connect(begin)
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
		multiplayer.server_disconnected.connect(end)
		multiplayer.connected_to_server.connect(func() -> void: Log.record("connected"))
		if play == "one-peer" and OS.get_environment("ROLE") == "client":
			multiplayer.connected_to_server.connect(func() -> void: client = 1)
	if play == "compression" and changed:
		peer.host.compress(ENetConnection.COMPRESS_RANGE_CODER)
	multiplayer.multiplayer_peer = peer
	if is_server:
		Log.record("ready")


func begin(id: int) -> void:
	if play == "one-peer" and multiplayer.get_peers().size() < 2:
		return
	client = id
	# ENet's throttle drops unreliable packets when the machine that plays is busy.
	multiplayer.multiplayer_peer.get_peer(id).throttle_configure(5000, 2, 0)
	if play in ["on-change", "interval", "compression"]:
		for number in 4:
			var unit := UnitScene.instantiate()
			unit.name = "Unit%d" % number
			$World.add_child(unit, true)


func _process(_delta: float) -> void:
	frame += 1 if client else 0
	if is_server and frame == BEFORE + FRAMES + AFTER:
		Log.record("told", {"play": play, "changed": changed, "frames": FRAMES})
		multiplayer.multiplayer_peer.close()
		multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()
		get_tree().quit()
	if frame > BEFORE and frame <= BEFORE + FRAMES and (is_server or play == "one-peer"):
		tell()


func tell() -> void:
	for unit in $World.get_children():
		unit.position = Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		unit.direction = Vector2.LEFT if frame > BEFORE + FRAMES / 2 else Vector2.RIGHT
	if has_method("tell_" + play.replace("-", "_")):
		call("tell_" + play.replace("-", "_"))


func tell_same_arguments() -> void:
	var scores := [frame / 60, 3]
	if scores != told or not changed:
		show_scores.rpc(scores[0], scores[1])
	told = scores


func tell_reliable() -> void:
	var at := Vector2(random.randf(), random.randf())
	if changed:
		aim_latest.rpc(at)
	else:
		aim.rpc(at)


func tell_array() -> void:
	var heights := []
	for number in 24:
		heights.append(random.randf())
	show_heights.rpc(PackedFloat32Array(heights) if changed else heights)


func tell_dictionary() -> void:
	var state := {"position": Vector2(random.randf(), random.randf()), "health": random.randi_range(0, 100), "ammunition": 30}
	show_state.rpc(state.values() if changed else state)


func tell_transform() -> void:
	var turned := Transform3D(Basis(Quaternion(Vector3.UP, random.randf())), Vector3(random.randf(), 0, random.randf()))
	if changed:
		place_turned.rpc(turned.origin, turned.basis.get_rotation_quaternion())
	else:
		place.rpc(turned)


func tell_nested() -> void:
	var units := []
	for number in 4:
		var unit := {"place": Vector2(random.randf(), random.randf()), "health": random.randi_range(0, 100)}
		units.append(unit.values() if changed else unit)
	$Units.show_units.rpc(units)


func tell_keys() -> void:
	var states := {}
	for number in KEYS.size():
		if random.randf() < 0.7:
			states[number if changed else KEYS[number]] = random.randi_range(0, 100)
	show_state.rpc(states)


# The same nodes at both ends, each of which is called three times.
func add_marks() -> void:
	var parent: Node = self
	for title in ["Map"] if changed else ["BattlefieldOfTheNorth", "EntitiesOfTheFirstLevel", "MarksOfAllPlayers"]:
		var node := Node.new()
		node.name = title
		parent.add_child(node)
		parent = node
	for number in FRAMES / 3:
		var mark := preload("mark.gd").new()
		mark.name = "M%d" % number
		parent.add_child(mark)
		marks.append(mark)


func tell_path() -> void:
	marks[(frame - BEFORE - 1) / 3].mark.rpc(random.randf())


func make_spark(at: Vector2) -> Node:
	var spark := Node2D.new()
	spark.position = at
	return spark


# A node that is there for two frames.
func tell_spawn() -> void:
	var at := Vector2(random.randf(), random.randf())
	if changed and frame % 3 == 0:
		$Units.flash.rpc(at)
	elif not changed and frame % 3 == 0:
		$Sparks.spawn(at)
	elif not changed and frame % 3 == 2 and $Flashes.get_child_count():
		$Flashes.get_child(0).free()


# The client tells the server something, and the other client that has no such node.
func tell_one_peer() -> void:
	if not is_server and changed:
		$Level.report.rpc_id(1, random.randf())
	elif not is_server:
		$Level.report.rpc(random.randf())


func end() -> void:
	Log.record("received", {"calls": received})
	get_tree().quit()


@rpc("unreliable")
func show_scores(_points: int, _lives: int) -> void:
	received += 1


@rpc("reliable")
func aim(_at: Vector2) -> void:
	received += 1


@rpc("unreliable_ordered")
func aim_latest(_at: Vector2) -> void:
	received += 1


@rpc("unreliable")
func show_heights(_heights: Variant) -> void:
	received += 1


@rpc("unreliable")
func show_state(_state: Variant) -> void:
	received += 1


@rpc("unreliable")
func place(_at: Transform3D) -> void:
	received += 1


@rpc("unreliable")
func place_turned(_at: Vector3, _turn: Quaternion) -> void:
	received += 1
