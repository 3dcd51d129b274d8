"""Very many connections, fragments and nested values.
"""

import struct

import enet_packets
import pcap
import records

CONNECT_ID = bytes.fromhex("a1b2c3d4")  # of enet_packets.Connection


def many(folder, n, ports):
    """Connections in different slots, each with a message, from that many ports."""
    packets = []
    for i in range(n):
        connection = enet_packets.Connection(peer_id=2 + i, port=1024 + i % ports, client_slot=i % 4095, server_slot=i % 4095)
        packets += (packet.replace(CONNECT_ID, struct.pack(">I", 1 + i)) for packet in connection.open())
        packets.append(connection.message(b"\x07\x00", server=True))
    return pcap.write(folder / "capture.pcap", packets)


def connections(folder, n):
    return many(folder, n, 60000)


def slots(folder, n):
    return many(folder, n, 1)


def fragments(folder, n):
    """The first fragments of messages of 32 MiB, one to a datagram."""
    connection, total = enet_packets.Connection(), 1 << 25
    pieces = (struct.pack(">BBHHHIIII", 0x88, i % 3, (i * 7) & 0xFFFF, (i * 7) & 0xFFFF, 1, 1 << 20, 0, total, 0) + b"x" for i in range(n))
    return pcap.write(folder / "capture.pcap", connection.open() + [connection.datagram(piece) for piece in pieces])


def never_acknowledged(folder, n):
    """Reliable messages that are never acknowledged, each sent twice."""
    connection = enet_packets.Connection()
    packets = connection.open()
    for _ in range(n):
        command = connection.command(b"\x07\x00")
        packets += [connection.datagram(command), connection.datagram(command)]
    return pcap.write(folder / "capture.pcap", packets)


def nested(folder, n):
    """Nested arrays, as deep as the engine writes them."""
    value = struct.pack("<II", 28, 1) * 60 + struct.pack("<I", 0)
    messages = [records.simplify("0" * 32, 1, "Main"), *[records.call(1, 0, value)] * n]
    connection = enet_packets.Connection()
    return pcap.write(folder / "capture.pcap", connection.open() + [connection.message(message) for message in messages])


KINDS = {
    "connections, each from another port": (200, ("-V",), connections),
    "connections between the same sockets": (200, ("-V",), slots),
    "fragments of messages of 32 MiB": (400, ("-V",), fragments),
    "messages that are never acknowledged": (300, ("-2", "-V"), never_acknowledged),
    "values nested 60 deep": (40, ("-V",), nested),
}
