# write_names.gd
#
# Writes the names of a Godot 4 game into a folder, which is a project for Wireshark's preference godot.project: for a game
# that the plugin cannot read, such as one whose pack is encrypted, or C# without its sources. The engine reads the game:
#
#     godot --headless --path GAME --script /home/me/write_names.gd -- /home/me/FOLDER
#     godot --headless --main-pack /home/me/GAME.pck --script /home/me/write_names.gd -- /home/me/FOLDER
#
# The paths are absolute, for with --path the engine looks for others in the game's folder. It needs get_rpc_config() of scripts,
# which Godot 4.6 has, and the first versions of Godot 4 do not. A project is opened in the editor before, or with --import:
# without the list of its classes, scripts that use them do not compile.
#
# Of scripts the remote methods are written, of scenes the nodes with their scripts, spawners and synchronizers; no code, and
# no assets. Scripts inside of scenes are not written. What code does is not in it, so no authority is known. (The folder is not
# meant for Godot.)
#
# SPDX-License-Identifier: GPL-2.0-or-later
extends SceneTree

const MODES := ["disabled", "any_peer", "authority"]
const KEPT := ["script", "root_path", "replication_config", "spawn_path", "_spawnable_scenes", "unique_name_in_owner"]
const MAX_FOLDERS := 20000
const USAGE := "usage: godot --headless --path GAME --script /home/me/write_names.gd -- /home/me/FOLDER (absolute paths)"

var folder: String
var failed := 0


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var is_game := FileAccess.file_exists("res://project.godot") or FileAccess.file_exists("res://project.binary")
	if arguments.size() != 1 or not arguments[0].is_absolute_path() or not is_game:
		printerr(USAGE)
		quit(1)
		return
	if not GDScript.new().has_method("get_rpc_config"):
		printerr("Scripts have no get_rpc_config() in this engine: use a later one, such as Godot 4.6.")
		quit(1)
		return
	folder = arguments[0]
	# An empty .cs says that not all of the game is known.
	write("res://code.cs", "")
	write("res://project.godot", settings())
	var folders: Array[String] = ["res://"]
	var number := 0
	while folders and number < MAX_FOLDERS:
		number += 1
		var here: String = folders.pop_back()
		for file in files_in(here):
			write_file(here.path_join(file))
		for below in DirAccess.get_directories_at(here):
			if not below.begins_with("."):
				folders.append(here.path_join(below))
	if folders:
		printerr("The game has more than %d folders: not all are written." % MAX_FOLDERS)
	print("Names: ", ProjectSettings.globalize_path(folder), ", files that could not be loaded: ", failed)
	quit()


# Names as in the project: packs have some files under another one.
func files_in(path: String) -> Dictionary:
	var names := {}
	for file in DirAccess.get_files_at(path):
		names[file.trim_suffix(".remap")] = true
	return names


func write(path: String, text: String) -> void:
	var to := folder.path_join(path.trim_prefix("res://"))
	DirAccess.make_dir_recursive_absolute(to.get_base_dir())
	var file := FileAccess.open(to, FileAccess.WRITE)
	if file:
		file.store_string(text)


func write_file(path: String) -> void:
	var is_script := path.get_extension() in ["gd", "gdc", "cs"]
	if not is_script and not path.get_extension() in ["tscn", "scn"]:
		return
	var resource := load(path)
	if resource is GDScript and not resource.can_instantiate():
		failed += 1 # it does not compile, so its methods are not known
	elif resource is Script:
		write(path.get_basename() + ".gd", text_of_script(resource))
	elif resource is PackedScene:
		write(path.get_basename() + ".tscn", text_of_scene(resource))
	else:
		failed += 1


func settings() -> String:
	var text := '[application]\n\nrun/main_scene="%s"\n\n[autoload]\n\n' % path_of(ProjectSettings.get_setting("application/run/main_scene", ""))
	for setting in ProjectSettings.get_property_list():
		if setting.name.begins_with("autoload/"):
			text += '%s="*%s"\n' % [setting.name.trim_prefix("autoload/"), path_of(ProjectSettings.get_setting(setting.name).trim_prefix("*"))]
	return text


