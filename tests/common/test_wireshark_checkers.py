"""Wireshark's own checks of dissectors, those of this system's Wireshark and of the newest.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import subprocess

import pytest

import tshark

NO_SOURCE = 77  # status of the script
SYSTEM = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)


@pytest.mark.slow
@pytest.mark.parametrize("suite", sorted({SYSTEM.get("VERSION_CODENAME", "sid"), "sid"}))
def test_nothing_is_found(suite):
    """The script itself makes sure that the checks notice a mistake."""
    if SYSTEM["ID"] != "debian":
        pytest.skip("the checks are taken from Debian's source packages")
    try:
        checked = subprocess.run([tshark.ROOT / "script" / "wireshark-checkers", suite], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        pytest.skip(f"the source of the Wireshark in {suite} did not come in five minutes")
    if checked.returncode == NO_SOURCE:
        pytest.skip((checked.stdout + checked.stderr).strip().replace("\n", "; "))
    assert checked.returncode == 0, checked.stdout + checked.stderr
