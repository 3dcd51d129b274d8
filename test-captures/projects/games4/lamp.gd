# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var flickers := false


func flicker(frame: int) -> void:
	visible = not flickers or frame % 10 < 5
