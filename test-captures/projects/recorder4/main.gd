# SPDX-License-Identifier: GPL-2.0-or-later
# A server and clients in one process, each in a part of the tree with an API of its own, doing what can go wrong with a peer.
# Environment: PORT; WHAT, a method below.
extends Node

var server: SceneMultiplayer
var client: SceneMultiplayer


# A node at both ends.
class Talker:
	extends Node

	@rpc("any_peer")
	func say(text: String) -> void:
		Log.record("called", {"node": str(get_path()), "text": text, "from_server": multiplayer.get_remote_sender_id() == 1})


func _ready() -> void:
	server = add_end("Server")
	client = add_end("Client")
	await call(OS.get_environment("WHAT"))
	Log.record("end", {"server": server.has_multiplayer_peer(), "client": client.has_multiplayer_peer()})
	get_tree().quit()


func add_end(end: String) -> SceneMultiplayer:
	var api := SceneMultiplayer.new()
	var root := Node.new()
	root.name = end
	add_child(root)
	get_tree().set_multiplayer(api, root.get_path())
	api.peer_connected.connect(func(id: int) -> void: Log.record("peer_connected", {"end": end, "is_server": id == 1}))
	api.peer_disconnected.connect(func(id: int) -> void: Log.record("peer_disconnected", {"end": end, "is_server": id == 1}))
	for what: StringName in [&"connected_to_server", &"connection_failed", &"server_disconnected"]:
		api.connect(what, func() -> void: Log.record(what, {"end": end}))
	var talker := Talker.new()
	talker.name = "Talker"
	root.add_child(talker)
	return api


func new_server() -> ENetMultiplayerPeer:
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	Log.record("create_server", {"error": peer.create_server(int(OS.get_environment("PORT")))})
	return peer


func new_client() -> ENetMultiplayerPeer:
	var peer := ENetMultiplayerPeer.new()
	Log.record("create_client", {"error": peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))})
	return peer


func start() -> void:
	server.multiplayer_peer = new_server()
	client.multiplayer_peer = new_client()


func pause(seconds := 0.5) -> void:
	await get_tree().create_timer(seconds).timeout


func talk() -> void:
	for i in 3:
		Log.record("rpc", {"error": $Client/Talker.rpc("say", "from the client %d" % i)})
		Log.record("rpc", {"error": $Server/Talker.rpc("say", "from the server %d" % i)})
		await pause(0.1)


func ordinary() -> void:
	start()
	await client.connected_to_server
	await talk()


func killed() -> void:
	await ordinary()
	OS.kill(OS.get_process_id())


func started_by_a_timer() -> void:
	await pause()
	await ordinary()


func closed_in_a_callback() -> void:
	client.connected_to_server.connect(func() -> void: client.multiplayer_peer.close())
	start()
	await pause(1.0)


func removed_in_a_callback() -> void:
	server.peer_connected.connect(func(_id: int) -> void: server.multiplayer_peer = null)
	client.connected_to_server.connect(func() -> void: client.multiplayer_peer = null)
	start()
	await pause(1.0)


func replaced_in_a_callback() -> void:
	client.connected_to_server.connect(func() -> void: client.multiplayer_peer = new_client(), CONNECT_ONE_SHOT)
	start()
	await pause(1.0)
	await talk()


func removed_by_a_call() -> void:
	start()
	await client.connected_to_server
	$Server/Talker.rpc("say", "the last words")
	server.multiplayer_peer = null
	await pause(1.0)


func closed_and_started_again() -> void:
	await ordinary()
	client.multiplayer_peer.close()
	server.multiplayer_peer.close()
	await pause()
	start()
	await client.connected_to_server
	await talk()


func thrown_out() -> void:
	await ordinary()
	server.disconnect_peer(server.get_peers()[0])
	await pause()


