# SPDX-License-Identifier: GPL-2.0-or-later
# A scripted Resource, for full objects.
extends Resource

export var label = "sword"
export var stats = {"damage": 7, "weight": 1.5}
export(Resource) var next
var not_stored = 1
