# SPDX-License-Identifier: GPL-2.0-or-later
# Stands for an AnimatedSprite2D, whose pictures these projects do not have.
extends Node2D

var animation: StringName = "idle"
var frame := 0
var flip_h := false
