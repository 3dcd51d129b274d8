"""`-z godot,compare`: the table of a capture compared with the file of an earlier one.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import csv
import os
import pathlib
import re

import pytest

import projects
import tshark
from test_messages import folder

BEFORE = tshark.CAPTURES / "savings" / "godot-4.6-on-change.pcap"
NOW = tshark.CAPTURES / "savings" / "godot-4.6-on-change-changed.pcap"
GAME = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap"
ROW = re.compile(r"^ *(\d+)  +(\d+)  +([+-]\d+)  +(\S*)  (.*)$")


def written(path, statistic, *options):
    """(the file, {(table, texts): bytes a second})"""
    file = folder() / f"{path.stem}.{statistic}.csv"
    tshark.run(path, "-q", "-z", f"godot,{statistic},{file}", *options)
    with open(file, newline="", encoding="utf-8") as lines:
        heading, *rows, (last, *_) = csv.reader(lines)
    assert last == "Connections at a time"
    rate = heading.index("Wire bytes/s")
    texts = [column for column in ("Sent", "Scene", "Method", "Property", "Node", "Name") if column in heading]
    texts = sorted(heading.index(column) for column in texts)
    return file, {(row[0], "  ".join(row[i].lstrip("'") for i in texts if row[i])): float(row[rate]) for row in rows}


totals = {}


def compared(path, file, *options):
    """{(table, texts): (before, now, change, per cent)} and the lines that count rows. Sets `totals`: {table: (before, now)}."""
    totals.clear()
    rows, counts, table = {}, [], None
    for line in tshark.run(path, "-q", "-z", f"godot,compare,{file}", *options).stdout.splitlines():
        match = ROW.match(line)
        if match and match[5] == "(total)":
            totals[table] = int(match[1]), int(match[2])
        elif match:
            before, now, change, percent, texts = match.groups()
            rows[table, texts] = int(before), int(now), int(change), percent
        elif line.startswith("and "):
            counts.append(line)
        elif "Change %" not in line:
            table = line
    return rows, counts


@pytest.mark.parametrize("statistic", ["bandwidth", "properties"])
def test_before_and_now(statistic):
    file, before = written(BEFORE, statistic, *projects.option("savings4"))
    _, now = written(NOW, statistic, *projects.option("savings4"))
    rows, _ = compared(NOW, file, *projects.option("savings4"))
    assert set(rows) == {key for key in before.keys() | now.keys()
                         if abs(before.get(key, 0) - now.get(key, 0)) >= 0.5 or key not in before or key not in now}
    for key, (was, there, change, percent) in rows.items():
        assert (was, there, change) == (before.get(key, 0), now.get(key, 0), now.get(key, 0) - before.get(key, 0))
        if key in before and key in now:
            assert float(percent) == pytest.approx(100 * change / was, abs=0.06)
        else:
            assert percent == ("gone" if key in before else "new")
    for table, (was, there) in totals.items():
        assert was == pytest.approx(sum(rate for (of, _), rate in before.items() if of == table), abs=1)
        assert there == pytest.approx(sum(rate for (of, _), rate in now.items() if of == table), abs=1)
    tables = [key[0] for key in rows]
    for table in set(tables):
        changes = [abs(change) for (of, _), (_, _, change, _) in rows.items() if of == table]
        assert changes == sorted(changes, reverse=True)


def test_same_capture():
    file, before = written(GAME, "bandwidth", *projects.option("game4"))
    rows, counts = compared(GAME, file, *projects.option("game4"))
    assert not rows
    assert sum(int(re.match(r"and (\d+) rows without a change", line)[1]) for line in counts) == len(before)


@pytest.mark.parametrize("statistic", ["bandwidth", "properties"])
@pytest.mark.parametrize("game, node, players", [("owner", "Main/Game/{client %d}/Hud", 3), ("npcs", "Main/World/{client %d}", 3)])
def test_nodes_of_players(game, node, players, statistic):
    """Two runs of a game with other ids of its peers, after which nodes are named: each peer has its rows, the same in both."""
    runs = [tshark.CAPTURES / "savings" / f"godot-4.6-{name}.pcap" for name in (game, f"{game}-changed")]
    ids = [{value for (values,) in tshark.fields(run, "enet.connect.data") for value in values if int(value) > 0xffff} for run in runs]
    assert len(ids[0]) == len(ids[1]) == players and not ids[0] & ids[1]
    files = [written(run, statistic, *projects.option("games4")) for run in runs]
    for number in range(1, players + 1):
        assert all(any(node % number in texts for _, texts in rows) for _, rows in files), number
    assert not any(str(number) in file.read_text(encoding="utf-8") for (file, _), of in zip(files, ids) for number in of)
    rows, _ = compared(runs[1], files[0][0], *projects.option("games4"))
    named = {texts: percent for (_, texts), (*_, percent) in rows.items() if "{client" in texts}
    assert len([texts for texts in named if "show_health" in texts or "position" in texts]) >= players
    assert not any(percent in ("gone", "new") for percent in named.values())


def test_numbers_that_are_no_peers():
    """Nodes with random numbers that are not known as peers are one row."""
    file, before = written(GAME, "bandwidth", *projects.option("game4"))
    other = folder() / "other-run.csv"
    nodes = {"Main/Bullet@1234567", "Main/Bullet@7654321"}
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    model = next(line for line in lines if line.startswith("By node"))
    known = model.split(",")[4]
    other.write_text("".join(lines[:-1] + [model.replace(known, node) for node in sorted(nodes)] + lines[-1:]), encoding="utf-8")
    rows, _ = compared(GAME, other, *projects.option("game4"))
    assert [(texts, percent) for (_, texts), (*_, percent) in rows.items()] == [("(all)  Main/Bullet@{id}", "gone")]


def test_without_names_of_peers():
    """With the preference off, the ids are shown as they are, and are one row of the comparison."""
    run = tshark.CAPTURES / "savings" / "godot-4.6-owner.pcap"
    options = *projects.option("games4"), "-o", "godot.peer_names:FALSE"
    file, before = written(run, "bandwidth", *options)
    assert len({texts for table, texts in before if table == "By node" and re.search(r"Game/\d+/Hud", texts)}) == 3
    rows, counts = compared(run, file, *options)
    assert not rows and counts


def test_other_columns():
    """A file of another version: only the columns that are compared have to be there."""
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    with open(file, newline="", encoding="utf-8") as lines:
        table = list(csv.reader(lines))
    for dropped, added in (("Calls", None), ("Share %", "Newer")):
        place = table[0].index(dropped)
        other = folder() / "other-columns.csv"
        with open(other, "w", newline="", encoding="utf-8") as lines:
            csv.writer(lines).writerows([*row[:place], *row[place + 1:], *([added] if added else [])] for row in table)
        rows, counts = compared(BEFORE, other, *projects.option("savings4"))
        assert not rows and counts


def as_saved_by_a_window(file):
    """As Wireshark's *Save as…* writes the table: ranks, no titles, texts in quotes, which are not escaped."""
    with open(file, newline="", encoding="utf-8") as lines:
        heading, *rows, _ = csv.reader(lines)
    texts = {heading.index(name) for name in ("Method", "Node", "Property")}
    saved, rank, title = [",".join(f'"{name}"' for name in ("#", *heading[1:], "Filter"))], 0, None
    for row in rows:
        rank, title = (rank + 1 if row[0] == title else 1), row[0]
        cells = [f'"{cell}"' if place in texts else cell for place, cell in enumerate(row)]
        saved.append(",".join([str(rank), *cells[1:], f'"(godot.path == "{row[max(texts)]}", "x")"']))
    other = folder() / "saved.csv"
    other.write_text("\n".join(saved) + "\n", encoding="utf-8")
    return other


