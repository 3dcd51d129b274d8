"""The folder of the add-on as it is distributed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import io
import re
import subprocess
import tarfile

import pytest

import tshark

ADDON = tshark.ROOT / "addons" / "godot_wireshark"


def test_every_script_has_its_own_uid():
    """The engine uses it to find a moved script; without it, each project would create a different one."""
    uids = {file.name: file.read_text() for file in ADDON.glob("*.gd.uid")}
    assert set(uids) == {f"{file.name}.uid" for file in ADDON.glob("*.gd")}
    assert len(set(uids.values())) == len(uids) and all(re.fullmatch(r"uid://[a-z0-9]{12,13}\n", uid) for uid in uids.values())


@pytest.mark.skipif(not (tshark.ROOT / ".git").exists(), reason="no repository")
def test_a_download_has_the_add_on_alone():
    """Godot's Asset Library uses the result of git archive."""
    command = ["git", "-c", f"safe.directory={tshark.ROOT}", "archive", "--worktree-attributes", "HEAD"]
    packed = subprocess.run(command, cwd=tshark.ROOT, check=True, capture_output=True).stdout
    names = {name for name in tarfile.open(fileobj=io.BytesIO(packed)).getnames() if "/" in name}
    assert {name.rpartition("/")[0] for name in names} <= {"addons", "addons/godot_wireshark"}
    assert {"addons/godot_wireshark/plugin.cfg", "addons/godot_wireshark/LICENSE"} <= names and len(packed) < 500_000


def test_settings_are_on_the_pages():
    """All settings in Project Settings are documented."""
    names = re.findall(r'^\t"(\w+)": \[', (ADDON / "recorder_settings.gd").read_text(), re.MULTILINE)
    pages = "".join(path.read_text("utf-8") for path in [*(tshark.ROOT / "docs").glob("*.md"), ADDON / "README.md"])
    assert len(names) > 6 and not [name for name in names if f"record/{name}" not in pages]
