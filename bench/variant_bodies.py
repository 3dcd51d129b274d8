#!/usr/bin/python3
"""Writes values like those of a game, each different: bench/variant_bodies.py FILE [COUNT]

Dictionaries of a few hundred bytes to some kilobytes: a player with its name, numbers, vectors, a list of items and a Dictionary
in it, of random lengths and contents. Each has its length before it (32 bits, little-endian). Deterministic.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import struct
import sys

WORDS = ("health", "mana", "sword", "position", "velocity", "shield", "id", "name", "level", "gold", "quest_state", "is_alive",
         "inventory", "target_node", "animation", "team")


def string(text):
    data = text.encode()
    return struct.pack("<II", 4, len(data)) + data + bytes(-len(data) % 4)


def number(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return struct.pack("<I", 1) + struct.pack("<I", rng.randrange(2))
    if kind == 1:
        return struct.pack("<Id", 3 | 1 << 16, rng.random() * 1000)
    if kind == 2:
        return struct.pack("<If", 3, rng.randrange(100000) / 100)
    return struct.pack("<Ii", 2, rng.randrange(-10, rng.choice((10, 1000, 1 << 30))))


def leaf(rng):
    kind = rng.randrange(8)
    if kind < 3:
        return number(rng)
    if kind < 6:
        return string(" ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 4))))
    if kind == 6:
        return struct.pack("<Iff", 5, rng.uniform(-2000, 2000), rng.uniform(-2000, 2000))
    return struct.pack("<Ifff", 9, *(rng.uniform(-100, 100) for _ in range(3)))


def value(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        return leaf(rng)
    count = rng.randrange(1, 9)
    if kind < 0.75:
        return struct.pack("<II", 28, count) + b"".join(value(rng, depth - 1) for _ in range(count))
    return dictionary(rng, count, depth - 1)


def dictionary(rng, count, depth):
    keys = rng.sample(WORDS, count)
    return struct.pack("<II", 27, count) + b"".join(string(key) + value(rng, depth) for key in keys)


def main():
    rng = random.Random(1)
    with open(sys.argv[1], "wb") as file:
        for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 2000):
            body = dictionary(rng, rng.randrange(6, len(WORDS) + 1), rng.randrange(1, 5))
            file.write(struct.pack("<I", len(body)) + body)


main()