func properties_of_the_peer() -> void:
	await ordinary()
	var peer: MultiplayerPeer = client.multiplayer_peer
	Log.record("properties", {
		"status": peer.get_connection_status(), "refuse": peer.refuse_new_connections, "mode": peer.transfer_mode,
		"host": str(peer.get("host")).get_slice("#", 0), "relay": server.multiplayer_peer.is_server_relay_supported(),
		"packets": peer.get_available_packet_count(), "server": server.is_server(), "unique": server.get_unique_id(),
	})
	peer.set("refuse_new_connections", true)
	Log.record("properties", {"refuse": peer.refuse_new_connections})
	peer.close()
	Log.record("properties", {"status": peer.get_connection_status()})
	await pause()


# The server's API is that of the whole tree, set by the game when all nodes are there.
func api_of_the_tree() -> void:
	var talker := Talker.new()
	talker.name = "Talker"
	get_tree().root.add_child.call_deferred(talker)
	await pause()
	var api := SceneMultiplayer.new()
	get_tree().set_multiplayer(api)
	api.multiplayer_peer = new_server()
	client.multiplayer_peer = new_client()
	await client.connected_to_server
	await pause() # until the server has the client, too
	for i in 3:
		Log.record("rpc", {"error": $Client/Talker.rpc("say", "from the client %d" % i)})
		Log.record("rpc", {"error": talker.rpc("say", "from the server %d" % i)})
		await pause(0.1)


# Packets that a script sends to everybody, and to everybody but one, at once: SceneMultiplayer itself does not.
func to_everybody() -> void:
	var others: Array[SceneMultiplayer] = [client, add_end("Client2"), add_end("Client3")]
	for i in others.size():
		others[i].peer_packet.connect(func(id: int, packet: PackedByteArray) -> void:
			Log.record("received", {"text": packet.get_string_from_utf8(), "end": i, "me": others[i].get_unique_id(), "from": id, "ticks": Time.get_ticks_usec()}))
	start()
	await client.connected_to_server
	for i in [1, 2]:
		others[i].multiplayer_peer = new_client()
		await others[i].connected_to_server
	await pause(0.2)
	var peer := server.multiplayer_peer
	for target: int in [0, -client.get_unique_id(), 0, client.get_unique_id()]:
		var text := "sent to %s" % ("all" if target == 0 else "all but one" if target < 0 else "one")
		peer.set_target_peer(target)
		peer.transfer_mode = MultiplayerPeer.TRANSFER_MODE_RELIABLE
		Log.record("sent", {"text": text, "target": target, "ticks": Time.get_ticks_usec(), "first": client.get_unique_id()})
		peer.put_packet(PackedByteArray([3]) + text.to_utf8_buffer()) # 3: bytes of the game's own
		await pause(0.2)
	peer.set_target_peer(0)


# Values and bytes without the multiplayer API, through RecorderPacketPeer and RecorderStreamPeer.
func raw_peers() -> void:
	var port := int(OS.get_environment("PORT"))
	var writer: RecorderWriter = get_node("/root/GodotWireshark").get("writer")
	if not writer:
		writer = RecorderWriter.new("")
	var receiver := PacketPeerUDP.new()
	var sender := PacketPeerUDP.new()
	receiver.bind(port, "127.0.0.1")
	sender.connect_to_host("127.0.0.1", port)
	var tcp_server := TCPServer.new()
	tcp_server.listen(port, "127.0.0.1")
	var client_stream := StreamPeerTCP.new()
	client_stream.connect_to_host("127.0.0.1", port)
	while not tcp_server.is_connection_available():
		client_stream.poll()
		await get_tree().process_frame
	var server_stream := tcp_server.take_connection()
	while client_stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		client_stream.poll()
		await get_tree().process_frame
	var packets_out := RecorderPacketPeer.new(sender, writer, "sender")
	var packets_in := RecorderPacketPeer.new(receiver, writer, "receiver")
	var stream_out := RecorderStreamPeer.new(client_stream, writer, "client")
	var stream_in := RecorderStreamPeer.new(server_stream, writer, "server")
	for value: Variant in [5, "text", Vector3(1, 2, 3), [true, null], {"a": 1.5}]:
		Log.record("put_var", {"text": var_to_str(value), "error": packets_out.put_var(value)})
		stream_out.put_var(value)
		await pause(0.1)
		Log.record("get_var", {"text": var_to_str(packets_in.get_var()), "stream": var_to_str(stream_in.get_var())})
	Log.record("put_packet", {"error": packets_out.put_packet("hello".to_utf8_buffer())})
	Log.record("put_data", {"error": stream_out.put_data("bytes".to_utf8_buffer())})
	await pause(0.1)
	Log.record("get_packet", {"text": packets_in.get_packet().get_string_from_utf8()})
	Log.record("get_data", {"text": (stream_in.get_data(5)[1] as PackedByteArray).get_string_from_utf8()})


