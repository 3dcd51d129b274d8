"""The written pages against the program. SPDX-License-Identifier: GPL-2.0-or-later"""

import re
import subprocess
import sys

import tshark


def test_field_reference_is_current():
    command = [sys.executable, tshark.ROOT / "script" / "field-reference", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, f"run script/field-reference:\n{checked.stdout}{checked.stderr}"


def test_links_lead_somewhere():
    pages = [tshark.ROOT / "README.md", tshark.CAPTURES / "README.md", *(tshark.ROOT / "docs").glob("*.md")]
    broken = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)", page.read_text())
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken
