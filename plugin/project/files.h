/* files.h
 *
 * Finds and reads the files of a game below the paths in the preferences. Files that are left out are
 * counted, because names are not certain then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PROJECT_FILES_H
#define PROJECT_FILES_H

#include <glib.h>

#include "project/game.h"

/* Limits of a project folder. */
#define PROJECT_MAX_ENTRIES 200000u /* files and folders of any kind */
#define PROJECT_MAX_DEPTH   32u

/* A file that will be read. */
typedef struct {
    char *file;    /* on disk */
    char *path;    /* "res://player.gd"; "": a pack */
    uint32_t root; /* its project's number */
    uint64_t size;
} project_file;

/* Why files or folders are not in the list. */
typedef enum {
    PROJECT_UNREADABLE, /* files and folders without permission, or that the system cannot read */
    PROJECT_LINKED,     /* symbolic links, which are not followed */
    PROJECT_TOO_DEEP,   /* folders */
    PROJECT_TOO_MANY,   /* 1: the folders have more than PROJECT_MAX_ENTRIES files */
    PROJECT_NOT_FOUND,  /* paths in the preferences that do not exist or are no project */
    PROJECT_REASONS
} project_reason;

typedef struct {
    GArray *files;     /* of project_file, in the order in which they are read */
    GString *stamp;    /* names, sizes and times: equal if nothing has changed */
    GString *problems; /* sentences about single paths */
    uint32_t left_out[PROJECT_REASONS];
    uint32_t roots, visited;
    uint32_t games; /* folders with a project.godot */
} project_listing;

/* Finds the files of games below `paths`, the preference's value, and below `more`, paths up to a NULL. The
 * caller frees with project_listing_free(). */
project_listing project_list(const char *paths, const char *const *more);
void project_listing_free(project_listing *l);

void project_add_problem(GString *problems, const char *path, const char *what);

/* Content of a file, to be freed with g_free(). NULL: it cannot be read, or is longer than `limit`. */
uint8_t *project_read(const char *file, size_t limit, size_t *length);

/* A file that stays open, to be read in pieces: its size may change meanwhile. False if it cannot be
 * opened. */
typedef struct {
    FILE *stream;
    uint64_t size; /* when it was opened */
} project_open_file;

bool project_open(const char *file, project_open_file *opened);
void project_close(project_open_file *opened);

/* False if the bytes are not all there; of the type that pack_source wants. `context`: project_open_file. */
bool project_read_at(void *context, uint64_t offset, void *bytes, size_t length);

#endif
