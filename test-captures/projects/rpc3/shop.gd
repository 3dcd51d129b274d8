# SPDX-License-Identifier: GPL-2.0-or-later
# Requests, and calls that answer them. The log says of each answer which request it answers: the n-th call of that method
# by that peer.
extends Node

var asked = {}


remote func ping(token):
	Log.called(self, "ping", [token])
	answer("ping", "pong", [token], 0, true)


remote func pong(token):
	Log.called(self, "pong", [token])


# Some answers take longer: later requests are answered before.
remote func request_item(item, number):
	Log.called(self, "request_item", [item, number])
	answer("request_item", "receive_item", [item], 0.12 if number % 3 == 0 else 0.02)


remote func receive_item(item):
	Log.called(self, "receive_item", [item])


# Nothing in the arguments tells which request is answered.
remote func _request_stock():
	Log.called(self, "_request_stock")
	answer("_request_stock", "update_stock", [{"apples": 3}], 0.05)


remote func update_stock(stock):
	Log.called(self, "update_stock", [stock])


# Names that only this game pairs.
remote func buy_apple(price):
	Log.called(self, "buy_apple", [price])
	answer("buy_apple", "bought_apple", [true], 0.03)


remote func bought_apple(success):
	Log.called(self, "bought_apple", [success])


# Asked of everybody.
remote func ask_name():
	Log.called(self, "ask_name")
	answer("ask_name", "answer_name", ["peer %d" % get_tree().get_network_unique_id()])


remote func answer_name(peer_name):
	Log.called(self, "answer_name", [peer_name])


func answer(request, reply, arguments, delay = 0, unreliable = false):
	var peer = get_tree().get_rpc_sender_id()
	var key = "%s %d" % [request, peer]
	var number = asked.get(key, 0) + 1
	asked[key] = number
	if delay > 0:
		yield(get_tree().create_timer(delay), "timeout")
	Log.record("answer", {
		"node": Log.path_of(self), "request": request, "number": number, "method": reply, "to": peer,
		"me": get_tree().get_network_unique_id(),
	})
	Log.call_at(peer, self, reply, arguments, unreliable)
