# SPDX-License-Identifier: MIT
## Finds the lines of a project's scripts that would behave differently with a recorder instead of
## the MultiplayerPeer or the MultiplayerAPI: class checks, comparisons, typed variables. They
## decide what is wrapped.
class_name RecorderUses
extends RefCounted

const PEER := "peer"
const API := "api"
const PROPERTY := "property"
## The file that the export plugin adds to a game whose scripts are exported without source.
const FOUND := "res://addons/godot_wireshark/found.json"
const OWN_FOLDER := "res://addons/godot_wireshark/"
## Whether no line in the project's scripts checks the class of a peer.
static var _may_wrap_peers := true

## In the order in which they are chosen.
const MODES: Array[String] = [API, PEER, PROPERTY]
const MAX_FILE := 4 << 20
## An expression whose value is the peer or the API.
const PEER_VALUE := "\\bmultiplayer_?peer\\b(?!\\s*[.(\\[=]|\\s*:)"
const API_VALUE := "(?<!\\.)(?:\\b(?:self\\.)?multiplayer\\b|\\bget_multiplayer\\s*\\([^)]*\\))(?!\\s*[.(\\[=:])"


## Returns the mode of RecorderSettings.MODES in which the game is recorded, never "automatic".
## Prints the lines that prevent others.
static func choose_mode() -> String:
	var asked := RecorderSettings.asked_for("mode")
	if not RecorderSettings.MODES.has(asked):
		RecorderWriter.complain("there is no mode \"%s\"; there are %s" % [asked,
				", ".join(RecorderSettings.MODES)])
		asked = RecorderSettings.MODE_AUTOMATIC
	if asked == RecorderSettings.MODE_NOTHING:
		return asked
	var found := of_project()
	_may_wrap_peers = not found.any(func(use: Dictionary) -> bool: return use["kind"] == PEER)
	var mode := mode_for(found) if asked == RecorderSettings.MODE_AUTOMATIC else asked
	if mode == RecorderSettings.MODE_NOTHING:
		RecorderWriter.complain("nothing is recorded, because in each mode some lines would behave differently.\n%s" % list_by_mode(found))
	var in_the_way := found.filter(func(use: Dictionary) -> bool: return _prevents(use, mode))
	if not in_the_way.is_empty():
		RecorderWriter.complain("these lines behave differently than without the recorder:\n%s"
				% list(in_the_way))
	return mode


## Whether [method choose_mode] has found no script that checks the class of a peer.
static func may_wrap_peers() -> bool:
	return _may_wrap_peers


## The first mode that no line prevents.
static func mode_for(found: Array[Dictionary]) -> String:
	for mode in MODES:
		if not found.any(func(use: Dictionary) -> bool: return _prevents(use, mode)):
			return mode
	return RecorderSettings.MODE_NOTHING


## Text for users: file and line, the line itself, what to write instead; nobody has to change an
## add-on.
static func list(found: Array[Dictionary]) -> String:
	var lines := PackedStringArray()
	for use in found:
		lines.append("  %s:%d: %s" % [use["file"], use["line"], use["text"]])
		if not str(use["file"]).begins_with("res://addons/"):
			lines.append("    instead: %s" % use["instead"])
	return "\n".join(lines)


## The lines that prevent each mode, and how to record in spite of them.
static func list_by_mode(found: Array[Dictionary]) -> String:
	var text := ""
	for mode in MODES:
		text += "Mode %s:\n%s\n" % [mode, list(found.filter(func(use: Dictionary) -> bool: return _prevents(use, mode)))]
	return text \
			+ "To record anyway, choose the mode whose lines matter less, with --godot-record-mode=%s " % " or --godot-record-mode=".join(MODES) \
		+ "(GODOT_RECORD_MODE, godot_wireshark/record/mode)."


static func _prevents(use: Dictionary, mode: String) -> bool:
	return use["kind"] == mode or (mode == PROPERTY and use["property"] == true)


## Uses in all scripts of the project: kind, file, line, text, replacement.
static func of_project() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	if FileAccess.file_exists(FOUND):
		var stored: Array = JSON.parse_string(FileAccess.get_file_as_string(FOUND))
		found.assign(stored)
		return found
	var sources := {}
	_collect("res://", sources)
	return of_sources(sources)


