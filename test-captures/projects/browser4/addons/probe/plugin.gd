# SPDX-License-Identifier: GPL-2.0-or-later
# Switches the add-on on in the editor, records to a file and has the game run in a browser, until the file DONE exists. Environment:
# RECORDING and DONE, paths.
@tool
extends EditorPlugin


func _enter_tree() -> void:
	run.call_deferred()


func run() -> void:
	await pause(1.0)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await pause(0.1)
	EditorInterface.set_plugin_enabled("godot_wireshark", true)
	panel().call(&"record_to", OS.get_environment("RECORDING"))
	run_in_browser()
	while not FileAccess.file_exists(OS.get_environment("DONE")):
		await pause(0.2)
	var labels := panel().get_children().filter(func(child: Node) -> bool: return child is Label)
	print(JSON.stringify({"what": "panel", "missing": (labels[0] as Label).text, "recording": panel().find_children("*", "Label", true, false)[0].get(&"text")}))
	get_tree().quit()


func run_in_browser() -> void:
	for menu: MenuButton in EditorInterface.get_base_control().find_children("*", "MenuButton", true, false):
		var popup := menu.get_popup()
		for i in popup.item_count:
			if popup.get_item_text(i) == "Run in Browser":
				popup.id_pressed.emit(popup.get_item_id(i))


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


func panel() -> Node:
	return EditorInterface.get_base_control().find_children("Network", "VBoxContainer", true, false)[0]
