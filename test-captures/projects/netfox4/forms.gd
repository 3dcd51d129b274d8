# SPDX-License-Identifier: GPL-2.0-or-later
# Forms without types for two properties; netfox has them since 1.36.
extends RefCounted


static func of_player() -> Dictionary:
	return {":velocity": NetworkSchemas.vec2f16(), ":health": NetworkSchemas.uint8()}
