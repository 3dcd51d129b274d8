"""A sharkd that keeps a capture open, as the Wireshark window does: the first pass is complete before a frame
is requested, frames are requested in any order, and earlier requests must have no effect. One process loads
many captures one after another, which saves the start of a tshark for each.

    with sharkd.Session(heuristics=["enet_udp"], preferences={"enet.udp.port": "1-65535"}) as session:
        session.load(capture)
        session.frame(7)["tree"]

SPDX-License-Identifier: GPL-2.0-or-later
"""

import atexit
import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading

import tshark

FRAMES_AT_ONCE = 100  # requests, some 100 bytes each

PROGRAM = shutil.which("sharkd")  # part of the package that has tshark


def _configuration(heuristics, preferences):
    """A directory with the settings: sharkd has no options for them."""
    place = tempfile.mkdtemp(dir=tshark.workplace())
    os.chmod(place, 0o755)
    for name, lines in (("heuristic_protos", [f"{name},1\n" for name in heuristics]),
                        ("preferences", [f"{name}: {value}\n" for name, value in preferences.items()])):
        path = os.path.join(place, name)
        with open(path, "w") as file:
            file.writelines(lines)
        os.chmod(path, 0o644)
    return place


class Session:
    """A running sharkd. As with tshark, its warnings are fatal; then tshark.Failure is raised. Keyword
    arguments change its environment."""

    def __init__(self, heuristics=(), preferences=None, **changes):
        tshark.assert_plugin_loaded()
        place = _configuration(heuristics, preferences or {})
        line = tshark.command("-", program=PROGRAM, WIRESHARK_CONFIG_DIR=place, **changes)
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, cwd="/",
                                         start_new_session=True)
        self._requests = 0
        atexit.register(self.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        atexit.unregister(self.close)
        self._process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._errors.close()

    def _error_text(self):
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def ask(self, *requests, timeout=120):
        """The replies to requests (method, parameters), each a line of JSON as bytes. All requests together
        have to fit into a pipe."""
        lines = []
        for method, parameters in requests:
            self._requests += 1
            lines.append(json.dumps({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": parameters}))
        timer = threading.Timer(timeout, os.killpg, (self._process.pid, signal.SIGKILL))
        timer.start()
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines).encode())
            self._process.stdin.flush()
            answers = [self._process.stdout.readline() for _ in lines]
        except BrokenPipeError:
            answers = [b""]
        finally:
            timer.cancel()
        for line, answer in zip(lines, answers):
            if not answer or b'"error":' in answer[:80] or b"[Dissector bug" in answer:
                status = self._process.wait() if not answer else "running"
                raise tshark.Failure(f"sharkd: {line}: status {status} {answer[:500]}\n{self._error_text()[-3000:]}")
        return answers

    def load(self, capture):
        self.ask(("load", {"file": tshark.readable(capture)}))

    def frames(self):
        """The rows of the packet list, made without trees: [[number, time, source, destination, protocol, length, info]]"""
        return [row["c"] for row in _decoded(*self.ask(("frames", {})))]

    def frame(self, number):
        """A frame's tree and columns: {"tree": …, "col": …}"""
        return _decoded(*self.ask(_frame(number)))

    def every_frame(self):
        """[tree and columns of a frame], as lines of JSON."""
        numbers, answers = range(1, len(self.frames()) + 1), []
        for first in range(0, len(numbers), FRAMES_AT_ONCE):
            answers += self.ask(*map(_frame, numbers[first:first + FRAMES_AT_ONCE]))
        return [answer.partition(b'"result":')[2] for answer in answers]

    def taps(self, taps):
        """Names of the statistics and their output for the open capture: {"tap0": "stat:enet", …}."""
        return sorted(_decoded(*self.ask(("tap", taps)))["taps"], key=json.dumps)

    def set_preference(self, name, value):
        """Sets a preference for the next captures."""
        self.ask(("setconf", {"name": name, "value": value}))

    def look_at_everything(self, capture):
        """Asks for the packet list and every frame's tree; only failures are reported."""
        self.load(capture)
        self.every_frame()
        text = self._error_text() if tshark.PRELOAD else ""
        if "runtime error:" in text or "AddressSanitizer" in text:
            raise tshark.Failure(f"sharkd: {capture}\n{text[-3000:]}")


def _frame(number):
    return "frame", {"frame": number, "proto": True, "columns": True}


def _decoded(answer):
    """A label that is truncated at 240 bytes may end inside of a character."""
    return json.loads(answer.decode("utf-8", "replace"))["result"]


@functools.lru_cache(maxsize=None)
def _session(heuristics):
    return Session(heuristics)


def look(capture, numbers, heuristics=()):
    """[(protocol and Info, tree of this plugin's layers)] of the frames with these numbers, in this order."""
    session = _session(tuple(heuristics))
    session.load(capture)
    shown = []
    for frame in map(session.frame, numbers):
        layers = [layer for layer in frame["tree"] if layer.get("f", "").startswith(tshark.OURS)]
        shown.append(((frame["col"][4], frame["col"][6]), layers))
    return shown
