"""The documentation compared with the program.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import os
import re
import subprocess
import sys

import pytest

import captures
import tshark

PAGES = [*tshark.ROOT.glob("*.md"), *(page for folder in ("addons", "docs", "test-captures", "tests") for page in sorted((tshark.ROOT / folder).rglob("*.md")))]

RELEASES = "../../releases"  # of the repository, from its page on GitHub

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(tshark.ROOT)))


def test_field_reference_is_current():
    command = [sys.executable, tshark.ROOT / "script" / "field-reference", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, f"run script/field-reference:\n{checked.stdout}{checked.stderr}"


def test_table_of_conclusions_is_current():
    command = [sys.executable, tshark.ROOT / "script" / "conclusions", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@each_page
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert not [target for target in targets if "://" not in target and target != RELEASES and not (page.parent / target).exists()]


@each_page
def test_lines_are_short(page):
    """Lines of prose; tables and code may be longer."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert not [line for line in text.splitlines() if len(line) > 120 and " " in line and not line.startswith(("|", "    ", "<!--"))]


def anchors(page):
    """Anchors of the headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@each_page
def test_links_lead_to_headings(page):
    targets = re.findall(r"\]\(([^):]*)#([^)]+)\)", page.read_text())
    assert not [(target, heading) for target, heading in targets
                if heading not in anchors(page.parent / target if target else page)]


def test_every_page_is_found():
    """From the list in docs/, or as the README of a folder."""
    start = tshark.ROOT / "docs" / "README.md"
    listed = {(start.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)", start.read_text())}
    pages = set((tshark.ROOT / "docs").rglob("*.md")) - {start}
    assert len(pages) > 15 and not pages - listed


def code(page):
    """The code in a page: in backquotes, in fenced blocks, and indented."""
    text = page.read_text()
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    text = re.sub(r"^```.*?\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"^ {4}.*$", text, re.MULTILINE), *re.findall(r"`([^`]+)`", text)])


def preferences():
    """Names with their module. tshark does not list tables (uat:) and an empty port."""
    lines = tshark.run(None, "-G", "currentprefs").stdout.splitlines()
    return {line.lstrip("#").split(":")[0] for line in lines} | {"enet.udp.port"}


@functools.lru_cache(maxsize=None)
def registered():
    protocols = {line.split("\t")[2] for line in tshark.run(None, "-G", "protocols").stdout.splitlines()}
    tables = {line.split("\t")[0] for line in tshark.run(None, "-G", "dissector-tables").stdout.splitlines()}
    payload = (tshark.ROOT / "plugin/multiplayer/payload/api.h").read_text()  # facts that scripts get
    facts = {f"godot.{name}" for name in re.findall(r"^    (?:\w+ |const char \*)(\w+);", payload, re.MULTILINE)}
    dissectors = {name for path in (tshark.ROOT / "plugin").rglob("*.c") for name in re.findall(r'register_dissector\("([\w.]+)"', path.read_text())}
    return tshark.field_names() | protocols | preferences() | tables | facts | dissectors


# A field, preference or table of this plugin; not prefixes of several ("enet.analysis.*", "godot.rpc.…") or
# names of files such as "godot.so" or "enet.c".
NAME = re.compile(r"(?<![\w./-])(?:enet|godot)(?:\.[a-z0-9_]+)+(?![\w*…(/]|\.[*…])")
FILES = (".so", ".dll", ".dylib", ".h", ".c", ".md", ".pcap", ".gd", ".lua")


@each_page
def test_names_exist(page):
    """Every field, preference and table of the plugin that a page mentions."""
    named = {name for name in NAME.findall(code(page)) if not name.endswith(FILES)}
    assert not named - registered() - gone(page)


def gone(page):
    """The names in the first column below the heading "Fields that are gone" of docs/changes.md: none of
    these exists."""
    section = page.read_text().partition("\n## Fields that are gone\n")[2].partition("\n## ")[0]
    found = {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in NAME.findall(row)}
    assert not found & registered()
    return found


def test_there_are_names():
    assert len({name for page in PAGES for name in NAME.findall(code(page))}) > 150


@functools.lru_cache(maxsize=None)
def statistics():
    offered = tshark.run(None, "-z", "help", status=None)
    return set((offered.stdout + offered.stderr).split())


@each_page
def test_heuristics_and_statistics_exist(page):
    text = code(page)
    named = set(re.findall(r"(?:--enable-heuristic|--disable-heuristic) (\w+)", text))
    assert not {name for name in named if name.startswith(tshark.OURS)} - set(captures.heuristics())
    taps = set(re.findall(r"-z ((?:enet|godot)[\w.]*,\w+)", text))
    assert not taps - statistics()


@each_page
def test_commands_exist(page):
    """Programs and scripts of the tree in the commands of a page, and options of its build."""
    text = code(page)
    scripts = set(re.findall(r"(?<![\w/.-])((?:script|bench|test-captures|\.ci)/[a-z][\w-]*)(?![\w/.*-])", text))
    missing = [name for name in scripts if not (tshark.ROOT / name).exists()]
    assert not missing
    places = [tshark.ROOT / name for name in scripts]
    assert not [place for place in places if place.is_file() and place.suffix == "" and not os.access(place, os.X_OK)]
    files = [path for kind in ("CMakeLists.txt", "*.cmake", "*.cmake.in") for path in tshark.ROOT.rglob(kind)]
    cmake = "\n".join(path.read_text() for path in files if not path.relative_to(tshark.ROOT).parts[0].startswith("build"))
    options = set(re.findall(r"-D([A-Z_]+)=", text))
    own = {name for name in options if not name.startswith(("CMAKE_", "CUSTOM_PLUGIN", "BUILD_TESTING", "CPACK_"))}
    assert not {name for name in own if not re.search(rf"\b{name}\b", cmake)}


LISTED = ("godot.command", "godot.sys.command", "godot.transfer_mode", "godot.variant.type", "godot.variant.dialect", "godot.variant.error")


@pytest.mark.parametrize("name", ["godot-4.6-enet-calls", "godot-4.6-enet-game", "godot-3.6-enet-relay", "godot-4.6-enet-authentication"])
def test_values_of_texts_are_listed(name):
    """All values in captures of fields with a fixed set of texts are in the reference."""
    page = (tshark.ROOT / "docs" / "fields.md").read_text()
    rows = tshark.fields(tshark.CAPTURES / "multiplayer" / f"{name}.pcap", *LISTED)
    found = [{value for row in rows for value in row[i]} for i in range(len(LISTED))]
    assert found[0]
    for field, values in zip(LISTED, found):
        meaning = re.search(rf"^\| `{re.escape(field)}` \| string \| (.*) \|$", page, re.MULTILINE)[1]
        assert not values - set(re.split(r"[,;:.] (?:Godot 3: |Godot 2: also )?", meaning)), field
