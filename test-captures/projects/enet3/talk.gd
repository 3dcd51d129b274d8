# SPDX-License-Identifier: GPL-2.0-or-later
# One end of ENet conversations through NetworkedMultiplayerENet.put_packet. Environment: ROLE (server or client);
# PORT to listen on or to connect to; COMPRESSION mode 0..4; HUGE, the size of the biggest message, or 0 for short
# conversations only; for a client ROUNDS, how often it connects, and MY_PORT, its own port; for a server ENDS, the
# number of ends of connections after which it leaves.
extends SceneTree

const Log = preload("log.gd")
const Messages = preload("messages.gd")
const CHANNELS = 8
const PAUSE = 60  # ms; what is still in the queue when a connection ends is never sent
const DONE = "done"  # reliable: "I have all of your reliable messages"


class Link:
	var id
	var to_send
	var missing  # reliable messages of the other side
	var done_at = 0  # ms; not 0 once DONE has been sent
	var other_done = false


var peer
var links = {}
var round_number = 0
var ends = 0
var is_server = OS.get_environment("ROLE") == "server"


func _initialize():
	start()
	Log.record("ready")


func start():
	round_number += 1
	peer = NetworkedMultiplayerENet.new()
	peer.compression_mode = int(OS.get_environment("COMPRESSION"))
	peer.channel_count = CHANNELS
	peer.connect("peer_connected", self, "peer_connected")
	peer.connect("peer_disconnected", self, "peer_disconnected")
	peer.connect("server_disconnected", self, "peer_disconnected", [1])
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")), 8)
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")), 0, 0, int(OS.get_environment("MY_PORT")))
		Log.record("connect", {"data": peer.get_unique_id(), "channels": CHANNELS})


func peer_connected(id):
	Log.record("connected", {"link": str(id), "me": peer.get_unique_id()})
	if not is_server and id != 1:
		return
	var link = Link.new()
	link.id = id
	var huge = int(OS.get_environment("HUGE"))
	link.to_send = Messages.everything(huge) if huge and ends == 0 and round_number == 1 else Messages.some()
	link.missing = 0
	for m in link.to_send:
		if m[1] == Messages.RELIABLE:
			link.missing += 1
	links[id] = link


func peer_disconnected(id):
	Log.record("disconnected", {"link": str(id)})
	if links.erase(id):
		ends += 1


func _idle(_delta):
	OS.delay_msec(5)
	if peer.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_DISCONNECTED:
		return
	peer.poll()
	while peer.get_available_packet_count() > 0:
		var from = peer.get_packet_peer()
		var channel = peer.get_packet_channel()
		receive(from, peer.get_packet(), channel)
	for link in links.values():
		talk(link)
	if is_server and ends == int(OS.get_environment("ENDS")):
		quit()


func receive(from, packet, channel):
	Log.bytes("receive", packet, {"link": str(from), "channel": channel})
	if not links.has(from):
		return
	if packet == DONE.to_utf8():
		links[from].other_done = true
	elif packet[0] == Messages.MARK + Messages.RELIABLE:
		links[from].missing -= 1


func talk(link):
	for i in 6:
		if not link.to_send.empty():
			var m = link.to_send.pop_front()
			send(link, m[0], m[1], Messages.content(m[0], m[1], m[2]))
	if link.to_send.empty() and link.missing == 0 and not link.done_at:
		link.done_at = OS.get_ticks_msec()
		send(link, -1, Messages.RELIABLE, DONE.to_utf8())
	if not is_server and link.done_at and link.other_done and OS.get_ticks_msec() - link.done_at > PAUSE:
		close(link)


func send(link, channel, mode, packet):
	peer.transfer_channel = channel
	peer.transfer_mode = mode
	peer.set_target_peer(link.id)
	var error = peer.put_packet(packet)
	Log.bytes("send", packet, {
		"link": str(link.id), "me": peer.get_unique_id(), "transfer_channel": channel, "mode": mode, "error": error,
	})


func close(link):
	Log.record("disconnect", {"link": str(link.id), "data": peer.get_unique_id(), "kind": "now"})
	links.erase(link.id)
	peer.close_connection()
	if round_number < int(OS.get_environment("ROUNDS")):
		start()
	else:
		quit()