# Values and texts that are not there, cut off or damaged: the game gets what it gets without the recorder, and only what has
# arrived is recorded.
func nothing_to_get() -> void:
	var writer: RecorderWriter = get_node("/root/GodotWireshark").get("writer")
	if not writer:
		writer = RecorderWriter.new("")
	var streams := {
		"nothing": "", "half a length": "0800", "nil": "0400000000000000", "half a value": "080000000200", "no value": "04000000ffffffff",
		"length of nothing": "00000000", "negative length": "ffffffff", "text": "0300000061c3a4", "text with a NUL": "03000000610062",
	}
	for what: String in streams:
		for big_endian: bool in [false, true]:
			var bytes := (streams[what] as String).hex_decode()
			if big_endian and bytes.size() >= 4:
				bytes = PackedByteArray([bytes[3], bytes[2], bytes[1], bytes[0]]) + bytes.slice(4)
			var results := []
			for recorded: bool in [false, true]:
				if not recorded and bytes.size() < 4:
					results = ["null", "\"\""] # the engine makes a length of memory that it has not set
					continue
				for get_text: bool in [false, true]:
					var buffer := StreamPeerBuffer.new()
					buffer.big_endian = big_endian
					buffer.data_array = bytes
					var stream: Variant = RecorderStreamPeer.new(buffer, writer, what) if recorded else buffer
					results.append(var_to_str(stream.get_utf8_string() if get_text else stream.get_var()))
			Log.record("get", {"stream": what, "big_endian": big_endian, "bare": results.slice(0, 2), "recorded": results.slice(2)})
	var sender := PacketPeerUDP.new() # without an address: put_packet() fails
	var packets := RecorderPacketPeer.new(sender, writer, "no packet")
	Log.record("get_packet", {"size": packets.get_packet().size(), "value": var_to_str(packets.get_var()), "error": packets.get_packet_error()})
	Log.record("put_packet", {"error": packets.put_packet("lost".to_utf8_buffer())})
	var stream := RecorderStreamPeer.new(StreamPeerTCP.new(), writer, "no connection")
	Log.record("put_data", {"error": stream.put_data("lost".to_utf8_buffer())})
	stream.put_var(5)
	Log.record("get_data", {"error": stream.get_data(4)[0], "value": var_to_str(stream.get_var())})


# Calls and questions that the engine refuses.
func refused() -> void:
	client.multiplayer_peer = null
	Log.record("rpc", {"error": $Client/Talker.rpc("say", "without a peer"), "peers": client.get_peers().size(), "id": client.get_unique_id()})
	start()
	await client.connected_to_server
	Log.record("rpc", {"error": $Client/Talker.rpc("nothing"), "unknown": $Client/Talker.rpc_id(77, "say", "nobody"), "null": client.rpc(0, null, "say", [])})
	Log.record("config", {"error": client.object_configuration_add($Client/Talker, 5)})
	client.multiplayer_peer = ENetMultiplayerPeer.new()
	await pause(0.1)
	var peer := client.multiplayer_peer
	Log.record("get", {"size": peer.get_packet().size(), "error": peer.get_packet_error()})
	peer.disconnect_peer(5)


# Four threads, each of which writes 25 streams of 100 values.
func from_threads() -> void:
	var writer: RecorderWriter = get_node("/root/GodotWireshark").get("writer")
	var threads: Array[Thread] = []
	for number in 4:
		threads.append(Thread.new())
		threads[number].start(func() -> void:
			for i in 25:
				var stream := RecorderStreamPeer.new(StreamPeerBuffer.new(), writer, "thread %d" % number)
				for value in 100:
					stream.put_var(value))
	for thread in threads:
		while thread.is_alive():
			await get_tree().process_frame
		thread.wait_to_finish()
