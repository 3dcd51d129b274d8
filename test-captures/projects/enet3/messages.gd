# SPDX-License-Identifier: GPL-2.0-or-later
# What each side of a connection sends, the same in every run.
extends Reference

const UNRELIABLE = NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE
const ORDERED = NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED
const RELIABLE = NetworkedMultiplayerPeer.TRANSFER_MODE_RELIABLE

const MARK = 64
const MODES = [RELIABLE, ORDERED, UNRELIABLE]


# [transfer channel (-1: by mode), mode, size] of every message of a full conversation. `huge`: the size of one of them.
static func everything(huge):
	var list = []
	for size in [1, 20, 300]:
		for channel in [-1, 1, 3, 4]:
			for mode in MODES:
				list.append([channel, mode, size])
	for tick in 20:
		list.append([-1, UNRELIABLE, 24])
		if tick % 5 == 0:
			list.append([7, RELIABLE, 60 + tick])
	return list + [
		[-1, RELIABLE, 3000], [-1, ORDERED, 3000], [3, UNRELIABLE, 3000],
		[3, RELIABLE, 12000], [4, RELIABLE, 1356], [4, RELIABLE, 1357], [-1, ORDERED, 12000],
		[-1, RELIABLE, huge], [6, RELIABLE, 5], [-1, RELIABLE, 10],
	]


# A short conversation.
static func some():
	return [[-1, RELIABLE, 30], [-1, ORDERED, 31], [3, UNRELIABLE, 32], [-1, RELIABLE, 2000], [-1, ORDERED, 2000],
			[-1, RELIABLE, 3]]


# Content: a byte that tells the mode (not one that MultiplayerAPI would take for a command), then stretches of 64 bytes, a quarter of them noise, the others text of few letters.
static func content(channel, mode, size):
	var bytes = PoolByteArray()
	bytes.resize(size)
	var x = (channel + 1) * 65536 + size
	for i in size:
		x = (x * 1103515245 + 12345) & 0x7fffffff
		bytes[i] = x >> 16 & 255 if i & 192 == 64 else 97 + (x >> 16 & 7)
	bytes[0] = MARK + mode
	return bytes
