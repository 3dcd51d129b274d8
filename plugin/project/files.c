/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"
#include "project/files.h"
#include "project/near.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdio.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#endif

enum { MAY_READ = 4 }; /* R_OK, which not every compiler for Windows has */

/* --- reading ------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t size;
    uint64_t modified; /* in the system's unit */
} file_status;

typedef enum { THERE, ABSENT, NOT_KNOWN } file_presence;

/* Not g_stat() on Windows: the structure that it fills in there is another for each compiler. */
static file_presence get_status(const char *path, file_status *status)
{
#ifdef _WIN32
    wchar_t *wide_path = (wchar_t *)g_utf8_to_utf16(path, -1, NULL, NULL, NULL);
    WIN32_FILE_ATTRIBUTE_DATA found;
    bool is_there = wide_path && GetFileAttributesExW(wide_path, GetFileExInfoStandard, &found);
    DWORD error = is_there ? ERROR_SUCCESS : GetLastError();
    g_free(wide_path);
    if (is_there) {
        status->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
        status->modified =
            (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    }
    return is_there                                                         ? THERE
           : error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ABSENT
                                                                            : NOT_KNOWN;
#else
    GStatBuf found;
    if (g_stat(path, &found) != 0) {
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? ABSENT : NOT_KNOWN;
    }
    *status = (file_status){(uint64_t)found.st_size, (uint64_t)found.st_mtime};
    return THERE;
#endif
}

static bool seek(FILE *stream, uint64_t offset)
{
#ifdef _WIN32
    return offset <= INT64_MAX && _fseeki64(stream, (int64_t)offset, SEEK_SET) == 0;
#else
    return offset <= LONG_MAX && fseek(stream, (long)offset, SEEK_SET) == 0;
#endif
}

bool project_open(const char *file, project_open_file *opened)
{
    file_status status;
    opened->stream = g_fopen(file, "rb");
    if (!opened->stream || get_status(file, &status) != THERE) {
        project_close(opened);
        return false;
    }
    setvbuf(opened->stream, NULL, _IONBF, 0); /* callers that read small pieces have a buffer */
    opened->size = status.size;
    return true;
}

void project_close(project_open_file *opened)
{
    if (opened->stream) {
        fclose(opened->stream);
        opened->stream = NULL;
    }
}

bool project_read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
    FILE *stream = ((project_open_file *)context)->stream;
    return seek(stream, offset) && fread(bytes, 1, length, stream) == length;
}

uint8_t *project_read(const char *file, size_t limit, size_t *length)
{
    project_open_file opened;
    uint8_t *bytes = NULL;
    if (!project_open(file, &opened)) {
        return NULL;
    }
    if (opened.size <= limit) {
        *length = (size_t)opened.size;
        bytes = g_malloc(*length + 1);
        if (!project_read_at(&opened, 0, bytes, *length)) {
            g_free(bytes);
            bytes = NULL;
        }
    }
    project_close(&opened);
    return bytes;
}

/* --- finding ------------------------------------------------------------------------------------- */

void project_add_problem(GString *problems, const char *path, const char *what)
{
    g_string_append_printf(problems, "%s%s %s", problems->len ? "; " : "", path, what);
}

static void clear_listed(void *entry)
{
    project_file *file = entry;
    g_free(file->file);
    g_free(file->path);
}

/* The permission to read a file is not in its status, but changes the result. */
static void list_file(project_listing *l, const char *file, const char *path, uint32_t root,
                      const file_status *status)
{
    project_file entry = {g_strdup(file), g_strdup(path), root, status->size};
    g_array_append_val(l->files, entry);
    g_string_append_printf(l->stamp, "%s %" PRIu64 " %" PRIu64 "%s\n", file, status->size, status->modified,
                           g_access(file, MAY_READ) == 0 ? "" : " unreadable");
}

static void list_folder(project_listing *l, const char *folder, const char *name, uint32_t root,
                        unsigned depth);

/* Whether a link or an entry without status is relevant: files that would be read, and folders, which may
 * contain some. */
static bool matters(const char *inside, bool is_folder)
{
    return is_folder || game_file_kind(inside) != GAME_NOTHING;
}

/* `file`: the entry `name` of a folder that is "res://" or "res://units/" in its project, which `inside`
 * begins with. Symbolic links are not followed: they may lead in circles and out of the project. Godot
 * ignores a broken link, too. */
