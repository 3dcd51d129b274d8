"""Values and calls in the engines' logs, to be compared with the dissection.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import gzip
import json
import re
import struct

NAMES_OF_GODOT_3 = {"PoolByteArray": "PackedByteArray", "PoolIntArray": "PackedInt32Array",
                    "PoolRealArray": "PackedFloat32Array", "PoolStringArray": "PackedStringArray",
                    "PoolVector2Array": "PackedVector2Array", "PoolVector3Array": "PackedVector3Array",
                    "PoolColorArray": "PackedColorArray", "Transform(": "Transform3D(", "Quat(": "Quaternion("}



def records(path):
    """The records of a log, FILE.log.gz, in their order."""
    return [json.loads(line) for line in text(path).split("\n") if line]


def text(path):
    return gzip.decompress(path.read_bytes()).decode()


def process_of(path):
    """The process of a log NAME.PROCESS.log.gz."""
    return path.name.split(".")[-3]


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def single_precision(match):
    """A float as Godot 3 prints it: six digits, converted from single precision."""
    text = match.group()
    if re.fullmatch(r"-?\d+", text):
        return text
    try:
        return "%g" % struct.unpack("f", struct.pack("f", float(text)))
    except OverflowError:
        return "-inf" if text[0] == "-" else "inf"


def plain(text, api=4):
    """Text without differences in layout between var_to_str() and one line, and between engines."""
    for old, new in NAMES_OF_GODOT_3.items():
        text = text.replace(old, new)
    text = re.sub(r"\s", "", text)
    if api == 3:
        text = NUMBER.sub(single_precision, text.replace("inf_neg", "-inf").replace("-inf.0", "-inf"))
    return text


def same_call(shown, method, arguments, api):
    """The dissector truncates long texts; these have to be the beginning of the logged ones."""
    shown, logged = plain(shown, api), plain(f"{method}({', '.join(arguments)})", api)
    if "…" in shown:
        return logged.startswith(shown.split("…")[0]) and len(logged) > 150
    if shown == f"{method}()" and arguments == ["PackedByteArray()"]:
        return True  # the same bytes
    # Engines sort the keys of dictionaries when printing.
    return shown == logged or "{" in logged and sorted(shown) == sorted(logged)


def is_object(text):
    return "EncodedObjectAsID" in text or "Object(" in text or "RID(" in text


MODES = ["unreliable", "unreliable ordered", "reliable"]
