"""Frames looked at in any order, as somebody does who clicks through the packet list of the Wireshark window.

Wireshark's sharkd keeps a capture open: the first pass is over when a frame is asked for, and whatever was asked for
before must not matter.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import shutil
import subprocess
import tempfile

import tshark

PROGRAM = shutil.which("sharkd")  # part of the package that brings tshark


def _configuration(heuristics):
    """A directory with the settings: sharkd has no option that switches a heuristic on."""
    place = tempfile.mkdtemp(dir=tshark.workplace())
    os.chmod(place, 0o755)
    path = os.path.join(place, "heuristic_protos")
    with open(path, "w") as file:
        file.writelines(f"{name},1\n" for name in heuristics)
    os.chmod(path, 0o644)
    return place


def _requests(capture, numbers):
    yield {"jsonrpc": "2.0", "id": 1, "method": "load", "params": {"file": tshark.readable(capture)}}
    for identifier, number in enumerate(numbers, 2):
        parameters = {"frame": number, "proto": True, "columns": True}
        yield {"jsonrpc": "2.0", "id": identifier, "method": "frame", "params": parameters}


def look(capture, numbers, heuristics=()):
    """[(protocol and Info, tree of this plugin's layers)] of the frames with these numbers, in this order."""
    line = tshark.command("-", program=PROGRAM, WIRESHARK_CONFIG_DIR=_configuration(heuristics))
    text = "".join(json.dumps(request) + "\n" for request in _requests(capture, numbers))
    # A label is cut at 240 bytes, which may be inside of a character.
    result = subprocess.run(line, input=text, capture_output=True, encoding="utf-8", errors="replace", timeout=300, cwd="/")
    answers = [json.loads(answer) for answer in result.stdout.splitlines() if answer]
    errors = [answer["error"] for answer in answers if "error" in answer]
    if result.returncode != 0 or errors or len(answers) != len(numbers) + 1:
        raise tshark.Failure(f"sharkd: status {result.returncode}, {len(answers)} answers {errors[:3]}\n{result.stderr[-2000:]}")
    shown = []
    for answer in answers[1:]:
        frame = answer["result"]
        layers = [layer for layer in frame["tree"] if layer.get("f", "").startswith(tshark.OURS)]
        shown.append(((frame["col"][4], frame["col"][6]), layers))
    return shown
