# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var velocity := Vector2.ZERO
var age := 0
var seen := 0
