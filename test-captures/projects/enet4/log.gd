# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines on standard output, format in test-captures/README.md.
extends RefCounted

const WHOLE := 1024  # bytes; a longer message is logged by its digest


static func record(what: String, fields := {}) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false, true))


static func bytes(what: String, data: PackedByteArray, fields := {}) -> void:
	var line := {"size": data.size()}
	if data.size() <= WHOLE:
		line["hex"] = data.hex_encode()
	else:
		var context := HashingContext.new()
		context.start(HashingContext.HASH_SHA256)
		context.update(data)
		line["sha256"] = context.finish().hex_encode()
	line.merge(fields)
	record(what, line)
