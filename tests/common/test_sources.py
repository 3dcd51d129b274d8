"""Checks of the sources: includes of modules, circles, lengths of files, functions and lines, tests that are
not run.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re
import subprocess
import sys

import pytest

import tshark

LONGEST_FUNCTION = 60  # lines, including head and braces
LONGEST_FILE = 600
LONGEST_LINE = 110  # characters
MOST_FILES = 15  # files in a folder


@functools.lru_cache(maxsize=None)
def sources():
    """{name: text} of the C files of both parts."""
    paths = [path for part in ("src", "plugin") for path in sorted((tshark.ROOT / part).rglob("*.[ch]"))]
    return {str(path.relative_to(tshark.ROOT)): path.read_text() for path in paths}


@functools.lru_cache(maxsize=None)
def includes():
    """{name: [names of our files it includes]}. The path of a header begins with src/ or plugin/."""
    found = {}
    for name, text in sources().items():
        found[name] = []
        for header in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            places = [f"{part}/{header}" for part in ("src", "plugin") if f"{part}/{header}" in sources()]
            found[name] += places
            assert len(places) <= 1, f'{name}: "{header}" may be any of {places}'
    return found


def test_there_are_sources():
    assert sum(map(len, includes().values())) > 100


@functools.lru_cache(maxsize=None)
def modules():
    """{module: [modules it includes]} from the table in docs/architecture.md, from bottom to top."""
    text = (tshark.ROOT / "docs" / "architecture.md").read_text().partition("## Modules")[2]
    rows = re.findall(r"^\| `((?:src|plugin)[\w/]*)` \|([^|]*)\|", text, re.MULTILINE)
    assert len(rows) > 20
    return {module: re.findall(r"`([^`]+)`", below) for module, below in rows}


def folder(name):
    return name.rpartition("/")[0]


def test_every_folder_is_a_module():
    assert {folder(name) for name in sources()} == set(modules())


def test_includes_are_those_of_the_table():
    """Neither more nor fewer."""
    found = {module: set() for module in modules()}
    for name, headers in includes().items():
        found[folder(name)] |= {folder(header) for header in headers} - {folder(name)}
    assert found == {module: set(below) for module, below in modules().items()}


def test_modules_are_layers():
    """What a module includes stands above it in the table; src/ never includes plugin/."""
    order = list(modules())
    for module, below in modules().items():
        assert all(order.index(other) < order.index(module) for other in below), module
        assert module.startswith("plugin") or not any(other.startswith("plugin") for other in below), module


def test_folders_are_small():
    counts = collections.Counter(folder(name) for name in sources())
    assert not {name for name, count in counts.items() if count > MOST_FILES}


def reached(graph):
    """{name: all that can be reached from it}"""

    def reachable(start):
        seen, waiting = set(), [start]
        while waiting:
            for other in graph.get(waiting.pop(), set()) - seen:
                seen.add(other)
                waiting.append(other)
        return seen

    return {name: reachable(name) for name in graph}


def circles():
    """Groups of files that include each other, a.c and a.h counting as one. A private header without a .c
    file belongs to no group."""
    graph = {}
    for name, headers in includes().items():
        graph.setdefault(name[:-2], set()).update(header[:-2] for header in headers if header[:-2] != name[:-2])

    reach = reached(graph)
    files = {name for name in graph if f"{name}.c" in sources()}
    groups = {frozenset(other for other in reach[name] if name in reach[other] and other in files) for name in files}
    return [set(group) for group in groups if len(group) > 1]


def test_no_circles():
    assert not circles()


def functions(text):
    """(name, lines) of the functions: in the style of the sources, the braces of a function are at the start
    of a line, and its head begins after the end of a declaration."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line != "{":
            continue
        first = number - 1
        while first > 0 and lines[first - 1] and lines[first - 1][-1] not in ";}/" and lines[first - 1][0] != "#":
            first -= 1
        head = " ".join(lines[first:number])
        last = lines.index("}", number)
        yield re.search(r"(\w+)\(", head).group(1), last - first + 1


def test_functions_fit_on_a_screen():
    measured = {f"{name}:{function}": length for name, text in sources().items() for function, length in functions(text)}
    assert len(measured) > 1000
    assert not {function for function, length in measured.items() if length > LONGEST_FUNCTION}


def test_files_are_short():
    measured = {name: text.count("\n") for name, text in sources().items()}
    assert {name for name, length in measured.items() if length > LONGEST_FILE} == set()


def test_lines_are_short():
    """clang-format wraps code but not comments."""
    assert not [(name, line) for name, text in sources().items() for line in text.splitlines() if len(line) > LONGEST_LINE]


@pytest.mark.parametrize("pattern, line", [
    ("test_*.py", r"add_dissection_test\({path}[ )]"),
    ("test_*.c", r"add_unit_test\({stem}[ )]"),
    ("fuzz_*.c", r"add_fuzz_target\({stem}[ )]"),
])  # fmt: skip
def test_every_test_is_run(pattern, line):
    """CMakeLists.txt names it."""
    listed = (tshark.ROOT / "tests" / "CMakeLists.txt").read_text()
    paths = sorted((tshark.ROOT / "tests").glob(f"*/{pattern}"))
    assert paths
    for path in paths:
        stem = f"{path.parent.name}/{path.stem.split('_', 1)[1]}"
        expected = line.format(path=f"{path.parent.name}/{path.name}", stem=stem)
        by_name = f"/{path.parent.name}/{path.name}"  # a test of a program, which has its own command
        assert re.search(expected, listed) or by_name in listed, path


def test_slow_tests_are_run():
    """CMakeLists.txt marks exactly the files that have slow tests."""
    listed = (tshark.ROOT / "tests" / "CMakeLists.txt").read_text()
    for path in sorted((tshark.ROOT / "tests").glob("*/test_*.py")):
        if match := re.search(rf"add_dissection_test\({path.parent.name}/{path.name}([^)]*)\)", listed):
            slow = re.search(r"^ *@pytest\.mark\.slow|slow_unless\(|game_is_slow\(|^pytestmark = pytest\.mark\.slow|marks=pytest\.mark\.slow", path.read_text(), re.MULTILINE)
            assert ("SLOW" in match[1]) == bool(slow), path


def test_places_for_mistakes_exist():
    """script/mutate changes these places: if you change such a line, update tests/mutations.tsv."""
    checked = subprocess.run([sys.executable, tshark.ROOT / "script" / "mutate", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_tables_are_found_by_a_salted_hash():
    """Anybody can choose names with the same g_str_hash(), so tables by name use wmem_str_hash(), which
    differs in each run."""
    uses = {f"{path.name}: {line.strip()}" for path in (tshark.ROOT / "plugin").rglob("*.[ch]") for line in path.read_text(encoding="utf-8").splitlines()
            if "g_str_hash" in line and "wmem_str_hash" not in line}
    assert {use for use in uses if "g_hash_table_new" in use or "wmem_map_new" in use} == set()


def test_captures_are_small():
    """Logs are compressed, as the tests expect; a large file needs a reason in README.md of its folder."""
    files = [path for path in tshark.CAPTURES.rglob("*") if path.is_file()]
    assert not [path.name for path in files if path.suffix == ".log"]
    big = {path.name for path in files if path.stat().st_size > 400_000}
    assert big <= {"godot-4.6-enet-game.pcap", "libenet-plain-wrap.pcap.gz"}


def needed_files():
    """{file: files whose functions or variables it uses}, from the symbols of the build's object files."""
    owner, undefined = {}, collections.defaultdict(set)
    for part, target in (("src", "godot_decoders"), ("plugin", "enet_objects"), ("plugin", "godot")):
        folder_of_objects = tshark.BUILD / part / "CMakeFiles" / f"{target}.dir"
        for path in folder_of_objects.rglob("*.c.o"):
            name = f"{part}/{path.relative_to(folder_of_objects)}".removesuffix(".o")
            if name not in sources():  # of an earlier build
                continue
            listed = subprocess.run(["nm", "--format=posix", path], capture_output=True, text=True, check=True).stdout
            for symbol, kind in (line.split()[:2] for line in listed.splitlines()):
                if kind == "U":
                    undefined[name].add(symbol)
                elif kind.isupper():
                    owner[symbol] = name
    assert len(undefined) > 100
    return {name: {owner[symbol] for symbol in symbols if symbol in owner} for name, symbols in undefined.items()}


@pytest.mark.slow
def test_circles_of_calls_are_within_a_module():
    """Files that call each other, possibly through tables of functions: only recursions within a module."""
    reach = reached(needed_files())
    apart = {(a, b) for a in reach for b in reach[a] if a in reach.get(b, ()) and folder(a) != folder(b)}
    assert not apart
