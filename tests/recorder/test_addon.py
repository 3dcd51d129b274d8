"""The folder of the add-on as it is distributed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import tshark

ADDON = tshark.ROOT / "addons" / "godot_wireshark"


def test_every_script_has_its_own_uid():
    """The engine uses it to find a moved script; without it, each project would create a different one."""
    uids = {file.name: file.read_text() for file in ADDON.glob("*.gd.uid")}
    assert set(uids) == {f"{file.name}.uid" for file in ADDON.glob("*.gd")}
    assert len(set(uids.values())) == len(uids) and all(re.fullmatch(r"uid://[a-z0-9]{12,13}\n", uid) for uid in uids.values())


def test_settings_are_on_the_pages():
    """All settings in Project Settings are documented."""
    names = re.findall(r'^\t"(\w+)": \[', (ADDON / "recorder_settings.gd").read_text(), re.MULTILINE)
    pages = "".join(path.read_text("utf-8") for path in [*(tshark.ROOT / "docs").glob("*.md"), ADDON / "README.md"])
    assert len(names) > 6 and not [name for name in names if f"record/{name}" not in pages]
