# SPDX-License-Identifier: GPL-2.0-or-later
extends ChatBase


puppet func answer(text, length):
	Log.called(self, "answer", [text, length])


remote func _private(text):
	Log.called(self, "_private", [text])
