"""The game projects of test-captures/projects, for the preference godot.project.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import os
import pathlib
import shutil
import tempfile

import tshark

FOLDER = tshark.CAPTURES / "projects"


@functools.lru_cache(maxsize=None)
def option(*names):
    """The option that names these projects, copied to where tshark can read them."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="projects-", dir=tshark.workplace()))
    for name in names:
        shutil.copytree(FOLDER / name, place / name)
    for directory, _, files in os.walk(place):
        os.chmod(directory, 0o755)
        for file in files:
            os.chmod(os.path.join(directory, file), 0o644)
    return ("-o", f"godot.project:{place}")


@functools.lru_cache(maxsize=None)
def pack(name):
    """The same option for an exported game of test-captures/packs."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="packs-", dir=tshark.workplace()))
    os.chmod(place, 0o755)
    copy = shutil.copyfile(tshark.CAPTURES / "packs" / name, place / name)
    os.chmod(copy, 0o644)
    return ("-o", f"godot.project:{copy}")
