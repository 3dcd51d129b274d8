"""The game projects of test-captures/projects, for the preference godot.project.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import pathlib
import re
import shutil
import tempfile

import tshark

FOLDER = tshark.CAPTURES / "projects"

# The first that matches the name of a capture, FOLDER/NAME: its projects; {} is the engine's generation.
OF_CAPTURES = (
    (r"savings/", ("savings4",)),
    (r"netfox/", ("netfox4",)),
    (r"-in-code/", ("incode4",)),
    (r"-spawn-function/", ("spawnfunction4",)),
    (r"-defaults/", ("defaults4",)),
    (r"-mesh", ("mesh4",)),
    (r"multiplayer-ends/godot-3", ("bomber3",)),
    (r"multiplayer-ends/.*websocket", ("owner4",)),
    (r"multiplayer-ends/", ("arena4",)),
    (r"multiplayer-authority/.*-root", ("root4-server", "root4-client")),
    (r"multiplayer-authority/.*-(\w+)", ("{name}{}",)),
    (r"mismatch", ("mismatch4-client", "mismatch4-server")),
    (r"multiplayer.*-(replication|game|synchronizers|properties|changes)\b", ("{name}4",)),
    (r"despawned", ("replication4",)),
    (r"-(handover|players)\.", ("{name}4",)),
    (r"-scenes", ("scenes4",)),
    (r"-refused", ("refused{}",)),
    (r"multiplayer-errors/", ("errors{}",)),
    (r"multiplayer", ("rpc{}",)),
)


def of_capture(name):
    """Names of the projects that were played in a capture; none of recordings, which have names of their own."""
    for pattern, own in OF_CAPTURES:
        if found := re.search(pattern, name):
            generation = 3 if "godot-3" in name else 4
            return tuple(one.format(generation, name=(found.groups() or [""])[0]) for one in own)
    return ()


@functools.lru_cache(maxsize=None)
def option(*names):
    """The option that names these projects, copied to where tshark can read them."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="projects-", dir=tshark.workplace()))
    for name in names:
        shutil.copytree(FOLDER / name, place / name)
    tshark.open_to_everybody(place)
    return ("-o", f"godot.project:{place}")


def pack(name):
    """The same option for an exported game of test-captures/packs."""
    return ("-o", f"godot.project:{tshark.CAPTURES / 'packs' / name}")
