"""Runs programs and measures CPU time, peak memory and instructions.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
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

count_instructions = bool(shutil.which("valgrind"))


class Missing(Exception):
    """Something that the measurement needs is missing."""


@dataclasses.dataclass
class Taken:
    seconds: float
    memory: int  # peak memory in KiB; both streams, if wanted
    output: str  # both streams, if wanted


# In a small process, because the memory of a process includes that of the process that forked it.
_RUN = """
import json, os, resource, subprocess, sys
status = subprocess.call(sys.argv[2:], timeout=900)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
os.write(int(sys.argv[1]), json.dumps([status, used.ru_utime + used.ru_stime, used.ru_maxrss]).encode())
"""


def as_nobody():
    """As nobody, because tshark ignores the plugin directory when run as root."""
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


def instructions_of(command, function):
    """Instructions of a function and of all that it calls, counted by callgrind."""
    said = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--toggle-collect={function}", *command], output=True)
    return int(re.search(r"Collected : (\d+)", said.output)[1])


def instructions_by_function(command, before=(), **environment):
    """Instructions of each function itself, by name, counted by cachegrind. Hash tables have the same order
    in every run: see fixed_random.c."""
    shutil.copy(BUILD / "bench/libfixed_random.so", place())
    with tempfile.TemporaryDirectory(dir=place()) as folder:
        os.chmod(folder, 0o777)
        run([*before, "valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/counted", *command],
            LD_PRELOAD=str(place() / "libfixed_random.so"), **environment)
        counted, name = collections.Counter(), ""
        with open(f"{folder}/counted", encoding="utf-8") as file:
            for line in file:
                if line.startswith("fn="):
                    name = line[3:].rstrip()
                elif line[0].isdigit():
                    counted[name] += int(line.split()[1])
    return counted


@functools.lru_cache(maxsize=None)
def place():
    """A directory that everybody may read, below the engine's root directory."""
    directory = tempfile.TemporaryDirectory(dir=GODOT_ROOT / "tmp")
    path = pathlib.Path(directory.name)
    path.chmod(0o755)
    place.directory = directory  # removed when the program ends
    return path


@functools.lru_cache(maxsize=None)
def made(name, script, *arguments):
    """A file or folder written by a script of bench/."""
    subprocess.run([sys.executable, ROOT / "bench" / script, place() / name, *map(str, arguments)], check=True)
    return place() / name


def write_pieces(name, pieces):
    """For the programs in bench/: each piece with its length before it."""
    with open(place() / name, "wb") as file:
        for piece in pieces:
            file.write(struct.pack("<I", len(piece)) + piece)
    return place() / name


def unpack_revision(revision, folder, *paths):
    """The files of another revision, or only those below paths."""
    archive = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "-C", ROOT, "archive", revision, *paths], capture_output=True, check=False)
    if archive.returncode:
        raise Missing(f"revision {revision} is not in this clone")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)


def build_revision(revision):
    """Builds the plugin of another revision, once; returns its build folder."""
    folder = BUILD / revision
    if not (folder / "plugins").exists():
        unpack_revision(revision, folder / "source")
        configure(folder / "source", folder, "-DBUILD_TESTING=OFF")
    return folder


def build():
    configure(ROOT, BUILD, "-DBENCH=ON", "-DBUILD_TESTING=OFF", f"-DENET_SOURCE={os.environ.get('ENET_SOURCE', '')}")


def configure(source, folder, *options):
    options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", *options]
    if shutil.which("ninja") and not (folder / "CMakeCache.txt").exists():
        options += ["-G", "Ninja"]
    for command in (["cmake", "-S", source, "-B", folder, *options], ["cmake", "--build", folder]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
