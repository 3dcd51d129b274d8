"""Writes packs that the engine made, and the files in them: python3 seeds_pack.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pathlib
import sys
import zipfile

directory = pathlib.Path(sys.argv[1])
packs = pathlib.Path(__file__).resolve().parents[2] / "test-captures" / "packs"
for name in ("names4.text.zip", "names4.tokens.pck", "names4.compressed.pck"):
    (directory / name).write_bytes(b"P" + (packs / name).read_bytes())
    if name.endswith(".zip"):
        with zipfile.ZipFile(packs / name) as files:
            for file in files.namelist():
                if file.endswith((".scn", ".res")):
                    (directory / pathlib.Path(file).name).write_bytes(b"b" + files.read(file))
for name in ("mismatch4-client.encrypted.pck", "mismatch4-client.encrypted-one.pck"):
    (directory / name).write_bytes(b"P" + (packs / name).read_bytes())
pack = (packs / "names4.tokens.pck").read_bytes()
for number, part in enumerate(pack.split(b"GDSC")[1:]):
    (directory / f"tokens{number}").write_bytes(b"aGDSC" + part)
