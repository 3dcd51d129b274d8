"""Builds ENet datagrams around messages, for tests of protocols over ENet.

    connection = enet_packets.Connection(peer_id=1203)
    pcap.write(path, connection.open() + [connection.message(b"\\x07\\x00"), connection.message(b"...", server=True)])

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

import pcap

SERVER = (pcap.SERVER[0], 8910)


class Connection:
    """A client and a server, as Godot makes them: the peer id is in CONNECT's data."""

    def __init__(self, peer_id=0x12345678, channels=255, port=40001, client_slot=0, server_slot=0):
        self.peer_id = peer_id
        self.channels = channels
        self.client = (pcap.CLIENT[0], port)
        self.slots = {False: server_slot, True: client_slot}  # the receiver's peer id
        self.client_slot, self.server_slot = client_slot, server_slot
        self.time = 0
        self.sequences = {}

    def datagram(self, commands, server=False, peer=None):
        """A datagram with these commands; its sent time is one more than the previous one's."""
        self.time += 1
        header = struct.pack(">HH", 0x8000 | (self.slots[server] if peer is None else peer), self.time)
        return pcap.udp(header + commands, self.client, SERVER, reply=server)

    def open(self):
        """CONNECT and VERIFY CONNECT."""
        parameters = struct.pack(">IIIIIIIII", 1392, 65536, self.channels, 0, 0, 5000, 2, 2, 0xA1B2C3D4)
        connect = struct.pack(">BBHHBB", 0x82, 0xFF, 1, self.client_slot, 0xFF, 0xFF) + parameters
        verify = struct.pack(">BBHHBB", 0x83, 0xFF, 1, self.server_slot, 0, 0) + parameters
        return [
            self.datagram(connect + struct.pack(">I", self.peer_id), False, peer=0x0FFF),
            self.datagram(verify, True),
        ]

    def opened(self):
        """Acknowledges VERIFY CONNECT."""
        return self.datagram(struct.pack(">BBHHH", 0x01, 0xFF, 1, 1, 2))

    def command(self, payload, server=False, channel=0):
        key = (server, channel)
        self.sequences[key] = self.sequences.get(key, 0) + 1
        return struct.pack(">BBHH", 0x86, channel, self.sequences[key], len(payload)) + payload

    def message(self, *payloads, server=False, channel=0):
        """A datagram with one reliable message for each payload."""
        return self.datagram(b"".join(self.command(payload, server, channel) for payload in payloads), server)

    def unreliable(self, payload, server=False, channel=0):
        """A datagram with one unreliable message."""
        key = (server, channel, "unreliable")
        self.sequences[key] = self.sequences.get(key, 0) + 1
        head = struct.pack(">BBHHH", 0x07, channel, self.sequences.get((server, channel), 0), self.sequences[key], len(payload))
        return self.datagram(head + payload, server)
