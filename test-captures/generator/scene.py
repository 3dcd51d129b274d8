# SPDX-License-Identifier: GPL-2.0-or-later
"""A scene: a capture of engine processes that communicate over the loopback interface, with the log of each
process.

    @scenario("variant/godot-4.6-udp")
    def udp(name):
        with Scene(name, "udp port 21001", "godot4") as scene:
            receiver = scene.engine("receiver", GODOT4, "udp.gd", ROLE="receiver")
            receiver.wait_for("ready")
            sender = scene.engine("sender", GODOT4, "udp.gd", ROLE="sender")
            scene.finish()
            assert [d.hex() for d in pcap.datagrams(scene.pcap, 21001)] == [r["hex"] for r in sender.all("put_var")]

Leaving the `with` block writes NAME.pcap and one NAME.PROCESS.log.gz each. An exception is raised, and
nothing is written, if a process fails or does not end in time, or if a check fails.
"""

import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
LOG_LIMIT = 48 * 1024  # encoded bytes; a longer value is logged by its digest

SCENARIOS = {}


def scenario(name):
    """Registers a function, called with its own name, that makes the capture NAME.pcap."""

    def register(function):
        SCENARIOS[name] = function
        return function

    return register


class Engine:
    """How to run one engine: a command in an environment variable, see README.md."""

    def __init__(self, variable, label):
        self.variable = variable
        self.label = label  # as in the names of captures

    def command(self):
        words = shlex.split(os.environ.get(self.variable, ""))
        if not words:
            raise SystemExit(f"{self.variable} must hold the command of {self.label} (test-captures/README.md)")
        return words

    def root(self):
        """The directory that the engine sees as /."""
        words = self.command()
        return pathlib.Path(words[words.index("chroot") + 1] if "chroot" in words else "/")


GODOT4 = Engine("GODOT4", "godot-4.6")
GODOT36 = Engine("GODOT36", "godot-3.6")
GODOT32 = Engine("GODOT32", "godot-3.2")


class Process:
    """A running process whose merged output becomes its log, line by line."""

    def __init__(self, name, command, **popen):
        self.name = name
        self.records = []
        self.times = []  # when each record came, in seconds since 1970
        self.good_ends = (0, -signal.SIGTERM)
        self._changed = threading.Condition()
        self._popen = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **popen
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._popen.stdout:
            line = line.decode("utf-8", "replace").rstrip("\n")
            record = record_of(line)
            if record is not None:
                with self._changed:
                    self.records.append(record)
                    self.times.append(time.time())
                    self._changed.notify_all()

    def wait_for(self, what, seconds=40, text=""):
        """Waits until the process has logged a record with this "what", or has printed a line with this
        text."""

        def there():
            return any(r.get("what") == what and text in r.get("text", "") for r in self.records)

        with self._changed:
            if not self._changed.wait_for(there, seconds):
                raise RuntimeError(f"{self.name}: no {what!r} {text!r} within {seconds} s:\n{self.printed()}")

    def stop(self):
        self._popen.terminate()

    def finish(self, seconds):
        """Waits for the end; raises unless the process ended by itself, without an error and in time."""
        try:
            status = self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            raise RuntimeError(f"{self.name}: still running after {seconds} s:\n{self.printed()}") from None
        finally:
            self._reader.join(5)
        if status not in self.good_ends:
            raise RuntimeError(f"{self.name}: status {status}:\n{self.printed()}")

    def printed(self):
        """What the program printed besides its log, e.g. errors."""
        return "\n".join(r["text"] for r in self.records if r.get("what") == "print")

    def all(self, *what):
        return [r for r in self.records if r.get("what") in what]


def record_of(line):
    """One line of output as a log record; a line that is not JSON was printed by the engine itself."""
    if not line.strip():
        return None
    try:
        record = json.loads(line, strict=False)  # Godot leaves some control characters as they are
    except ValueError:
        record = None
    if not isinstance(record, dict):
        return {"what": "print", "text": line}
    return _numbers(record)


def _numbers(value):
    """Engines write floats as the bits of a double, because Godot 3 cannot print them without loss."""
    if isinstance(value, dict):
        if value.keys() == {"f64"}:
            number = struct.unpack("<d", bytes.fromhex(value["f64"]))[0]
            return number if abs(number) < float("inf") else str(number)
        return {k: _numbers(v) for k, v in value.items()}
    return [_numbers(v) for v in value] if isinstance(value, list) else value