## The first script outside the add-on that matches the regular expression; "" if there is none.
static func first_file_with(pattern: String) -> String:
	var sources := {}
	var wanted := RegEx.create_from_string(pattern)
	_collect("res://", sources)
	for path: String in sources:
		if wanted.search(str(sources[path])):
			return path
	return ""


static func _collect(folder: String, sources: Dictionary) -> void:
	if folder == OWN_FOLDER or FileAccess.file_exists(folder.path_join(".gdignore")):
		return
	for name in DirAccess.get_files_at(folder):
		var path := folder.path_join(name)
		if name.get_extension() == "gd" or name.get_extension() == "cs":
			var file := FileAccess.open(path, FileAccess.READ)
			if file and file.get_length() <= MAX_FILE:
				sources[path] = file.get_as_text()
	for name in DirAccess.get_directories_at(folder):
		if not name.begins_with("."):
			_collect(folder.path_join(name) + "/", sources)


## sources: path -> text.
static func of_sources(sources: Dictionary) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var types := {PEER: _classes_of(&"MultiplayerPeer"), API: _classes_of(&"MultiplayerAPI")}
	var rules := _rules(str(types[PEER]), str(types[API]))
	var gets := sources.values().any(func(text: String) -> bool: return text.contains("get_multiplayer_peer("))
	for path: String in sources:
		var text: String = sources[path]
		if not text.contains("ultiplayer") and not text.contains("Peer"):
			continue
		var names := _typed_names(text, types)
		var number := 0
		for line in text.split("\n"):
			number += 1
			var code := _without_comment(line)
			var use := _use_in(code, rules, names)
			if not use.is_empty() \
					and not (use["kind"] == API and _compares_with_itself(code, text, sources)):
				use.merge({"file": path, "line": number, "text": line.strip_edges(),
						"property": _is_of_property(use, code, path, gets)})
				found.append(use)
	return found


## Whether a line that prevents another mode also prevents [constant PROPERTY]: the peer may come
## from the method, as always in C#, or the packet that is put into the game's own peer is not
## recorded.
static func _is_of_property(use: Dictionary, code: String, path: String, gets: bool) -> bool:
	return gets or path.get_extension() == "cs" if use["kind"] == PEER \
			else code.contains("multiplayer_peer.")


## Whether the line compares the API with a variable that only ever gets the API of the tree: both
## are then the recorder's, as in a script that looks whether another API was set since.
static func _compares_with_itself(code: String, text: String, sources: Dictionary) -> bool:
	const API_ITSELF := "(?<![\\w.])(?:self\\.)?multiplayer"
	var compared := RegEx.create_from_string("%s\\s*[!=]=\\s*(\\w+)\\b(?![.(\\[])|(?<![\\w.])(\\w+)\\s*[!=]=\\s*(?:self\\.)?multiplayer\\b" % API_ITSELF)
	var hit := compared.search(code)
	if not hit or RegEx.create_from_string("\\b(?:is|as)\\s").search(code):
		return false
	var name := hit.get_string(1) + hit.get_string(2)
	var value := RegEx.create_from_string("^(?:null|(?:self\\.)?multiplayer|(?:get_tree\\(\\)\\.)?get_multiplayer\\(\\))\\s*(?:#.*)?$")
	var assigned := RegEx.create_from_string("(?m)(?<![\\w.])(?:self\\.)?%s\\s*(?::\\s*\\w+\\s*)?:?=(?!=)[ \\t]*(.*)$" % name).search_all(text)
	if assigned.is_empty() or assigned.any(func(one: RegExMatch) -> bool: return value.search(one.get_string(1)) == null):
		return false
	var parameter := RegEx.create_from_string("\\bfunc\\b.*[(,]\\s*%s\\b" % name)
	var from_outside := RegEx.create_from_string("(?<!\\bself)\\.%s\\s*=(?!=)" % name)
	return not parameter.search(text) and not sources.values().any(func(other: String) -> bool: return from_outside.search(other) != null)


## Classes that extend another one, including those of scripts, as part of a regular expression.
static func _classes_of(base: StringName) -> String:
	var names := PackedStringArray(ClassDB.get_inheriters_from_class(base))
	for info in ProjectSettings.get_global_class_list():
		var extended := str(info["base"])
		if (names.has(extended) or extended == str(base)) \
				and not str(info["path"]).begins_with(OWN_FOLDER):
			names.append(str(info["class"]))
	names.erase("OfflineMultiplayerPeer") # is never wrapped
	return "(?:%s)" % "|".join(names)


