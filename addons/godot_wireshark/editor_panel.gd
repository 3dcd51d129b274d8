# SPDX-License-Identifier: MIT
## The panel "Network" below the editor: traffic per second of each running instance. Details are
## shown by Wireshark.
@tool
extends VBoxContainer

const Hub := preload("editor_hub.gd")
const COLUMNS: Array[String] = ["Instance", "Peer ID", "Role", "Refused", "Packets In/s",
		"Packets Out/s", "Bytes In/s", "Bytes Out/s", "Calls/s", "Syncs/s", "Left Out"]
const PEER_ID := 1
const ROLE := 2
const REFUSED := 3
const FIRST_RATE := 4
const LEFT_OUT := 10
const OF_REFUSALS: Array[String] = ["Instance", "Refused", "Peer ID", "Node", "The Engine Says"]
const TEXT := 4
const OF_LARGEST: Array[String] = ["Instance", "Largest Sent", "Messages/s", "Bytes/s", "Messages",
		"Bytes"]
const NAME := 1
const MAX_LARGEST := 10

var _hub: Hub
var _open: Callable
var _list := Tree.new()
var _refusals := Tree.new()
var _largest := Tree.new()
var _state := Label.new()
var _missing := Label.new()
var _record := Button.new()
var _stop := Button.new()
var _again := Button.new()
var _selected := Button.new()
var _dialog := EditorFileDialog.new()
var _timer := Timer.new()
## Number of a session -> the counters of a second ago.
var _before := {}
## "session name" -> messages and bytes of a second ago.
var _sent_before := {}
## Ticks in milliseconds when they were counted: the editor may take longer than a second.
var _counted := 0


func setup(hub: Hub, open: Callable) -> void:
	_hub = hub
	_open = open
	name = "Network"
	custom_minimum_size = Vector2(0, 160)
	_add_buttons()
	_list.columns = COLUMNS.size()
	_list.column_titles_visible = true
	_list.hide_root = true
	_list.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_list.custom_minimum_size = Vector2(0, 100)
	for i in COLUMNS.size():
		_list.set_column_title(i, COLUMNS[i])
	_list.set_column_custom_minimum_width(PEER_ID, 110)
	_list.set_column_custom_minimum_width(ROLE, 70)
	add_child(_list)
	_add_rows()
	_dialog.file_mode = EditorFileDialog.FILE_MODE_SAVE_FILE
	_dialog.access = EditorFileDialog.ACCESS_FILESYSTEM
	_dialog.add_filter("*.pcapng", "Recording")
	_dialog.file_selected.connect(record_to)
	add_child(_dialog)
	_timer.timeout.connect(show_counters)
	add_child(_timer)
	_show_state()


## What the instances send most of, and received packets that the engines have refused. A double
## click shows a row in Wireshark.
func _add_rows() -> void:
	var row := HSplitContainer.new()
	row.size_flags_vertical = Control.SIZE_EXPAND_FILL
	add_child(row)
	_add_tree(row, _largest, OF_LARGEST, NAME)
	_add_tree(row, _refusals, OF_REFUSALS, TEXT)
	_refusals.visible = false


func _add_tree(row: Control, tree: Tree, titles: Array[String], wide: int) -> void:
	tree.columns = titles.size()
	tree.column_titles_visible = true
	tree.hide_root = true
	tree.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	tree.custom_minimum_size = Vector2(300, 100)
	tree.tooltip_text = "Double-click: open in Wireshark"
	for i in titles.size():
		tree.set_column_title(i, titles[i])
		tree.set_column_expand_ratio(i, 4 if i == wide else 1)
	tree.set_column_custom_minimum_width(wide, 120)
	tree.item_activated.connect(_open_row.bind(tree))
	tree.item_selected.connect(func() -> void:
		var other := _refusals if tree == _largest else _largest
		other.deselect_all()
		_selected.disabled = false)
	row.add_child(tree)


func _open_row(tree: Tree) -> void:
	if tree.get_selected():
		_open.call(str(tree.get_selected().get_metadata(0)))


func _open_selected() -> void:
	_open_row(_largest if _largest.get_selected() else _refusals)


func _add_buttons() -> void:
	var row := HBoxContainer.new()
	add_child(row)
	_add_button(row, Button.new(), "Open in Wireshark", func() -> void:
		_open.call("")
		_show_state())
	_add_button(row, _record, "Record to File…", func() -> void: _dialog.popup_centered_ratio(0.5))
	_add_button(row, _stop, "Stop", func() -> void:
		_hub.stop()
		_show_state())
	_add_button(row, Button.new(), "Clear", func() -> void:
		_hub.counters.clear()
		_before.clear()
		_sent_before.clear()
		show_counters())
	_add_button(row, _selected, "Selected Row in Wireshark", _open_selected)
	_selected.disabled = true
	_add_button(row, _again, "Run Again", func() -> void: EditorInterface.play_custom_scene(EditorInterface.get_playing_scene()))
	row.add_child(_state)
	_missing.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	add_child(_missing)


static func _add_button(row: HBoxContainer, button: Button, text: String,
		pressed: Callable) -> void:
	button.text = text
	button.pressed.connect(pressed)
	row.add_child(button)


func record_to(path: String) -> void:
	var port := _hub.writer.get_port() if _hub.is_on() else 0
	_hub.start(port, path)
	_show_state()


## The timer runs only while something is recorded.
func _show_state() -> void:
	_stop.disabled = not _hub.is_on()
	_missing.text = _what_is_missing() if _hub.is_on() else ""
	_missing.visible = not _missing.text.is_empty()
	_again.visible = _missing.visible
	if not _hub.is_on():
		_state.text = "Off: nothing is sent or recorded. Open Wireshark, then run the game. Without this panel: docs/first-capture.md of godot-wireshark."
		_timer.stop()
		return
	var parts := PackedStringArray()
	if _hub.writer.get_port():
		parts.append("TCP@127.0.0.1:%d" % _hub.writer.get_port())
	if _hub.writer.get_path():
		parts.append(_hub.writer.get_path())
	_state.text = "On: %s" % ", ".join(parts) if parts else "The recording cannot be written."
	if _timer.is_stopped():
		_timer.start(1.0)


func _what_is_missing() -> String:
	var missing := PackedStringArray()
	for session: int in _hub.counters:
		var now: Hub.Counters = _hub.counters[session]
		if now.not_recorded:
			missing.append("instance %d (%s)" % [session + 1, now.not_recorded])
	return "Not recorded: %s" % ", ".join(missing) if missing else ""


func show_counters() -> void:
	var seconds := maxf(0.1, (Time.get_ticks_msec() - _counted) * 0.001)
	_counted = Time.get_ticks_msec()
	_list.clear()
	var root := _list.create_item()
	for session: int in _hub.counters:
		var now: Hub.Counters = _hub.counters[session]
		var total: Array[int] = [now.packets_in, now.packets_out, now.bytes_in, now.bytes_out,
				now.calls, now.synchronizations]
		var before: Array[int] = _before.get(session, total)
		_before[session] = total
		var item := _list.create_item(root)
		item.set_text(0, str(session + 1))
		if now.own_id:
			item.set_text(PEER_ID, str(now.own_id))
			item.set_text(ROLE, "server" if now.is_server else "client")
		for i in total.size():
			item.set_text(FIRST_RATE + i, str(roundi(maxi(0, total[i] - before[i]) / seconds)))
		item.set_text(REFUSED, str(now.refused))
		item.set_text(LEFT_OUT, str(now.left_out))
	_show_largest(seconds)
	_show_refusals()
	_show_state()


## By bytes in the last second, then in all.
func _show_largest(seconds: float) -> void:
	var rows: Array[Dictionary] = []
	var sent := {}
	for session: int in _hub.counters:
		var now: Hub.Counters = _hub.counters[session]
		for row_name: String in now.bandwidth.rows:
			var counted: Array = now.bandwidth.rows[row_name]
			var key := "%d %s" % [session, row_name]
			var before: Array = _sent_before.get(key, [0, 0])
			sent[key] = counted.duplicate()
			var numbers := [0, 0, counted[0], counted[1]]
			for i in 2:
				var more: float = counted[i] - before[i]
				numbers[i] = roundi(more / seconds)
			rows.append({"key": key, "name": row_name, "texts": [session + 1, row_name] + numbers,
					"order": [numbers[1], numbers[3]]})
	_sent_before = sent
	rows.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return a["order"] > b["order"])
	var chosen := str(_largest.get_selected().get_metadata(1)) if _largest.get_selected() else ""
	_largest.clear()
	var root := _largest.create_item()
	for row: Dictionary in rows.slice(0, MAX_LARGEST):
		var item := _largest.create_item(root)
		var texts: Array = row["texts"]
		for i in texts.size():
			item.set_text(i, str(texts[i]))
		item.set_metadata(0, Hub.Counters.Bandwidth.filter_of(str(row["name"])))
		item.set_metadata(1, row["key"])
		if row["key"] == chosen:
			item.select(0)


## Rows that are already there stay: they may be selected.
func _show_refusals() -> void:
	var root := _refusals.get_root() if _refusals.get_root() else _refusals.create_item()
	var there := {}
	for item in root.get_children():
		there[item.get_metadata(1)] = item
	for session: int in _hub.counters:
		var now: Hub.Counters = _hub.counters[session]
		for key: String in now.refusals:
			var row_name := "%d %s" % [session, key]
			var item: TreeItem = there.get(row_name)
			if not item:
				item = _refusals.create_item(root)
			var row: Dictionary = now.refusals[key]
			_fill_refusal(item, session, row)
			item.set_metadata(1, row_name)
			there.erase(row_name)
	for row_name: String in there:
		var old: TreeItem = there[row_name]
		old.free()
	_refusals.visible = root.get_child_count() > 0


static func _fill_refusal(item: TreeItem, session: int, row: Dictionary) -> void:
	item.set_text(0, str(session + 1))
	item.set_text(1, str(row["count"]))
	item.set_text(2, str(row["peer"]))
	item.set_text(3, str(row["node"]))
	item.set_text(TEXT, str(row["text"]))
	item.set_tooltip_text(TEXT, str(row["text"]))
	item.set_metadata(0, "godot.recorder.recording == %d && godot.recorder.number == %d"
			% [row["recording"], row["packet"]])
