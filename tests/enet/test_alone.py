"""The module enet.so: ENet's dissector without Godot's, compared with that of godot.so; and both together.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import pathlib
import shutil

import pytest

import captures
import tshark

SHIPPED = [path for path in captures.shipped() if path.parent.name in ("enet", "multiplayer") and "websocket" not in path.name]
# Here no other dissector gets a message, so the whole text is compared. (ENet Overhead names peers.)
OTHERS = ("cube2", "libenet")


@functools.lru_cache(maxsize=None)
def plugins(*modules):
    """A plugin directory that has only these modules."""
    place = tshark.workplace() / "-".join(modules)
    for module in modules:
        source, = (tshark.BUILD / ("enet" if module == "enet" else "plugins")).glob(f"*/epan/{module}.so")
        (place / source.parent.parent.name / "epan").mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place / source.parent.parent.name / "epan")
    tshark.open_to_everybody(place)
    return {"WIRESHARK_PLUGIN_DIR": str(place)}


@functools.lru_cache(maxsize=None)
def fields(*modules):
    """The names of all fields of ENet."""
    lines = tshark.run(None, "-G", "fields", **plugins(*modules)).stdout.splitlines()
    return sorted({line.split("\t")[2] for line in lines if line.split("\t")[2].startswith("enet.")})


def test_only_enet():
    names = {line.split("\t")[2] for line in tshark.run(None, "-G", "protocols", **plugins("enet")).stdout.splitlines()}
    assert "enet" in names and not [name for name in names if name.startswith("godot")]
    assert fields("enet") == fields("godot") and len(fields("enet")) > 100


def values(path, *modules):
    """All values of ENet's fields in each frame, and statistics. Only what no other dissector gets is data."""
    wanted = [argument for name in fields("godot") if name != "enet.data" for argument in ("-e", name)]
    statistics = [argument for name in ("enet,tree", "enet,srt", "conv,enet", "endpoints,enet") for argument in ("-z", name)]
    return tshark.run(path, "-2", "-T", "fields", *wanted, *statistics, **plugins(*modules)).stdout


@pytest.mark.parametrize("path", captures.slow_unless(
    ("enet/godot-3.6-zlib.pcap", "enet/godot-4.6-none-duplicates.pcap", "multiplayer/godot-4.6-enet-relay.pcap"), SHIPPED), ids=captures.name)
def test_fields(path):
    """Those of godot.so; names of Godot's peers are in none of them."""
    alone = values(path, "enet")
    assert alone == values(path, "godot")
    assert alone.strip()


@pytest.mark.parametrize("path", captures.slow_unless(
    ("enet/cube2.pcap",), [path for path in SHIPPED if path.name.startswith(OTHERS)]), ids=captures.name)
def test_text(path):
    def text(*modules):
        return tshark.run(path, "-P", "-V", "-z", "enet,tree", **plugins(*modules)).stdout

    assert text("enet") == text("godot")


def test_two_modules():
    """Installed together, in whichever order they are loaded, they are as godot.so alone."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap"

    def text(*modules):
        return tshark.run(path, "-P", "-V", **plugins(*modules)).stdout

    assert text("godot", "enet") == text("godot")
    listed = tshark.run(None, "-G", "plugins", **plugins("godot", "enet")).stdout
    assert "enet.so" in listed and "godot.so" in listed


@pytest.mark.parametrize("first", ["enet", "godot"])
def test_order_of_loading(first):
    """A personal plugin is loaded after those for everybody."""
    second = "godot" if first == "enet" else "enet"
    (module,) = pathlib.Path(plugins(second)["WIRESHARK_PLUGIN_DIR"]).glob("*/epan/*.so")
    place = tshark.workplace() / f"home-with-{second}-second"
    folder = place / ".local/lib/wireshark/plugins" / module.parent.parent.name / "epan"
    folder.mkdir(parents=True)
    shutil.copy(module, folder)
    tshark.open_to_everybody(place)
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap"
    found = tshark.run(path, "-Y", "godot.rpc.call", HOME=str(place), **plugins(first)).stdout
    assert found and found == tshark.run(path, "-Y", "godot.rpc.call", **plugins("godot")).stdout
