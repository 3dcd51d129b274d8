# SPDX-License-Identifier: GPL-2.0-or-later
# What each side of a connection sends, the same in every run.
extends RefCounted

const RELIABLE := 1
const UNSEQUENCED := 2
const FRAGMENT := 8  # unreliable fragments; without it ENet makes big unreliable messages reliable

const KINDS := [RELIABLE, 0, UNSEQUENCED, FRAGMENT]


# [channel, flags, size] of every message of a full conversation. `huge`: the size of one of them.
static func everything(huge: int) -> Array:
	var list := []
	for size in [1, 20, 300]:
		for channel in 4:
			for flags in KINDS:
				list.append([channel, flags, size])
	for tick in 20:
		list.append([1, UNSEQUENCED | FRAGMENT, 24])
		if tick % 5 == 0:
			list.append([7, RELIABLE, 60 + tick])
	return list + [
		[0, RELIABLE, 3000], [1, FRAGMENT, 3000], [3, 0, 3000], [3, UNSEQUENCED | FRAGMENT, 3000],
		[1, RELIABLE, 12000], [2, RELIABLE, 1364], [2, RELIABLE, 1365], [1, FRAGMENT, 12000],
		[0, RELIABLE, huge], [6, RELIABLE, 5], [0, RELIABLE, 10],
	]


# A short conversation.
static func some() -> Array:
	return [[0, RELIABLE, 30], [1, 0, 31], [2, UNSEQUENCED, 32], [0, RELIABLE, 2000], [1, FRAGMENT, 2000], [0, RELIABLE, 3]]


# Content: a byte that tells the flags, then stretches of 64 bytes, a quarter of them noise, the others text of few letters.
static func content(channel: int, flags: int, size: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(size)
	var x := channel * 65536 + size
	for i in size:
		x = (x * 1103515245 + 12345) & 0x7fffffff
		bytes[i] = x >> 16 & 255 if i & 192 == 64 else 97 + (x >> 16 & 7)
	bytes[0] = flags
	return bytes
