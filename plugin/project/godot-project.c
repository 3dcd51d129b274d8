/* godot-project.c
 *
 * Finds and reads the sources of a game; what is in them, src/rpc_names.h finds out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/wireshark-compat.h"
#include "project/godot-project.h"

#include <epan/uat.h>
#include <glib/gstdio.h>

static const char *project_folder = "";
static rpc_project *project; /* NULL: to be read */
static scene_project *scenes;

/* --- lists made by hand ------------------------------------------------------------------------------ */

typedef struct {
    char *label, *names, *node_names;
} rpc_record;

static rpc_record *records;
static unsigned record_count;

UAT_CSTRING_CB_DEF(rpc_record, label, rpc_record)
UAT_CSTRING_CB_DEF(rpc_record, names, rpc_record)
UAT_CSTRING_CB_DEF(rpc_record, node_names, rpc_record)

static void *copy_record(void *to, const void *from, size_t size _U_)
{
    const rpc_record *source = (const rpc_record *)from;
    rpc_record *copy = (rpc_record *)to;
    copy->label = g_strdup(source->label);
    copy->names = g_strdup(source->names);
    copy->node_names = g_strdup(source->node_names);
    return copy;
}

static void free_record(void *record)
{
    rpc_record *old = (rpc_record *)record;
    g_free(old->label);
    g_free(old->names);
    g_free(old->node_names);
}

static compat_bool check_record(void *record, char **error)
{
    const rpc_record *fresh = (const rpc_record *)record;
    bool empty = (!fresh->names || !*fresh->names) && (!fresh->node_names || !*fresh->node_names);
    *error = empty ? g_strdup("A list needs at least one method name") : NULL;
    return !empty;
}

void godot_project_changed(void)
{
    rpc_project_free(project);
    scene_project_free(scenes);
    project = NULL;
    scenes = NULL;
}

/* --- the project's folder ----------------------------------------------------------------------------- */

typedef struct {
    uint32_t files, roots;
    uint64_t size;
} walk_state;

/* The language of a source file, false for a file that is none. */
static bool source_language(const char *name, rpc_language *language)
{
    if (g_str_has_suffix(name, ".gd")) {
        *language = RPC_GDSCRIPT;
    } else if (g_str_has_suffix(name, ".cs")) {
        *language = RPC_CSHARP;
    } else {
        return false;
    }
    return true;
}

static char *read_file(walk_state *state, const char *path, const GStatBuf *status, uint32_t limit,
                       size_t *length)
{
    char *text = NULL;
    if (status->st_size > (int64_t)limit || state->files >= GODOT_PROJECT_MAX_FILES ||
        state->size + (uint64_t)status->st_size > GODOT_PROJECT_MAX_SIZE) {
        return NULL;
    }
    state->files++;
    state->size += (uint64_t)status->st_size;
    return g_file_get_contents(path, &text, length, NULL) ? text : NULL;
}

static void read_project_file(walk_state *state, uint32_t root, const char *path, const char *name,
                              const GStatBuf *status)
{
    rpc_language language = RPC_GDSCRIPT;
    size_t length = 0;
    bool uid = g_str_has_suffix(path, ".gd.uid"), scene = g_str_has_suffix(path, ".tscn");
    if (!uid && !scene && !source_language(path, &language)) {
        return;
    }
    char *text = read_file(state, path, status,
                           scene ? GODOT_PROJECT_MAX_SCENE_SIZE : GODOT_PROJECT_MAX_FILE_SIZE, &length);
    if (!text && scene) {
        scene_project_add_unread(scenes);
    }
    if (!text) {
        return;
    }
    if (uid) {
        char *script = g_strndup(name, strlen(name) - strlen(".uid"));
        rpc_project_add_uid(project, root, g_strstrip(text), script);
        g_free(script);
    } else if (scene) {
        scene_project_add(scenes, root, name, text, length);
    } else {
        rpc_project_add_source(project, root, language, name, text, length);
        scene_project_add_script(scenes, text, length);
    }
    g_free(text);
}

/* `name`: of the folder inside of its project, "res://" or "res://units/". A folder with a project.godot is a
 * project of its own, so that a folder of projects can be named. Symbolic links are not followed. */
static void walk(walk_state *state, const char *folder, const char *name, uint32_t root, unsigned depth)
{
    char *marker = g_build_filename(folder, "project.godot", NULL);
    if (g_file_test(marker, G_FILE_TEST_IS_REGULAR)) {
        root = ++state->roots;
        name = "res://";
    }
    g_free(marker);
    GDir *directory = g_dir_open(folder, 0, NULL);
    if (!directory) {
        return;
    }
    for (const char *entry;
         state->files < GODOT_PROJECT_MAX_FILES && (entry = g_dir_read_name(directory)) != NULL;) {
        GStatBuf status;
        char *path = g_build_filename(folder, entry, NULL);
        if (entry[0] != '.' && !g_file_test(path, G_FILE_TEST_IS_SYMLINK) && g_stat(path, &status) == 0) {
            bool is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
            char *inside = g_strconcat(name, entry, is_folder ? "/" : "", NULL);
            if (is_folder && depth < GODOT_PROJECT_MAX_DEPTH) {
                walk(state, path, inside, root, depth + 1);
            } else if (!is_folder && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
                read_project_file(state, root, path, inside, &status);
            }
            g_free(inside);
        }
        g_free(path);
    }
    g_dir_close(directory);
}

