# SPDX-License-Identifier: GPL-2.0-or-later
# A server and a client in one process that talk for some seconds, each in a part of the tree with an API of its own, and what the frames
# took. Environment: PORT; SECONDS; CALLS, in each frame of the first half; SIZE of the text of each call; FRAMES a second.
extends Node

var last_frame := 0 # microseconds


class Talker:
	extends Node

	@rpc("any_peer", "unreliable")
	func say(text: String) -> void:
		if text.begins_with("number "):
			Log.record("called", {"text": text.get_slice(" ", 1)})


func _ready() -> void:
	process_priority = (1 << 30) + 1 # after the recorder
	Engine.max_fps = int(OS.get_environment("FRAMES"))
	var ends: Array[Node] = []
	var apis: Array[SceneMultiplayer] = []
	for end: String in ["Server", "Client"]:
		var root := Node.new()
		root.name = end
		add_child(root)
		var api := SceneMultiplayer.new()
		get_tree().set_multiplayer(api, root.get_path())
		var talker := Talker.new()
		talker.name = "Talker"
		root.add_child(talker)
		var peer := ENetMultiplayerPeer.new()
		var port := int(OS.get_environment("PORT"))
		if end == "Server":
			peer.set_bind_ip("127.0.0.1")
			peer.create_server(port)
		else:
			peer.create_client("127.0.0.1", port)
		api.multiplayer_peer = peer
		apis.append(api)
		ends.append(talker)
	await apis[1].connected_to_server
	ends[1].rpc("say", "number 0")
	await get_tree().create_timer(0.2).timeout
	Log.record("ready", {})
	await talk(ends[1])
	get_tree().quit()


# What the frames of the first half took: from the engine's poll to the end of what nodes do in a frame, the recorder among them.
func talk(talker: Node) -> void:
	var number := 0
	var took := PackedInt64Array()
	var frames := 0
	var calls := int(OS.get_environment("CALLS"))
	var filling := " ".repeat(int(OS.get_environment("SIZE")))
	var end := Time.get_ticks_msec() + 1000 * int(OS.get_environment("SECONDS"))
	var middle := end - 500 * int(OS.get_environment("SECONDS"))
	while Time.get_ticks_msec() < end:
		var is_first_half := Time.get_ticks_msec() < middle
		for i in calls if is_first_half else 1:
			number += 1
			talker.rpc("say", "number %d %s" % [number, filling])
		await get_tree().process_frame
		frames += 1
		if is_first_half:
			took.append(last_frame)
	took.sort()
	Log.record("frames", {"count": frames, "median": took[took.size() / 2], "p99": took[took.size() * 99 / 100], "longest": took[-1], "calls": number})


func _process(_delta: float) -> void:
	last_frame = Time.get_ticks_usec() - (get_tree() as FrameTree).begun
