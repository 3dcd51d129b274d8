/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/near.h"

#include <glib.h>

/* Limits of a search, which runs while the user waits. */
enum { MAX_VISITED = 20000, MAX_BELOW = 6 };

bool project_is_root(const char *folder)
{
    char *marker = g_build_filename(folder, "project.godot", NULL);
    bool found = g_file_test(marker, G_FILE_TEST_IS_REGULAR);
    g_free(marker);
    return found;
}

/* Whether to look into `path`, the entry `name` of a folder. */
static bool is_searched(const char *path, const char *name)
{
    return name[0] != '.' && g_file_test(path, G_FILE_TEST_IS_DIR) &&
           !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

/* The first folder, `folder` or one of `depth` levels below it, that is a project; to be freed with g_free().
 * NULL: there is none, or `*room` entries were visited and it is 0. */
static char *find_below(const char *folder, unsigned depth, unsigned *room)
{
    if (project_is_root(folder)) {
        return g_strdup(folder);
    }
    GDir *directory = g_dir_open(folder, 0, NULL);
    char *found = NULL;
    for (const char *name; directory && !found && *room > 0 && (name = g_dir_read_name(directory)) != NULL;) {
        char *path = g_build_filename(folder, name, NULL);
        --*room;
        if (is_searched(path, name)) {
            found = depth > 0 ? find_below(path, depth - 1, room) : NULL;
            *room = depth > 0 ? *room : 0; /* not known what is in it */
        }
        g_free(path);
    }
    if (directory) {
        g_dir_close(directory);
    }
    return found;
}

/* A folder that contains `folder` and is a project, or one that is beside it. NULL: none. */
static char *find_near(const char *folder)
{
    char *parent = g_path_get_dirname(folder), *above = g_strdup(parent);
    unsigned room = MAX_VISITED;
    while (!project_is_root(above)) {
        char *next = g_path_get_dirname(above);
        bool top = g_strcmp0(next, above) == 0;
        g_free(above);
        above = next;
        if (top) {
            g_free(above);
            above = find_below(parent, 1, &room);
            break;
        }
    }
    g_free(parent);
    return above;
}

char *project_not_here(const char *folder)
{
    char *absolute = g_canonicalize_filename(folder, NULL), *other = find_near(absolute);
    char *text = other ? g_strdup_printf("has no project.godot, but %s has", other)
                       : g_strdup("has no project.godot, and no folder in it has one");
    g_free(absolute);
    g_free(other);
    return text;
}

char *project_wrong_folder(const char *path)
{
    unsigned room = MAX_VISITED;
    char *found = g_file_test(path, G_FILE_TEST_IS_DIR) ? find_below(path, MAX_BELOW, &room) : NULL;
    bool is_wrong = !found && room > 0 && g_file_test(path, G_FILE_TEST_IS_DIR);
    g_free(found);
    return is_wrong ? project_not_here(path) : NULL;
}
