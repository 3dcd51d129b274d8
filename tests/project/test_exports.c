/* test_exports.c
 *
 * Games exported by other versions of the engine. They are not part of the repository; GODOT_EXPORTS is their
 * folder. Missing ones are skipped.
 *
 * godot-4.0.3.pck to godot-4.5.1.pck are one project, godot-4.7.2.pck is another one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "project/blob.h"
#include "project/game.h"
#include "project/scripts/gdscript_tokens.h"
#include "project/pack/resource_binary.h"

typedef struct {
    blob content;
    pack *files;
} export;

static bool open_export(const char *version, export *e)
{
    const char *folder = getenv("GODOT_EXPORTS");
    char path[512];
    pack_result result;
    snprintf(path, sizeof path, "%s/godot-%s.pck", folder ? folder : "/nonexistent", version);
    e->content = try_load(path);
    if (!e->content.bytes) {
        print_message("skipped: no %s; GODOT_EXPORTS names a folder with exported games\n", path);
        return false;
    }
    e->files = pack_open(source_of(&e->content), &result);
    assert_int_equal(result, PACK_OK);
    return true;
}

static void close_export(export *e)
{
    pack_close(e->files);
    free(e->content.bytes);
}

static bool ends(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length >= size && strcmp(name + length - size, ending) == 0;
}

/* Content with a NUL after it, to be freed; NULL if there is no such file. */
static char *content_of(const export *e, const char *name, size_t *length)
{
    pack_result result;
    for (uint32_t i = 0; i < pack_count(e->files); i++) {
        const pack_file *file = pack_at(e->files, i);
        if (strcmp(file->name, name) == 0) {
            uint8_t *bytes = pack_read(e->files, file, GAME_MAX_SCENE, &result);
            assert_int_equal(result, PACK_OK);
            *length = (size_t)file->size;
            char *text = malloc(*length + 1);
            memcpy(text, bytes, *length);
            text[*length] = 0;
            free(bytes);
            return text;
        }
    }
    return NULL;
}

/* Text of a script (converted from tokens if necessary) or of a binary scene or resource; to be freed. NULL:
 * no such file. */
static char *text_of(const export *e, const char *name)
{
    size_t length;
    output text = {.text = NULL};
    char *content = content_of(e, name, &length);
    if (!content || ends(name, ".gd")) {
        return content;
    }
    bool read =
        (ends(name, ".gdc") ? gdscript_tokens_text : resource_binary_text)((uint8_t *)content, length, &text);
    if (!read) {
        fail_msg("%s cannot be read", name);
    }
    free(content);
    char *copy = calloc(1, text.length + 1);
    memcpy(copy, text.text, text.length);
    free(text.text);
    return copy;
}

/* "res://a.gdc" of path="res://a.gdc" in X.remap, to be freed. */
static char *target_of(const export *e, const char *remap)
{
    size_t length;
    char *text = content_of(e, remap, &length), *path = strstr(text, "path=\"res://");
    assert_non_null(path);
    path += strlen("path=\"res://");
    *strchr(path, '"') = 0;
    char *target = calloc(1, strlen(path) + 1);
    memcpy(target, path, strlen(path));
    free(text);
    return target;
}

/* Text of the file that the game finds by this name. */
static char *remapped_text(const export *e, const char *name)
{
    char remap[256];
    size_t length;
    snprintf(remap, sizeof remap, "%s.remap", name);
    char *there = content_of(e, remap, &length);
    char *target = there ? target_of(e, remap) : NULL, *text = text_of(e, target ? target : name);
    free(there);
    free(target);
    return text;
}

