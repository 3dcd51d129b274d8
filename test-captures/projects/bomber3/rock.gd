# SPDX-License-Identifier: GPL-2.0-or-later
# Belongs to the server.
extends Node


puppet func do_explosion():
	Log.called(self, "do_explosion", [])


master func exploded(by_who):
	Log.called(self, "exploded", [by_who])
	Log.call_at(0, self, "do_explosion", [])


func hidden():
	Log.called(self, "hidden", [])
