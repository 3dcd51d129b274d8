/* godot-project.c
 *
 * Finds and reads the files of a game; what is in them, project/game.h finds out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/wireshark-compat.h"
#include "common/godot-preferences.h"
#include "project/godot-project.h"

#include <epan/uat.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#endif

static const char *project_paths = "";
static game current;
static bool checked; /* whether something has changed, since the file was opened */
static char *stamp;  /* what was on disk when `current` was read */
static char *problem;

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

/* --- files ------------------------------------------------------------------------------------------------ */

typedef struct {
    uint64_t size;
    uint64_t modified; /* in the system's unit */
} file_status;

/* Not g_stat(): the structure it fills in on Windows is another for each compiler. */
static bool get_status(const char *path, file_status *status)
{
#ifdef _WIN32
    wchar_t *wide_path = (wchar_t *)g_utf8_to_utf16(path, -1, NULL, NULL, NULL);
    WIN32_FILE_ATTRIBUTE_DATA found;
    bool is_there = wide_path && GetFileAttributesExW(wide_path, GetFileExInfoStandard, &found);
    g_free(wide_path);
    if (is_there) {
        status->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
        status->modified =
            (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    }
#else
    struct stat found;
    bool is_there = stat(path, &found) == 0;
    if (is_there) {
        *status = (file_status){(uint64_t)found.st_size, (uint64_t)found.st_mtime};
    }
#endif
    return is_there;
}

/* A file that will be read. */
typedef struct {
    char *file;    /* on disk */
    char *path;    /* "res://player.gd" */
    uint32_t root; /* its project's number */
    uint64_t size;
    bool pack; /* has files in it */
} listed_file;

/* What is on disk, and what the user set: if it is the same as before, nothing is read again. */
typedef struct {
    GArray *files;
    GString *stamp;
    GString *problems; /* sentences */
    uint32_t roots, visited;
} listing;

static void clear_listed(void *entry)
{
    listed_file *file = (listed_file *)entry;
    g_free(file->file);
    g_free(file->path);
}

static void add_problem(GString *problems, const char *path, const char *what)
{
    g_string_append_printf(problems, "%s%s %s", problems->len ? "; " : "", path, what);
}

static void list_file(listing *l, const char *file, const char *path, uint32_t root,
                      const file_status *status, bool is_pack)
{
    listed_file entry = {g_strdup(file), g_strdup(path), root, status->size, is_pack};
    g_array_append_val(l->files, entry);
    g_string_append_printf(l->stamp, "%s %" PRIu64 " %" PRIu64 "\n", file, status->size, status->modified);
}

/* `name`: of the folder inside of its project, "res://" or "res://units/". A folder with a project.godot is a
 * project of its own, so that a folder of projects can be named. Symbolic links are not followed. */
static void list_folder(listing *l, const char *folder, const char *name, uint32_t root, unsigned depth)
{
    char *marker = g_build_filename(folder, "project.godot", NULL);
    if (g_file_test(marker, G_FILE_TEST_IS_REGULAR)) {
        root = ++l->roots;
        name = "res://";
    }
    g_free(marker);
    GDir *directory = g_dir_open(folder, 0, NULL);
    if (!directory) {
        return;
    }
    for (const char *entry;
         l->visited < GODOT_PROJECT_MAX_ENTRIES && (entry = g_dir_read_name(directory)) != NULL;) {
        file_status status;
        char *path = g_build_filename(folder, entry, NULL);
        l->visited++;
        if (entry[0] != '.' && !g_file_test(path, G_FILE_TEST_IS_SYMLINK) && get_status(path, &status)) {
            bool is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
            char *inside = g_strconcat(name, entry, is_folder ? "/" : "", NULL);
            if (is_folder && depth < GODOT_PROJECT_MAX_DEPTH) {
                list_folder(l, path, inside, root, depth + 1);
            } else if (game_file_kind(inside) != GAME_NOTHING && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
                list_file(l, path, inside, root, &status, false);
            }
            g_free(inside);
        }
        g_free(path);
    }
    g_dir_close(directory);
}

/* One of the paths that the user named. */
static void list_path(listing *l, const char *path)
{
    file_status status;
    char *name = g_path_get_basename(path), *folder = g_path_get_dirname(path);
    if (!get_status(path, &status)) {
        add_problem(l->problems, path, "does not exist or cannot be read");
    } else if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        list_folder(l, path, "res://", ++l->roots, 0);
    } else if (g_ascii_strcasecmp(name, "project.godot") == 0) { /* Windows takes any case */
        list_folder(l, folder, "res://", ++l->roots, 0);
    } else if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        /* A script or scene alone, or a pack. */
        char *inside = g_strconcat("res://", name, NULL);
        bool alone = game_file_kind(inside) != GAME_NOTHING;
        list_file(l, path, alone ? inside : "", ++l->roots, &status, !alone);
        g_free(inside);
    } else {
        add_problem(l->problems, path, "is neither a file nor a folder");
    }
    g_free(name);
    g_free(folder);
}

