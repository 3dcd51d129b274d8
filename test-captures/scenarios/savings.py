# SPDX-License-Identifier: GPL-2.0-or-later
"""The same game twice: as it is, and as `-z godot,savings` advises (`projects/savings4`, `games4`)."""

from generator.scene import GODOT36, GODOT4, Scene, scenario
from scenarios.multiplayer import PORT, prepare

PLAYS = ("on-change", "interval", "same-arguments", "reliable", "array", "dictionary", "transform", "compression", "nested", "keys", "path", "spawn", "one-peer")


def played(play, changed):
    """A server and one client; the server plays this many frames, with the same seed."""

    @scenario(f"savings/godot-4.6-{play}{'-changed' if changed else ''}")
    def make(full_name):
        with Scene(full_name, f"udp port {PORT}", "savings4", seconds=40) as scene:
            prepare(scene, GODOT4)
            settings = {"PORT": PORT, "PLAY": play, "CHANGED": int(changed)}
            server = scene.engine("server", GODOT4, ROLE="server", **settings)
            server.wait_for("ready")
            if play == "one-peer":
                scene.engine("other", GODOT4, ROLE="other", **settings).wait_for("connected")
            client = scene.engine("client", GODOT4, ROLE="client", **settings)
            scene.finish()
            assert server.all("told") and client.all("received")


for name in PLAYS:
    for with_change in (False, True):
        played(name, with_change)


GAMES = {"owner": 3, "ticks": 2, "frames": 2, "tiles": 2, "race": 3, "emotes": 2, "fog": 2, "inputs": 4, "npcs": 3, "ships": 2, "scores": 2,
         "json": 2, "raw": 2, "board": 2, "clock": 2, "echo": 3, "snapshot": 2, "threesync": 2, "turret": 2, "alive": 2, "labels": 2, "shots": 2,
         "bullets": 2, "floats": 2, "csv": 2, "loot": 2, "flat": 2, "twins": 2, "points": 2, "cells": 2, "route": 2, "history": 2,
         "answers": 3, "rawbytes": 2, "crates": 2, "heights": 2, "receipts": 2, "mirrors": 2, "colors": 2, "targets": 2,
         "waves": 2, "drift": 2, "wagons": 2, "voices": 3, "countdown": 2, "inventory": 2, "orders": 2, "blend": 2, "arrows": 2, "flock": 2, "shadows": 2, "table": 2, "auction": 2, "commands": 2, "paint": 2, "hands": 2,
         "packed": 2, "avatars": 2, "digests": 2, "fields": 2, "lamps": 2, "jsonbytes": 2, "chat": 2, "terrain": 2,
         "savegame": 2, "trail": 3, "boxes": 2, "hitscan": 3, "entities": 2, "goblins": 2, "popups": 2, "killfeed": 2, "weather": 2, "ragdoll": 2, "emojis": 2, "sky": 2, "cooldowns": 2,
         "sprites": 3, "karts": 2, "mapview": 2, "whiteboard": 3, "racers": 3, "radio": 3, "crafting": 2, "stacks": 2, "needs": 2, "hunger": 2, "coins": 2, "soldiers": 2, "twinstick": 2, "balconies": 2, "platoons": 2, "cars": 2,
         "horde": 2, "creeps": 2, "planets": 2, "auras": 2, "ruins": 2, "clicks": 2}  # clients
GAMES_PORT = 24300


def game(name, players, changed):
    @scenario(f"savings/godot-4.6-{name}{'-changed' if changed else ''}")
    def make(full_name):
        with Scene(full_name, f"udp port {GAMES_PORT}", "games4", seconds=40) as scene:
            prepare(scene, GODOT4)
            settings = {"PORT": GAMES_PORT, "GAME": name, "CHANGED": int(changed), "PLAYERS": players}
            scene.engine("server", GODOT4, ROLE="server", **settings).wait_for("ready")
            for number in range(players):
                scene.engine(f"client{number + 1}", GODOT4, ROLE="client", **settings)
            scene.finish()
            assert all(process.all("result") for process in scene.processes)


for name, players in GAMES.items():
    for with_change in (False, True):
        game(name, players, with_change)


GAMES_3 = {"longnames": 2, "rsets": 2, "calm": 2, "dict": 2}  # clients


def game_3(name, players, changed):
    @scenario(f"savings/godot-3.6-{name}{'-changed' if changed else ''}")
    def make(full_name):
        with Scene(full_name, f"udp port {GAMES_PORT}", "games3", seconds=40) as scene:
            prepare(scene, GODOT36)
            settings = {"PORT": GAMES_PORT, "GAME": name, "CHANGED": int(changed), "PLAYERS": players}
            scene.engine("server", GODOT36, ROLE="server", **settings).wait_for("ready")
            for number in range(players):
                scene.engine(f"client{number + 1}", GODOT36, ROLE="client", **settings)
            scene.finish()
            assert all(process.all("result") for process in scene.processes)


for name, players in GAMES_3.items():
    for with_change in (False, True):
        game_3(name, players, with_change)
