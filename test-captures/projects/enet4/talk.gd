# SPDX-License-Identifier: GPL-2.0-or-later
# One end of ENet conversations through ENetConnection. Environment: ROLE (server or client);
# PORT to listen on or to connect to; COMPRESSION mode 0..4; HUGE, the size of the biggest message, or 0 for short
# conversations only; for a client ROUNDS, how often it connects, and NUMBER, its own; for a server ENDS, the
# number of ends of connections after which it leaves.
extends SceneTree

const Log = preload("log.gd")
const Messages = preload("messages.gd")
const CHANNELS := 8
const PATIENCE := 3000  # ms to wait for the acknowledgement of a disconnect that may be lost
const PAUSE := 60  # ms; what is still in the queue when a connection ends is never sent
const DONE := "done"  # reliable: "I have all of your reliable messages"


class Link:
	var name: String
	var peer: ENetPacketPeer
	var to_send: Array
	var missing: int  # reliable messages of the other side
	var done_at := 0  # ms; not 0 once DONE has been sent
	var other_done := false
	var closed_at := 0  # ms; not 0 once this side has ended the connection


var host := ENetConnection.new()
var links := {}
var round_number := 0
var ended := 0
var is_server := OS.get_environment("ROLE") == "server"


func _initialize() -> void:
	var port := int(OS.get_environment("PORT"))
	if is_server:
		host.create_host_bound("127.0.0.1", port, 8, CHANNELS)
	else:
		host.create_host(4, CHANNELS)
	host.compress(int(OS.get_environment("COMPRESSION")))
	Log.record("ready")
	if not is_server:
		connect_again()


func connect_again() -> void:
	round_number += 1
	var data := round_number * 1000 + int(OS.get_environment("NUMBER"))
	var peer := host.connect_to_host("127.0.0.1", int(OS.get_environment("PORT")), CHANNELS, data)
	Log.record("connect", {"data": data, "channels": CHANNELS})
	add_link(peer, data)


func add_link(peer: ENetPacketPeer, data: int) -> void:
	var link := Link.new()
	link.name = str(data)
	link.peer = peer
	var huge := int(OS.get_environment("HUGE"))
	link.to_send = Messages.everything(huge) if huge and data == 1000 else Messages.some()
	link.missing = link.to_send.filter(func(m): return m[1] == Messages.RELIABLE).size()
	links[peer] = link


func _process(_delta: float) -> bool:
	var event := host.service(5)
	while event[0] > 0:
		handle(event[0], event[1], event[2], event[3])
		event = host.service(0)
	for link in links.values():
		talk(link)
	if links.is_empty() and (not is_server or ended == int(OS.get_environment("ENDS"))):
		if not is_server and round_number < int(OS.get_environment("ROUNDS")):
			connect_again()
			return false
		host.flush()
		Log.record("totals", {
			"sent_bytes": host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA),
			"sent_datagrams": host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_PACKETS),
			"received_bytes": host.pop_statistic(ENetConnection.HOST_TOTAL_RECEIVED_DATA),
			"received_datagrams": host.pop_statistic(ENetConnection.HOST_TOTAL_RECEIVED_PACKETS),
		})
		return true
	return false


func handle(type: int, peer: ENetPacketPeer, data: int, channel: int) -> void:
	match type:
		ENetConnection.EVENT_CONNECT:
			if is_server:
				add_link(peer, data)
			Log.record("connected", {"link": links[peer].name, "data": data, "port": peer.get_remote_port()})
		ENetConnection.EVENT_RECEIVE:
			receive(links[peer], peer.get_packet(), channel)
		ENetConnection.EVENT_DISCONNECT:
			Log.record("disconnected", {"link": links[peer].name, "data": data})
			remove(peer)


func remove(peer: ENetPacketPeer) -> void:
	links.erase(peer)
	ended += 1


func receive(link: Link, packet: PackedByteArray, channel: int) -> void:
	Log.bytes("receive", packet, {"link": link.name, "channel": channel})
	if packet == DONE.to_utf8_buffer():
		link.other_done = true
	elif packet[0] == Messages.RELIABLE:
		link.missing -= 1


func talk(link: Link) -> void:
	if link.closed_at and Time.get_ticks_msec() - link.closed_at > PATIENCE:
		Log.record("gave up", {"link": link.name})
		remove(link.peer)
	if link.peer.get_state() != ENetPacketPeer.STATE_CONNECTED:
		return
	for i in 6:
		if not link.to_send.is_empty():
			var m: Array = link.to_send.pop_front()
			send(link, m[0], m[1], Messages.content(m[0], m[1], m[2]))
	if link.to_send.is_empty() and link.missing == 0 and not link.done_at:
		link.done_at = Time.get_ticks_msec()
		send(link, 0, Messages.RELIABLE, DONE.to_utf8_buffer())
	if not is_server and link.done_at and link.other_done and Time.get_ticks_msec() - link.done_at > PAUSE:
		close(link)


func send(link: Link, channel: int, flags: int, packet: PackedByteArray) -> void:
	var error := link.peer.send(channel, packet, flags)
	Log.bytes("send", packet, {"link": link.name, "channel": channel, "flags": flags, "error": error})


# A different kind of end in each round.
func close(link: Link) -> void:
	link.closed_at = Time.get_ticks_msec()
	var data := 77 + round_number
	Log.record("disconnect", {
		"link": link.name, "data": data, "kind": ["now", "graceful", "later"][round_number % 3],
		"packets_lost": link.peer.get_statistic(ENetPacketPeer.PEER_PACKET_LOSS),
		"round_trip_time": link.peer.get_statistic(ENetPacketPeer.PEER_ROUND_TRIP_TIME),
	})
	match round_number % 3:
		1:
			link.peer.peer_disconnect(data)
		2:
			link.peer.peer_disconnect_later(data)
		0:  # in the last round, since afterwards this host refuses to connect again
			link.peer.peer_disconnect_now(data)
			remove(link.peer)
