# SPDX-License-Identifier: GPL-2.0-or-later
# Has auras that run out.
extends Node2D

var auras: Array = []


func run_out() -> void:
	var next: Array = []
	for aura in auras:
		if aura["left"] > 0.02:
			next.append({"kind": aura["kind"], "left": aura["left"] - 1 / 60.0, "strength": aura["strength"]})
	auras = next


func begin(kind: String, strength: int) -> void:
	auras = auras + [{"kind": kind, "left": 1.6, "strength": strength}]
