"""Recordings with many records that could be of the same packet.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import records

RECORDING, OTHER = 0x11, 0x12
SAME = records.call(1, 0)  # the same content in each record


def broadcasts(folder, n):
    """A recorder that sends n times to all peers, and records of n receivers that cannot have received it
    from themselves."""
    sent = (records.packet(RECORDING, 1, -(2**31), SAME) for _ in range(n))
    received = (records.packet(RECORDING, 2 + i, 1, SAME, received=True) for i in range(n))
    return records.write(folder / "recording.pcap", [*sent, *received])


def in_turns(folder, n):
    """Two recorders that send alternately, one of which is also n receivers."""
    sent = (records.packet((RECORDING, OTHER)[i % 2], 1, -(2**31), SAME) for i in range(n))
    received = (records.packet(RECORDING, 2 + i, 1, SAME, received=True) for i in range(n))
    return records.write(folder / "recording.pcap", [*sent, *received])


def excepted(folder, n):
    """To all peers but one, which receives each."""
    sent = (records.packet(RECORDING, 1, -2, SAME) for i in range(n))
    received = (records.packet(OTHER, 2, 1, SAME, received=True) for i in range(n))
    return records.write(folder / "recording.pcap", [*sent, *received])


KINDS = {
    "records: receivers of what their own recorder sent": (1000, (), broadcasts),
    "records: two recorders that send in turns": (1000, (), in_turns),
    "records: receivers of what was not for them": (1000, (), excepted),
}
