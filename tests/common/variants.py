"""Variants byte by byte, and the results of engines for them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import struct

import tshark

BIGGEST = 65000  # bytes in a datagram
MEMORY = 400  # MiB; tshark without the plugin takes some 150

# Types by id, from the engines' own enumerations.
ENGINE_IDS = {
    "4.6": """Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i
    Plane Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary
    Array PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
    PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array""".split(),
    "3.6": """Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion AABB Basis Transform3D Color
    NodePath RID Object Dictionary Array PackedByteArray PackedInt32Array PackedFloat32Array PackedStringArray
    PackedVector2Array PackedVector3Array PackedColorArray""".split(),
}


def rows(name):
    path = tshark.DATA / name
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in path.read_text().splitlines()]
    return [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]


def u32(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def text(string):
    data = string.encode()
    return u32(4, len(data)) + data + bytes(-len(data) % 4)