FORMER = [{"Properties": "Properties by scene and synchronizer", "Properties of each node": "Properties by node", "RPCs": "RPCs by method", "RPCs of each node": "RPCs by node and method"},
          {"Properties": "Properties by scene and synchronizer", "Properties of each node": "Properties by node", "RPCs": "Calls by method", "RPCs of each node": "Calls by node and method"}]


@pytest.mark.parametrize("titles", FORMER, ids=["by", "calls"])
def test_former_titles(titles):
    """Tables of *Properties* as earlier versions have called them."""
    file, before = written(GAME, "properties")
    assert {table for table, _ in before} == set(titles)
    lines = file.read_text().splitlines()
    former = file.with_suffix(".former.csv")
    former.write_text("".join(",".join([titles.get(first, first), *rest]) + "\n" for first, *rest in (line.split(",") for line in lines)))
    assert compared(GAME, former) == compared(GAME, file) and not compared(GAME, former)[0]
    assert compared(BEFORE, former) == compared(BEFORE, file)


def test_saved_by_a_window():
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    rows, counts = compared(BEFORE, as_saved_by_a_window(file), *projects.option("savings4"))
    assert not rows and counts


SAVED = sorted((pathlib.Path(__file__).resolve().parents[1] / "data" / "saved-by-windows").glob("*.csv"))


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: saved.stem)
def test_saved_by_wireshark(saved):
    """What the windows of Wireshark have written with *Save as…*: of this capture without its project, and of 4.0 with nodes of players."""
    file = folder() / "saved-by-wireshark.csv"
    file.write_bytes(saved.read_bytes())
    name = saved.stem.rsplit(".", 1)[1]
    rows, counts = compared(tshark.CAPTURES / "savings" / f"godot-4.6-{name}.pcap", file)
    assert not rows and sum(int(line.split()[1]) for line in counts) == len(file.read_text(encoding="utf-8").splitlines()) - 1
    rows, _ = compared(tshark.CAPTURES / "savings" / f"godot-4.6-{name}-changed.pcap", file)
    assert [texts for (_, texts), (*_, percent) in rows.items() if percent.startswith("-")]


