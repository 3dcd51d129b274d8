"""Captures of both ends in one file. SPDX-License-Identifier: GPL-2.0-or-later

The captures of `multiplayer-loss` were made on both sides of a relay that forwards datagrams unchanged. With
the addresses of one side, they are like captures at both ends of a network that loses, delays and duplicates
datagrams.
"""

import functools
import struct
import subprocess

import pcap
import tshark

FOLDER = tshark.CAPTURES / "multiplayer-loss"
AT_CLIENTS, AT_SERVER = 22222, 22221  # the server's port at each point
IP_HEADER = 20


def ports(packet):
    return struct.unpack_from(">HH", packet, packet.index(b"\x45") + IP_HEADER)


def payload(packet):
    return packet[packet.index(b"\x45") + IP_HEADER + 8:]


def with_ports(packet, source, target):
    at = packet.index(b"\x45") + IP_HEADER
    return packet[:at] + struct.pack(">HH", source, target) + packet[at + 4:at + 6] + b"\0\0" + packet[at + 8:]


@functools.lru_cache(maxsize=None)
def points(name):
    """(link type, [(time, packet)] at the clients, the same at the server with the clients' ports)."""
    link, at_clients = pcap.read(FOLDER / f"{name}.client-side.pcap")
    _, at_server = pcap.read(FOLDER / f"{name}.server-side.pcap")
    opened = {payload(packet): ports(packet)[0] for _, packet in reversed(at_clients) if ports(packet)[1] == AT_CLIENTS}
    client_of = {}
    for _, packet in at_server:
        source, target = ports(packet)
        if target == AT_SERVER and source not in client_of and payload(packet) in opened:
            client_of[source] = opened[payload(packet)]
    moved = []
    for time, packet in at_server:
        source, target = ports(packet)
        there = target == AT_SERVER
        if (source if there else target) in client_of:
            moved.append((time, with_ports(packet, client_of[source], AT_CLIENTS) if there else with_ports(packet, AT_CLIENTS, client_of[target])))
    return link, at_clients, moved


@functools.lru_cache(maxsize=None)
def translated(name):
    """Both points unchanged: the relay uses other ports on the server's side, as a NAT does."""
    folder = tshark.workplace() / "points"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-translated.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *(FOLDER / f"{name}.{side}-side.pcap" for side in ("client", "server"))], check=True)
    path.chmod(0o644)
    return path


@functools.lru_cache(maxsize=None)
def merged(name, ahead=0.0, interfaces="none"):
    """A capture of both points. The server's clock is ahead by this many seconds."""
    link, at_clients, at_server = points(name)
    folder = tshark.workplace() / "points"
    folder.mkdir(exist_ok=True)
    parts = [pcap.write(folder / "clients.pcap", at_clients, linktype=link),
             pcap.write(folder / "server.pcap", [(time + ahead, packet) for time, packet in at_server], linktype=link)]
    path = folder / f"{name}-{ahead}-{interfaces}.pcapng"
    subprocess.run(["mergecap", "-I", interfaces, "-w", path, *parts], check=True)
    path.chmod(0o644)
    return path
