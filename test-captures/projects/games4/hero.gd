# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var cooldown_q := 0.0
var cooldown_w := 0.0
var cooldown_r := 0.0
var mana := 200.0


# Returns whether it has used an ability.
func think(random: RandomNumberGenerator, number: int, frame: int) -> bool:
	position = Vector2(500 + 300 * cos(frame * 0.01 * (1 + number * 0.2)), 300 + 150 * sin(frame * 0.013 + number))
	cool(1 / 60.0)
	mana = minf(300, mana + 4 / 60.0)
	var before := mana
	if cooldown_q == 0 and mana > 20 and random.randf() < 0.03:
		cooldown_q = 4
		mana -= 20
	if cooldown_w == 0 and mana > 35 and random.randf() < 0.02:
		cooldown_w = 7
		mana -= 35
	if cooldown_r == 0 and mana > 80 and random.randf() < 0.01:
		cooldown_r = 30
		mana -= 80
	return mana != before


func cool(delta: float) -> void:
	cooldown_q = maxf(0, cooldown_q - delta)
	cooldown_w = maxf(0, cooldown_w - delta)
	cooldown_r = maxf(0, cooldown_r - delta)


func set_all(q: float, w: float, r: float) -> void:
	cooldown_q = q
	cooldown_w = w
	cooldown_r = r
