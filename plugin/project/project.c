/* project.c
 *
 * Reads the files of games (files.h), whose contents project/game.h interprets; see project.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/preferences.h"
#include "base/wireshark-compat.h"
#include "project/files.h"
#include "project/near.h"
#include "project/project.h"

static game current;
static bool checked; /* whether something has changed, since the file was opened */
static char *stamp;  /* what was on disk when `current` was read */
static char *problem;

/* --- paths of games ------------------------------------------------------------------------------ */

static const char *preferred = ""; /* godot.project, of the profile */

typedef struct {
    char *path;
} project_record;

static project_record *projects; /* "Godot projects", outside of profiles */
static unsigned project_count;

UAT_DIRECTORYNAME_CB_DEF(project_record, path, project_record)
UAT_TEXTS_FREE_DEF(project_record)

/* A path that does not exist is no error: it may exist later, or on another machine. */
static compat_bool check_project(void *record, char **error)
{
    const char *path = ((const project_record *)record)->path;
    if (!path || !*path) {
        *error = g_strdup("The path of the project is missing");
        return false;
    }
    char *wrong = project_wrong_folder(path);
    *error = wrong ? g_strdup_printf("%s %s", path, wrong) : NULL;
    g_free(wrong);
    return !*error;
}

/* Whether there is a path of a project. */
static bool has_paths(void)
{
    return (preferred && *preferred) || project_count > 0;
}

/* To be freed with project_listing_free(). */
static project_listing list_projects(void)
{
    const char **more = g_new0(const char *, project_count + 1);
    for (unsigned i = 0; i < project_count; i++) {
        more[i] = projects[i].path;
    }
    project_listing all = project_list(preferred ? preferred : "", more);
    g_free(more);
    return all;
}

/* --- lists made by hand -------------------------------------------------------------------------- */

typedef struct {
    char *label, *names, *node_names;
} rpc_record;

static rpc_record *records;
static unsigned record_count;

UAT_CSTRING_CB_DEF(rpc_record, label, rpc_record)
UAT_CSTRING_CB_DEF(rpc_record, names, rpc_record)
UAT_CSTRING_CB_DEF(rpc_record, node_names, rpc_record)
UAT_TEXTS_FREE_DEF(rpc_record)

static compat_bool check_record(void *record, char **error)
{
    const rpc_record *fresh = record;
    bool empty = (!fresh->names || !*fresh->names) && (!fresh->node_names || !*fresh->node_names);
    *error = empty ? g_strdup("A list needs at least one method name") : NULL;
    return !empty;
}

/* --- reading them -------------------------------------------------------------------------------- */

static project_listing list_everything(void)
{
    project_listing l = list_projects();
    for (unsigned i = 0; i < record_count; i++) {
        g_string_append_printf(l.stamp, "\n%s\n%s\n%s", records[i].label, records[i].names,
                               records[i].node_names);
    }
    return l;
}

static void read_pack(game *g, const project_file *entry, GString *problems)
{
    project_open_file file;
    if (!project_open(entry->file, &file)) {
        project_add_problem(problems, entry->file, "cannot be opened");
        game_add_unread(g, "");
        return;
    }
    pack_result result = game_add_pack(g, entry->root, (pack_source){project_read_at, &file, file.size});
    if (result != PACK_OK) {
        project_add_problem(problems, entry->file, pack_result_text(result));
    }
    project_close(&file);
}

static void read_listed(game *g, const project_file *entry, uint32_t *unreadable)
{
    size_t length = 0;
    if (!game_takes(g, entry->path, entry->size)) {
        return;
    }
    uint8_t *bytes = project_read(entry->file, game_file_limit(entry->path), &length);
    if (bytes) {
        game_add_file(g, entry->root, entry->path, bytes, length);
    } else {
        game_add_unread(g, entry->path);
        ++*unreadable;
    }
    g_free(bytes);
}

/* `things`: one of them and several, "file of the game", "files of the game". */
static void add_count(GString *problems, uint32_t count, const char *const things[2], const char *what)
{
    if (count > 0) {
        g_string_append_printf(problems, "%s%u %s %s", problems->len ? "; " : "", count, things[count > 1],
                               what);
    }
}

/* Adds sentences about the parts of the game that are not known. */
static void add_counts(project_listing *l, game *g)
{
    static const char *const files[2] = {"file of the game", "files of the game"};
    static const struct {
        const char *things[2], *what;
    } reasons[PROJECT_REASONS] = {
        [PROJECT_UNREADABLE] = {{"file or folder", "files or folders"}, "cannot be read"},
        [PROJECT_LINKED] = {{"symbolic link", "symbolic links"}, "not followed"},
        [PROJECT_TOO_DEEP] = {{"folder", "folders"}, "too deep to be read"},
        [PROJECT_TOO_MANY] = {{"folder", "folders"}, "with too many files"},
    };
    for (unsigned i = 0; i < PROJECT_REASONS; i++) {
        if (reasons[i].what) {
            add_count(l->problems, l->left_out[i], reasons[i].things, reasons[i].what);
        }
    }
    add_count(l->problems, g->encrypted, files, pack_result_text(PACK_ENCRYPTED));
    add_count(l->problems, g->damaged, files, "damaged or in a form that is not supported");
    add_count(l->problems, g->without_source, files, "without its source, as exported C# is");
    add_count(l->problems, g->left_out, files, "beyond the limits");
}

