/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/paths.h"

#include "base/preferences.h"

static const char *preferred = ""; /* godot.project */

typedef struct {
    char *path;
} project_record;

static project_record *projects;
static unsigned project_count;

UAT_DIRECTORYNAME_CB_DEF(project_record, path, project_record)
UAT_TEXTS_FREE_DEF(project_record)

static compat_bool check_project(void *record, char **error)
{
    const char *path = ((const project_record *)record)->path;
    bool named = path && *path;
    *error = named ? NULL : g_strdup("The path of the project is missing");
    return named;
}

bool project_paths_any(void)
{
    return (preferred && *preferred) || project_count > 0;
}

project_listing project_paths_list(void)
{
    const char **more = g_new0(const char *, project_count + 1);
    for (unsigned i = 0; i < project_count; i++) {
        more[i] = projects[i].path;
    }
    project_listing all = project_list(preferred ? preferred : "", more);
    g_free(more);
    return all;
}

void project_paths_register(module_t *preferences)
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
