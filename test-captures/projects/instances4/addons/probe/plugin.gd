# SPDX-License-Identifier: GPL-2.0-or-later
# Uses the add-on in the editor as somebody would, and prints what its panel shows after each step. A step that the test has something
# to do in ends when the test has written the file CONTINUE with its name. Environment: WIRESHARK, a program; CONTINUE, a path: without it
# nothing is done.
@tool
extends EditorPlugin


func _enter_tree() -> void:
	if OS.has_environment("CONTINUE"):
		run.call_deferred()


func run() -> void:
	await pause(1.0)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await pause(0.1)
	ProjectSettings.save()
	record("project", {"text": FileAccess.get_file_as_string("res://project.godot")})
	EditorInterface.set_plugin_enabled("godot_wireshark", true)
	ProjectSettings.set_setting("godot_wireshark/record/wireshark", OS.get_environment("WIRESHARK"))
	EditorInterface.play_main_scene()
	await pause(4.0)
	press("Open in Wireshark")
	await step("late", 2.0)
	press("Run Again")
	await step("recorded", 6.0)
	press("Open in Wireshark")
	await step("opened again", 2.0)
	var refusals: Tree = panels()[0].find_children("*", "Tree", true, false)[2]
	var row := refusals.get_root().get_first_child()
	var texts := range(refusals.columns).map(func(column: int) -> String: return row.get_text(column))
	row.select(0)
	refusals.item_activated.emit()
	record("row", {"count": refusals.get_root().get_child_count(), "texts": texts})
	await step("a row", 2.0)
	var largest: Tree = panels()[0].find_children("*", "Tree", true, false)[1]
	for item in largest.get_root().get_children():
		if item.get_text(1) == "decide()":
			item.select(0)
	await pause(3.0) # the row stays selected while the numbers change
	press("Selected Row in Wireshark")
	await step("a method", 2.0)
	EditorInterface.play_main_scene()
	await step("another run", 6.0)
	press("Stop")
	await step("stopped", 1.5)
	press("Open in Wireshark")
	await step("started again", 3.0)
	EditorInterface.stop_playing_scene()
	ProjectSettings.set_setting("godot_wireshark/record/wireshark", "")
	EditorInterface.set_plugin_enabled("godot_wireshark", false)
	await pause(3.0) # until the editor has saved the project
	record("project", {"text": FileAccess.get_file_as_string("res://project.godot")})
	record("disabled", {"panels": panels().size()})
	get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


func panels() -> Array[Node]:
	return EditorInterface.get_base_control().find_children("Network", "VBoxContainer", true, false)


func press(text: String) -> void:
	for button: Button in panels()[0].find_children("*", "Button", true, false):
		if button.text == text and button.visible and not button.disabled:
			button.pressed.emit()
			return
	record("nothing to press", {"text": text})


# Waits, prints what is in the panel, and waits for the test.
func step(name: String, seconds: float) -> void:
	make_bottom_panel_item_visible(panels()[0] as Control)
	await pause(seconds)
	var trees := panels()[0].find_children("*", "Tree", true, false)
	var dialogs := []
	for dialog: AcceptDialog in EditorInterface.get_base_control().find_children("*", "AcceptDialog", true, false):
		if dialog.visible and dialog.title == "Godot Wireshark Recorder":
			dialogs.append(dialog.dialog_text)
			dialog.queue_free()
	var labels := panels()[0].find_children("*", "Label", true, false).map(func(label: Label) -> String: return label.text)
	record("step", {"name": name, "rows": rows_of(trees[0] as Tree), "largest": rows_of(trees[1] as Tree), "dialogs": dialogs, "labels": labels})
	while FileAccess.get_file_as_string(OS.get_environment("CONTINUE")) != name:
		await pause(0.1)


func rows_of(list: Tree) -> Array:
	var rows := []
	if list.get_root():
		for item in list.get_root().get_children():
			var row := {}
			for column in list.columns:
				row[list.get_column_title(column)] = item.get_text(column)
			rows.append(row)
	return rows


func record(what: String, fields: Dictionary) -> void:
	var line := {"what": what}
	line.merge(fields)
	print(JSON.stringify(line, "", false))
