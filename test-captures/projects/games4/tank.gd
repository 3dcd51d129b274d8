# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var fuel := 1000
