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

PAGES = [*tshark.ROOT.glob("*.md"), *(page for folder in ("addons", "docs", "examples", "test-captures", "tests") for page in sorted((tshark.ROOT / folder).rglob("*.md")))]

RELEASES = "../../releases"  # of the repository, from its page on GitHub

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(tshark.ROOT)))


def test_field_reference_is_current():
    """The list of fields, and the tables of conclusions."""
    command = [sys.executable, tshark.ROOT / "script" / "field-reference", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, f"{checked.stdout}{checked.stderr}"


COUNTED = [page for page in PAGES if page.relative_to(tshark.ROOT).parts[0] in ("README.md", "addons", "docs", "examples") and "upstream" not in page.parts]


def test_documentation_is_short():
    """As `wc -w` counts."""
    words = {str(page.relative_to(tshark.ROOT)): len(page.read_text().split()) for page in COUNTED}
    assert len(words) > 20 and sum(words.values()) <= 30_000, sorted(words.items(), key=lambda item: -item[1])


def sentences(text):
    """The sentences of a page: in paragraphs, items of lists and cells of tables. Code and the target of a link are one word each."""
    text = re.sub(r"^(```|<!--).*?(^```|-->)$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^( {4}|#).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]+`", "code", re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text))
    for paragraph in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.)\s|\|", text, flags=re.MULTILINE):
        yield from re.split(r"(?<=[.!?])[\"”)*]*\s+", " ".join(paragraph.split()))


@pytest.mark.parametrize("page", [page for page in COUNTED if page.name != "fields.md"], ids=lambda page: page.name)
def test_sentences_are_short(page):
    """At most 30 words; in a cell of a table at most two sentences, but for quotations of engines. The list of
    fields is made of texts in the sources."""
    text = page.read_text()
    assert not [sentence for sentence in sentences(text) if len(sentence.split()) > 30]
    cells = [cell for line in text.splitlines() if line.startswith("| ") for cell in re.split(r"(?<!\\)\|", line)]
    assert not [cell for cell in cells if len([part for part in sentences(cell) if part]) > 2 and "the engine prints" not in text]


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
    assert not named - registered()


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
        meaning = " ".join(re.search(rf"^- `{re.escape(field)}`: ((?:.|\n  )*)", page, re.MULTILINE)[1].split())
        assert not values - set(re.split(r"[,;:.] (?:Godot 3: |Godot 2: also )?", meaning)), field
