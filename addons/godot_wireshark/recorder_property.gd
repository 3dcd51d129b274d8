# SPDX-License-Identifier: MIT
## The script of a SceneMultiplayer whose property [code]multiplayer_peer[/code] is, for scripts,
## the peer that they have set, while the engine uses a recorder around it. The object stays what it
## is: it is not wrapped, and its class is SceneMultiplayer.
##
## [method MultiplayerAPI.get_multiplayer_peer], which also C# calls, returns the recorder.
class_name RecorderProperty
extends SceneMultiplayer

# All names have this prefix so that they do not hide those of the class.
var _recorder_writer: RecorderWriter


## Returns whether the object has this script now: not if it has one of its own or is no
## SceneMultiplayer.
static func give(api: MultiplayerAPI, writer: RecorderWriter) -> bool:
	if api is RecorderProperty:
		return true
	if api.get_class() != "SceneMultiplayer" or api.get_script():
		return false
	api.set_script(RecorderProperty)
	api.set(&"_recorder_writer", writer)
	return true


func _get(property: StringName) -> Variant:
	var recorder: RecorderPeer = get_multiplayer_peer() as RecorderPeer \
			if property == &"multiplayer_peer" else null
	return recorder._recorder_wrapped if recorder else null # null: the property itself


func _set(property: StringName, value: Variant) -> bool:
	if property != &"multiplayer_peer" or not value is MultiplayerPeer:
		return false
	var peer: MultiplayerPeer = value
	if not RecorderAPI._recorder_is_recorded(peer):
		return false
	if not is_same(peer, _get(property)): # as in SceneMultiplayer, nothing to do
		set_multiplayer_peer(RecorderPeer.around(peer, _recorder_writer, self))
	return true