def test_a_pipe_is_not_read():
    pipe = folder() / "pipe.csv"
    os.mkfifo(pipe, 0o666)
    result = tshark.run(GAME, "-q", "-z", f"godot,compare,{pipe}", status=None)
    assert result.returncode == 1 and "not a file" in result.stderr


def test_refused():
    other = folder() / "other.csv"
    other.write_text("Table,What\r\nPeers,1\r\n")
    for name, reason in ((other, "has not the columns"), ("/nonexistent.csv", "No such file"), ("rows.txt", "ends in .csv")):
        result = tshark.run(GAME, "-q", "-z", f"godot,compare,{name}", status=None)
        assert result.returncode == 1 and reason in result.stderr


def test_a_large_file_is_not_read():
    """A file of more than 16 MiB is refused, whatever it begins with."""
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    large = folder() / "large.csv"
    for size, refused in ((16 << 20, False), ((16 << 20) + 1, True), (1 << 40, True)):
        large.write_bytes(file.read_bytes())
        with large.open("r+b") as sparse:
            sparse.truncate(size)
        large.chmod(0o644)
        result = tshark.run(NOW, "-q", "-z", f"godot,compare,{large}", status=None, memory=260)
        assert (result.returncode == 1 and "larger than 16 MiB" in result.stderr) == refused, size
    large.unlink()


def test_shipped_baseline():
    """The baseline used by the recipe is what the statistic writes."""
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    assert file.read_bytes() == (BEFORE.parent / "godot-4.6-on-change.bandwidth.csv").read_bytes()


def test_rates_are_those_of_a_connection():
    """From its first to its last message; the total is relative to the time in which there are messages."""
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    _, now = written(GAME, "bandwidth", *projects.option("game4"))
    times = {}
    for (session,), (time,) in tshark.fields(GAME, "godot.session", "frame.time_relative", arguments=("-Y", "godot.session")):
        times.setdefault(session, []).append(float(time))
    everything = [time for of in times.values() for time in of]
    concurrent = sum(max(of) - min(of) for of in times.values()) / (max(everything) - min(everything))
    assert concurrent > 1.5
    rows, _ = compared(GAME, file, *projects.option("game4"))
    for key in (("By method", "synchronize  (all)"), ("By method", "aim()  (all)")):
        assert rows[key][1] == pytest.approx(now[key] / concurrent, abs=1)


def test_the_baseline_of_the_preference():
    """The window uses it for the comparison; -z needs no file then."""
    file, _ = written(BEFORE, "bandwidth", *projects.option("savings4"))
    named = tshark.run(NOW, "-q", "-z", f"godot,compare,{file}", *projects.option("savings4")).stdout
    preferred = tshark.run(NOW, "-q", "-z", "godot,compare", "-o", f"godot.compare.baseline:{file}", *projects.option("savings4")).stdout
    assert preferred == named and "Godot Bandwidth compared with" in named
    assert "ends in .csv" in tshark.run(NOW, "-q", "-z", "godot,compare", status=1).stderr


def pages(*options):
    """The texts of the window of Godot Compare, one after another, while NOW is read; {frame: text}."""
    text = tshark.run(NOW, "-q", "-z", "godot,compare", "-z", "text-window", *options, **tshark.with_plugin("text-window")).stdout.split("# closed\n")[0]
    _, *windows = text.split("# window ")
    return {int(number): page for number, page in (window.split("\n", 1) for window in windows)}


@pytest.mark.parametrize("statistic", ["bandwidth", "properties"])
def test_the_page_of_the_window(statistic):
    """It is drawn while frames arrive; at the end it has the text that tshark prints."""
    file, _ = written(BEFORE, statistic, *projects.option("savings4"))
    options = "-o", f"godot.compare.baseline:{file}", *projects.option("savings4")
    printed = tshark.run(NOW, "-q", "-z", "godot,compare", *options).stdout
    shown = pages(*options)
    assert len(shown) > 1 and f"compared with {file}" in printed and any(map(ROW.match, printed.splitlines()))
    assert shown[max(shown)].split("While frames arrive")[0].split() == printed.split()  # the window wraps lines


def test_the_page_without_a_baseline():
    shown = pages()
    assert all(" ".join(page.split()).startswith("No baseline: choose a file at Preferences > Protocols > Godot > Baseline") for page in shown.values()) and shown
