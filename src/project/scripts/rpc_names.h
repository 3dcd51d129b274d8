/* rpc_names.h
 *
 * Names of remote procedures, from the sources of a game.
 *
 * Godot 4 sends a method's number instead of its name: the position in the sorted list of the node's RPC
 * methods. When a node is first used, the sender also sends the MD5 of all those names, sorted and
 * concatenated (configured on the node first, then those of its script). So if a script's list of names has
 * the checksum that is on the wire, numbers are converted to names; otherwise they are not.
 *
 * This scanner reads GDScript (@rpc of Godot 4, the keywords of Godot 3) and C# ([Rpc]) far enough to find
 * those lists: classes, inner classes, base classes, annotated methods. It never evaluates code. If it
 * misreads something, the result is a list whose checksum does not occur.
 *
 * Do not call it for each packet: it allocates. Time and memory are limited for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_NAMES_H
#define RPC_NAMES_H

#include "base/source.h"
#include "project/scripts/rpc_types.h"

/* NULL if there is no memory. */
rpc_project *rpc_project_new(void);
void rpc_project_free(rpc_project *project);

/* Reads one script. */
void rpc_project_add_source(rpc_project *project, rpc_language language, const source_file *file);

/* Adds the id of a script ("uid://…", in a file next to the script since Godot 4.4), which can replace its
 * path. */
void rpc_project_add_uid(rpc_project *project, uint32_t root, const char *uid, const char *path);

/* Adds a list made by hand: names separated by blanks or commas, in any order. */
void rpc_project_add_list(rpc_project *project, const char *label, const char *node_names, const char *names);

/* Follows inheritance and computes the checksums. To be called once, after everything was added. */
void rpc_project_link(rpc_project *project);

/* Lists with this checksum (32 digits), all different: the first (previous = NULL) or the one after
 * `previous`. Usually there is one. */
const rpc_list *rpc_project_find(const rpc_project *project, const char *checksum, const rpc_list *previous);

/* Name of a method, or NULL if it is not known for certain. */
const char *rpc_project_method(const rpc_project *project, const char *checksum, uint16_t method);

/* Name of a method in one list, NULL if it has none of this number, and how it may be called. */
const char *rpc_list_method(const rpc_list *list, uint16_t method);
rpc_signature rpc_list_signature(const rpc_list *list, uint16_t method);

/* How a method may be called, as far as all lists with this checksum agree. */
rpc_signature rpc_project_signature(const rpc_project *project, const char *checksum, uint16_t method);

/* Godot 3: likewise, as far as all classes agree that declare this method or property as remote; not
 * if a script configures it. */
rpc_signature rpc_project_declared(const rpc_project *project, const char *name);

/* Godot 3: whether a class has a function of this name that it does not declare as remote. The engine refuses
 * calls of it, whatever their arguments. Looks at each class. */
bool rpc_project_has_local(const rpc_project *project, const char *name);

/* Whether a class is the script `base`, a path, or inherits it. `script`: path of a file or label of a class.
 * `function`, if not NULL: and has this function from it. False also if there is no such class. */
bool rpc_project_inherits(rpc_project *project, uint32_t root, const char *script, const char *base,
                          const char *function);

/* Path of the script with this path or id ("uid://…"). */
const char *rpc_project_path(const rpc_project *project, uint32_t root, const char *name);

/* Godot 3: labels of the classes that declare this method or property as remote. Returns their number and
 * writes up to `room` of them. */
uint32_t rpc_project_declaring(const rpc_project *project, const char *name, const char **labels,
                               uint32_t room);

/* Godot 3: label of a class that declares this method or property as remote, or configures it, NULL if none
 * does. `*others`:
 * how many more do. */
const char *rpc_project_declares(const rpc_project *project, const char *name, uint32_t *others);

/* What was read, and whether a limit was hit. */
typedef struct {
    uint32_t classes, methods, lists;
    bool truncated;
} rpc_summary;
rpc_summary rpc_project_summary(const rpc_project *project);

/* The checksum of names that are in order: those configured on the node come before those of its script. */
void rpc_checksum(const char *const *node_names, uint32_t node_count, const char *const *names,
                  uint32_t count, char checksum[33]);

#endif
