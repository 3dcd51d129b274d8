"""The anomalies in `-z enet,tree` are the expert infos of these kinds.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re

import pytest

import tshark

KINDS = {"Retransmissions": ("retransmission",), "Spurious retransmissions": ("spurious_retransmission",),
         "Duplicates": ("duplicate", "unreliable_duplicate", "unsequenced_duplicate"), "Repeated acknowledgements": ("ack_repeated",),
         "Out of order": ("out_of_order", "unreliable_late", "unreliable_overtaken"), "Gaps": ("gap", "unreliable_gap")}
NAMES = ("godot-4.6-none-loss", "godot-4.6-none-duplicates", "godot-4.6-none-reordering", "godot-4.6-several")


def counted(path):
    lines = tshark.run(path, "-q", "-z", "enet,tree").stdout.splitlines()
    below = lines[next(number for number, line in enumerate(lines) if line.startswith("Anomalies")):]
    found = collections.Counter()
    for line in below[1:]:
        if not line.startswith(" "):
            break
        if match := re.match(r"  +(" + "|".join(KINDS) + r") +(\d+) ", line):
            found[match[1]] += int(match[2])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_anomalies(name):
    path = tshark.CAPTURES / "enet" / f"{name}.pcap"
    experts = collections.Counter(expert.removeprefix("enet.analysis.") for _, expert, _, _ in tshark.experts(path))
    expected = {kind: sum(experts[one] for one in ones) for kind, ones in KINDS.items()}
    assert +counted(path) == {kind: count for kind, count in expected.items() if count}


def test_every_kind_is_among_them():
    assert set().union(*(+counted(tshark.CAPTURES / "enet" / f"{name}.pcap") for name in NAMES)) == set(KINDS)