static void read_everything(project_listing *l)
{
    if (!game_open(&current)) {
        return;
    }
    for (unsigned i = 0; i < l->files->len; i++) {
        const project_file *entry = &g_array_index(l->files, project_file, i);
        if (*entry->path) {
            read_listed(&current, entry, &l->left_out[PROJECT_UNREADABLE]);
        } else {
            read_pack(&current, entry, l->problems);
        }
    }
    for (unsigned i = 0; i < PROJECT_REASONS; i++) {
        if (l->left_out[i] > 0) {
            game_add_unread(&current, "");
        }
    }
    for (unsigned i = 0; i < record_count; i++) {
        rpc_project_add_list(current.names, records[i].label, records[i].node_names, records[i].names);
    }
    add_counts(l, &current);
    game_link(&current);
    if (rpc_project_summary(current.names).truncated) {
        project_add_problem(l->problems, "The project", "has more scripts or methods than are read");
    }
}

const game *godot_project_game(void)
{
    if (checked) {
        return current.names ? &current : NULL;
    }
    checked = true;
    if (!godot_project_available()) { /* any more */
        game_close(&current);
        g_clear_pointer(&stamp, g_free);
        return NULL;
    }
    project_listing l = list_everything();
    if (!stamp || strcmp(stamp, l.stamp->str) != 0) {
        game_close(&current);
        read_everything(&l);
        g_free(stamp);
        g_free(problem);
        stamp = g_strdup(l.stamp->str);
        problem = g_strdup(l.problems->str);
    }
    project_listing_free(&l);
    return current.names ? &current : NULL;
}

static void check_again(void)
{
    checked = false;
}

bool godot_project_available(void)
{
    return has_paths() || record_count > 0;
}

const char *godot_project_problem(void)
{
    return godot_project_game() && *problem ? problem : NULL;
}

rpc_signature godot_project_signature(const char *checksum, uint16_t method)
{
    const game *known = *checksum ? godot_project_game() : NULL;
    return known ? rpc_project_signature(known->names, checksum, method) : (rpc_signature){.counted = false};
}

rpc_signature godot_project_declared(const char *name)
{
    const game *known = godot_project_game();
    rpc_signature signature =
        known ? rpc_project_declared(known->names, name) : (rpc_signature){.counted = false};
    signature.counted &= known && !known->unread; /* an unread file may declare the same name */
    return signature;
}

bool godot_project_has_local(const char *name)
{
    const game *known = godot_project_game();
    return known && rpc_project_has_local(known->names, name);
}

const char *godot_project_declares(const char *name, uint32_t *others)
{
    const game *known = godot_project_game();
    return known ? rpc_project_declares(known->names, name, others) : NULL;
}

const game *godot_project_with_scenes(void)
{
    return has_paths() ? godot_project_game() : NULL;
}

static void register_paths(module_t *preferences)
{
    static uat_field_t fields[] = {
        UAT_FLD_DIRECTORYNAME(project_record, path, "Project",
                              "The project's folder; or type the path of an exported .pck or .zip, or of an "
                              "executable with a pack inside of it"),
        UAT_END_FIELDS};
    uat_t *table = uat_new("Godot Projects", sizeof(project_record), "godot_projects", false,
                           (void **)&projects, &project_count, UAT_AFFECTS_DISSECTION, NULL, uat_copy_texts,
                           check_project, project_record_free, NULL, NULL, fields);
    prefs_register_uat_preference(
        preferences, "projects", "Godot projects",
        "Your games, for every profile: folders of projects, and packs. Names of "
        "RPC methods are taken from scripts whose methods have the checksum on the wire.",
        table);
    prefs_register_filename_preference(
        preferences, "project", "Project of this profile",
        "One more game: its project.godot or the folder of it, an exported .pck or .zip, or an executable "
        "with "
        "a pack inside of it. Several are separated by \"" G_SEARCHPATH_SEPARATOR_S "\".",
        &preferred, false);
}

void godot_project_register(module_t *preferences)
{
    static uat_field_t fields[] = {
        UAT_FLD_CSTRING(rpc_record, label, "Script", "A label, for example the script's path"),
        UAT_FLD_CSTRING(rpc_record, names, "Methods",
                        "Names of the script's RPC methods, inherited ones included, separated by blanks"),
        UAT_FLD_CSTRING(rpc_record, node_names, "Node methods",
                        "Names configured on the node with rpc_config(), separated by blanks"),
        UAT_END_FIELDS};
    uat_t *lists = uat_new("RPC Names", sizeof(rpc_record), "godot_rpc_names", true, (void **)&records,
                           &record_count, UAT_AFFECTS_DISSECTION, NULL, uat_copy_texts, check_record,
                           rpc_record_free, NULL, NULL, fields);
    godot_preferences_add_heading("heading.project", "The game");
    register_paths(preferences);
    prefs_register_obsolete_preference(preferences,
                                       "project_key"); /* encrypted packs are not read any more */
    prefs_register_uat_preference(preferences, "rpc_names", "RPC names",
                                  "Lists of RPC methods, for games whose sources are not available", lists);
    /* Freed only here, because dissected packets refer to its names. */
    register_init_routine(check_again);
}