/* Windows puts a path that is copied in its Explorer into quotes. */
static const char *without_quotes(char *path)
{
    size_t length = strlen(path);
    if (length < 2 || path[0] != '"' || path[length - 1] != '"') {
        return path;
    }
    path[length - 1] = '\0';
    return path + 1;
}

/* A list of paths, unless there is a file of that name. */
static void list_paths(listing *l)
{
    if (!project_paths || !*project_paths) {
        return;
    }
    char **paths = g_file_test(project_paths, G_FILE_TEST_EXISTS)
                       ? g_strsplit(project_paths, "\n", 1)
                       : g_strsplit(project_paths, G_SEARCHPATH_SEPARATOR_S, -1);
    for (char **path = paths; *path; path++) {
        if (**path) {
            list_path(l, without_quotes(*path));
        }
    }
    g_strfreev(paths);
}

/* As strcmp(), but every separator of folders is a slash, so that files have one order on all systems. */
static int compare_paths(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = G_IS_DIR_SEPARATOR(*a) ? '/' : (unsigned char)*a;
        int y = G_IS_DIR_SEPARATOR(*b) ? '/' : (unsigned char)*b;
        if (x != y || x == '\0') {
            return x - y;
        }
    }
}

static int compare_listed(const void *left, const void *right)
{
    const listed_file *a = (const listed_file *)left, *b = (const listed_file *)right;
    game_kind x = game_file_kind(a->path), y = game_file_kind(b->path);
    return x != y ? (x < y ? -1 : 1) : compare_paths(a->file, b->file);
}

static listing list_everything(void)
{
    listing l = {.files = g_array_new(false, false, sizeof(listed_file)),
                 .stamp = g_string_new(project_paths),
                 .problems = g_string_new("")};
    g_array_set_clear_func(l.files, clear_listed);
    list_paths(&l);
    g_array_sort(l.files, compare_listed);
    for (unsigned i = 0; i < record_count; i++) {
        g_string_append_printf(l.stamp, "\n%s\n%s\n%s", records[i].label, records[i].names,
                               records[i].node_names);
    }
    return l;
}

/* --- reading them ---------------------------------------------------------------------------------------- */

static bool read_pack_bytes(void *context, uint64_t offset, void *bytes, size_t length)
{
    memcpy(bytes, g_mapped_file_get_contents((GMappedFile *)context) + offset, length);
    return true;
}

static void read_pack(game *g, const listed_file *entry, GString *problems)
{
    GMappedFile *file = g_mapped_file_new(entry->file, false, NULL);
    if (!file) {
        add_problem(problems, entry->file, "cannot be opened");
        return;
    }
    const pack_source source = {read_pack_bytes, file, g_mapped_file_get_length(file)};
    pack_result result = game_add_pack(g, entry->root, source);
    if (result != PACK_OK) {
        add_problem(problems, entry->file, pack_result_text(result));
    }
    g_mapped_file_unref(file);
}

static void read_listed(game *g, const listed_file *entry)
{
    char *bytes = NULL;
    size_t length = 0;
    if (!game_takes(g, entry->path, entry->size)) {
        return;
    }
    /* It may have grown since. */
    if (!g_file_get_contents(entry->file, &bytes, &length, NULL) || length > game_file_limit(entry->path)) {
        game_add_unread(g, entry->path);
    } else {
        game_add_file(g, entry->root, entry->path, (const uint8_t *)bytes, length);
    }
    g_free(bytes);
}

static void add_count(GString *problems, uint32_t count, const char *what)
{
    if (count > 0) {
        g_string_append_printf(problems, "%s%u file%s of the game %s", problems->len ? "; " : "", count,
                               count == 1 ? "" : "s", what);
    }
}

static void read_everything(listing *l)
{
    if (!game_open(&current)) {
        return;
    }
    if (l->visited >= GODOT_PROJECT_MAX_ENTRIES) {
        game_add_unread(&current, ".tscn");
        g_string_append(l->problems, "the folder has too many files");
    }
    for (unsigned i = 0; i < l->files->len; i++) {
        const listed_file *entry = &g_array_index(l->files, listed_file, i);
        if (entry->pack) {
            read_pack(&current, entry, l->problems);
        } else {
            read_listed(&current, entry);
        }
    }
    for (unsigned i = 0; i < record_count; i++) {
        rpc_project_add_list(current.names, records[i].label, records[i].node_names, records[i].names);
    }
    add_count(l->problems, current.encrypted, pack_result_text(PACK_ENCRYPTED));
    add_count(l->problems, current.damaged, "damaged or in a form that is not supported");
    add_count(l->problems, current.left_out, "beyond the limits");
    game_link(&current);
    if (rpc_project_summary(current.names).truncated) {
        add_problem(l->problems, "The project", "has more scripts or methods than are read");
    }
}