/* Both are read together; without memory for either there is none. */
static const rpc_project *get_project(void)
{
    walk_state state = {0, 0, 0};
    if (project) {
        return project;
    }
    project = rpc_project_new();
    scenes = scene_project_new();
    if (!project || !scenes) {
        godot_project_changed();
        return NULL;
    }
    if (project_folder && *project_folder) {
        walk(&state, project_folder, "res://", 0, 0);
    }
    if (state.files >= GODOT_PROJECT_MAX_FILES) {
        scene_project_add_unread(scenes);
    }
    for (unsigned i = 0; i < record_count; i++) {
        rpc_project_add_list(project, records[i].label, records[i].node_names, records[i].names);
    }
    rpc_project_link(project);
    scene_project_link(scenes);
    return project;
}

bool godot_project_available(void)
{
    return (project_folder && *project_folder) || record_count > 0;
}

const char *godot_project_method(const char *checksum, uint16_t method)
{
    const rpc_project *known = *checksum && godot_project_available() ? get_project() : NULL;
    return known ? rpc_project_method(known, checksum, method) : NULL;
}

const rpc_list *godot_project_list(const char *checksum, const rpc_list *previous)
{
    const rpc_project *known = *checksum && godot_project_available() ? get_project() : NULL;
    return known ? rpc_project_find(known, checksum, previous) : NULL;
}

const char *godot_project_declares(const char *name, uint32_t *others)
{
    const rpc_project *known = godot_project_available() ? get_project() : NULL;
    return known ? rpc_project_declares(known, name, others) : NULL;
}

static bool has_scenes(void)
{
    return project_folder && *project_folder && get_project();
}

const char *godot_project_spawned(const char *spawner, uint32_t index)
{
    return has_scenes() ? scene_project_spawned(scenes, spawner, index) : NULL;
}

bool godot_project_spawn_parent(const char *spawner, char parent[SCENE_MAX_PATH])
{
    return has_scenes() && scene_project_spawn_parent(scenes, spawner, parent);
}

uint32_t godot_project_announced(const char *scene, uint32_t count, uint32_t values)
{
    return has_scenes() ? scene_project_announced(scenes, scene, count, values) : SCENE_UNKNOWN;
}

uint32_t godot_project_properties(const char *path, scene_list list, const char **names, uint32_t room)
{
    return has_scenes() ? scene_project_properties(scenes, path, list, names, room) : 0;
}

uint32_t godot_project_spawned_properties(const char *scene, uint32_t number, scene_list list,
                                          const char **names, uint32_t room)
{
    return has_scenes() ? scene_project_spawned_properties(scenes, scene, number, list, names, room) : 0;
}

uint32_t godot_project_inner_properties(const char *scene, const char *path, scene_list list,
                                        const char **names, uint32_t room)
{
    return has_scenes() ? scene_project_inner_properties(scenes, scene, path, list, names, room)
                        : SCENE_UNKNOWN;
}

void godot_project_register(module_t *preferences)
{
    static uat_field_t fields[] = {
        UAT_FLD_CSTRING(rpc_record, label, "Script", "What to call it, for instance the script's path"),
        UAT_FLD_CSTRING(rpc_record, names, "Methods",
                        "Names of the script's RPC methods, inherited ones included, separated by blanks"),
        UAT_FLD_CSTRING(rpc_record, node_names, "Node methods",
                        "Names configured on the node with rpc_config(), separated by blanks"),
        UAT_END_FIELDS};
    uat_t *table = uat_new("RPC Names", sizeof(rpc_record), "godot_rpc_names", true, (void **)&records,
                           &record_count, UAT_AFFECTS_DISSECTION, NULL, copy_record, check_record,
                           free_record, godot_project_changed, NULL, fields);
    prefs_register_directory_preference(
        preferences, "project", "Project folder",
        "Folder of the game's project, or a folder of several. RPC methods get their names from the scripts "
        "in it; names are only used where the checksum on the wire says that they are right.",
        &project_folder);
    prefs_register_uat_preference(preferences, "rpc_names", "RPC names",
                                  "Lists of RPC methods by hand, for games whose sources are not at hand",
                                  table);
    /* The sources may have changed when the next file is opened. */
    register_init_routine(godot_project_changed);
}
