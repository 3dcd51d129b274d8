# SPDX-License-Identifier: MIT
## What happens to the nodes whose names are recorded: renamed, removed, given to another authority;
## and nodes that are added later.
class_name RecorderNodes
extends RefCounted

const MAX_WATCHED := 4096
## There is no signal for the authority.
const CHECKED_IN_A_FRAME := 32
const MAX_IN_A_SECOND := 100

## Instance id of a script -> whether it has methods that can be called from elsewhere.
static var _remote := {}

var _write: Callable
## Instance id of a node -> [path, authority]
var _watched := {}
var _order: Array[int] = []
var _next := 0
## To be written before the next record, or at the end of the frame: when a game quits, all its
## nodes are removed, and no frame follows.
var _waiting: Array[Dictionary] = []
var _second := -1
var _count := 0
var _left_out := 0


## write: writes one of the changes (Dictionary).
func _init(write: Callable) -> void:
	_write = write


## Whether packets can name the node: it has remote methods, or is a synchronizer or a spawner.
static func is_named(node: Node) -> bool:
	if node is MultiplayerSynchronizer or node is MultiplayerSpawner:
		return true
	var script: Script = node.get_script()
	if not script:
		return false
	var id := script.get_instance_id()
	if not _remote.has(id):
		var config: Variant = script.call(&"get_rpc_config") \
				if script.has_method(&"get_rpc_config") else null
		_remote[id] = config is Dictionary and config != {}
	return _remote[id]


func watch(node: Node, path: String) -> void:
	if not node or _watched.has(node.get_instance_id()) or _order.size() >= MAX_WATCHED:
		return
	var id := node.get_instance_id()
	_watched[id] = [path, node.get_multiplayer_authority()]
	_order.append(id)
	node.renamed.connect(_on_renamed.bind(id))
	node.tree_exited.connect(_on_removed.bind(id))


## time: ticks in microseconds.
func add(node: Node, path: String, time: int) -> void:
	if not _watched.has(node.get_instance_id()):
		watch(node, path)
		_say({"event": "added", "path": path, "authority": node.get_multiplayer_authority(),
				"time": time})


func _on_renamed(id: int) -> void:
	var node := instance_from_id(id) as Node
	var before: String = _watched[id][0]
	var path := before.get_base_dir().path_join(str(node.name))
	_watched[id][0] = path
	_say({"event": "renamed", "path": path, "from": before, "time": Time.get_ticks_usec()})


func _on_removed(id: int) -> void:
	var node := instance_from_id(id) as Node
	node.renamed.disconnect(_on_renamed)
	node.tree_exited.disconnect(_on_removed)
	_say({"event": "removed", "path": _watched[id][0], "time": Time.get_ticks_usec()})
	_watched.erase(id)
	_order.erase(id)


static func _this_second() -> int:
	return int(Time.get_ticks_msec() * 0.001)


func _say(members: Dictionary) -> void:
	var second := _this_second()
	if second != _second:
		_second = second
		_count = 0
	_count += 1
	if _count <= MAX_IN_A_SECOND:
		_waiting.append(members)
	else:
		_left_out += 1


func has_waiting() -> bool:
	return not _waiting.is_empty()


func flush() -> void:
	var waiting := _waiting
	_waiting = []
	for members in waiting:
		_write.call(members)


## Called once per frame.
func poll() -> void:
	for i in mini(_order.size(), CHECKED_IN_A_FRAME):
		_next = (_next + 1) % _order.size()
		var node := instance_from_id(_order[_next]) as Node
		var known: Array = _watched[_order[_next]]
		if node and node.get_multiplayer_authority() != known[1]:
			known[1] = node.get_multiplayer_authority()
			_say({"event": "authority", "path": known[0], "authority": known[1],
					"time": Time.get_ticks_usec()})
	flush()
	if _left_out > 0 and _this_second() != _second:
		_write.call({"left_out": _left_out, "time": Time.get_ticks_usec()})
		_left_out = 0
