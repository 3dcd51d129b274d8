# SPDX-License-Identifier: GPL-2.0-or-later
# A client that sends packets as no engine makes them, and after each one its name as a raw packet. Environment: PORT.
extends SceneTree

const HEX := {
	"call without a method": "0001",
	"call with a node id of no size": "30010000",
	"call with a path beyond its end": "20ff000080000181",
	"call to a path id that was not announced": "00630000",
	"call to a node that is not there": "2008000080000181" + "4d61696e2f4e6f6265" + "00",
	"announcement that is too short": "0161",
	"announcement": "01" + "TICK" + "00" + "01000000" + "4d61696e00",
	"announcement of the same id": "01" + "TICK" + "00" + "01000000" + "4f7468657200",
	"announcement of a node that is not there": "01" + "TICK" + "00" + "02000000" + "4e6f626f647900",
	"announcement with another checksum": "01" + "NONE" + "00" + "03000000" + "4d61696e00",
	"call with too few bytes of arguments": "0001000205",
	"call of a method that is not there": "80010900",
	"confirmation that is too short": "0201",
	"confirmation of what was not announced": "020163000000",
	"raw packet without bytes": "03",
	"spawn that is too short": "0400010000",
	"spawn by a spawner that is not there": "0400" + "63000000" + "01000000" + "00000000" + "02000000" + "5000",
	"despawn that is too short": "0501",
	"despawn of what was not spawned": "0563000000",
	"synchronization that is too short": "060100",
	"synchronization of what is not there": "0601006200000002000000" + "0205",
	"delta of what is not there": "1661000000" + "0100000000000000" + "02000000" + "0205",
	"system message that is too short": "0701",
	"system message that is not known": "0709000000000000",
	"add peer by a client": "070163000000",
	"relay without a packet": "070301000000",
}


func _initialize() -> void:
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	while peer.get_connection_status() != MultiplayerPeer.CONNECTION_CONNECTED:
		peer.poll()
		await create_timer(0.05).timeout
	peer.set_target_peer(1)
	for title: String in HEX:
		var hex: String = HEX[title].replace("TICK", sum("tick")).replace("NONE", sum(""))
		Log.record("put_packet", {"name": title, "hex": hex})
		peer.put_packet(hex.hex_decode())
		peer.put_packet(PackedByteArray([3]) + title.to_utf8_buffer())
		for i in 3:
			peer.poll()
			await create_timer(0.03).timeout
	peer.close()
	quit()


# The checksum's 32 characters, as hexadecimal digits of their bytes.
func sum(names: String) -> String:
	return names.md5_text().to_ascii_buffer().hex_encode()
