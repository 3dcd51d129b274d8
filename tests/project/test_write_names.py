"""tools/write_names.gd in a real engine: what it writes of an exported game, and what it refuses.

Needs $GODOT4 (test-captures/README.md) or the program godot.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import pathlib
import shutil
import sys
import zipfile

import pytest

import tshark

sys.path.insert(0, str(tshark.ROOT / "tests" / "recorder"))
from test_engine import import_generator, needs_engine  # noqa: E402

pytestmark = pytest.mark.slow
SCRIPT = "write_names.gd"


@contextlib.contextmanager
def writer():
    """A function that runs the script, one that imports the project rpc4, and the folder of both, here and for the engine."""
    generator = import_generator()
    scene = generator.Scene("written-by-a-test", "", "rpc4", seconds=120)
    scene._write = lambda: None
    with scene:
        ours, theirs = scene.stage(generator.GODOT4)
        shutil.copy(tshark.ROOT / "tools" / SCRIPT, ours)

        def run(name, *arguments, folder=theirs / "written", code=0):
            process = scene.process(name, [*generator.GODOT4.command(), *map(str, arguments), "--script", str(theirs / SCRIPT), "--", str(folder)],
                                    HOME=str(theirs / "home"))
            process.good_ends = (code,)
            process.finish(100)
            return process.printed()

        yield run, lambda: generator.share_log(scene, generator.GODOT4), ours, theirs


def texts(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in pathlib.Path(folder).rglob("*") if path.is_file() and ".godot" not in path.parts}


@needs_engine
def test_names_of_a_pack_and_of_a_folder():
    """Of the pack they are those that other tests compare with the project; a folder that is not absolute would be in the game's."""
    with writer() as (run, import_project, ours, theirs), zipfile.ZipFile(tshark.ROOT / "tests" / "data" / "written-names-rpc4.zip") as kept:
        shutil.copy(tshark.CAPTURES / "packs" / "rpc4.tokens.pck", ours / "game.pck")
        run("pack", "--main-pack", theirs / "game.pck")
        assert texts(ours / "written") == {name: kept.read(name).decode() for name in kept.namelist()}
        said = run("not imported", "--path", theirs / "rpc4", folder=theirs / "without-classes")
        assert int(said.rpartition(": ")[2]) > 3 and not (ours / "without-classes" / "chat.gd").exists()
        import_project()
        there = set(texts(ours / "rpc4"))
        assert "files that could not be loaded: 0" in run("folder", "--path", theirs / "rpc4", folder=theirs / "other")
        written, other = texts(ours / "written"), texts(ours / "other")
        assert {name: other[name] for name in written if name.endswith(".gd")} == {name: text for name, text in written.items() if name.endswith(".gd")}
        assert "absolute paths" in run("relative", "--path", theirs / "rpc4", folder="other", code=1)
        assert set(texts(ours / "rpc4")) == there


@needs_engine
def test_the_limit_of_folders_is_said():
    with writer() as (run, _, ours, theirs):
        game = ours / "large"
        game.mkdir()
        (game / "project.godot").write_text("config_version=5\n")
        for i in range(19_999): # and the game's own
            (game / f"f{i}").mkdir()
        assert "not all are written" not in run("all", "--path", theirs / "large")
        (game / "more").mkdir()
        assert "The game has more than 20000 folders: not all are written." in run("more", "--path", theirs / "large")
