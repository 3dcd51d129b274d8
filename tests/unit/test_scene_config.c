/* test_scene_config.c
 *
 * Replication configurations from scene files, as the editors of 4.0 and 4.6 write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scene_config.h"

static const char player[] =
    "[gd_scene load_steps=3 format=3 uid=\"uid://player1\"]\n\n"
    "[sub_resource type=\"SceneReplicationConfig\" id=\"Rep_1\"]\n"
    "properties/0/path = NodePath(\".:position\")\nproperties/0/spawn = true\nproperties/0/replication_mode "
    "= 1\n"
    "properties/1/path = NodePath(\"Body:rotation\")\nproperties/1/spawn = "
    "false\nproperties/1/replication_mode = 1\n"
    "properties/2/path = NodePath(\".:hp\")\nproperties/2/spawn = true\nproperties/2/replication_mode = 2\n\n"
    "[node name=\"Player\" type=\"Node2D\"]\n\n"
    "[node name=\"Sync\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
    "replication_config = SubResource(\"Rep_1\")\n";
static const char old[] =
    "[gd_scene format=3]\n[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n"
    "properties/0/path = NodePath(\".:a\")\nproperties/0/spawn = true\nproperties/0/sync = true\n"
    "properties/1/path = NodePath(\".:b\")\nproperties/1/spawn = true\nproperties/1/sync = false\n"
    "properties/1/watch = true\n"
    "[node name=\"Old\" type=\"Node\"]\n[node name=\"Sync\" type=\"MultiplayerSynchronizer\" "
    "parent=\"Deep\"]\n"
    "replication_config = SubResource(\"1\")\n";
static const char world[] = "[gd_scene format=3]\n[node name=\"Main\" type=\"Node\"]\n"
                            "[node name=\"Spawner\" type=\"MultiplayerSpawner\" parent=\"World\"]\n"
                            "_spawnable_scenes = PackedStringArray(\"uid://player1\", "
                            "\"res://old.tscn\")\nspawn_path = NodePath(\"..\")\n";

static scene_project *project;

static void add(const char *path, const char *text)
{
    size_t length = strlen(text);
    char *bare = malloc(length ? length : 1); /* no NUL behind it */
    memcpy(bare, text, length);
    scene_project_add(project, 0, path, bare, length);
    free(bare);
}

static int set_up(void **state)
{
    (void)state;
    project = scene_project_new();
    return project == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    scene_project_free(project);
    return 0;
}

static void lists(void **state)
{
    (void)state;
    const char *names[8];
    add("res://player.tscn", player);
    add("res://old.tscn", old);
    scene_project_link(project);
    assert_int_equal(scene_project_properties(project, "Main/Anybody/Sync", SCENE_ALWAYS, names, 8), 2);
    assert_string_equal(names[0], "position");
    assert_string_equal(names[1], "Body:rotation");
    assert_int_equal(scene_project_spawned_properties(project, "res://player.tscn", SCENE_SPAWN, names, 8),
                     2);
    assert_string_equal(names[1], "hp");
    assert_int_equal(scene_project_properties(project, "Main/X/Sync", SCENE_ON_CHANGE, names, 1), 1);
    /* "Deep/Sync" may be either scene's: they do not agree. */
    assert_int_equal(scene_project_properties(project, "Main/Old/Deep/Sync", SCENE_ALWAYS, names, 8), 0);
    assert_int_equal(scene_project_spawned_properties(project, "res://old.tscn", SCENE_ALWAYS, names, 8), 1);
    assert_string_equal(names[0], "a");
    assert_int_equal(scene_project_spawned_properties(project, "res://old.tscn", SCENE_ON_CHANGE, names, 8),
                     1);
    assert_string_equal(names[0], "b");
    assert_int_equal(scene_project_properties(project, "Main/Other", SCENE_ALWAYS, names, 8), 0);
    assert_int_equal(scene_project_properties(project, "Sync", SCENE_ALWAYS, names, 8), 0);
}

static void spawners(void **state)
{
    (void)state;
    add("res://player.tscn", player);
    add("res://old.tscn", old);
    add("res://world.tscn", world);
    scene_project_link(project);
    assert_string_equal(scene_project_spawned(project, "Main/World/Spawner", 0), "res://player.tscn");
    assert_string_equal(scene_project_spawned(project, "Main/World/Spawner", 1), "res://old.tscn");
    assert_null(scene_project_spawned(project, "Main/World/Spawner", 2));
    assert_null(scene_project_spawned(project, "Main/Spawner", 0));
}

static void two_in_a_scene(void **state)
{
    (void)state;
    const char *names[8];
    char both[4096];
    strcpy(both, player);
    strcat(both, "[node name=\"Sync2\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
                 "replication_config = SubResource(\"missing\")\n");
    add("res://player.tscn", both);
    scene_project_link(project);
    assert_int_equal(scene_project_spawned_properties(project, "res://player.tscn", SCENE_ALWAYS, names, 8),
                     0);
    assert_int_equal(scene_project_properties(project, "Main/P/Sync2", SCENE_ALWAYS, names, 8), 0);
}

static void hostile(void **state)
{
    (void)state;
    const char *names[8];
    for (size_t cut = 0; cut <= strlen(player); cut++)
        scene_project_add(project, 0, "res://cut.tscn", player, cut);
    add("res://a.tscn",
        "[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\nproperties/5/path = 1\n"
        "properties/99999999999/path = NodePath(\"x\")\nproperties/0/path = \"\nproperties/\n"
        "[node name=\"A\" type=\"MultiplayerSynchronizer\"]\nreplication_config = SubResource(\"1\")\n"
        "replication_config = SubResource(\"1\")\n[node name=\"B\" type=\"MultiplayerSpawner\"\n"
        "_spawnable_scenes = \"\"\n_spawnable_scenes = \"\n[");
    scene_project_link(project);
    assert_int_equal(scene_project_properties(project, "R/A", SCENE_ALWAYS, names, 8), 0);
    assert_null(scene_project_spawned(project, "R/B", 0));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(lists), TEST(spawners), TEST(two_in_a_scene), TEST(hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
