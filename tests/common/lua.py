"""Lua scripts in tshark.

    tshark.packets(capture, *lua.script("..."))     options that load the text of a script
    tshark.packets(capture, *lua.file(path))        the same for a file

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import tshark


@functools.lru_cache(maxsize=None)
def version():
    """"5.2", "5.4"; None: this tshark has no Lua."""
    found = re.search(r"(?:with|[+]) ?Lua\b *(\d\.\d)?", tshark.run(None, "-v").stdout)
    return found and (found[1] or "5.2")


needed = pytest.mark.skipif(not version(), reason="this tshark has no Lua")


@functools.lru_cache(maxsize=None)
def folder():
    """Where tshark can read scripts. Wireshark 4.0 has the constants of Lua in a script of its own, which is put where it
    looks for its data."""
    line = [word for word in tshark.command("-G", "folders") if not word.startswith("WIRESHARK_DATA_DIR=")]
    folders = dict(row.split(":", 1) for row in subprocess.check_output(line, text=True).splitlines() if ":" in row)
    place = tshark.workplace() / "data"
    own = pathlib.Path(folders["Global configuration"].strip()) / "init.lua"
    if own.exists():
        shutil.copyfile(own, place / "init.lua")
        (place / "init.lua").chmod(0o644)
    scripts = place / "scripts"
    scripts.mkdir()
    scripts.chmod(0o755)
    return scripts


def script(text, name=None):
    path = folder() / (name or f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.lua")
    path.write_text(text, encoding="utf-8")
    os.chmod(path, 0o644)
    return ("-X", f"lua_script:{path}")


def file(path):
    return script(path.read_text(encoding="utf-8"), path.name)
