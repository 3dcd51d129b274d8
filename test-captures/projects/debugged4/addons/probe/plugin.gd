# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the project's instances once and ends the editor. Environment: SECONDS.
@tool
extends EditorPlugin


func _enter_tree() -> void:
	if OS.has_environment("SECONDS"):
		run.call_deferred()


func run() -> void:
	await pause(1.0)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await pause(0.1)
	EditorInterface.play_main_scene()
	await pause(float(OS.get_environment("SECONDS")))
	EditorInterface.stop_playing_scene()
	await pause(1.0)
	get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout
