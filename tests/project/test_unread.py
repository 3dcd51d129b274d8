"""Unreadable parts of a project are not treated as absent: permissions, links, depth, packs that change
during reading.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shutil

import pytest

import sharkd
import tshark

PROJECTS, PACKS = tshark.CAPTURES / "projects", tshark.CAPTURES / "packs"
SHRINK = tshark.BUILD / "tests" / "shrink.so"
REFUSED = tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-refused.pcap"
MISMATCH = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-mismatch.pcap"


def problems(capture, path, **changes):
    """Messages about the project at missing names."""
    shown = tshark.run(capture, "-o", f"godot.project:{path}", "-Y", "godot.project.unreadable", "-T", "fields",
                       "-e", "_ws.expert.message", "-E", "aggregator=|", **changes).stdout
    return {text.removeprefix("Project: ") for text in re.split(r"[|\n]", shown) if text.startswith("Project: ")}


@pytest.fixture(name="place")
def make_place():
    """A folder that is not the user nobody's, so that its files can be made unreadable for that user."""
    folder = tshark.workplace() / "unread"
    folder.mkdir()
    yield folder
    for directory, below, _ in os.walk(folder):
        for name in below:  # before os.walk looks into it
            if not os.path.islink(os.path.join(directory, name)):
                os.chmod(os.path.join(directory, name), 0o755)
    shutil.rmtree(folder)


def copied(project, place):
    copy = place / project
    shutil.copytree(PROJECTS / project, copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return copy


# --- packs that change while they are read -------------------------------------------------------------------------


def shrunk(place, form, **how):
    """Messages about a pack that is truncated while it is being read."""
    path = place / f"mismatch4-client.{form}"
    shutil.copyfile(PACKS / path.name, path)
    path.chmod(0o666)
    library = shutil.copy(SHRINK, place / "shrink.so")
    os.chmod(library, 0o644)
    preload = " ".join(filter(None, (tshark.PRELOAD, str(library))))
    return problems(MISMATCH, path, LD_PRELOAD=preload, SHRINK_FILE=str(path), **how), path


@pytest.mark.skipif(not SHRINK.exists(), reason="it is made on UNIX only")
@pytest.mark.parametrize("form, size", [("tokens.pck", 0), pytest.param("tokens.pck", None, marks=pytest.mark.slow), ("text.zip", 1000)])
def test_pack_that_becomes_shorter(place, form, size):
    """As when the game is exported again, at any point of reading."""
    seen = set()
    for after in (0, 1, 5):
        how = {} if size is None else {"SHRINK_SIZE": str(size)}
        said, path = shrunk(place, form, SHRINK_AFTER=str(after), **how)
        assert len(said) == 1, after
        text, = said
        assert re.fullmatch(r"\d+ files? of the game damaged or in a form that is not supported|"
                            + re.escape(str(path)) + " (is damaged|is not a pack and does not contain one)", text), after
        seen.add(text)
    assert len(seen) >= 2
    assert shrunk(place, form, SHRINK_AFTER="1000")[0] == set()


# --- unreadable files, links, depth ------------------------------------------------------------------------


EXTRA_SCRIPT = "extends Node\nfunc _ready():\n\tset_multiplayer_authority(2)\n"


def hide_in_folder(game, outside, name, text):
    """A folder that the user nobody cannot read."""
    folder = game / "hidden"
    folder.mkdir()
    (folder / name).write_text(text)
    folder.chmod(0)
    return "1 file or folder cannot be read"


def hide_names(game, outside, name, text):
    """A folder whose files can be listed but not read."""
    hide_in_folder(game, outside, name, text)
    (game / "hidden").chmod(0o444)
    return "1 file or folder cannot be read"


def hide_file(game, outside, name, text):
    (game / name).write_text(text)
    (game / name).chmod(0)
    return "1 file or folder cannot be read"


def hide_behind_link(game, outside, name, text):
    (outside / name).write_text(text)
    (game / name).symlink_to(outside / name)
    (game / "nowhere.gd").symlink_to(outside / "nothing")  # the engine does not see it as one
    return "1 symbolic link not followed"


def hide_behind_linked_folder(game, outside, name, text):
    (outside / name).write_text(text)
    (game / "linked").symlink_to(outside, target_is_directory=True)
    return "1 symbolic link not followed"


def hide_deep(game, outside, name, text):
    folder = game.joinpath(*33 * ["d"])
    folder.mkdir(parents=True)
    (folder / name).write_text(text)
    return "1 folder too deep to be read"


def hide_nothing(game, outside, name, text):
    """The greatest depth that is read."""
    folder = game.joinpath(*32 * ["d"])
    folder.mkdir(parents=True)
    (folder / name.replace("extra", "empty")).write_text("")
    return None


HIDDEN = [hide_in_folder, hide_names, hide_file, hide_behind_link, hide_behind_linked_folder, hide_deep]


def hidden(place, project, hide, name, text):
    """The project and its expected message after something was hidden in it."""
    game, outside = copied(project, place), place / "outside"
    outside.mkdir(mode=0o755)
    said = hide(game, outside, name, text)
    return game, set() if said is None else {said}


def refusals(path):
    """Methods for which the server is reported to refuse the call because of the caller."""
    shown = tshark.run(REFUSED, "-o", f"godot.project:{path}", "-T", "fields", "-e", "_ws.expert.message", "-E", "aggregator=|",
                       "-Y", "godot.rpc.not_allowed").stdout
    return set(re.findall(r"the server refuses the call: \"RPC '(\w+)' is not allowed on node \S+ from: \d+. Mode is \"authority\"", shown))


BY_AUTHORITY = {"by_authority", "by_authority_too", "of_node_by_authority"}


@pytest.mark.parametrize("hide", [hide_nothing, *HIDDEN])
def test_script_that_is_not_read(place, hide):
    """It may change the authority, so no refusal is certain; the reason is shown."""
    game, said = hidden(place, "refused4", hide, "extra.gd", EXTRA_SCRIPT)
    assert refusals(game) == (set() if said else BY_AUTHORITY)
    assert problems(REFUSED, game) == said


def test_path_that_is_not_read(place):
    """One of several paths is not a game."""
    game = copied("refused4", place)
    for other in (place / "missing", shutil.copy(PACKS / "mismatch4-client.encrypted.pck", place / "other.pck")):
        other.exists() and other.chmod(0o644)
        assert refusals(f"{game}:{other}") == set()


def test_exported_csharp(place):
    """In a pack, the file of a C# script is empty: its content is in an assembly."""
    game, _ = hidden(place, "refused4", hide_nothing, "extra.cs", "")
    assert refusals(game) == set()


@pytest.mark.parametrize("hide", [hide_nothing, *HIDDEN])
def test_scene_that_is_not_read(place, hide):
    """It may be the scene that was spawned, so no scenes and properties have names; the reason is shown once
    per sender."""
    capture = tshark.CAPTURES / "multiplayer-spawn-function" / "godot-4.6.pcap"
    game, said = hidden(place, "spawnfunction4", hide, "extra.tscn", "[gd_scene]\n")
    named = [frame for frame in tshark.packets(capture, "-o", f"godot.project:{game}", "-Y", "godot.spawn.scene")]
    assert bool(named) == (not said)
    assert problems(capture, game) == said


@pytest.mark.skipif(not sharkd.PROGRAM, reason="sharkd is not installed")
def test_rights_that_were_given(place):
    """Only the permissions of the file have changed, so that it can be read."""
    game, said = hidden(place, "refused4", hide_file, "extra.gd", "extends Node\n")
    with sharkd.Session(preferences={"godot.project": game}) as session:
        def certain():
            session.load(REFUSED)
            return session.ask(("tap", {"tap0": "expert"}))[0].count(b"the server refuses the call")
        before = certain()
        (game / "extra.gd").chmod(0o644)
        assert certain() > before


# --- folders that are no project --------------------------------------------------------------------------------------


def nested(place):
    """A repository with the game in a folder of it, and folders that somebody may name by mistake."""
    game = copied("refused4", place)
    for folder in (game / "levels", place / "docs"):
        folder.mkdir()
        folder.chmod(0o755)
    return game


@pytest.mark.parametrize("name, text", [
    ("refused4", None), (".", None), ("refused4/levels", "GAME/refused4/levels has no project.godot, but GAME/refused4 has"),
    ("docs", "GAME/docs has no project.godot, but GAME/refused4 has"), ("later", "GAME/later does not exist or cannot be read")])
def test_folder_without_a_project(place, name, text):
    """The first line of the summary says so, and a packet of each sender, not every row; the table refuses what
    exists and is wrong, and takes what may exist later."""
    nested(place)
    path = place / name
    said = {text.replace("GAME", str(place))} if text else set()
    assert problems(REFUSED, path) == said
    marked = tshark.fields(REFUSED, "frame.number", arguments=["-o", f"godot.project:{path}", "-Y", "godot.project.unreadable"])
    calls = tshark.fields(REFUSED, "frame.number", arguments=["-Y", "godot.rpc.call"])
    assert bool(marked) == bool(said) and len(marked) * 10 < len(calls)
    summary = tshark.run(REFUSED, "-q", "-z", "godot,summary", "-o", f"godot.project:{path}").stdout.split("\n")
    first = "The game's project (Preferences > Protocols > Godot > Godot projects): "
    assert summary[3].removeprefix(first) in said if text else first not in "\n".join(summary)
    table = tshark.run(REFUSED, "-c", "1", "-o", f'uat:godot_projects:"{path}"', status=None)
    refused = bool(said) and path.exists()
    assert (table.returncode != 0) == refused
    assert not refused or said.pop() in table.stderr


def test_no_project_anywhere_near(place):
    empty = place / "a" / "b"
    empty.mkdir(parents=True)
    assert problems(REFUSED, empty) == {f"{empty} has no project.godot, and no folder in it has one"}