/* What is known, read again if something has changed. NULL: nothing, or no memory. */
static const game *get_game(void)
{
    if (checked || !godot_project_available()) {
        return current.names ? &current : NULL;
    }
    checked = true;
    listing l = list_everything();
    if (!stamp || strcmp(stamp, l.stamp->str) != 0) {
        game_close(&current);
        read_everything(&l);
        g_free(stamp);
        g_free(problem);
        stamp = g_strdup(l.stamp->str);
        problem = g_strdup(l.problems->str);
    }
    g_array_free(l.files, true);
    g_string_free(l.stamp, true);
    g_string_free(l.problems, true);
    return current.names ? &current : NULL;
}

static void check_again(void)
{
    checked = false;
}

bool godot_project_available(void)
{
    return (project_paths && *project_paths) || record_count > 0;
}

const char *godot_project_problem(void)
{
    return get_game() && *problem ? problem : NULL;
}

const char *godot_project_method(const char *checksum, uint16_t method)
{
    const game *known = *checksum ? get_game() : NULL;
    return known ? rpc_project_method(known->names, checksum, method) : NULL;
}

rpc_signature godot_project_signature(const char *checksum, uint16_t method)
{
    const game *known = *checksum ? get_game() : NULL;
    return known ? rpc_project_signature(known->names, checksum, method) : (rpc_signature){.counted = false};
}

rpc_signature godot_project_declared(const char *name)
{
    const game *known = get_game();
    return known ? rpc_project_declared(known->names, name) : (rpc_signature){.counted = false};
}

bool godot_project_gives_authority(void)
{
    const game *known = project_paths && *project_paths ? get_game() : NULL;
    return !known || known->encrypted || known->damaged || known->left_out ||
           rpc_project_summary(known->names).truncated || rpc_project_gives_authority(known->names);
}

const rpc_list *godot_project_list(const char *checksum, const rpc_list *previous)
{
    const game *known = *checksum ? get_game() : NULL;
    return known ? rpc_project_find(known->names, checksum, previous) : NULL;
}

const char *godot_project_declares(const char *name, uint32_t *others)
{
    const game *known = get_game();
    return known ? rpc_project_declares(known->names, name, others) : NULL;
}

/* NULL if there are none; what tables of the preferences say is not about scenes. */
static const scene_project *get_scenes(void)
{
    const game *known = project_paths && *project_paths ? get_game() : NULL;
    return known ? known->scenes : NULL;
}

const char *godot_project_spawned(const char *spawner, uint32_t index)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_spawned(scenes, spawner, index) : NULL;
}

bool godot_project_spawn_parent(const char *spawner, char parent[SCENE_MAX_PATH])
{
    const scene_project *scenes = get_scenes();
    return scenes && scene_project_spawn_parent(scenes, spawner, parent);
}

uint32_t godot_project_announced(const char *scene, scene_announcement announcement)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_announced(scenes, scene, announcement) : SCENE_UNKNOWN;
}

const char *godot_project_fitting(const char *spawner, uint32_t count, const scene_spawned_values *values,
                                  bool *several)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_fitting(scenes, spawner, count, values, several) : NULL;
}

uint32_t godot_project_properties(const char *path, scene_list list, scene_counts counts, const char **names,
                                  uint32_t room)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_properties(scenes, path, list, counts, names, room) : 0;
}

uint32_t godot_project_spawned_properties(const char *scene, scene_announcement announcement, uint32_t number,
                                          scene_list list, const char **names, uint32_t room)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_spawned_properties(scenes, scene, announcement, number, list, names, room)
                  : 0;
}

uint32_t godot_project_inner_properties(const char *scene, const char *path, scene_list list,
                                        scene_counts counts, const char **names, uint32_t room)
{
    const scene_project *scenes = get_scenes();
    return scenes ? scene_project_inner_properties(scenes, scene, path, list, counts, names, room)
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
    uat_t *table =
        uat_new("RPC Names", sizeof(rpc_record), "godot_rpc_names", true, (void **)&records, &record_count,
                UAT_AFFECTS_DISSECTION, NULL, copy_record, check_record, free_record, NULL, NULL, fields);
    godot_preferences_add_heading("heading.project", "The game");
    prefs_register_filename_preference(
        preferences, "project", "Project",
        "The game: its project.godot or the folder of it, an exported .pck or .zip, or an executable with a "
        "pack inside "
        "of it. Several are separated by \"" G_SEARCHPATH_SEPARATOR_S
        "\". RPC methods get their names from the "
        "scripts; names are only used where the checksum on the wire says that they are right.",
        &project_paths, false);
    prefs_register_obsolete_preference(preferences,
                                       "project_key"); /* encrypted packs are not read any more */
    prefs_register_uat_preference(preferences, "rpc_names", "RPC names",
                                  "Lists of RPC methods by hand, for games whose sources are not at hand",
                                  table);
    /* Only here: what was read before has names that the dissected packets refer to. */
    register_init_routine(check_again);
}
