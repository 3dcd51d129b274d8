"""Runs programs and says what they took: CPU time of the process, peak of its memory, instructions.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build-bench"))
TSHARK = os.environ.get("TSHARK", "tshark")
GODOT_ROOT = pathlib.Path(os.environ.get("GODOT_ROOT", "/"))
GODOT = os.environ.get("GODOT", "godot")
NOBODY = 65534
GAME = ROOT / "test-captures/multiplayer/godot-4.6-enet-game.pcap"
GAME_PORT = 22211

rounds = 5  # of each measurement; the one that took least counts, since everything else on the machine can only slow it down
count_instructions = bool(shutil.which("valgrind"))


class Missing(Exception):
    """What a measurement needs is not here."""


@dataclasses.dataclass
class Taken:
    seconds: float
    memory: int  # KiB at the peak
    output: str  # both streams, if wanted


# In a small process of its own: a process counts the memory of the one it was forked from.
_RUN = """
import json, os, resource, subprocess, sys
status = subprocess.call(sys.argv[2:], timeout=900)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
os.write(int(sys.argv[1]), json.dumps([status, used.ru_utime + used.ru_stime, used.ru_maxrss]).encode())
"""


def as_nobody():
    """As root tshark would ignore the plugin directory."""
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []


def run(command, output=False, **environment):
    reader, writer = os.pipe()
    done = subprocess.run([sys.executable, "-I", "-S", "-c", _RUN, str(writer), *map(str, command)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE if output else subprocess.DEVNULL,
                          stderr=subprocess.STDOUT if output else subprocess.DEVNULL, text=True, check=False, pass_fds=(writer,),
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment})
    os.close(writer)
    with open(reader, encoding="utf-8") as file:
        said = file.read()
    status, seconds, memory = json.loads(said) if said else (done.returncode, 0, 0)
    if status:
        raise Missing(f"{command[0]} ended with status {status}\n{done.stdout or ''}")
    return Taken(seconds, memory, done.stdout)


def instructions(command, *options, before=(), **environment):
    """As callgrind counts them; None without valgrind."""
    if not count_instructions:
        return None
    taken = run([*before, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options, *command], output=True, **environment)
    return int(re.search(r"Collected : (\d+)", taken.output)[1])


@functools.lru_cache(maxsize=None)
def place():
    """A directory that everybody may read, which the engine finds below its own root directory."""
    directory = tempfile.TemporaryDirectory(dir=GODOT_ROOT / "tmp")
    path = pathlib.Path(directory.name)
    path.chmod(0o755)
    place.directory = directory  # removed when the program ends
    return path


@functools.lru_cache(maxsize=None)
def made(name, script, *arguments):
    """A file or folder that a script of bench/ writes."""
    subprocess.run([sys.executable, ROOT / "bench" / script, place() / name, *map(str, arguments)], check=True)
    return place() / name


def write_pieces(name, pieces):
    """For the programs of bench/: each piece behind its length."""
    with open(place() / name, "wb") as file:
        for piece in pieces:
            file.write(struct.pack("<I", len(piece)) + piece)
    return place() / name


def build():
    options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBENCH=ON", "-DBUILD_TESTING=OFF",
               f"-DENET_SOURCE={os.environ.get('ENET_SOURCE', '')}"]
    if shutil.which("ninja") and not (BUILD / "CMakeCache.txt").exists():
        options += ["-G", "Ninja"]
    for command in (["cmake", "-S", ROOT, "-B", BUILD, *options], ["cmake", "--build", BUILD]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