static void list_entry(project_listing *l, const char *file, const char *inside, uint32_t root,
                       unsigned depth)
{
    file_status status;
    file_presence presence = get_status(file, &status);
    bool is_folder = g_file_test(file, G_FILE_TEST_IS_DIR);
    if (presence == ABSENT) {
        return;
    }
    if (presence == NOT_KNOWN) { /* it may be a folder */
        l->left_out[PROJECT_UNREADABLE]++;
    } else if (g_file_test(file, G_FILE_TEST_IS_SYMLINK)) {
        l->left_out[PROJECT_LINKED] += matters(inside, is_folder);
    } else if (is_folder && depth >= PROJECT_MAX_DEPTH) {
        l->left_out[PROJECT_TOO_DEEP]++;
    } else if (is_folder) {
        char *name = g_strconcat(inside, "/", NULL);
        list_folder(l, file, name, root, depth + 1);
        g_free(name);
    } else if (matters(inside, false) && g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
        list_file(l, file, inside, root, &status);
    }
}

/* A folder with a project.godot is a project of its own, so that a folder of projects can be named. */
static void list_folder(project_listing *l, const char *folder, const char *name, uint32_t root,
                        unsigned depth)
{
    if (project_is_root(folder)) {
        root = ++l->roots;
        l->games++;
        name = "res://";
    }
    GDir *directory = g_dir_open(folder, 0, NULL);
    if (!directory) {
        l->left_out[PROJECT_UNREADABLE]++;
        return;
    }
    for (const char *entry; (entry = g_dir_read_name(directory)) != NULL;) {
        if (l->visited++ >= PROJECT_MAX_ENTRIES) {
            l->left_out[PROJECT_TOO_MANY] = 1;
            break;
        }
        if (entry[0] != '.') {
            char *path = g_build_filename(folder, entry, NULL), *inside = g_strconcat(name, entry, NULL);
            list_entry(l, path, inside, root, depth);
            g_free(inside);
            g_free(path);
        }
    }
    g_dir_close(directory);
}

/* A folder that the user named. Without a project.godot its scripts are still read, but it may be a part of a
 * game, and paths in it are not those of the game. */
static void list_game(project_listing *l, const char *folder)
{
    uint32_t games = l->games;
    list_folder(l, folder, "res://", ++l->roots, 0);
    if (l->games == games && g_access(folder, MAY_READ) == 0) {
        char *problem = project_not_here(folder);
        project_add_problem(l->problems, folder, problem);
        l->left_out[PROJECT_NOT_FOUND]++;
        g_free(problem);
    }
}

/* One of the paths that the user named. */
static void list_path(project_listing *l, const char *path)
{
    file_status status;
    char *name = g_path_get_basename(path), *folder = g_path_get_dirname(path);
    if (get_status(path, &status) != THERE) {
        project_add_problem(l->problems, path, "does not exist or cannot be read");
        l->left_out[PROJECT_NOT_FOUND]++;
    } else if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        list_game(l, path);
    } else if (g_ascii_strcasecmp(name, "project.godot") == 0) { /* case-insensitive on Windows */
        list_game(l, folder);
    } else if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        /* A script or scene alone, or a pack. */
        char *inside = g_strconcat("res://", name, NULL);
        list_file(l, path, matters(inside, false) ? inside : "", ++l->roots, &status);
        g_free(inside);
    } else {
        project_add_problem(l->problems, path, "is neither a file nor a folder");
        l->left_out[PROJECT_NOT_FOUND]++;
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
    const project_file *a = (const project_file *)left, *b = (const project_file *)right;
    game_kind x = game_file_kind(a->path), y = game_file_kind(b->path);
    return x != y ? (x < y ? -1 : 1) : compare_paths(a->file, b->file);
}

project_listing project_list(const char *paths, const char *const *more)
{
    project_listing l = {.files = g_array_new(false, false, sizeof(project_file)),
                         .stamp = g_string_new(paths),
                         .problems = g_string_new("")};
    g_array_set_clear_func(l.files, clear_listed);
    /* A list of paths, unless there is a file of that name. */
    char **list = g_file_test(paths, G_FILE_TEST_EXISTS) ? g_strsplit(paths, "\n", 1)
                                                         : g_strsplit(paths, G_SEARCHPATH_SEPARATOR_S, -1);
    for (char **path = list; *path; path++) {
        if (**path) {
            list_path(&l, without_quotes(*path));
        }
    }
    g_strfreev(list);
    for (; *more; more++) {
        g_string_append_printf(l.stamp, "\n%s", *more);
        list_path(&l, *more);
    }
    g_array_sort(l.files, compare_listed);
    for (unsigned i = 0; i < PROJECT_REASONS; i++) {
        g_string_append_printf(l.stamp, "\n%u", l.left_out[i]);
    }
    return l;
}

void project_listing_free(project_listing *l)
{
    g_array_free(l->files, true);
    g_string_free(l->stamp, true);
    g_string_free(l->problems, true);
}
