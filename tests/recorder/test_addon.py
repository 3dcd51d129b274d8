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


def test_kinds_and_flags_are_those_of_the_plugin():
    """Each by its name and number; what describes the recorder has another name there."""
    ours = {name: int(number) for name, number in
            re.findall(r"^const ((?:KIND|FLAG)_\w+) := (\d+)$", (ADDON / "recorder_record.gd").read_text(), re.MULTILINE)}
    header = (tshark.ROOT / "src" / "recorder" / "record.h").read_text()
    kinds = re.findall(r"^    RECORDER_(\w+), ", header[:header.index("RECORDER_KIND_COUNT")].rpartition("typedef enum")[2], re.MULTILINE)
    theirs = {f"KIND_{'RECORDER' if name == 'INFO' else name}": number for number, name in enumerate(kinds)}
    flags = {f"FLAG_{name}": int(number, 16) for name, number in re.findall(r"RECORDER_(RECEIVED|SERVER) = (0x\w+)", header)}
    assert len(kinds) > 10 and len(flags) == 2 and ours == {**theirs, **flags}
