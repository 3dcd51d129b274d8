# SPDX-License-Identifier: GPL-2.0-or-later
# Asks what class multiplayer.multiplayer_peer has, compares it and keeps it in typed variables.
extends RefCounted

var errors: Array[String] = []


func look(api: MultiplayerAPI, made: MultiplayerPeer) -> void:
	var peer := api.multiplayer_peer
	Log.record("look", {"class": peer.get_class(), "is": [peer is ENetMultiplayerPeer, peer is WebSocketMultiplayerPeer], "same": api.multiplayer_peer == made,
		"known": {made: 1}.has(peer), "offline": peer is OfflineMultiplayerPeer})
	api.multiplayer_peer = made # again: the engine does nothing then
	if peer is ENetMultiplayerPeer:
		var enet: ENetMultiplayerPeer = api.multiplayer_peer
		Log.record("host", {"channels": enet.host.get_max_channels(), "peers": enet.host.get_peers().size(), "mode": ENetConnection.COMPRESS_ZLIB})
	var websocket := api.multiplayer_peer as WebSocketMultiplayerPeer
	if websocket:
		Log.record("buffers", {"timeout": websocket.handshake_timeout})


func look_at_peer(api: MultiplayerAPI, id: int) -> void:
	Log.record("peer", {"class": enet_peer(api, id).get_class() if api.multiplayer_peer is ENetMultiplayerPeer else "",
		"address": not address(api, id).is_empty()})


func enet_peer(api: MultiplayerAPI, id: int) -> ENetPacketPeer:
	var enet: ENetMultiplayerPeer = api.multiplayer_peer
	return enet.get_peer(id)


func address(api: MultiplayerAPI, id: int) -> String:
	if api.multiplayer_peer is ENetMultiplayerPeer:
		return enet_peer(api, id).get_remote_address()
	return (api.multiplayer_peer as WebSocketMultiplayerPeer).get_peer_address(id)


func kick(api: MultiplayerAPI, id: int) -> void:
	if api.multiplayer_peer is ENetMultiplayerPeer:
		(api.multiplayer_peer as ENetMultiplayerPeer).get_peer(id).peer_disconnect_later(7)
	else:
		(api.multiplayer_peer as WebSocketMultiplayerPeer).disconnect_peer(id)
