"""What engines say: many texts, many reports about one packet, and errors of a debugger that many packets fit.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools
import struct

import enet_packets
import pcap
import records

RECORDING, CLIENT, DEBUGGER = 0x11, 1234567, ("127.0.0.1", 6007)
STACK = [{"function": "f" * 20, "file": "res://a.gd", "line": 1}] * 40


def about_packets(folder, n):
    """Each packet has a report with a text of its own and a long stack."""
    made = [records.info(RECORDING, engine="4.6.3", game=1)]
    for number in range(1, n + 1):
        made.append(records.numbered(number, RECORDING, 1, CLIENT, records.call(1, 0), received=True))
        made.append(records.event(records.REPORT, RECORDING, 1, CLIENT, packet=number, type="error", text=f"text {number}", backtrace=STACK))
    return records.write(folder / "recording.pcap", made)


def about_one_packet(folder, n):
    made = [records.numbered(1, RECORDING, 1, CLIENT, records.call(1, 0), received=True)]
    made += [records.event(records.REPORT, RECORDING, 1, CLIENT, packet=1, type="error", text=f"text {number}") for number in range(n)]
    return records.write(folder / "recording.pcap", made)


def origins(folder, n):
    """Each packet has the lines that sent it."""
    made = []
    for number in range(1, n + 1):
        made.append(records.event(records.ORIGIN, RECORDING, packet=number, stack=[{**place, "line": number} for place in STACK]))
        made.append(records.numbered(number, RECORDING, 1, CLIENT, records.call(1, 0)))
    return records.write(folder / "recording.pcap", made)


def of_the_process(folder, n):
    """Output, changes of nodes, pauses and what was left out, each of a process of its own."""
    made = []
    for number in range(1, n + 1):
        made.append(records.info(RECORDING + number, engine="4.6.3", game=RECORDING + number, process=number))
        made.append(records.event(records.OUTPUT, RECORDING + number, type="print", text=f"text {number}" * 20))
        made.append(records.event(records.NODE, RECORDING + number, event="renamed", path=f"Main/{number}", **{"from": f"Main/{number - 1}"}))
        made.append(records.event(records.PAUSE, RECORDING + number, microseconds=number))
        made.append(records.event(records.REPORT, RECORDING + number, left_out={"reports": number, "output": number}))
    return records.write(folder / "recording.pcap", made)


# --- the debugger ----------------------------------------------------------------------------------------------------


def string(text):
    return struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4)


def array(*values):
    return struct.pack("<II", 28, len(values)) + b"".join(values)


def error(text):
    number = struct.pack("<Ii", 2, 1)
    arguments = [number] * 4 + [string(b"a.cpp"), string(b"f"), number, string(b"e"), string(text), struct.pack("<II", 1, 0), struct.pack("<Ii", 2, 0)]
    message = array(string(b"error"), number, array(*arguments))
    return struct.pack("<I", len(message)) + message


def debugged(folder, n):
    """Calls of a node by its path from one of two clients in turns, and as many errors that all of them fit, with two texts."""
    path, ends = b"Main", [enet_packets.Connection(), enet_packets.Connection(port=40002, peer_id=0x12345679)]
    announcement = b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + path + b"\0"
    packets = [packet for end in ends for packet in end.open()]
    packets += [end.message(announcement, server=True) for end in ends]
    calls = [ends[i % 2].message(b"\x80\x01\x00", server=True) for i in range(n)]
    texts = [b"RPC 'f' is not allowed on node /root/Main from: 1.", b"Failed to get path from RPC: Main."]
    errors = pcap.tcp([error(texts[i % 2]) for i in range(n)], server=DEBUGGER)
    mixed = [packet for pair in itertools.zip_longest(calls, errors[4:]) for packet in pair if packet]
    return pcap.write(folder / "capture.pcap", [(1_700_000_000 + i / 1e5, packet) for i, packet in enumerate(packets + errors[:4] + mixed)])


PAGES = ("-q", "-z", "godot,summary", "-z", "godot,log")
KINDS = {
    "reports: a text and a stack for each packet": (300, PAGES, about_packets),
    "reports: all about one packet": (500, PAGES, about_one_packet),
    "reports: the lines that sent each packet": (300, PAGES, origins),
    "reports: output, nodes and pauses of many processes": (300, PAGES, of_the_process),
    "reports: errors of a debugger that all calls fit": (1000, PAGES, debugged),
}
