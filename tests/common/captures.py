"""The shipped captures and the options to dissect them. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import functools

import pytest

import tshark


def shipped():
    """Paths of all captures in test-captures/."""
    return sorted(path for kind in ("*.pcap", "*.pcapng") for path in tshark.CAPTURES.rglob(kind))


def different():
    """All but the games of test-captures/savings, of which it has one in four, and no changed one: they were played for their bytes
    and send the same kinds of messages. For tests that take minutes with all captures and do not count anything."""
    paths = shipped()
    games = [path for path in paths if path.parent.name == "savings"]
    taken = [path for path in games if not path.stem.endswith("-changed")][::4]
    return sorted(set(paths) - set(games) | set(taken))


def name(path):
    return str(path.relative_to(tshark.CAPTURES))


def slow_unless(quick, paths):
    """Parameters of a test that is slow except for the captures with these names."""
    return [path if name(path) in quick else pytest.param(path, marks=pytest.mark.slow) for path in paths]


def slow_if_large(paths):
    """Parameters of a test that is slow for captures of more than 30 KB."""
    return [path if path.stat().st_size < 30_000 else pytest.param(path, marks=pytest.mark.slow) for path in paths]


def game_is_slow(names):
    """Parameters of a test that is slow for the whole game, which takes longer than all other captures."""
    return [pytest.param(one, marks=pytest.mark.slow) if one.endswith("-game") else one for one in names]


@functools.lru_cache(maxsize=None)
def heuristics():
    """The names of every heuristic of this plugin, for --enable-heuristic. tshark 4.0 does not list them; they are made
    of the protocol's name and the list's: godot_variant_udp."""
    found = []
    for line in tshark.run(None, "-G", "heuristic-decodes").stdout.splitlines():
        heuristic_list, protocol = line.split("\t")[:2]
        if protocol.startswith(tshark.OURS):
            found.append(f"{protocol}_{heuristic_list}".replace(".", "_"))
    return found


@functools.lru_cache(maxsize=None)
def ports(path, transport):
    """The ports of the servers in a capture: those that most of its packets share, at most three."""
    count = collections.Counter()
    for (pair,) in tshark.fields(path, f"{transport}.port"):
        count.update(set(pair))
    return [port for port, _ in count.most_common(3)]


def decode_as(path, transport, protocol):
    """Options that make one protocol dissect everything in the capture."""
    return [option for port in ports(path, transport) for option in ("-d", f"{transport}.port=={port},{protocol}")]


def naturally(path):
    """Options of a user who has chosen the protocol with Decode As: bare Variants are not recognised. With segments out of
    order, the preference that puts them in order, as the Summary says."""
    if name(path).startswith("variant/"):
        return decode_as(path, "udp", "godot.variant") + decode_as(path, "tcp", "godot.stream")
    return ["-o", "tcp.reassemble_out_of_order:TRUE"] if name(path).startswith("websocket-loss/") else []
