# SPDX-License-Identifier: GPL-2.0-or-later
class_name ChatBase
extends Node


remote func say(text):
	Log.called(self, "say", [text])
	if get_tree().is_network_server():
		Log.call_at(get_tree().get_rpc_sender_id(), self, "answer", ["heard: " + text, text.length()])
