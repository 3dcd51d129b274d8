# SPDX-License-Identifier: MIT
## Keeps two processes from recording into the same file. A recording says which process writes it;
## the lock is only for the moment in which that is looked up and written.
class_name RecorderLock
extends RefCounted

const MAX_FILES := 1000
## Where the owner is found: in the comment of the section header.
const HEAD := 8192
## After that, the process that took the lock is assumed to have crashed.
const MAX_MILLISECONDS := 1000

var _folder := ""


func _init(path: String) -> void:
	if not _is_possible():
		return
	var folder := path + ".lock"
	var until := Time.get_ticks_msec() + MAX_MILLISECONDS
	while DirAccess.make_dir_absolute(folder) == ERR_ALREADY_EXISTS \
			and Time.get_ticks_msec() < until:
		OS.delay_msec(10)
	_folder = folder


func release() -> void:
	if _folder and DirAccess.dir_exists_absolute(_folder):
		DirAccess.remove_absolute(_folder)


## Where a game has no other processes, or cannot ask for them, there is nothing to look up.
static func _is_possible() -> bool:
	return OS.get_name() in ["Linux", "FreeBSD", "NetBSD", "OpenBSD", "BSD", "macOS", "Windows"]


## This process, as it is written into the file.
static func owner() -> String:
	return "process %d" % OS.get_process_id()


## path, or the first of path-2, path-3, … that no other running process writes.
static func unused(path: String) -> String:
	for number in range(1, MAX_FILES):
		var candidate := path if number == 1 else "%s-%d.%s" \
				% [path.get_basename(), number, path.get_extension()]
		if not _is_written(candidate):
			return candidate
	return path


static func _is_written(path: String) -> bool:
	if not _is_possible() or not FileAccess.file_exists(path):
		return false
	var file := FileAccess.open(path, FileAccess.READ)
	if not file:
		return false
	var process := _owner_of(file.get_buffer(HEAD))
	return process > 0 and process != OS.get_process_id() and _runs(process)


static func _owner_of(head: PackedByteArray) -> int:
	if head.size() < 12 or head.decode_u32(0) != RecorderWriter.SECTION_HEADER:
		return 0
	for i in head.size():
		if head[i] == 0:
			head[i] = 32 # a text ends there
	var text := head.slice(0, mini(head.decode_u32(4), head.size())).get_string_from_ascii()
	var said := RegEx.create_from_string(", process (\\d{1,10})\\b").search(text)
	return said.get_string(1).to_int() if said else 0


static func _runs(process: int) -> bool:
	var output: Array[String] = []
	if OS.get_name() == "Windows":
		OS.execute("tasklist", ["/NH", "/FO", "CSV", "/FI", "PID eq %d" % process], output)
		return not output.is_empty() and output[0].contains("\"%d\"" % process)
	return OS.execute("ps", ["-p", str(process)], output) == 0