def _shortened(record):
    if len(record.get("hex", "")) <= 2 * LOG_LIMIT:
        return record
    data = bytes.fromhex(record["hex"])
    short = {k: v for k, v in record.items() if k not in ("hex", "text", "value")}
    return {
        **short,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "text_sha256": hashlib.sha256(record.get("text", "").encode()).hexdigest(),
    }


class Scene:
    """Captures what its processes send over the loopback interface. `projects` are folders of projects/."""

    def __init__(self, name, capture_filter, *projects, seconds=60):
        self.name = name
        self.filter = capture_filter
        self.projects = projects
        self.seconds = seconds
        self.processes = []
        self.kept = {}
        self.keep_capture = True  # False: only the files given to keep()

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        self.folder = pathlib.Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="capture-")))
        self._stages = {}
        self.pcap = self.folder / "capture.pcap"
        self._tcpdump = None
        if self.filter:
            options = ["-i", "lo", "-U", "--immediate-mode", "-B", "16384", "-Z", "root"]
            command = ["tcpdump", *options, "-w", self.pcap, *shlex.split(self.filter)]
            self._tcpdump = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            if not any("listening on" in line for line in self._tcpdump.stderr):
                raise RuntimeError("tcpdump does not run (root?)")
            time.sleep(0.5)
        return self

    def stage(self, engine):
        """A folder with copies of the projects: (its path here, its path for the engine)."""
        root = engine.root()
        if root not in self._stages:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="capture-", dir=root / "tmp"))
            self._stack.callback(shutil.rmtree, folder)
            (folder / "home").mkdir()
            for project in self.projects:
                shutil.copytree(HERE / "projects" / project, folder / project)
            self._stages[root] = (folder, pathlib.Path("/tmp") / folder.name)
        return self._stages[root]

    def engine(self, name, engine, script=None, *arguments, project=None, before=(), **environment):
        """Starts an engine on a project, with a SceneTree script or, without one, the project's main scene. `before`: a
        command that runs another one."""
        project = project or self.projects[0]
        _, folder = self.stage(engine)
        command = [*before, *engine.command(), "--path", str(folder / project)]
        command += ["-s", script] if script else []
        environment = {"HOME": str(folder / "home"), "LANG": "en", **{k: str(v) for k, v in environment.items()}}
        return self.process(name, [*command, *map(str, arguments)], **environment)

    def process(self, name, command, **environment):
        """Starts any other program."""
        command = ["timeout", "--kill-after=5", str(self.seconds), *map(str, command)]
        process = Process(name, command, env={**os.environ, **environment})
        self.processes.append(process)
        return process

    def keep(self, suffix, data):
        """Adds another file, NAME.SUFFIX, beside the capture."""
        self.kept[suffix] = data

    def finish(self):
        """Waits for the processes and stops the capture; then `pcap` and the records are complete."""
        try:
            for process in self.processes:
                process.finish(self.seconds)
        finally:
            self._stop_capture()

    def _stop_capture(self):
        if self._tcpdump and self._tcpdump.poll() is None:
            time.sleep(0.5)
            self._tcpdump.send_signal(signal.SIGINT)
            report = self._tcpdump.communicate()[1]
            if "\n0 packets dropped by kernel" not in report:
                raise RuntimeError(f"the capture is not complete: {report}")

    def __exit__(self, kind, error, trace):
        with self._stack:
            if kind:
                for process in self.processes:
                    process.stop()
                self._stop_capture()
            else:
                self.finish()
                self._write()

    def _write(self):
        target = HERE / self.name
        target.parent.mkdir(exist_ok=True)
        for process in self.processes:
            lines = [json.dumps(_shortened(r), ensure_ascii=False) + "\n" for r in process.records]
            # without the time, so that the same log gives the same file
            packed = gzip.compress("".join(lines).encode(), mtime=0)
            pathlib.Path(f"{target}.{process.name}.log.gz").write_bytes(packed)
        for suffix, data in self.kept.items():
            pathlib.Path(f"{target}.{suffix}").write_bytes(data)
        if self._tcpdump and self.keep_capture and "pcapng" not in self.kept:
            shutil.copyfile(self.pcap, f"{target}.pcap")