func path_of(path: String) -> String:
	if path.begins_with("uid://"):
		path = ResourceUID.get_id_path(ResourceUID.text_to_id(path))
	return written(path)


# The name under which it is written.
func written(path: String) -> String:
	return path.get_basename() + {"gdc": ".gd", "cs": ".gd", "scn": ".tscn"}.get(path.get_extension(), "." + path.get_extension())


# --- scripts -------------------------------------------------------------------------------------------------------

# The methods of base classes are among those of the script.
func text_of_script(script: Script, indent := "") -> String:
	var config: Variant = script.call("get_rpc_config") # by its name, so that an engine without it can say so
	var text := ""
	for method in script.get_script_method_list():
		if config is Dictionary and config.has(method.name):
			text += '%s@rpc("%s") func %s(%s): pass\n' % [indent, MODES[config[method.name].rpc_mode], method.name, arguments_of(method)]
	for inner in script.get_script_constant_map():
		var value: Variant = script.get_script_constant_map()[inner]
		if value is Script and not indent and (value.resource_path.is_empty() or value.resource_path.begins_with(script.resource_path + "::")):
			text += "class %s:\n%s\tvar inner\n" % [inner, text_of_script(value, "\t")]
	return text


func arguments_of(method: Dictionary) -> String:
	var texts := PackedStringArray()
	var needed: int = method.args.size() - method.default_args.size()
	for number in method.args.size():
		texts.append("a%d%s" % [number, "" if number < needed else " = null"])
	return ", ".join(texts)


# --- scenes --------------------------------------------------------------------------------------------------------

func text_of_scene(scene: PackedScene) -> String:
	var state := scene.get_state()
	var resources := PackedStringArray()
	var nodes := PackedStringArray()
	for node in state.get_node_count():
		var head := '[node name="%s"' % state.get_node_name(node)
		if state.get_node_type(node):
			head += ' type="%s"' % state.get_node_type(node)
		if node > 0:
			head += ' parent="%s"' % str(state.get_node_path(node, true)).trim_prefix("./")
		if state.get_node_index(node) >= 0:
			head += ' index="%d"' % state.get_node_index(node)
		var instance := state.get_node_instance(node)
		if instance:
			head += ' instance=ExtResource("%d")' % add_file(resources, "PackedScene", instance.resource_path)
		nodes.append(head + "]")
		for property in state.get_node_property_count(node):
			var name := state.get_node_property_name(node, property)
			if name in KEPT:
				nodes.append("%s = %s" % [name, text_of(state.get_node_property_value(node, property), resources)])
		nodes.append("")
	return "[gd_scene format=3]\n\n%s\n\n%s" % ["\n".join(resources), "\n".join(nodes)]


func add_file(resources: PackedStringArray, type: String, path: String) -> int:
	resources.append('[ext_resource type="%s" path="%s" id="%d"]' % [type, written(path), resources.size()])
	return resources.size() - 1


func text_of(value: Variant, resources: PackedStringArray) -> String:
	if value is Script:
		return 'ExtResource("%d")' % add_file(resources, "Script", value.resource_path)
	if value is SceneReplicationConfig:
		return 'SubResource("%d")' % add_config(resources, value)
	if value is PackedStringArray:
		return "PackedStringArray(%s)" % ", ".join(Array(value).map(func(path: String) -> String: return '"%s"' % path_of(path)))
	return 'NodePath("%s")' % value if value is NodePath else var_to_str(value)


func add_config(resources: PackedStringArray, config: SceneReplicationConfig) -> int:
	var text := '[sub_resource type="SceneReplicationConfig" id="%d"]' % resources.size()
	var number := 0
	for path in config.get_properties():
		var values := [number, path, number, config.property_get_spawn(path), number, config.property_get_replication_mode(path)]
		text += '\nproperties/%d/path = NodePath("%s")\nproperties/%d/spawn = %s\nproperties/%d/replication_mode = %d' % values
		number += 1
	resources.append(text)
	return resources.size() - 1
