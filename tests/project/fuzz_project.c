/* fuzz_project.c
 *
 * Hostile source files: the input is a project, its files separated by NUL characters, with the language in
 * the first byte of each. Reading stays within the limits, and every list that is found can be read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "project/game.h"
#include "project/scripts/rpc_names.h"
#include "project/scenes/lookup.h"

static const scene_counts any_counts = {0, UINT32_MAX, SCENE_UNKNOWN};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The whole input as one scene file, and questions that it might answer. */
static void read_scene(const uint8_t *data, size_t size)
{
    char parent[SCENE_MAX_PATH];
    scene_project *scenes = scene_project_new();
    if (!scenes) {
        return;
    }
    scene_project_add_script(scenes, (const char *)data, size);
    scene_project_add(scenes, &(source_file){0, "res://a.tscn", {(const char *)data, size}}, NULL);
    scene_project_add(scenes, &(source_file){0, "res://b.tscn", {(const char *)data, size / 2}}, NULL);
    scene_project_link(scenes);
    const scene_shown_node spawner = {.path = "Main/Spawner"};
    for (int list = SCENE_SPAWN; list <= SCENE_ON_CHANGE; list++) {
        const char *inside;
        scene_shown_synchronizer which = {.at = {.path = "Main/Sync"}, .list = (scene_list)list};
        which.counts = any_counts;
        scene_project_properties(scenes, &which, NULL);
        which.at.scene = "res://a.tscn";
        which.at.inside = "Sync";
        scene_project_properties(scenes, &which, NULL);
        which.at.path = NULL;
        which.announcement = (scene_announcement){1, 2};
        which.number = 1;
        scene_project_properties(scenes, &which, &inside);
    }
    scene_project_spawned(scenes, &spawner, 1);
    if (scene_project_spawn_parent(scenes, &spawner, parent) && strlen(parent) >= sizeof parent) {
        abort();
    }
    for (uint32_t count = 0; count < 4; count++) {
        uint32_t first = scene_project_announced(scenes, "res://b.tscn", (scene_announcement){count, 2});
        if (first != SCENE_UNKNOWN && first + count > SCENE_MAX_SYNCHRONIZERS) {
            abort();
        }
    }
    scene_project_free(scenes);
}

/* The whole input as the files of a game, and the authority of some nodes. */
static void read_game(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"res://project.godot", "res://0.gd", "res://a.tscn", "res://1.cs"};
    static const char *const paths[] = {"Main", "Main/Player/7/Sync", "Net", "/", "Main//A"};
    const char *const scripts[] = {"res://0.gd", "res://a.tscn::1", "res://1.cs"};
    game g;
    if (!game_open(&g)) {
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        game_add_file(&g, 0, files[i], data, size);
    }
    game_link(&g);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        node_authority found = game_authority(&g, paths[i], (node_scripts){scripts, 3, i % 2 == 0});
        if (found.peer < 0 || (found.peer > AUTHORITY_SERVER && !found.path)) {
            abort();
        }
    }
    game_close(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rpc_project *project = rpc_project_new();
    const uint8_t *end = data + size;
    uint32_t others;
    read_scene(data, size);
    read_game(data, size);
    if (!project) {
        return 0;
    }
    for (int file = 0; data < end && file < 16; file++) {
        char path[32];
        const uint8_t *nul = memchr(data, 0, (size_t)(end - data)), *stop = nul ? nul : end;
        if (stop > data && (*data & 3) == 3) {
            char *names = calloc((size_t)(stop - data) + 1, 1);
            memcpy(names, data, (size_t)(stop - data));
            rpc_project_add_list(project, "by hand", names, names);
            rpc_project_add_uid(project, 0, names, "res://0.gd");
            free(names);
        } else if (stop > data) {
            rpc_language language = *data & 1 ? RPC_CSHARP : RPC_GDSCRIPT;
            snprintf(path, sizeof path, "res://%d.gd", file);
            rpc_project_add_source(
                project, language,
                &(source_file){*data >> 7, path, {(const char *)data + 1, (size_t)(stop - data) - 1}});
        }
        data = nul ? nul + 1 : end;
    }
    rpc_project_link(project);
    rpc_summary summary = rpc_project_summary(project);
    if (summary.classes > RPC_MAX_CLASSES || summary.lists > RPC_MAX_LISTS) {
        abort();
    }
    rpc_project_method(project, "acbd8eddcece1cfd8f1c5c8060f76dd0", 3);
    rpc_project_declares(project, "a", &others);
    rpc_project_free(project);
    return 0;
}