/* The engine's own list of global classes, in its order: each script has that class_name. */
static uint32_t compare_classes(const export *e)
{
    size_t length;
    uint32_t count = 0;
    char *cache = content_of(e, ".godot/global_script_class_cache.cfg", &length);
    for (char *at = cache; at && (at = strstr(at, "\"class\": &\"")) != NULL; count++) {
        char *name = at + strlen("\"class\": &\""), *path = strstr(name, "\"path\": \"res://"), wanted[256];
        assert_non_null(path);
        path += strlen("\"path\": \"res://");
        *strchr(name, '"') = 0;
        *strchr(path, '"') = 0;
        at = path + strlen(path) + 1;
        char *text = remapped_text(e, path);
        snprintf(wanted, sizeof wanted, "class_name %s", name);
        if (!text || !strstr(text, wanted)) {
            fail_msg("%s is not in %s", wanted, path);
        }
        free(text);
    }
    free(cache);
    return count;
}

static const struct {
    const char *version;
    uint32_t scripts, scenes, remaps, classes, files; /* number of files that the game reads, including
                                                       * resources */
} exports[] = {{"4.0.3", 9, 14, 16, 8, 25},
               {"4.2.2", 10, 14, 19, 8, 29},
               {"4.3.0", 10, 14, 29, 8, 29},
               {"4.5.1", 10, 14, 29, 8, 29},
               {"4.7.2", 31, 27, 58, 7, 58}};

/* Whether the file can be read alone; counts its kind. */
static void read_file(const export *e, const char *name, uint32_t *scripts, uint32_t *scenes,
                      uint32_t *remaps)
{
    bool script = ends(name, ".gd") || ends(name, ".gdc"), scene = ends(name, ".scn");
    if (script || scene || ends(name, ".res")) {
        free(text_of(e, name));
    } else if (ends(name, ".remap")) {
        size_t length;
        char *target = target_of(e, name), *content = content_of(e, target, &length);
        assert_non_null(content);
        free(content);
        free(target);
        (*remaps)++;
    }
    *scripts += script;
    *scenes += scene;
}

/* Every script, scene, remap and class is read, without an error. */
static void everything_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exports / sizeof *exports; i++) {
        export e;
        game g;
        uint32_t scripts = 0, scenes = 0, remaps = 0;
        if (!open_export(exports[i].version, &e)) {
            continue;
        }
        for (uint32_t file = 0; file < pack_count(e.files); file++) {
            read_file(&e, pack_at(e.files, file)->name, &scripts, &scenes, &remaps);
        }
        assert_int_equal(scripts, exports[i].scripts);
        assert_int_equal(scenes, exports[i].scenes);
        assert_int_equal(remaps, exports[i].remaps);
        assert_int_equal(compare_classes(&e), exports[i].classes);
        assert_true(game_open(&g));
        assert_int_equal(game_add_pack(&g, 1, source_of(&e.content)), PACK_OK);
        game_link(&g);
        assert_int_equal(g.damaged + g.encrypted + g.left_out, 0);
        assert_int_equal(g.files, exports[i].files);
        game_close(&g);
        close_export(&e);
    }
}

/* --- one project, exported by several versions ------------------------------------------------------------------- */

/* The words of a script in order, without comments and constants: the same in a script and in its tokens. */
static char *words_of(const char *text)
{
    char *words = calloc(2, strlen(text) + 1), *out = words;
    for (const char *at = text; *at;) {
        size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        bool constant = (*at >= '0' && *at <= '9') || (length == 4 && strncmp(at, "true", 4) == 0) ||
                        (length == 5 && strncmp(at, "false", 5) == 0);
        if (length > 0 && !constant) {
            memcpy(out, at, length);
            out += length;
            *out++ = ' ';
        }
        at += length;
        if (length == 0) {
            at += *at == '#' ? strcspn(at, "\n") : *at == '"' ? 2 + strcspn(at + 1, "\"") : 1;
        }
    }
    return words;
}

/* Removes the uids that the export adds to a resource. */
static void take_out_uids(char *text)
{
    static const char uid[] = " uid=\"";
    for (char *at = text; (at = strstr(at, uid)) != NULL;) {
        const char *after = strchr(at + strlen(uid), '"') + 1;
        memmove(at, after, strlen(after) + 1);
    }
}

/* Changes by the project's authors between two versions: words of a script, text of a scene. */
typedef struct {
    const char *file, *old, *fresh;
} change;

