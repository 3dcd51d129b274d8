#!/usr/bin/python3
"""usage: bench/table.py FILE

Writes the rows of bench/run --json FILE that miss their target as a table into docs/performance.md.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- bench/table.py: begin -->", "<!-- bench/table.py: end -->"


def number(value):
    """Three significant digits; all digits of the integer part."""
    if value is None:
        return ""
    for limit, digits in ((0.1, 4), (1, 3), (10, 2), (100, 1)):
        if abs(value) < limit:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"


def times(entry, which):
    return f"{number(entry[which])} ×" if entry.get(which) is not None else ""


def row(entry):
    counted = [f"{number(entry['instructions'])} {entry['instructions_per']}", times(entry, "instructions_ratio")]
    compared = [f"{times(entry, 'ratio')} {entry['against']}", times(entry, "beside") and f"{times(entry, 'beside')} relative to \"data\""]
    return [entry["name"], f"{number(entry['value'])} {entry['unit']}",
            ", ".join(filter(None, counted)) if entry["instructions"] else "",
            "; ".join(filter(None, compared)) if entry["ratio"] is not None else "",
            f"{entry['bound']} {entry['target']:,g}" if entry["target"] else "",
            "" if entry["met"] is None else "yes" if entry["met"] else "**no**"]


def where(results):
    machine, versions = results["machine"], ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    return [f"Revision {results['revision']}, {results['date']}, {machine['cores']} cores of an {machine['processor']}, load",
            f"{machine['load']}; {versions}.", ""]


def lines(results):
    """All results, a table for each group."""
    shown = where(results)
    for group in dict.fromkeys(entry["group"] for entry in results["rows"]):
        entries = [entry for entry in results["rows"] if entry["group"] == group]
        shown += [f"| {group} | measured | instructions | compared | target | met |", "|---|---|---|---|---|---|"]
        shown += ["| " + " | ".join(row(entry)) + " |" for entry in entries] + [""]
        missed = {}
        for entry in entries:
            if entry["met"] is False and entry.get("note"):
                missed.setdefault(entry["note"], []).append(entry["name"])
        shown += [f"- {'; '.join(dict.fromkeys(names))}: {note}" for note, names in missed.items()] + ([""] if missed else [])
    if results.get("functions"):
        shown += ["Instructions a frame that everything takes more than Decode As \"data\", 4 connections, in each function itself, of those "
                  "that cost most:", "", f"| function | revision {results['functions']['revision']} | now |", "|---|---|---|"]
        shown += [f"| {name} | {before:,.0f} | {now:,.0f} |" for name, before, now in results["functions"]["rows"]] + [""]
    return shown


def page_row(entry):
    """Without the instructions."""
    compared = f"{times(entry, 'ratio')} {entry['against']}" if entry["ratio"] is not None else ""
    target = f"{entry['bound']} {entry['target']:,g}"
    return [f"{entry['group']}: {entry['name']}", f"{number(entry['value'])} {entry['unit']}", compared, target]


def page_lines(results):
    """Of the rows that have a target, those that miss it."""
    entries = [entry for entry in results["rows"] if entry["met"] is not None]
    missed = [entry for entry in entries if not entry["met"]]
    table = ["| | measured | compared | target |", "|---|---|---|---|", *("| " + " | ".join(page_row(entry)) + " |" for entry in missed), ""]
    return [*where(results), f"{len(entries) - len(missed)} of {len(entries)} targets are met." + " These are missed:" * bool(missed), "",
            *(table if missed else [])]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text("\n".join([before + BEGIN, "", *page_lines(json.loads(pathlib.Path(sys.argv[1]).read_text())), END + after]))


if __name__ == "__main__":
    main()
