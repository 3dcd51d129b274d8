"""Values as the engines log them (test-captures/README.md), read from the dissector's output.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import re
import struct

import tshark

NAMES = """Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane
Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array
PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array Image InputEvent""".split()


def field(name):
    """The filter name of a type's field."""
    return "godot.variant." + re.sub(r"(?<=[A-Za-z0-9])([A-Z])(?=[a-z])", r"_\1", name).lower()


TYPES = {field(name): name for name in NAMES}
PLAIN = ("bool", "int", "float", "String")
PACKED = {"PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray",
          "PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array"}


def is_value(node):
    return node.name in TYPES


def children(node):
    return [child for child in node.children if is_value(child)]


def has_key(node):
    return bool(node.children) and is_value(node.children[0])


def entries(nodes):
    """(key, value) of the children of a Dictionary. A container as a key comes before its value; other keys
    are the first child of their value."""
    found, key = [], None
    for node in nodes:
        if has_key(node):
            found.append([read(node.children[0]), read(node, with_key=True)])
        elif key is None:
            key = node
        else:
            found.append([read(key), read(node)])
            key = None
    assert key is None
    return found


def number(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def read(node, with_key=False):
    """The value of this node as the engine would log it."""
    name = TYPES[node.name]
    inner = children(node)[with_key:]
    if name == "Nil":
        return None
    if name in PLAIN:
        return number(node.value)
    if name == "Array":
        return {name: [read(child) for child in inner]}
    if name == "Dictionary":
        return {name: entries(inner)}
    if name in PACKED:
        return {name: [read(child) for child in inner]}
    if name == "PackedByteArray":
        return {name: node.value.hex()}
    if name == "Signal":
        return {name: [node.one("godot.variant.signal.name"), node.one("godot.variant.object.id")]}
    if name == "Callable":
        return {name: None}
    if name == "Object":
        return {name: read_object(node, inner)}
    if name in ("StringName", "NodePath", "RID"):
        return {name: node.value}
    own = node.children[with_key:]
    return {name: [number(part.value) for child in own for part in child.walk() if part.name.startswith(node.name + ".")]}


def read_object(node, properties):
    classes = [child.value for child in node.children if child.name == "godot.variant.object.class"]
    if not classes:
        ids = [child.value for child in node.children if child.name == "godot.variant.object.id"]
        return ids[0] if ids else 0
    return {
        "class": classes[0],
        "properties": [
            [next(part.value for part in child.children if part.name == "godot.variant.property"), read(child)]
            for child in properties
        ],
    }


def single(value):
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return value


def same(ours, theirs):
    """Equal; a number shown with the 15 digits of older versions of Wireshark, or with the fewest digits that
    identify an f32, is the number."""
    if ours in ("inf", "-inf") and isinstance(theirs, float):
        return abs(theirs) > 1.7976931348623e308  # rounded to 15 digits, it is too large for a double
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, float) and isinstance(theirs, (int, float)):
        return math.isclose(ours, theirs, rel_tol=2e-15) or (single(theirs) == theirs and single(ours) == theirs)
    if isinstance(ours, list):
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, dict):
        return isinstance(theirs, dict) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    return type(ours) is type(theirs) and ours == theirs


def top_level(frame):
    """The nodes of all values of a frame that are whole packets."""
    return [node for layer in frame.nodes("godot.variant") for node in children(layer)]


def captured(path, *arguments, **options):
    """All values of a capture in order."""
    return [node for frame in tshark.packets(path, *arguments, **options) for node in top_level(frame)]