/* Applies the changes of a file to its text; the result is to be freed. */
static char *apply(const change *changes, const char *file, char *text)
{
    for (; changes->file; changes++) {
        char *at = ends(file, changes->file) ? strstr(text, changes->old) : NULL;
        if (at) {
            char *whole = calloc(1, strlen(text) + strlen(changes->fresh) + 1);
            memcpy(whole, text, (size_t)(at - text));
            strcat(strcat(whole, changes->fresh), at + strlen(changes->old));
            free(text);
            text = whole;
        }
    }
    return text;
}

static void compare_scripts(const export *old, const export *fresh, const change *changes)
{
    static const char *const scripts[] = {"enemy/enemy.gd",       "game.gd",           "game_splitscreen.gd",
                                          "gui/coins_counter.gd", "gui/pause_menu.gd", "level/coin.gd",
                                          "level/level.gd",       "player/bullet.gd",  "player/gun.gd",
                                          "player/player.gd"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char *before = remapped_text(old, scripts[i]), *after = remapped_text(fresh, scripts[i]);
        char *words = apply(changes, scripts[i], words_of(before)), *wanted = words_of(after);
        if (strcmp(words, wanted) != 0) {
            size_t same = 0;
            while (words[same] == wanted[same]) {
                same++;
            }
            fail_msg("%s: %.80s instead of %.80s", scripts[i], words + same, wanted + same);
        }
        assert_true(strlen(words) > 50);
        free(before);
        free(after);
        free(words);
        free(wanted);
    }
}

static uint32_t compare_scenes(const export *old, const export *fresh, const change *changes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pack_count(old->files); i++) {
        const char *name = pack_at(old->files, i)->name;
        if (ends(name, ".scn")) {
            char *before = text_of(old, name), *after = text_of(fresh, name);
            take_out_uids(before);
            take_out_uids(after);
            before = apply(changes, name, before);
            assert_string_equal(before, after);
            free(before);
            free(after);
            count++;
        }
    }
    return count;
}

static void compare_versions(const char *before, const char *after, const change *changes)
{
    export old, fresh;
    if (!open_export(before, &old)) {
        skip();
    }
    if (!open_export(after, &fresh)) {
        close_export(&old);
        skip();
    }
    compare_scripts(&old, &fresh, changes);
    assert_int_equal(compare_scenes(&old, &fresh, changes), 14);
    close_export(&old);
    close_export(&fresh);
}

/* 4.2 has the scripts as text, 4.3 as tokens of version 100. */
static void tokens_say_what_the_text_said(void **state)
{
    (void)state;
    static const change changes[] = {
        {"player/player.gd", "gun sprite get_node as Gun", "gun Gun sprite get_node"},
        {"-level.scn", "name=\"TileMap\" type=\"TileMap\"", "name=\"TileMapLayer\" type=\"TileMapLayer\""},
        {NULL, NULL, NULL}};
    compare_versions("4.2.2", "4.3.0", changes);
}

/* Version 100 and 101. */
static void tokens_of_both_versions_say_the_same(void **state)
{
    (void)state;
    static const change changes[] = {
        {"game.gd", "_unhandled_input event", "_unhandled_input input_event"},
        {"game.gd", "void if event is_action_pressed", "void if input_event is_action_pressed"},
        {"game.gd", "elif event", "elif input_event"},
        {"player/player.gd", "signal coin_collected", "warning_ignore signal coin_collected"},
        {"player/player.gd", "action_suffix var gravity", "action_suffix String var gravity"},
        {"player/player.gd", "_double_jump_charged func", "_double_jump_charged bool func"},
        {"player/player.gd", "var is_shooting", "var is_shooting bool"},
        {"player/player.gd", "get_new_animation is_shooting String",
         "get_new_animation is_shooting bool String"},
        {NULL, NULL, NULL}};
    compare_versions("4.3.0", "4.5.1", changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(tokens_say_what_the_text_said),
        cmocka_unit_test(tokens_of_both_versions_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
