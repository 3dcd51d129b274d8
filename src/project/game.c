/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/game.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "project/pack/resource_binary.h"
#include "project/pack/resource_reader.h"
#include "project/scripts/gdscript_tokens.h"

static bool ends(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

/* The first `length` bytes of `text` after `before`; NULL if there is no memory. */
static char *copy(game *g, const char *before, const char *text, size_t length)
{
    return pool_join(&g->paths, slice_of(before), (slice){text, length}, NO_SLICE, NO_SLICE);
}

/* --- kinds --------------------------------------------------------------------------------------- */

typedef void (*file_reader)(game *g, const source_file *file);

static void read_script(game *g, rpc_language language, const source_file *file)
{
    rpc_project_add_source(g->names, language, file);
    scene_project_add_script(g->scenes, file->text.text, file->text.length);
    authority_add_script(&g->authority, language, file);
}

static void read_gdscript(game *g, const source_file *file)
{
    read_script(g, RPC_GDSCRIPT, file);
}

static void read_csharp(game *g, const source_file *file)
{
    if (file->text.length == 0) { /* as Godot's export writes it into a pack */
        game_add_unread(g, file->path);
        g->without_source++;
        return;
    }
    read_script(g, RPC_CSHARP, file);
}

/* Whether one more file may be turned into text; it counts as left out if not. */
static bool may_unpack(game *g, const char *path)
{
    if (g->unpacked < GAME_MAX_UNPACKED) {
        return true;
    }
    game_add_unread(g, path);
    g->left_out++;
    return false;
}

static void read_tokens(game *g, const source_file *file)
{
    output text = {.text = NULL};
    if (!may_unpack(g, file->path)) {
        return;
    }
    /* Without a .remap, a file of its own. */
    char *path = copy(g, "", file->path, strlen(file->path) - ends(file->path, ".gdc"));
    if (path && gdscript_tokens_text((const uint8_t *)file->text.text, file->text.length, &text)) {
        read_gdscript(g, &(source_file){file->root, path, {text.text, text.length}});
    } else {
        game_add_unread(g, file->path);
        g->damaged++;
    }
    g->unpacked += text.length;
    free(text.text);
}

static void read_uid(game *g, const source_file *file)
{
    char uid[64], *script = copy(g, "", file->path, strlen(file->path) - strlen(".uid"));
    size_t length = file->text.length;
    while (length > 0 && (uint8_t)file->text.text[length - 1] <= ' ') {
        length--;
    }
    if (script && length < sizeof uid) {
        memcpy(uid, file->text.text, length);
        uid[length] = 0;
        rpc_project_add_uid(g->names, file->root, uid, script);
    }
}

static void read_inner_script(void *context, const source_file *script)
{
    read_gdscript(context, script);
}

static void read_scene(game *g, const source_file *file)
{
    scene_project_add(g->scenes, file, &(scene_script_reader){read_inner_script, g});
    authority_add_scene(&g->authority, file);
}

static void read_settings(game *g, const source_file *file)
{
    bool main =
        strcmp(file->path, "res://project.godot") == 0 || strcmp(file->path, "res://project.binary") == 0;
    if (main) {
        authority_read_settings(&g->authority, file->root, (const uint8_t *)file->text.text,
                                file->text.length);
    }
}

static void read_resource(game *g, const source_file *file)
{
    scene_project_add_resource(g->scenes, file, &(scene_script_reader){read_inner_script, g});
}

static void read_binary(game *g, const source_file *file)
{
    output text = {.text = NULL};
    if (!may_unpack(g, file->path)) {
        return;
    }
    bool scene = game_file_kind(file->path) == GAME_SCENE;
    if (resource_binary_text((const uint8_t *)file->text.text, file->text.length, &text)) {
        (scene ? read_scene
               : read_resource)(g, &(source_file){file->root, file->path, {text.text, text.length}});
    } else if (scene) {
        game_add_unread(g, file->path);
        g->damaged++;
    }
    g->unpacked += text.length;
    free(text.text);
}

/* Packs keep names, so the first bytes decide between text and binary form. */
static const struct {
    const char *ending;
    game_kind kind;
    uint32_t limit;
    file_reader text, binary;
    char magic[5]; /* magic number of the binary form: "RSRC" or, compressed, "RSCC" */
} kinds[] = {
    {"project.godot", GAME_SETTINGS, GAME_MAX_RESOURCE, read_settings, NULL, ""},
    {"project.binary", GAME_SETTINGS, GAME_MAX_RESOURCE, read_settings, NULL, ""},
    {".gd", GAME_SCRIPT, GAME_MAX_SCRIPT, read_gdscript, read_tokens, "GDSC"},
    {".gdc", GAME_SCRIPT, GAME_MAX_SCRIPT, NULL, read_tokens, "GDSC"},
    {".gde", GAME_SCRIPT, GAME_MAX_SCRIPT, NULL, read_tokens,
     "GDSC"}, /* of Godot 3, encrypted: counts as damaged */
    {".cs", GAME_SCRIPT, GAME_MAX_SCRIPT, read_csharp, NULL, ""},
    {".gd.uid", GAME_UID, GAME_MAX_SCRIPT, read_uid, NULL, ""},
    {".tscn", GAME_SCENE, GAME_MAX_SCENE, read_scene, read_binary, "RS"},
    {".scn", GAME_SCENE, GAME_MAX_SCENE, NULL, read_binary, "RS"},
    {".tres", GAME_RESOURCE, GAME_MAX_RESOURCE, read_resource, read_binary, "RS"},
    {".res", GAME_RESOURCE, GAME_MAX_RESOURCE, NULL, read_binary, "RS"},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* Its place in the table, KIND_COUNT if there is none. */
static size_t find_kind(const char *path)
{
    size_t i = 0;
    while (i < KIND_COUNT && !ends(path, kinds[i].ending)) {
        i++;
    }
    return i;
}

game_kind game_file_kind(const char *path)
{
    size_t i = find_kind(path);
    return i < KIND_COUNT ? kinds[i].kind : GAME_NOTHING;
}

size_t game_file_limit(const char *path)
{
    size_t i = find_kind(path);
    return i < KIND_COUNT ? kinds[i].limit : 0;
}

/* --- files --------------------------------------------------------------------------------------- */

bool game_takes(game *g, const char *path, uint64_t size)
{
    if (size > game_file_limit(path) || g->files >= GAME_MAX_FILES || size > GAME_MAX_SIZE - g->size) {
        game_add_unread(g, path);
        g->left_out++;
        return false;
    }
    g->files++;
    g->size += size;
    return true;
}

void game_add_file(game *g, uint32_t root, const char *path, const uint8_t *bytes, size_t length)
{
    size_t i = find_kind(path);
    g->last_root = root > g->last_root ? root : g->last_root;
    if (i == KIND_COUNT) {
        return;
    }
    bool binary =
        kinds[i].binary &&
        (!kinds[i].text || (length >= 4 && memcmp(bytes, kinds[i].magic, strlen(kinds[i].magic)) == 0));
    (binary ? kinds[i].binary : kinds[i].text)(g, &(source_file){root, path, {(const char *)bytes, length}});
}

void game_add_unread(game *g, const char *path)
{
    g->unread++;
    if (!*path || game_file_kind(path) == GAME_SCENE) {
        scene_project_add_unread(g->scenes);
    }
}

bool game_open(game *g)
{
    *g = (game){.names = rpc_project_new(), .scenes = scene_project_new(), .paths = {.limit = SIZE_MAX}};
    g->authority.pool.limit = RPC_MAX_TEXT;
    if (!g->names || !g->scenes) {
        game_close(g);
        return false;
    }
    return true;
}

void game_close(game *g)
{
    pool_free(&g->paths);
    rpc_project_free(g->names);
    scene_project_free(g->scenes);
    authority_free(&g->authority);
    *g = (game){.names = NULL};
}

void game_link(game *g)
{
    rpc_project_link(g->names);
    for (uint32_t i = 0; i < g->authority.autoload_count; i++) {
        const authority_autoload *a = &g->authority.autoloads[i];
        scene_project_add_autoload(g->scenes, a->root, a->name, a->path);
    }
    scene_project_link(g->scenes);
    authority_link(&g->authority);
}

/* --- packs --------------------------------------------------------------------------------------- */

/* A file of the pack that could not be read. */
static void count_unread(game *g, const char *path, pack_result result)
{
    game_add_unread(g, path);
    if (result == PACK_ENCRYPTED) {
        g->encrypted++;
    } else {
        g->damaged++;
    }
}

/* A file of the pack that has to be read, with its path in the game. */
typedef struct {
    const pack_file *file;
    char *path; /* "res://player.tscn" */
} packed;

typedef struct {
    packed *files;
    uint32_t count;
} packed_list;

/* Contents of X.remap: `target`, a file in the pack, replaces `path`. */
typedef struct {
    char *target, *path; /* both without "res://" */
} remap;

typedef struct {
    remap *entries;
    uint32_t count;
} remap_list;

static int compare_remaps(const void *left, const void *right)
{
    return strcmp(((const remap *)left)->target, ((const remap *)right)->target);
}

static int compare_packed(const void *left, const void *right)
{
    const packed *a = left, *b = right;
    game_kind x = game_file_kind(a->path), y = game_file_kind(b->path);
    return x != y ? (x < y ? -1 : 1) : strcmp(a->path, b->path);
}

/* The path in the line path="res://…" of a .remap. */
static char *remap_target(game *g, const char *text, size_t length)
{
    static const char key[] = "\npath=\"res://";
    const size_t size = sizeof key - 1;
    for (size_t at = 0; at + size < length; at++) {
        const char *target = text + at + size;
        const char *end = memcmp(text + at, key, size) == 0 ? memchr(target, '"', length - at - size) : NULL;
        if (end) {
            return copy(g, "", target, (size_t)(end - target));
        }
    }
    return NULL;
}

/* If a .remap cannot be read, its file is not found, so it is counted as a file that cannot be read. */
static void read_remap(game *g, pack *p, const pack_file *file, char *path, remap_list *list)
{
    pack_result result;
    uint8_t *text = pack_read(p, file, GAME_MAX_REMAP, &result);
    char *target = text ? remap_target(g, (const char *)text, (size_t)file->size) : NULL;
    if (target) {
        list->entries[list->count++] = (remap){target, path};
    } else if (!text && path && game_file_kind(path) != GAME_NOTHING) {
        count_unread(g, path, result);
    }
    free(text);
}

static void read_remaps(game *g, pack *p, remap_list *list)
{
    static const char ending[] = ".remap";
    list->entries = pool_take(&g->paths, ((size_t)pack_count(p) + 1) * sizeof *list->entries);
    for (uint32_t i = 0; list->entries && i < pack_count(p) && list->count < GAME_MAX_FILES; i++) {
        const pack_file *file = pack_at(p, i);
        if (ends(file->name, ending)) {
            read_remap(g, p, file, copy(g, "", file->name, strlen(file->name) - strlen(ending)), list);
        }
    }
    if (list->entries) {
        qsort(list->entries, list->count, sizeof *list->entries, compare_remaps);
    }
}

/* Path of the file in the game; NULL for files that only the engine uses: the cache, imported models and
 * textures. */
static const char *known_as(const remap_list *remaps, const char *name)
{
    const remap wanted = {.target = (char *)(uintptr_t)name};
    const remap *found = remaps->entries ? bsearch(&wanted, remaps->entries, remaps->count,
                                                   sizeof *remaps->entries, compare_remaps)
                                         : NULL;
    return found ? found->path : *name == '.' || strstr(name, "/.") ? NULL : name;
}

static void list_files(game *g, const pack *p, const remap_list *remaps, packed_list *list)
{
    list->files = pool_take(&g->paths, ((size_t)pack_count(p) + 1) * sizeof *list->files);
    for (uint32_t i = 0; list->files && i < pack_count(p); i++) {
        const char *name = known_as(remaps, pack_at(p, i)->name);
        if (name && game_file_kind(name) != GAME_NOTHING) {
            char *path = copy(g, "res://", name, strlen(name));
            if (path) {
                list->files[list->count++] = (packed){pack_at(p, i), path};
            }
        }
    }
    if (list->files) {
        qsort(list->files, list->count, sizeof *list->files, compare_packed);
    }
}

static void read_packed(game *g, uint32_t root, pack *p, const packed *file)
{
    pack_result result;
    if (!game_takes(g, file->path, file->file->size)) {
        return;
    }
    uint8_t *bytes = pack_read(p, file->file, game_file_limit(file->path), &result);
    if (bytes) {
        game_add_file(g, root, file->path, bytes, (size_t)file->file->size);
    } else {
        count_unread(g, file->path, result);
    }
    free(bytes);
}

/* u32 count; per file i64 uid, i32 length, path. */
static void read_uid_cache(game *g, uint32_t root, pack *p)
{
    const pack_file *cache = NULL;
    pack_result result;
    for (uint32_t i = 0; !cache && i < pack_count(p); i++) {
        cache = strcmp(pack_at(p, i)->name, ".godot/uid_cache.bin") == 0 ? pack_at(p, i) : NULL;
    }
    uint8_t *bytes = cache ? pack_read(p, cache, GAME_MAX_SCENE, &result) : NULL;
    size_t length = bytes ? (size_t)cache->size : 0, at = 4;
    if (cache && !bytes) {
        count_unread(g, cache->name, result);
    }
    for (uint32_t left = length >= 4 ? le32(bytes) : 0; left > 0 && length - at >= 12; left--) {
        char uid[RESOURCE_UID_SIZE];
        uint32_t size = le32(bytes + at + 8);
        resource_uid_text(le64(bytes + at), uid);
        at += 12;
        if (size > length - at) {
            break;
        }
        char *path = copy(g, "", (const char *)bytes + at, size);
        if (path && *uid && game_file_kind(path) == GAME_SCENE) {
            scene_project_add_uid(g->scenes, root, uid, path);
        } else if (path && *uid && game_file_kind(path) != GAME_NOTHING) {
            rpc_project_add_uid(g->names, root, uid, path);
        }
        at += size;
    }
    free(bytes);
}

pack_result game_add_pack(game *g, uint32_t root, pack_source source)
{
    pack_result result;
    pack *p = pack_open(source, &result);
    remap_list remaps = {NULL, 0};
    packed_list files = {NULL, 0};
    if (!p) {
        game_add_unread(g, "");
        return result;
    }
    read_uid_cache(g, root, p);
    read_remaps(g, p, &remaps);
    list_files(g, p, &remaps, &files);
    for (uint32_t i = 0; i < files.count; i++) {
        read_packed(g, root, p, &files.files[i]);
    }
    pack_close(p);
    return result;
}

bool game_is_whole(const game *g)
{
    return g->unread == 0 && !rpc_project_summary(g->names).truncated;
}

node_authority game_authority(const game *g, const char *path, node_scripts scripts)
{
    return game_is_whole(g) ? authority_of((authority_game){g->names, g->scenes, &g->authority, g->last_root},
                                           path, scripts)
                            : (node_authority){.peer = AUTHORITY_UNKNOWN};
}
