# SPDX-License-Identifier: GPL-2.0-or-later
"""Files written by store_var: plain, with a big-endian length, compressed and encrypted."""

from generator.scene import GODOT32, GODOT36, GODOT4, Scene, scenario
from scenarios.variant import PROJECT, check_received, on_wire, same

KINDS = ("plain", "big-endian", "mixed", "encrypted", "fastlz", "deflate", "zstd", "gzip")


def files(engine, kind):
    @scenario(f"files/{engine.label}-{kind}")
    def make(name):
        with Scene(name, None, PROJECT[engine]) as scene:
            ours, theirs = scene.stage(engine)
            writer = scene.engine("writer", engine, "files.gd", KIND=kind, OUT=theirs / "stored.dat")
            scene.finish()
            stored = [r for r in writer.records if r["what"].startswith("store_")]
            check_received(writer.all("store_var"), writer.all("get_var", "get_packet"))
            data = (ours / "stored.dat").read_bytes()
            if kind in ("plain", "big-endian", "mixed"):
                parts = [on_wire(r, kind) if r["what"] == "store_var" else bytes.fromhex(r["hex"]) for r in stored]
                assert same(data, b"".join(parts))
            writer.records = [r for r in writer.records if not r["what"].startswith("get_")]
            scene.keep("dat", data)


for each in (GODOT4, GODOT36, GODOT32):
    for each_kind in KINDS:
        files(each, each_kind)
