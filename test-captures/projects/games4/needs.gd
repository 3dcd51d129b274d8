# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

var hunger := 100.0
var thirst := 100.0
var stamina := 100.0
var warmth := 36.6
