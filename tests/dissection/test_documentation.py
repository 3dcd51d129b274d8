"""The written pages against the program. SPDX-License-Identifier: GPL-2.0-or-later"""

import subprocess
import sys

import tshark


def test_field_reference_is_current():
    command = [sys.executable, tshark.ROOT / "script" / "field-reference", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, f"run script/field-reference:\n{checked.stdout}{checked.stderr}"
