# SPDX-License-Identifier: MIT
## The panel "Network" below the editor: traffic per second of each running instance. Details are shown by Wireshark.
@tool
extends VBoxContainer

const Hub := preload("editor_hub.gd")
const COLUMNS: Array[String] = ["Instance", "Peer ID", "Role", "Refused", "Packets In/s", "Packets Out/s", "Bytes In/s", "Bytes Out/s", "Calls/s", "Syncs/s", "Left Out"]
const PEER_ID := 1
const ROLE := 2
const REFUSED := 3
const FIRST_RATE := 4
const LEFT_OUT := 10

var _hub: Hub
var _open: Callable
var _list := Tree.new()
var _state := Label.new()
var _missing := Label.new()
var _record := Button.new()
var _stop := Button.new()
var _again := Button.new()
var _dialog := EditorFileDialog.new()
var _timer := Timer.new()
## Number of a session -> the counters of a second ago.
var _before := {}


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
	for i in COLUMNS.size():
		_list.set_column_title(i, COLUMNS[i])
	_list.set_column_custom_minimum_width(PEER_ID, 110)
	_list.set_column_custom_minimum_width(ROLE, 70)
	add_child(_list)
	_dialog.file_mode = EditorFileDialog.FILE_MODE_SAVE_FILE
	_dialog.access = EditorFileDialog.ACCESS_FILESYSTEM
	_dialog.add_filter("*.pcapng", "Recording")
	_dialog.file_selected.connect(record_to)
	add_child(_dialog)
	_timer.timeout.connect(show_counters)
	add_child(_timer)
	_show_state()


func _add_buttons() -> void:
	var row := HBoxContainer.new()
	add_child(row)
	_add_button(row, Button.new(), "Open in Wireshark", func() -> void:
		_open.call()
		_show_state())
	_add_button(row, _record, "Record to File…", func() -> void: _dialog.popup_centered_ratio(0.5))
	_add_button(row, _stop, "Stop", func() -> void:
		_hub.stop()
		_show_state())
	_add_button(row, Button.new(), "Clear", func() -> void:
		_hub.counters.clear()
		_before.clear()
		_list.clear())
	_add_button(row, _again, "Run Again", func() -> void: EditorInterface.play_custom_scene(EditorInterface.get_playing_scene()))
	row.add_child(_state)
	_missing.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	add_child(_missing)


static func _add_button(row: HBoxContainer, button: Button, text: String, pressed: Callable) -> void:
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
		_state.text = "Off: nothing is sent or recorded."
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
	_list.clear()
	var root := _list.create_item()
	for session: int in _hub.counters:
		var now: Hub.Counters = _hub.counters[session]
		var total: Array[int] = [now.packets_in, now.packets_out, now.bytes_in, now.bytes_out, now.calls, now.synchronizations]
		var before: Array[int] = _before.get(session, total)
		_before[session] = total
		var item := _list.create_item(root)
		item.set_text(0, str(session + 1))
		if now.own_id:
			item.set_text(PEER_ID, str(now.own_id))
			item.set_text(ROLE, "server" if now.is_server else "client")
		for i in total.size():
			item.set_text(FIRST_RATE + i, str(maxi(0, total[i] - before[i])))
		item.set_text(REFUSED, str(now.refused))
		item.set_text(LEFT_OUT, str(now.left_out))
	_show_state()
