# SPDX-License-Identifier: GPL-2.0-or-later
# Requests, and calls that answer them. The log says of each answer which request it answers: the n-th call of that method
# by that peer.
extends Node

var asked := {}


@rpc("any_peer", "unreliable")
func ping(token: int) -> void:
	Log.called(self, "ping", [token])
	answer("ping", "pong", [token])


@rpc("any_peer", "unreliable")
func pong(token: int) -> void:
	Log.called(self, "pong", [token])


# Some answers take longer: later requests are answered before.
@rpc("any_peer")
func request_item(item: String, number: int) -> void:
	Log.called(self, "request_item", [item, number])
	answer("request_item", "receive_item", [item], 0.12 if number % 3 == 0 else 0.02)


@rpc("any_peer")
func receive_item(item: String) -> void:
	Log.called(self, "receive_item", [item])


# Nothing in the arguments tells which request is answered.
@rpc("any_peer")
func _request_stock() -> void:
	Log.called(self, "_request_stock")
	answer("_request_stock", "update_stock", [{"apples": 3}], 0.05)


@rpc("any_peer")
func update_stock(stock: Dictionary) -> void:
	Log.called(self, "update_stock", [stock])


# Names that only this game pairs.
@rpc("any_peer")
func buy_apple(price: float) -> void:
	Log.called(self, "buy_apple", [price])
	answer("buy_apple", "bought_apple", [true], 0.03)


@rpc("any_peer")
func bought_apple(success: bool) -> void:
	Log.called(self, "bought_apple", [success])


# Asked of everybody.
@rpc("any_peer")
func ask_name() -> void:
	Log.called(self, "ask_name")
	answer("ask_name", "answer_name", ["peer %d" % multiplayer.get_unique_id()])


@rpc("any_peer")
func answer_name(peer_name: String) -> void:
	Log.called(self, "answer_name", [peer_name])


func answer(request: String, reply: String, arguments: Array, delay := 0.0) -> void:
	var peer := multiplayer.get_remote_sender_id()
	var key := "%s %d" % [request, peer]
	var number: int = asked.get(key, 0) + 1
	asked[key] = number
	if delay > 0:
		await get_tree().create_timer(delay).timeout
	Log.record("answer", {
		"node": Log.path_of(self), "request": request, "number": number, "method": reply, "to": peer,
		"me": multiplayer.get_unique_id(),
	})
	Log.call_at(peer, self, reply, arguments)
