"""bench/hostile: twice the input needs at most 2.3 times the resources.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import importlib
import os
import shutil
import subprocess
import sys

import pytest

import tshark

FOLDER = tshark.ROOT / "tests" / "hostile"
sys.path.append(str(FOLDER))
KINDS = [(path.stem, name, *kind) for path in sorted(FOLDER.glob("*.py"))
         for name, kind in importlib.import_module(path.stem).KINDS.items()]


def bench_hostile(*arguments):
    environment = {**os.environ, "GODOT_BUILD_DIR": str(tshark.BUILD), "TSHARK": tshark.PROGRAM}
    return subprocess.run([tshark.ROOT / "bench/hostile", *arguments], capture_output=True, text=True, env=environment, check=False, timeout=2000)


def test_the_page_counts_every_kind():
    page = (tshark.ROOT / "docs/testing.md").read_text()
    names = [name for _, name, *_ in KINDS]
    assert len(set(names)) == len(names) and len(names) > 10
    assert f"\n{len(names)} kinds. " in page


@pytest.mark.parametrize("kind", KINDS, ids=[f"{kind[0]}/{kind[1]}" for kind in KINDS])
def test_small_captures(kind, tmp_path):
    """A small capture of each kind: tshark reads it to the end."""
    _, _, _, options, function = kind
    arguments = [option.replace("{folder}", str(tmp_path)) for option in options]
    assert tshark.run(function(tmp_path, 2), *arguments).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(bool(tshark.PRELOAD), reason="instructions of the sanitizers")
def test_growth():
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    done = bench_hostile()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") == len(KINDS)


@pytest.mark.slow
@pytest.mark.skipif(bool(tshark.PRELOAD), reason="instructions of the sanitizers")
def test_growth_is_noticed(tmp_path):
    """A kind whose files grow with the square of N."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    place = tmp_path / "copy"
    for name in ("bench", "tests/common", "tests/recorder", "tests/hostile"):
        shutil.copytree(tshark.ROOT / name, place / name)
    (place / "tests/hostile/square.py").write_text(
        "import connections\nKINDS = {'a square': (60, ('-q',), lambda folder, n: connections.fragments(folder, n * n))}\n")
    environment = {**os.environ, "GODOT_BUILD_DIR": str(tshark.BUILD), "TSHARK": tshark.PROGRAM}
    done = subprocess.run([place / "bench/hostile", "a square"], capture_output=True, text=True, env=environment, check=False, timeout=600)
    assert done.returncode == 1 and "a square: " in done.stderr and "times for twice the input" in done.stderr