static func _rules(peers: String, apis: String) -> Array[Dictionary]:
	var other := "(?!\\s*null\\b)"
	return [
		_rule(PEER, "\\b(?:is|as)\\s+(?:not\\s+)?%s\\b" % peers),
		_rule(PEER, ":\\s*%s\\s*=.*%s" % [peers, PEER_VALUE]),
		_rule(PEER, "\\(\\s*%s\\s*\\)\\s*[\\w.]*MultiplayerPeer\\b" % peers), # a cast in C#
		_rule(PEER, "\\b[mM]ultiplayer_?[pP]eer\\s*[!=]=%s" % other),
		_rule(PEER, "(?<!null )(?<!null)[!=]=\\s*[\\w.()]*\\bmultiplayer_peer\\b(?!\\s*[.(\\[])"),
		_rule(PEER, "\\bis_same\\(.*%s" % PEER_VALUE),
		_rule(PEER, "\\bmultiplayer_peer\\.(?:get_class|is_class)\\("),
		_rule(API, "\\b(?:is|as)\\s+(?:not\\s+)?%s\\b" % apis),
		_rule(API,
				":\\s*%s\\s*=\\s*(?!\\w+\\.new)(?:.*%s|.*get_multiplayer\\()" % [apis, API_VALUE]),
		_rule(API, "\\(\\s*%s\\s*\\)\\s*[\\w.()]*Multiplayer\\b" % apis),
		_rule(API, "(?<![\\w.])(?:self\\.)?multiplayer\\s*[!=]=%s" % other),
		_rule(API, "(?<!null )(?<!null)[!=]=\\s*(?:self\\.)?multiplayer\\b(?!\\s*[.(\\[])"),
		_rule(API, "\\bmultiplayer_peer\\.(?:put_packet|put_var|get_packet|get_var)\\("),
	]


static func _rule(kind: String, pattern: String) -> Dictionary:
	return {"kind": kind, "pattern": RegEx.create_from_string(pattern)}


static func _use_in(code: String, rules: Array[Dictionary], names: Dictionary) -> Dictionary:
	for rule in rules:
		var pattern: RegEx = rule["pattern"]
		if pattern.search(code):
			return _use(str(rule["kind"]))
	for kind: String in names:
		var assigned: RegEx = names[kind]
		if assigned and assigned.search(code):
			return _use(kind)
	return {}


static func _use(kind: String) -> Dictionary:
	const INSTEAD := {
		PEER: "GodotWireshark.original(multiplayer.multiplayer_peer)",
		API: "GodotWireshark.original(multiplayer)",
	}
	return {"kind": kind, "instead": INSTEAD[kind]}


## kind -> code that assigns to a variable of such a type or passes an argument of it to a function;
## null if there is none.
static func _typed_names(text: String, types: Dictionary) -> Dictionary:
	var names := {}
	for kind: String in [PEER, API]:
		var value := PEER_VALUE if kind == PEER else API_VALUE
		var variables := {}
		for hit in RegEx.create_from_string("(?m)\\bvar\\s+(\\w+)\\s*:\\s*%s\\b"
				% types[kind]).search_all(text):
			variables[hit.get_string(1)] = "\\b%s\\s*=[^=].*%s" % [hit.get_string(1), value]
		for hit in RegEx.create_from_string("(?m)\\bfunc\\s+(\\w+)\\s*\\([^)]*:\\s*%s\\b"
				% types[kind]).search_all(text):
			variables[hit.get_string(1)] = "\\b%s\\(.*%s" % [hit.get_string(1), value]
		names[kind] = RegEx.create_from_string("|".join(PackedStringArray(variables.values()))) \
				if variables else null
	return names


static func _without_comment(line: String) -> String:
	var quote := ""
	for i in line.length():
		var letter := line[i]
		if quote:
			if letter == quote and line[i - 1] != "\\":
				quote = ""
		elif letter == "\"" or letter == "'":
			quote = letter
		elif letter == "#" or (letter == "/" and line.substr(i, 2) == "//"):
			return line.left(i)
	return line
