# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the log of an engine process: JSON lines on standard output, format in test-captures/README.md.
extends Reference

const WHOLE = 1024  # bytes; a longer message is logged by its digest


static func record(what, fields = {}):
	var line = {"what": what}
	for key in fields:
		line[key] = fields[key]
	print(JSON.print(line))


static func bytes(what, data, fields = {}):
	var line = {"size": data.size()}
	if data.size() <= WHOLE:
		line["hex"] = hex(data)
	else:
		var context = HashingContext.new()
		context.start(HashingContext.HASH_SHA256)
		context.update(data)
		line["sha256"] = hex(context.finish())
	for key in fields:
		line[key] = fields[key]
	record(what, line)


static func hex(data):
	var text = ""
	for byte in data:
		text += "%02x" % byte
	return text
