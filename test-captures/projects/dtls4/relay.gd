# SPDX-License-Identifier: GPL-2.0-or-later
# Carries the datagrams of ENet in DTLS, one record each, as the engine's own ENet does where it is built with it (Debian's uses
# the system's library, which has no DTLS). Environment: ROLE back (at the server) or front (at the client), UDP_PORT of ENet, DTLS_PORT,
# IDLE: seconds without a datagram after which it ends (6).
extends SceneTree

var local := PacketPeerUDP.new()
var server := UDPServer.new()
var dtls_server := DTLSServer.new()
var tunnel: PacketPeerDTLS
var is_back := OS.get_environment("ROLE") == "back"
var last_seen := 0
var idle := int(OS.get_environment("IDLE")) if OS.has_environment("IDLE") else 6


func _initialize() -> void:
	var udp_port := int(OS.get_environment("UDP_PORT"))
	var dtls_port := int(OS.get_environment("DTLS_PORT"))
	if is_back:
		var key := Crypto.new().generate_rsa(2048)
		dtls_server.setup(TLSOptions.server(key, Crypto.new().generate_self_signed_certificate(key, "CN=localhost")))
		server.listen(dtls_port, "127.0.0.1")
		local.connect_to_host("127.0.0.1", udp_port)
	else:
		local.bind(udp_port, "127.0.0.1")
		var peer := PacketPeerUDP.new()
		peer.connect_to_host("127.0.0.1", dtls_port)
		tunnel = PacketPeerDTLS.new()
		tunnel.connect_to_peer(peer, "localhost", TLSOptions.client_unsafe())
	last_seen = Time.get_ticks_msec()
	print(JSON.stringify({"what": "ready"}))


func _process(_delta: float) -> bool:
	if is_back:
		accept()
	if tunnel:
		tunnel.poll()
		carry()
	return Time.get_ticks_msec() - last_seen > idle * 1000


func accept() -> void:
	server.poll()
	while server.is_connection_available():
		var candidate := dtls_server.take_connection(server.take_connection())
		if candidate.get_status() == PacketPeerDTLS.STATUS_HANDSHAKING: # else it is asked for its cookie first
			tunnel = candidate


func carry() -> void:
	while local.get_available_packet_count() > 0:
		var packet := local.get_packet()
		if not is_back:
			local.set_dest_address(local.get_packet_ip(), local.get_packet_port())
		if tunnel.get_status() == PacketPeerDTLS.STATUS_CONNECTED: # else ENet sends it again
			log_packet("in", packet)
			tunnel.put_packet(packet)
	while tunnel.get_status() == PacketPeerDTLS.STATUS_CONNECTED and tunnel.get_available_packet_count() > 0:
		var packet := tunnel.get_packet()
		log_packet("out", packet)
		local.put_packet(packet)


func log_packet(what: String, packet: PackedByteArray) -> void:
	last_seen = Time.get_ticks_msec()
	print(JSON.stringify({"what": what, "hex": packet.hex_encode()}))
