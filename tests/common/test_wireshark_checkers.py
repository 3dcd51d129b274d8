"""Wireshark's own checks of dissectors, those of this system's Wireshark and of the newest.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import pathlib
import signal
import subprocess
import time

import pytest

import tshark

NO_SOURCE = 77  # status of the script
SYSTEM = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
pytestmark = pytest.mark.skipif(SYSTEM["ID"] != "debian", reason="the checks are taken from Debian's source packages")


def run(suite, seconds, **environment):
    """(status, what the script says). If it takes longer it ends, and all that it has started."""
    with subprocess.Popen([tshark.ROOT / "script" / "wireshark-checkers", suite], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **environment}, start_new_session=True) as process:
        try:
            said = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize("suite", sorted({SYSTEM.get("VERSION_CODENAME", "sid"), "sid"}))
def test_nothing_is_found(suite):
    """The script itself makes sure that the checks notice a mistake."""
    status, said = run(suite, 900)
    if status == NO_SOURCE:
        pytest.skip(said.strip().replace("\n", "; "))
    assert status == 0, said


def runs(process):
    try:
        return bool(pathlib.Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["10", "1000"])
def test_a_download_that_does_not_end(limit):
    """It is limited, and ends with the script; an end by the limit of this test is no reason to skip it."""
    place = tshark.workplace() / f"download-{limit}"
    place.mkdir(mode=0o755)
    (place / "apt-get").write_text(f"#!/bin/sh\necho $$ >>{place}/started\nexec sleep 100\n")
    (place / "apt-cache").write_text("#!/bin/sh\necho gcc\n")
    for program in ("apt-get", "apt-cache"):
        (place / program).chmod(0o755)
    environment = {"PATH": f"{place}:{os.environ['PATH']}", "TMPDIR": str(place), "APT_LISTS": str(place / "lists"), "DOWNLOAD_SECONDS": limit}
    if limit == "10":
        status, said = run("sid", 60, **environment)
        assert status == NO_SOURCE and "No source of the Wireshark in sid, or it did not come in 10 s" in said
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            run("sid", 5, **environment)
    started = (place / "started").read_text().split()
    end = time.monotonic() + 30
    while any(map(runs, started)) and time.monotonic() < end:
        time.sleep(0.1)
    assert started and not any(map(runs, started))
