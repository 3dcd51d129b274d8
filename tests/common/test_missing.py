"""A fresh clone on a system that lacks something: the scripts report everything at once, and how to install
it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import shutil
import subprocess
import sys

import pytest

import tshark

AS_NOBODY = ["setpriv", f"--reuid={tshark.NOBODY}", f"--regid={tshark.NOBODY}", "--clear-groups"]
BASIC = ("bash", "cat", "cut", "dirname", "env", "grep", "head", "id", "mktemp", "nproc", "rm", "sed", "setpriv", "sort", "tail")
HEADERS = {
    "glib-2.0/glib.h": "GLib's headers",
    "wireshark/epan/packet.h": "Wireshark's headers",
    "zlib.h": "zlib's headers",
    "zstd.h": "zstd's headers",
}
PROGRAMS = {"cmake": "cmake", "ninja": "Ninja or make", "tshark": "tshark"}


@pytest.fixture(name="clone")
def make_clone():
    """The scripts of the repository, readable by all users."""
    place = tshark.workplace() / "clone"
    if not place.exists():
        shutil.copytree(tshark.ROOT / "script", place / "script")
    return place


def programs(tmp_path, *names, **scripts):
    """A folder for PATH: programs of this machine and scripts."""
    folder = tshark.workplace() / tmp_path.name
    folder.mkdir()
    for name in (*BASIC, *names):
        (folder / name).symlink_to(shutil.which(name))
    for name, text in scripts.items():
        (folder / name.replace("_", "-")).write_text("#!/bin/sh\n" + text)
        (folder / name.replace("_", "-")).chmod(0o755)
    return folder


def run(clone, path, script, *arguments):
    line = [*(AS_NOBODY if os.getuid() == 0 else []), clone / "script" / script, *arguments]
    return subprocess.run(line, cwd=clone, env={"PATH": str(path)}, capture_output=True, text=True, check=False, timeout=60)


def test_nothing_is_there(clone, tmp_path):
    """No apt-get, no root, no compiler: one message with the commands for other systems."""
    path = programs(tmp_path)
    for script, wanted in ("demo", ()), ("test", ("python3", "clang", "bsdtar", "git", "cmocka's headers", "pytest", "PyYAML", "ENet's headers")):
        said = run(clone, path, script)
        assert said.returncode == 1 and said.stdout == ""
        first, *rest = said.stderr.splitlines()
        missing = first.removeprefix("Not found: ").removesuffix(".").split(", ")
        assert sorted(missing) == sorted(["a C compiler (cc)", *PROGRAMS.values(), *HEADERS.values(), *wanted])
        assert any(line.startswith("Fedora:  dnf install ") for line in rest)
        assert any(line.startswith("Arch:    pacman -S ") for line in rest)


def test_headers_are_missing(clone, tmp_path):
    """With a compiler that finds no headers: only these are reported."""
    compiler = f'exec {shutil.which("cc")} -nostdinc "$@"\n'
    said = run(clone, programs(tmp_path, *PROGRAMS, "python3", cc=compiler), "demo")
    assert said.returncode == 1
    assert said.stderr.splitlines()[0] == f"Not found: {', '.join(HEADERS.values())}."


@pytest.mark.parametrize("missing", [*PROGRAMS, *HEADERS])
def test_one_is_missing(clone, tmp_path, missing):
    """Only the missing one is reported. There is no pkg-config, and it is not needed."""
    compiler = f"""read -r line
case $line in
    *'<{missing}>'*) exit 1 ;;
esac
(echo "$line" && cat) | {shutil.which("cc")} "$@"
"""
    said = run(clone, programs(tmp_path, *{*PROGRAMS} - {missing}, "python3", cc=compiler), "demo")
    assert said.returncode == 1
    assert said.stderr.splitlines()[0] == f"Not found: {(PROGRAMS | HEADERS)[missing]}."


def test_nothing_is_missing(clone, tmp_path):
    """Without apt-get, but with everything installed: the script continues."""
    path = programs(tmp_path, *PROGRAMS, "python3", "cc")
    check = clone / "script" / "check"
    check.write_text('#!/bin/bash\n. "$(dirname "$0")/common.sh"\nneed "${build_packages[@]}" && echo complete\n')
    check.chmod(0o755)
    said = run(clone, path, "check")
    assert (said.returncode, said.stdout, said.stderr) == (0, "complete\n", "")


@pytest.mark.parametrize("said, script, arguments", [
    ("load-captures: needs the program duckdb: see https://duckdb.org", "load-captures", ("--duckdb", "new.duckdb", "/")),
    ("load-captures: needs the program clickhouse-client: see https://clickhouse.com", "load-captures", ("--clickhouse", "localhost:9000", "/")),
    ("macos: needs the program brew: see https://brew.sh", "macos", ()),
    ("windows-paths: needs the program winepath: apt-get install wine", "windows-paths", ("plugins", "tshark.exe")),
    ("needs the program x86_64-w64-mingw32ucrt-objdump: apt-get install binutils-mingw-w64-x86-64", "windows-check", ("kit", "x.dll")),
    ("release: needs the program git: apt-get install git", "release", ("1.0.0",)),
])
def test_a_program_is_missing(clone, tmp_path, said, script, arguments):
    """One line, with what to install."""
    place = clone.parent / f"{tmp_path.name}-tree"
    shutil.copytree(clone, place)
    shutil.copy(tshark.ROOT / "CMakeLists.txt", place)
    (place / "kit" / "lib").mkdir(parents=True)
    tshark.open_to_everybody(place)
    for file in (place / "script").iterdir():
        file.chmod(0o755)
    done = run(place, programs(tmp_path, python3=f'exec {sys.executable} "$@"\n'), script, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{said}\n")


def test_debian_without_root(clone, tmp_path):
    """Debian, but neither root nor sudo: all missing packages, as one command."""
    path = programs(tmp_path, dpkg_query="exit 1\n", apt_get="exit 1\n", apt_cache="exit 0\n")
    said = run(clone, path, "test")
    assert said.returncode == 1
    assert "not root and no sudo here. As root, run:\n    apt-get install --no-install-recommends cmake gcc " in said.stderr
    assert said.stderr.rstrip().endswith("libcmocka-dev libenet-dev python3 python3-pytest python3-yaml shellcheck")
