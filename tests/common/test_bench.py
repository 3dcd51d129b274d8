"""bench/run with small inputs: everything is measured; the results are not checked.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import re
import shutil
import subprocess

import pytest

import tshark

pytestmark = pytest.mark.slow
# Rows whose needs may be missing: another engine, the revision in a clone without history, ENet's headers.
MAY_BE_MISSING = ("bytes_to_var()", "revision", "libenet's")


@pytest.fixture(scope="module", name="results")
def measure(tmp_path_factory):
    place = tmp_path_factory.mktemp("bench")
    environment = {**os.environ, "BENCH_BUILD": str(tshark.BUILD / "bench-build"), "TSHARK": tshark.PROGRAM}
    done = subprocess.run([tshark.ROOT / "bench/run", "--quick", "--json", place / "results.json"], capture_output=True, text=True,
                          env=environment, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    left_out = [line for line in done.stderr.splitlines() if "left out" in line]
    assert not [line for line in left_out if not any(name in line for name in MAY_BE_MISSING)]
    return json.loads((place / "results.json").read_text()), done.stdout


def test_every_row_is_measured(results):
    measured, printed = results
    for row in measured["rows"]:
        assert f"| {row['name']} | " in printed and row["unit"]
        assert (row["met"] is None) == (row["target"] is None or (row["against"] is not None and row["ratio"] is None))
        assert row["met"] is not False or row["note"] in printed
    bases = {row["against"] for row in measured["rows"]} - {None}
    counted = [row for row in measured["rows"] if not any(name in row["name"] for name in MAY_BE_MISSING)]
    assert len(bases) > 7 and len(counted) > 40
    assert sum(row["beside"] is not None for row in measured["rows"]) == 6  # growth, compared with the growth of "data"


def test_where_and_when(results):
    measured, _ = results
    assert measured["machine"]["cores"] > 0 and measured["versions"]["Wireshark"] and measured["date"] > "2026"
    if shutil.which("git") and (tshark.ROOT / ".git").exists():
        assert measured["revision"]


def test_the_page_has_what_misses_its_target(results):
    """docs/performance.md says how many rows have a target; those on the page are measured."""
    measured, _ = results
    text = (tshark.ROOT / "docs" / "performance.md").read_text().partition("<!-- bench/table.py: begin -->")[2]
    shown = {line.split(" | ")[0].removeprefix("| ") for line in text.partition("<!-- bench/table.py: end -->")[0].splitlines()
             if line.startswith("| ") and " | measured | " not in line}
    sizes = re.compile(r"\d[\d,]*")  # these are smaller with --quick
    targets = int(re.search(r"of (\d+) targets are met", text)[1])
    assert len(shown) < targets and len([row for row in measured["rows"] if row["met"] is not None]) <= targets
    all_rows = {sizes.sub("N", f"{row['group']}: {row['name']}") for row in measured["rows"]}
    missing = {sizes.sub("N", name) for name in shown} - all_rows
    assert not [name for name in missing if not any(part in name for part in ("decode", "write as text", ", instructions: "))]
