# SPDX-License-Identifier: GPL-2.0-or-later
# Asks whatever multiplayer.multiplayer_peer is, by names alone.
extends RefCounted

var errors: Array[String] = []


func look(api: MultiplayerAPI, _made: MultiplayerPeer) -> void:
	var peer = api.multiplayer_peer
	Log.record("look", {
		"made_by": peer.get_meta("made_by"), "host": peer.get("host") != null, "methods": peer.has_method("get_peer"), "signal": peer.has_signal("peer_connected"),
		"constant": peer.get("COMPRESS_ZLIB"), "timeout": peer.get("handshake_timeout"), "server_relay": api.server_relay,
		"buffer": peer.encode_buffer_max_size,
	})
	if "host" in peer:
		Log.record("host", {"class": peer.host.get_class(), "channels": peer.host.get_max_channels(), "peers": peer.host.get_peers().size(),
			"sent": peer.host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA) >= 0})
	else:
		peer.handshake_timeout = 2.0
		peer.outbound_buffer_size = 131072
		Log.record("buffers", {"timeout": peer.handshake_timeout, "outbound": peer.outbound_buffer_size, "supported": peer.supported_protocols})


func look_at_peer(api: MultiplayerAPI, id: int) -> void:
	var peer = api.multiplayer_peer.get_peer(id)
	if peer is ENetPacketPeer:
		peer.set_timeout(0, 5000, 10000)
		Log.record("peer", {"class": peer.get_class(), "state": peer.get_state(), "channels": peer.get_channels(),
			"loss": peer.get_statistic(ENetPacketPeer.PEER_PACKET_LOSS), "rtt": peer.get_statistic(ENetPacketPeer.PEER_ROUND_TRIP_TIME) > 0})
		peer.ping_interval(250)
		peer.ping()
	else:
		Log.record("peer", {"class": peer.get_class(), "state": peer.get_ready_state(), "buffered": peer.get_current_outbound_buffered_amount()})


func address(api: MultiplayerAPI, id: int) -> String:
	if "host" in api.multiplayer_peer:
		return api.multiplayer_peer.get_peer(id).get_remote_address()
	return api.multiplayer_peer.get_peer_address(id)


func kick(api: MultiplayerAPI, id: int) -> void:
	if "host" in api.multiplayer_peer:
		api.multiplayer_peer.get_peer(id).peer_disconnect_later(7)
	else:
		api.multiplayer_peer.disconnect_peer(id)
