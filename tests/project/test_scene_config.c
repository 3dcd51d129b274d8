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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#include <psapi.h>
#else
#include <sys/resource.h>
#endif
#include <cmocka.h>

#include "project/scenes/lookup.h"

static const scene_counts any_counts = {0, UINT32_MAX, SCENE_UNKNOWN};

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

enum { ROOM = 8 }; /* names of an answer that are looked at */

/* Copies the names of an answer, and returns their number. */
static uint32_t names_in(scene_name_list answer, const char *names[ROOM])
{
    for (uint32_t i = 0; answer.count != SCENE_UNKNOWN && i < answer.count && i < ROOM; i++) {
        names[i] = answer.names[i];
    }
    return answer.count;
}

/* Names of a synchronizer's properties, by its path alone; 0: not certain. */
static uint32_t properties_at(const scene_project *p, const char *path, scene_list list, scene_counts counts,
                              const char *names[ROOM])
{
    const scene_shown_synchronizer which = {.at.path = path, .list = list, .counts = counts};
    uint32_t count = names_in(scene_project_properties(p, &which, NULL), names);
    return count == SCENE_UNKNOWN ? 0 : count;
}

/* Of synchronizer `number` of a spawned scene. */
static uint32_t spawned_properties(const scene_project *p, const char *scene, scene_announcement announcement,
                                   uint32_t number, scene_list list, const char **names)
{
    const scene_shown_synchronizer which = {
        .at.scene = scene, .list = list, .announcement = announcement, .number = number};
    uint32_t count = names_in(scene_project_properties(p, &which, NULL), names);
    return count == SCENE_UNKNOWN ? 0 : count;
}

static const char *spawned(const scene_project *p, const char *path, uint32_t index)
{
    return scene_project_spawned(p, &(scene_shown_node){.path = path}, index);
}

static bool spawn_parent(const scene_project *p, const char *path, char parent[SCENE_MAX_PATH])
{
    return scene_project_spawn_parent(p, &(scene_shown_node){.path = path}, parent);
}

static void add(const char *path, const char *text)
{
    size_t length = strlen(text);
    char *bare = malloc(length ? length : 1); /* no NUL after it */
    memcpy(bare, text, length);
    scene_project_add(project, &(source_file){0, path, {bare, length}}, NULL);
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
    const char *names[ROOM];
    add("res://player.tscn", player);
    add("res://old.tscn", old);
    scene_project_link(project);
    assert_int_equal(properties_at(project, "Main/Anybody/Sync", SCENE_ALWAYS, any_counts, names), 2);
    assert_string_equal(names[0], "position");
    assert_string_equal(names[1], "Body:rotation");
    assert_int_equal(
        spawned_properties(project, "res://player.tscn", (scene_announcement){1, 2}, 0, SCENE_SPAWN, names),
        2);
    assert_string_equal(names[1], "hp");
    assert_int_equal(properties_at(project, "Main/X/Sync", SCENE_ON_CHANGE, any_counts, names), 1);
    /* "Deep/Sync" may be in either scene, and these differ, but for one whose root has that name. */
    assert_int_equal(properties_at(project, "Main/Old/Deep/Sync", SCENE_ALWAYS, any_counts, names), 1);
    assert_string_equal(names[0], "a");
    assert_int_equal(properties_at(project, "Main/Any/Deep/Sync", SCENE_ALWAYS, any_counts, names), 0);
    /* It belongs to Deep, not to the scene itself: it is not announced when the scene is spawned. */
    assert_int_equal(scene_project_announced(project, "res://old.tscn", (scene_announcement){1, 2}),
                     SCENE_UNKNOWN);
    assert_int_equal(
        spawned_properties(project, "res://old.tscn", (scene_announcement){1, 2}, 0, SCENE_ALWAYS, names), 0);
    assert_int_equal(properties_at(project, "Main/Other", SCENE_ALWAYS, any_counts, names), 0);
    assert_int_equal(properties_at(project, "Sync", SCENE_ALWAYS, any_counts, names), 0);
}

/* A scene that was moved: the uid of its instance is the right one, the path beside it is that of before. */
static void instance_by_uid(void **state)
{
    (void)state;
    const char *names[ROOM];
    add("res://characters/player.tscn", player);
    add("res://old.tscn", old);
    add("res://main.tscn",
        "[gd_scene format=3]\n"
        "[ext_resource type=\"PackedScene\" uid=\"uid://player1\" path=\"res://old.tscn\" id=\"1\"]\n"
        "[node name=\"Main\" type=\"Node\"]\n"
        "[node name=\"Hero\" parent=\".\" instance=ExtResource(\"1\")]\n");
    scene_project_link(project);
    assert_int_equal(properties_at(project, "Main/Hero/Sync", SCENE_ALWAYS, any_counts, names), 2);
    assert_string_equal(names[1], "Body:rotation");
    assert_int_equal(properties_at(project, "Main/Hero/Deep/Sync", SCENE_ALWAYS, any_counts, names), 0);
}

/* Synchronizers at one path, in different scenes that agree; their number is limited. */
static void scenes_with_one_path(void **state)
{
    (void)state;
    enum { MOST = 256 };
    const char *names[ROOM];
    for (int more = 0; more < 2; more++) {
        scene_project_free(project);
        project = scene_project_new();
        for (int i = 0; i < MOST + more; i++) {
            char path[32];
            snprintf(path, sizeof path, "res://player%d.tscn", i);
            add(path, player);
        }
        scene_project_link(project);
        assert_int_equal(properties_at(project, "Main/Anybody/Sync", SCENE_ALWAYS, any_counts, names),
                         more ? 0 : 2);
    }
}

static void spawners(void **state)
{
    (void)state;
    add("res://player.tscn", player);
    add("res://old.tscn", old);
    add("res://world.tscn", world);
    scene_project_link(project);
    assert_string_equal(spawned(project, "Main/World/Spawner", 0), "res://player.tscn");
    assert_string_equal(spawned(project, "Main/World/Spawner", 1), "res://old.tscn");
    assert_null(spawned(project, "Main/World/Spawner", 2));
    assert_null(spawned(project, "Main/Spawner", 0));
}

static void places(void **state)
{
    (void)state;
    static const struct {
        const char *target, *parent; /* parent NULL: not certain */
    } cases[] = {
        {"..", "Main/World"},
        {"../Units", "Main/World/Units"},
        {"../../Units/Far", "Main/Units/Far"},
        {".", "Main/World/Spawner"},
        {"./In", "Main/World/Spawner/In"},
        {"", NULL},
        {"../..", "Main"},
        {"../../..", NULL},
        {"../../../Other", NULL},
        {"/root/Main/Units", "Main/Units"},
        {"/root/Other/Units", NULL},
        {"/root/Mainly/Units", NULL},
        {"/root", NULL},
        {"/Main", NULL},
        {"%Store", "Main/Shop/Store"},
        {"%Store/Shelf", "Main/Shop/Store/Shelf"},
        {"%Other", NULL},
        {"../%Store", NULL},
        {"..:x", NULL},
        {"..//X", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], parent[SCENE_MAX_PATH];
        scene_project *one = scene_project_new();
        snprintf(text, sizeof text,
                 "[node name=\"Main\" type=\"Node\"]\n[node name=\"Store\" type=\"Node\" parent=\"Shop\"]\n"
                 "unique_name_in_owner = true\n[node name=\"Spawner\" type=\"MultiplayerSpawner\" "
                 "parent=\"World\"]\nspawn_path = NodePath(\"%s\")\n",
                 cases[i].target);
        scene_project_add(one, &(source_file){0, "res://main.tscn", {text, strlen(text)}}, NULL);
        scene_project_link(one);
        bool found = spawn_parent(one, "Main/World/Spawner", parent);
        assert_int_equal(found, cases[i].parent != NULL);
        if (found) {
            assert_string_equal(parent, cases[i].parent);
        }
        scene_project_free(one);
    }
}

/* Damaged: name and class of the root are those of the first section with a name. */
static void roots_without_a_name(void **state)
{
    (void)state;
    add("res://damaged.tscn", "[gd_scene format=3]\n[node type=\"Node2D\"]\n[node type=\"Node3D\"]\n"
                              "[node name=\"Main\" type=\"Node\"]\n[node name=\"Other\" type=\"Label\"]\n");
    scene_project_link(project);
}

/* What one scene sets may be changed by another one or by a script. */
static void places_that_are_not_certain(void **state)
{
    (void)state;
    static const char heir[] = "[gd_scene]\n[ext_resource type=\"PackedScene\" path=\"res://world.tscn\" "
                               "id=\"1\"]\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n"
                               "[node name=\"Spawner\" parent=\"World\"]\n"
                               "spawn_path = NodePath(\"../Other\")\n";
    static const struct {
        const char *script;
        bool certain;
    } scripts[] = {
        {"var x = spawner.spawn_path\nif spawn_path == x: pass", true},
        {"$Spawner.spawn_path = ^\"..\"", false},
        {"$Spawner.set_spawn_path(x)", false},
        {"$Spawner.set(\"spawn_path\", x)", false},
        {"GetNode<MultiplayerSpawner>(\"S\").SpawnPath\t= \"..\";", false},
        {"SpawnPath", true},
        {"spawn_pat", true},
        /* Another node, or one that is in no scene. */
        {"$Other.spawn_path = x\n%More.spawn_path = x\n$A/B.spawn_path = x", true},
        {"$A/Spawner.spawn_path = x", false},
        {"%Spawner.spawn_path = x", false},
        {"get_node(\"Other\").spawn_path = x", false},
        {"$Other.get_child(0).spawn_path = x", false},
        {"$\"Other\".spawn_path = x", false},
        {"$Other.x.spawn_path = x", false},
        {"var s = $Other\ns.spawn_path = x", true},
        {"@onready var s: MultiplayerSpawner = $A/Other as Node # $Spawner\nfunc f():\n\ts.spawn_path = x",
         true},
        {"var s:=MultiplayerSpawner.new();s.spawn_path=x", true},
        {"var s = $Spawner\ns.spawn_path = x", false},
        {"var s = $Other if x else $Spawner\ns.spawn_path = x", false},
        {"var s = MultiplayerSpawner.new() if x else $Spawner\ns.spawn_path = x", false},
        {"var s = $Other\ns = y\ns.spawn_path = x", false},
        {"var s = $Other\nfunc f(a, s):\n\ts.spawn_path = x", false},
        {"var s = $Other\nfunc f():\n\tfor s in y:\n\t\ts.spawn_path = x", false},
        {"s.spawn_path = x", false},
        {"var ss = $Other\ns.spawn_path = x", false},
        /* Its own root: this spawner has no script. */
        {"extends MultiplayerSpawner\nfunc f():\n\tspawn_path = x\n\tself.spawn_path = x", true},
    };
    char parent[SCENE_MAX_PATH];
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        scene_project *one = scene_project_new();
        scene_project_add(one, &(source_file){0, "res://world.tscn", {world, strlen(world)}}, NULL);
        scene_project_add_script(one, scripts[i].script, strlen(scripts[i].script));
        scene_project_link(one);
        assert_int_equal(spawn_parent(one, "Main/World/Spawner", parent), scripts[i].certain);
        scene_project_free(one);
    }
    static const char *const clearing[] = {"$S.clear_spawnable_scenes()", "s.ClearSpawnableScenes();"};
    for (size_t i = 0; i < 2; i++) {
        scene_project *one = scene_project_new();
        scene_project_add(one, &(source_file){0, "res://world.tscn", {world, strlen(world)}}, NULL);
        scene_project_link(one);
        assert_non_null(spawned(one, "Main/World/Spawner", 1));
        scene_project_add_script(one, clearing[i], strlen(clearing[i]));
        assert_null(spawned(one, "Main/World/Spawner", 1));
        scene_project_free(one);
    }
    add("res://world.tscn", world);
    add("res://old.tscn", old);
    add("res://heir.tscn", heir);
    scene_project_link(project);
    assert_true(spawn_parent(project, "Main/World/Spawner", parent)); /* the other has another name */
    static const char *const changed[] = {"Heir/World/Spawner", "Main/Heir/World/Spawner",
                                          "Any/World/Spawner"};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        assert_false(spawn_parent(project, changed[i], parent));
        assert_string_equal(spawned(project, changed[i], 1), "res://old.tscn");
    }
}

/* Spawners and synchronizers that all have the name that the editor gives them: one for each of `DEFAULTS`, in
 * a scene of this root's name, which lists res://NAME.tscn and sends NAME. `contains`: further nodes. */
static void add_default(const char *name, const char *contains)
{
    char text[2048], path[64];
    snprintf(path, sizeof path, "res://of_%s.tscn", name);
    snprintf(text, sizeof text,
             "[gd_scene]\n%s[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n"
             "properties/0/path = NodePath(\".:%s\")\nproperties/0/spawn = true\n"
             "properties/0/replication_mode = 1\n[node name=\"%s\" type=\"Node\"]\n"
             "[node name=\"MultiplayerSpawner\" type=\"MultiplayerSpawner\" parent=\".\"]\n"
             "_spawnable_scenes = PackedStringArray(\"res://%s.tscn\")\nspawn_path = NodePath(\"../In%s\")\n"
             "[node name=\"MultiplayerSynchronizer\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
             "replication_config = SubResource(\"1\")\n%s",
             *contains ? "[ext_resource type=\"PackedScene\" path=\"res://of_Cave.tscn\" id=\"c\"]\n" : "",
             name, name, name, name, contains);
    add(path, text);
}

#define CAVE_IN(parent) "[node name=\"Deep\" parent=\"" parent "\" instance=ExtResource(\"c\")]\n"

static void default_names(void **state)
{
    (void)state;
    static const struct {
        scene_shown_node at;
        const char *whose, *parent; /* `whose` NULL: not certain */
    } cases[] = {
        {{.path = "Main/%s"}, "Main", "Main/InMain"},
        {{.path = "Main/Deep/%s"}, "Cave", "Main/Deep/InCave"},
        {{.path = "Main/Level/%s"}, "Level", "Main/Level/InLevel"}, /* added by a script */
        {{.path = "Main/Level/Room/Deep/%s"}, "Cave", "Main/Level/Room/Deep/InCave"},
        {{.path = "Main/X/Y/Level/%s"}, "Level", "Main/X/Y/Level/InLevel"},
        {{.path = "Net/%s"}, "Net_root", "Net/InNet_root"}, /* an autoload */
        {{.path = "Main/Other/%s"}, NULL, NULL},
        {{.path = "Other/%s"}, NULL, NULL},
        {{.path = "%s"}, NULL, NULL},
        {{.path = "Main/Any/%s", .scene = "res://of_Cave.tscn", .inside = "%s"}, "Cave", "Main/Any/InCave"},
        {{.path = "Main/Level/%s", .scene = "res://of_Cave.tscn", .inside = "%s"},
         "Cave",
         "Main/Level/InCave"},
        {{.path = "Main/Any/Deep/%s", .scene = "res://of_Main.tscn", .inside = "Deep/%s"},
         "Cave",
         "Main/Any/Deep/InCave"},
        {{.path = "Main/Any/None/%s", .scene = "res://of_Main.tscn", .inside = "None/%s"}, NULL, NULL},
    };
    add_default("Main", CAVE_IN("."));
    add_default("Cave", "");
    add_default("Level", CAVE_IN("Room"));
    add_default("Net_root", "");
    scene_project_add_autoload(project, 0, "Net", "res://of_Net_root.tscn");
    scene_project_add_autoload(project, 0, "Level", "res://level.gd"); /* a script */
    scene_project_link(project);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[256], inside[256], scene[64], parent[SCENE_MAX_PATH];
        const char *names[ROOM];
        scene_shown_synchronizer which = {.at = cases[i].at, .list = SCENE_ALWAYS, .counts = any_counts};
        which.at.path = path;
        which.at.inside = cases[i].at.inside ? inside : NULL;
        snprintf(path, sizeof path, cases[i].at.path, "MultiplayerSynchronizer");
        snprintf(inside, sizeof inside, cases[i].at.inside ? cases[i].at.inside : "%s",
                 "MultiplayerSynchronizer");
        uint32_t count = names_in(scene_project_properties(project, &which, NULL), names);
        snprintf(path, sizeof path, cases[i].at.path, "MultiplayerSpawner");
        snprintf(inside, sizeof inside, cases[i].at.inside ? cases[i].at.inside : "%s", "MultiplayerSpawner");
        const char *listed = scene_project_spawned(project, &which.at, 0);
        assert_int_equal(scene_project_spawn_parent(project, &which.at, parent), cases[i].whose != NULL);
        assert_int_equal(count, cases[i].whose ? 1 : SCENE_UNKNOWN);
        if (cases[i].whose) {
            snprintf(scene, sizeof scene, "res://%s.tscn", cases[i].whose);
            assert_string_equal(listed, scene);
            assert_string_equal(parent, cases[i].parent);
            assert_string_equal(names[0], cases[i].whose);
        } else {
            assert_null(listed);
        }
    }
}

/* Scenes whose roots have the same name have to agree; their number is limited. */
static void roots_of_one_name(void **state)
{
    (void)state;
    for (int more = 0; more < 3; more++) {
        scene_project_free(project);
        project = scene_project_new();
        for (int i = 0; i < 256 + (more == 1); i++) {
            add("res://world.tscn", world);
        }
        add_default("Other", "");
        if (more == 2) {
            add("res://other.tscn", "[node name=\"Main\" type=\"Node\"]\n[node name=\"Spawner\" "
                                    "type=\"MultiplayerSpawner\" parent=\"World\"]\n");
        }
        scene_project_link(project);
        const char *found = spawned(project, "Main/World/Spawner", 0);
        assert_int_equal(found != NULL, more == 0);
    }
}

static void many_roots_of_one_name(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    for (int more = 0; more < 2; more++) {
        scene_project_free(project);
        project = scene_project_new();
        add("res://world.tscn", world);
        for (int i = 1; i < MOST + more; i++) {
            add("res://main.tscn", "[node name=\"Main\" type=\"Node\"]\n");
        }
        scene_project_link(project);
        assert_int_equal(spawned(project, "Main/World/Spawner", 0) != NULL, more == 0);
    }
}

/* More settings than are read. */
static void too_many_settings(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* %d: a number */
        int most;
    } kinds[] = {{"$N%d.spawn_path = x\n", 64}, {"s = $N%d\n", 256}, {"s = $N # %d\n", 1000}};
    for (size_t kind = 0; kind < 3; kind++) {
        for (int more = 0; more < 2; more++) {
            char text[32768], parent[SCENE_MAX_PATH];
            size_t used = (size_t)sprintf(text, "%s", kind ? "s.spawn_path = x\n" : "");
            for (int i = kind == 2 ? 2 : 0; i < kinds[kind].most + more; i++) {
                used += (size_t)sprintf(text + used, kinds[kind].text, i);
            }
            scene_project *one = scene_project_new();
            scene_project_add(one, &(source_file){0, "res://world.tscn", {world, strlen(world)}}, NULL);
            scene_project_add_script(one, text, used);
            scene_project_link(one);
            assert_int_equal(spawn_parent(one, "Main/World/Spawner", parent), !more);
            scene_project_free(one);
        }
    }
}

/* One that is a scene itself; one of several with the same name, found by the main scene or by the number of
 * its properties. */
static void synchronizers_by_their_path(void **state)
{
    (void)state;
    static const char sync[] = "[gd_scene]\n[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n"
                               "properties/0/path = NodePath(\".:x\")\nproperties/0/replication_mode = 1\n"
                               "[node name=\"Sync\" type=\"MultiplayerSynchronizer\"]\n"
                               "replication_config = SubResource(\"1\")\n";
    static const char level[] =
        "[gd_scene]\n[ext_resource type=\"PackedScene\" path=\"res://sync.tscn\" id=\"1\"]\n"
        "[ext_resource type=\"PackedScene\" path=\"res://player.tscn\" id=\"2\"]\n"
        "[node name=\"Level\" type=\"Node\"]\n"
        "[node name=\"Sync\" parent=\".\" instance=ExtResource(\"1\")]\n"
        "[node name=\"Me\" parent=\".\" instance=ExtResource(\"2\")]\n%s";
    static const char changed[] = "[node name=\"Sync\" parent=\"Me\"]\nreplication_config = null\n";
    const char *names[ROOM];
    for (int change = 0; change < 2; change++) {
        char text[2048];
        scene_project *one = scene_project_new();
        snprintf(text, sizeof text, level, change ? changed : "");
        scene_project_add(one, &(source_file){0, "res://player.tscn", {player, strlen(player)}}, NULL);
        scene_project_add(one, &(source_file){0, "res://sync.tscn", {sync, strlen(sync)}}, NULL);
        scene_project_add(one, &(source_file){0, "res://level.tscn", {text, strlen(text)}}, NULL);
        scene_project_link(one);
        assert_int_equal(
            properties_at(one, "Level/Sync", SCENE_ALWAYS, (scene_counts){0, 9, SCENE_UNKNOWN}, names), 1);
        assert_string_equal(names[0], "x");
        uint32_t found =
            properties_at(one, "Level/Me/Sync", SCENE_ALWAYS, (scene_counts){0, 9, SCENE_UNKNOWN}, names);
        assert_int_equal(found, change ? 0 : 2);
        /* At another path, either is possible, unless the number of values differs. */
        assert_int_equal(
            properties_at(one, "Other/A/Sync", SCENE_ALWAYS, (scene_counts){0, 9, SCENE_UNKNOWN}, names), 0);
        found = properties_at(one, "Other/A/Sync", SCENE_ALWAYS, (scene_counts){2, 2, SCENE_UNKNOWN}, names);
        assert_int_equal(found, 2);
        assert_int_equal(
            properties_at(one, "Other/A/Sync", SCENE_ALWAYS, (scene_counts){3, 3, SCENE_UNKNOWN}, names), 0);
        scene_project_free(one);
    }
}

/* One inherited by the scene with the path's first name, though another scene has one at the same path. */
static void synchronizers_that_are_inherited(void **state)
{
    (void)state;
    static const char other[] = "[gd_scene]\n[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n"
                                "properties/0/path = NodePath(\".:x\")\nproperties/0/replication_mode = 1\n"
                                "[node name=\"Other\" type=\"Node\"]\n"
                                "[node name=\"Sync\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
                                "replication_config = SubResource(\"1\")\n";
    const char *names[ROOM];
    add("res://player.tscn", player);
    add("res://other.tscn", other);
    add("res://hero.tscn",
        "[gd_scene]\n[ext_resource type=\"PackedScene\" path=\"res://player.tscn\" id=\"1\"]\n"
        "[node name=\"Hero\" instance=ExtResource(\"1\")]\n");
    scene_project_link(project);
    assert_int_equal(properties_at(project, "Hero/Sync", SCENE_ALWAYS, any_counts, names), 2);
    assert_string_equal(names[0], "position");
    assert_int_equal(properties_at(project, "Nobody/Sync", SCENE_ALWAYS, any_counts, names), 0);
}

/* A configuration shared by several scenes. */
static void configurations_in_files(void **state)
{
    (void)state;
    static const char config[] = "[gd_resource type=\"SceneReplicationConfig\" format=3]\n\n[resource]\n"
                                 "properties/0/path = NodePath(\".:x\")\nproperties/0/replication_mode = 1\n";
    static const char level[] =
        "[gd_scene]\n[ext_resource type=\"SceneReplicationConfig\" path=\"res://config.tres\" id=\"1\"]\n"
        "[node name=\"Level\" type=\"Node\"]\n"
        "[node name=\"Sync\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
        "replication_config = ExtResource(\"1\")\n";
    const char *names[ROOM];
    for (uint32_t root = 0; root < 2; root++) { /* one of another project is not used */
        scene_project *one = scene_project_new();
        scene_project_add_resource(one, &(source_file){root, "res://config.tres", {config, strlen(config)}},
                                   NULL);
        scene_project_add(one, &(source_file){0, "res://level.tscn", {level, strlen(level)}}, NULL);
        scene_project_link(one);
        uint32_t found =
            properties_at(one, "Level/Sync", SCENE_ALWAYS, (scene_counts){0, 9, SCENE_UNKNOWN}, names);
        assert_int_equal(found, root == 0);
        scene_project_free(one);
    }
}

static void scenes_that_are_not_certain(void **state)
{
    (void)state;
    char parent[SCENE_MAX_PATH];
    add("res://world.tscn", world);
    add("res://main.tscn", "[ext_resource type=\"PackedScene\" path=\"res://world.tscn\" id=\"1\"]\n"
                           "[node name=\"Main\" type=\"Node\"]\n[node name=\"Level\" parent=\".\" "
                           "instance=ExtResource(\"1\")]\n[node name=\"Spawner\" parent=\"Level/World\"]\n"
                           "_spawnable_scenes = PackedStringArray(\"res://other.tscn\")\n");
    scene_project_link(project);
    assert_null(spawned(project, "Main/Level/World/Spawner", 1));
    assert_true(spawn_parent(project, "Main/Level/World/Spawner", parent));
    assert_string_equal(parent, "Main/Level/World");
}

/* Two properties, the second sent at spawning only if `second` is "true". */
#define CONFIG(id, a, b, second)                                                                             \
    "[sub_resource type=\"SceneReplicationConfig\" id=\"" id "\"]\nproperties/0/path = NodePath(\".:" a      \
    "\")\nproperties/0/spawn = true\nproperties/0/replication_mode = 1\nproperties/1/path = NodePath(\".:" b \
    "\")\nproperties/1/spawn = " second "\nproperties/1/replication_mode = 2\n"
#define NODE(name, parent) "[node name=\"" name "\" type=\"Node\" parent=\"" parent "\"]\n"
#define ROOT               "[node name=\"R\" type=\"Node\"]\n"
#define SYNC(name, parent, rest)                                                                             \
    "[node name=\"" name "\" type=\"MultiplayerSynchronizer\" parent=\"" parent "\"" rest
#define USE(id) "]\nreplication_config = SubResource(\"" id "\")\n"

/* In the order of the tree: Z with one value at spawning, M with two, A with one. Own is not the root's, No
 * is part of a text. */
static const char several[] = "[gd_scene]\n" CONFIG("1", "a", "x", "false") CONFIG("2", "b", "y", "true")
    CONFIG("3", "c", "z", "false") ROOT "text = \"a \\\" string\n" SYNC(
        "No", ".", "]\n") "\"\n"
                          "; \" a comment\n" NODE("Body", ".")
                              SYNC("Z", "Body", USE("1")) "root_path = NodePath(\"../..\")\n" SYNC(
                                  "Own", "Body", USE("2")) SYNC("M", ".", USE("2")) SYNC("A", ".", USE("3"));

static void several_synchronizers(void **state)
{
    (void)state;
    const char *names[ROOM];
    add("res://several.tscn", several);
    scene_project_link(project);
    assert_int_equal(scene_project_announced(project, "res://several.tscn", (scene_announcement){3, 4}), 0);
    assert_int_equal(scene_project_announced(project, "res://several.tscn", (scene_announcement){3, 5}),
                     SCENE_UNKNOWN);
    assert_int_equal(scene_project_announced(project, "res://several.tscn", (scene_announcement){2, 3}),
                     SCENE_UNKNOWN);
    assert_int_equal(scene_project_announced(project, "res://several.tscn", (scene_announcement){1, 2}), 1);
    assert_int_equal(scene_project_announced(project, "res://several.tscn", (scene_announcement){1, 1}),
                     SCENE_UNKNOWN);
    assert_int_equal(scene_project_announced(project, "res://none.tscn", (scene_announcement){1, 2}),
                     SCENE_UNKNOWN);
    static const char *const first[] = {"a", "b", "c"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(spawned_properties(project, "res://several.tscn", (scene_announcement){1, 2}, i,
                                            SCENE_ALWAYS, names),
                         1);
        assert_string_equal(names[0], first[i]);
    }
    assert_int_equal(
        spawned_properties(project, "res://several.tscn", (scene_announcement){1, 2}, 3, SCENE_ALWAYS, names),
        0);
    assert_int_equal(properties_at(project, "Main/X/Body/Own", SCENE_SPAWN, any_counts, names), 2);
}

/* Two projects with a scene at this path. */
static scene_project *two_versions(const char *one, const char *other)
{
    scene_project *both = scene_project_new();
    scene_project_add(both, &(source_file){1, "res://a.tscn", {one, strlen(one)}}, NULL);
    scene_project_add(both, &(source_file){2, "res://a.tscn", {other, strlen(other)}}, NULL);
    scene_project_link(both);
    return both;
}

/* Of two versions of a scene, the one that could have been announced so; if both could, they have to
 * agree. */
static void versions_of_a_scene(void **state)
{
    (void)state;
    static const char one[] = CONFIG("1", "a", "x", "false") CONFIG("2", "b", "y", "true")
        ROOT SYNC("One", ".", USE("1")) SYNC("Inner", "B", USE("2")),
                      same[] = CONFIG("1", "q", "x", "false") CONFIG("2", "q", "y", "true")
                          ROOT SYNC("One", ".", USE("1")) SYNC("Inner", "B", USE("2")),
                      more[] = CONFIG("1", "r", "x", "true") ROOT SYNC("One", ".", USE("1"))
                          SYNC("Inner", "B", "]\nreplication_config = ExtResource(\"none\")\n"),
                      two[] = CONFIG("1", "a", "x", "false") CONFIG("2", "b", "y", "true")
                          ROOT SYNC("One", ".", USE("1")) SYNC("Two", ".", USE("2"));
    const char *names[ROOM];
    static const struct {
        const char *other;
        scene_announcement announcement;
        const char *name; /* NULL: not certain */
    } cases[] = {
        {one, {1, 1}, "a"}, {more, {1, 1}, "a"}, {more, {1, 2}, "r"},  {same, {1, 1}, NULL},
        {two, {2, 3}, "a"}, {two, {1, 2}, "b"},  {more, {1, 3}, NULL}, {more, {2, 3}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene_project *both = two_versions(one, cases[i].other);
        uint32_t number = scene_project_announced(both, "res://a.tscn", cases[i].announcement);
        uint32_t count = number == SCENE_UNKNOWN
                             ? 0
                             : spawned_properties(both, "res://a.tscn", cases[i].announcement, number,
                                                  SCENE_ALWAYS, names);
        assert_int_equal(count, cases[i].name ? 1 : 0);
        if (cases[i].name) {
            assert_string_equal(names[0], cases[i].name);
        }
        scene_project_free(both);
    }
}

/* Synchronizers with the same name in several scenes: the scene decides. */
static void inside_a_scene(void **state)
{
    (void)state;
    const char *names[ROOM];
    static const char heir[] = "[ext_resource type=\"PackedScene\" path=\"res://several.tscn\" id=\"1\"]\n"
                               "[node name=\"H\" instance=ExtResource(\"1\")]\n"
                               "[node name=\"Own\" parent=\"Body\"]\nroot_path = NodePath(\".\")\n";
    add("res://several.tscn", several);
    add("res://heir.tscn", heir);
    add("res://other.tscn", CONFIG("1", "q", "r", "true") ROOT SYNC("Z", "Body", USE("1")));
    scene_project_link(project);
    assert_int_equal(properties_at(project, "Main/X/Body/Z", SCENE_ALWAYS, any_counts, names), 0);
    static const struct {
        const char *scene, *path, *name; /* name NULL: not certain */
    } cases[] = {
        {"res://several.tscn", "Body/Z", "a"}, {"res://other.tscn", "Body/Z", "q"},
        {"res://heir.tscn", "Body/Z", "a"},    {"res://heir.tscn", "Body/Own", NULL},
        {"res://several.tscn", "Z", NULL},     {"res://none.tscn", "Body/Z", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scene_shown_synchronizer which = {
            .at = {.path = "Main/X/Body/Z", .scene = cases[i].scene, .inside = cases[i].path},
            .list = SCENE_ALWAYS,
            .counts = any_counts};
        uint32_t count = names_in(scene_project_properties(project, &which, NULL), names);
        assert_int_equal(count, cases[i].name ? 1 : SCENE_UNKNOWN);
        if (cases[i].name) {
            assert_string_equal(names[0], cases[i].name);
        }
    }
}

/* Scenes that contain other scenes. `number`: of the first synchronizer of three with four values. */
static void scenes_in_scenes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool certain;
    } cases[] = {
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n", true},
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n[node name=\"F\" type=\"Node\" parent=\".\" "
         "index=\"1\"]\n[node name=\"G\" parent=\"F\" instance=ExtResource(\"2\")]\n",
         true},
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n" SYNC("More", ".", "]\n"), false},
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n[node name=\"A\" parent=\".\"]\n"
         "replication_config = SubResource(\"1\")\n",
         false},
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n[node name=\"F\" parent=\".\" "
         "instance=ExtResource(\"1\")]\n",
         false},
        {"[node name=\"H\" instance=ExtResource(\"1\")]\n[node name=\"F\" parent=\".\" "
         "instance=ExtResource(\"3\")]\n",
         false},
        {"[node name=\"H\" instance=ExtResource(\"4\")]\n", false},
        {"[node name=\"H\" instance=ExtResource(\"5\")]\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        scene_project *one = scene_project_new();
        snprintf(text, sizeof text,
                 "[ext_resource type=\"PackedScene\" path=\"res://several.tscn\" id=\"1\"]\n"
                 "[ext_resource type=\"PackedScene\" path=\"res://model.glb\" id=\"2\"]\n"
                 "[ext_resource type=\"PackedScene\" path=\"res://unread.tscn\" id=\"3\"]\n"
                 "[ext_resource type=\"PackedScene\" path=\"res://heir.tscn\" id=\"4\"]\n%s",
                 cases[i].text);
        scene_project_add(one, &(source_file){0, "res://heir.tscn", {text, strlen(text)}}, NULL);
        scene_project_add(one, &(source_file){0, "res://several.tscn", {several, strlen(several)}}, NULL);
        scene_project_link(one);
        assert_int_equal(scene_project_announced(one, "res://heir.tscn", (scene_announcement){3, 4}),
                         cases[i].certain ? 0 : SCENE_UNKNOWN);
        scene_project_free(one);
    }
}

/* Two synchronizers: their order in the file must certainly be that in the tree. */
static void order(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool certain;
    } cases[] = {
        {SYNC("One", ".", USE("1")) SYNC("Two", ".", USE("2")), true},
        {NODE("B", ".") NODE("C", "B")
             SYNC("One", "B/C", USE("1")) "root_path = NodePath(\"../../..\")\n" SYNC(
                 "Two", "B", USE("2")) "root_path = NodePath(\"../..\")\n",
         true},
        {NODE("B", ".") NODE("C", ".")
             SYNC("One", "B", USE("1")) "root_path = NodePath(\"../..\")\n" SYNC("Two", ".", USE("2")),
         false},
        {SYNC("One", ".", " index=\"1\"" USE("1")) SYNC("Two", ".", " index=\"0\"" USE("2")), false},
        {SYNC("One", ".", USE("1")) SYNC("Two", ".", "]\nreplication_config = ExtResource(\"x\")\n"), false},
        {SYNC("One", ".", USE("1")) SYNC("Two", ".", USE("2")) "root_path = NodePath(\"%U\")\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        scene_project *one = scene_project_new();
        strcpy(text, CONFIG("1", "a", "x", "false") CONFIG("2", "b", "y", "false") ROOT);
        strcat(text, cases[i].text);
        scene_project_add(one, &(source_file){0, "res://a.tscn", {text, strlen(text)}}, NULL);
        scene_project_link(one);
        assert_int_equal(scene_project_announced(one, "res://a.tscn", (scene_announcement){2, 2}),
                         cases[i].certain ? 0 : SCENE_UNKNOWN);
        scene_project_free(one);
    }
}

static void hostile(void **state)
{
    (void)state;
    const char *names[ROOM];
    for (size_t cut = 0; cut <= strlen(player); cut++) {
        scene_project_add(project, &(source_file){0, "res://cut.tscn", {player, cut}}, NULL);
    }
    add("res://a.tscn",
        "[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\nproperties/5/path = 1\n"
        "properties/99999999999/path = NodePath(\"x\")\nproperties/0/path = \"\nproperties/\n"
        "[node name=\"A\" type=\"MultiplayerSynchronizer\"]\nreplication_config = SubResource(\"1\")\n"
        "replication_config = SubResource(\"1\")\n[node name=\"B\" type=\"MultiplayerSpawner\"\n"
        "_spawnable_scenes = \"\"\n_spawnable_scenes = \"\n[");
    scene_project_link(project);
    assert_int_equal(properties_at(project, "R/A", SCENE_ALWAYS, any_counts, names), 0);
    assert_null(spawned(project, "R/B", 0));
}

/* Peak memory of this process in KiB. */
static long peak_memory(void)
{
#ifdef _WIN32
    PROCESS_MEMORY_COUNTERS counters;
    assert_true(GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters));
    return (long)(counters.PeakWorkingSetSize >> 10);
#else
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
#endif
}

/* Memory is proportional to the file: many short lines below one long name, or many instances of a scene with
 * a long path, do not copy that text for each line. */
static void text_that_is_kept_once(void **state)
{
    (void)state;
    enum { LONG = 1 << 17, LINES = 4000, ALLOWED = 64 << 10 /* KiB; a copy per line: 1,000 MiB */ };
    char *text = malloc(LONG + LINES * 64), *end = text;
    assert_non_null(text);
    end += sprintf(end, "[ext_resource type=\"PackedScene\" id=\"1\" path=\"");
    memset(end, 'x', LONG / 2);
    end += LONG / 2;
    end += sprintf(end, "\"]\n[node name=\"");
    memset(end, 'y', LONG / 2);
    end += LONG / 2;
    end += sprintf(end, "\" type=\"Node\"]\n");
    for (int i = 0; i < LINES; i++) {
        end += sprintf(end, "unique_name_in_owner = true\n");
    }
    for (int i = 0; i < LINES; i++) {
        end += sprintf(end, "[node name=\"a\" instance=X(\"1\")]\n");
    }
    long before = peak_memory();
    scene_project_add(project, &(source_file){0, "res://a.tscn", {text, (size_t)(end - text)}}, NULL);
    scene_project_link(project);
    assert_true(peak_memory() - before < ALLOWED);
    free(text);
}

static void count_script(void *context, const source_file *script)
{
    (void)script;
    ++*(unsigned *)context;
}

/* A script inside of a scene has one source, however often a file contains it, because each source has a
 * path. */
static void one_source(void **state)
{
    (void)state;
    unsigned scripts = 0;
    const char *text = "[sub_resource type=\"GDScript\" id=\"1\"]\n"
                       "script/source = \"func a():\n\tpass\"\nscript/source = \"\"\nscript/source = \"\"\n";
    scene_project_add(project, &(source_file){0, "res://a.tscn", {text, strlen(text)}},
                      &(scene_script_reader){count_script, &scripts});
    assert_int_equal(scripts, 1);
}

/* Each limit: beyond it everything is uncertain, and no name is wrong. */
static void limits(void **state)
{
    (void)state;
    enum { TOO_MANY = SCENE_MAX_SYNCHRONIZERS + 1 };
    const char *names[ROOM];
    char parent[SCENE_MAX_PATH], *text = malloc(1 << 20), *end = text;
    assert_non_null(text);
    end += sprintf(end, CONFIG("1", "a", "x", "false") ROOT);
    for (int i = 0; i < TOO_MANY; i++) {
        end += sprintf(end, SYNC("S%d", ".", USE("1")), i);
    }
    add("res://nodes.tscn", text);
    /* A spawner so deep that its path is longer than the limit. */
    end = text + sprintf(text, "[node name=\"Spawner\" type=\"MultiplayerSpawner\" parent=\"");
    for (unsigned i = 0; i < SCENE_MAX_PATH; i++) {
        *end++ = 'x';
    }
    strcpy(end, "\"]\nspawn_path = NodePath(\"..\")\n");
    add("res://deep.tscn", text);
    /* Scenes that contain each other, with more levels than are followed. */
    for (int i = 0; i < 40; i++) {
        char path[32];
        sprintf(path, "res://%d.tscn", i);
        sprintf(text,
                "[ext_resource type=\"PackedScene\" path=\"res://%d.tscn\" id=\"1\"]\n"
                "[node name=\"R\" instance=ExtResource(\"1\")]\n",
                i + 1);
        add(path, text);
    }
    sprintf(text, CONFIG("1", "a", "x", "false") ROOT SYNC("S", ".", USE("1")));
    add("res://40.tscn", text);
    scene_project_link(project);
    assert_int_equal(
        scene_project_announced(project, "res://nodes.tscn", (scene_announcement){TOO_MANY, TOO_MANY}),
        SCENE_UNKNOWN);
    assert_int_equal(scene_project_announced(project, "res://40.tscn", (scene_announcement){1, 1}), 0);
    assert_int_equal(scene_project_announced(project, "res://30.tscn", (scene_announcement){1, 1}), 0);
    assert_int_equal(scene_project_announced(project, "res://0.tscn", (scene_announcement){1, 1}),
                     SCENE_UNKNOWN);
    memset(text, 'x', 2 * SCENE_MAX_PATH);
    memcpy(text, "Main/", 5);
    strcpy(text + 5 + SCENE_MAX_PATH, "/Spawner");
    assert_false(spawn_parent(project, text, parent));
    assert_int_equal(properties_at(project, "R/S", SCENE_ALWAYS, any_counts, names), 1);
    free(text);
}

static void too_many_nodes(void **state)
{
    (void)state;
    static const char line[] = "[node name=\"S\" type=\"MultiplayerSpawner\" parent=\".\"]\n";
    enum { PER_FILE = 4096 };
    char *text = malloc(PER_FILE * strlen(line) + 1), parent[SCENE_MAX_PATH], *end = text;
    assert_non_null(text);
    for (int i = 0; i < PER_FILE; i++) {
        end = strcpy(end, line) + strlen(line);
    }
    add("res://world.tscn", world);
    for (unsigned i = 0; i <= SCENE_MAX_NODES / PER_FILE; i++) {
        scene_project_add(project, &(source_file){0, "res://many.tscn", {text, (size_t)(end - text)}}, NULL);
    }
    scene_project_link(project);
    assert_false(spawn_parent(project, "Main/World/Spawner", parent));
    assert_null(spawned(project, "Main/World/Spawner", 0));
    free(text);
}

static void many_scenes(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        scene_project_free(project);
        project = scene_project_new();
        add("res://world.tscn", world);
        for (int i = 1; i < SCENE_MAX_SCENES + more; i++) {
            add("res://empty.tscn", "");
        }
        scene_project_link(project);
        assert_int_equal(spawned(project, "Main/World/Spawner", 0) != NULL, more == 0);
    }
}

static void many_autoloads(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        scene_project_free(project);
        project = scene_project_new();
        add("res://world.tscn", world);
        for (int i = 1; i < SCENE_MAX_SCENES + more; i++) {
            scene_project_add_autoload(project, 0, "Other", "res://other.tscn");
        }
        scene_project_add_autoload(project, 0, "Net", "res://world.tscn");
        scene_project_link(project);
        assert_int_equal(spawned(project, "Net/World/Spawner", 0) != NULL, more == 0);
    }
}

/* The scene is an instance of the last one. */
static void many_resources(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        char *text = malloc(SCENE_MAX_RESOURCES * 128), *end = text;
        const char *names[ROOM];
        assert_non_null(text);
        for (int i = 1; i < SCENE_MAX_RESOURCES + more; i++) {
            end += sprintf(end, "[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"%d\"]\n", i);
        }
        sprintf(end, "[ext_resource type=\"PackedScene\" path=\"res://player.tscn\" id=\"p\"]\n"
                     "[node name=\"Heir\" instance=ExtResource(\"p\")]\n");
        scene_project_free(project);
        project = scene_project_new();
        add("res://player.tscn", player);
        add("res://heir.tscn", text);
        scene_project_link(project);
        assert_int_equal(
            spawned_properties(project, "res://heir.tscn", (scene_announcement){1, 2}, 0, SCENE_SPAWN, names),
            more ? 0 : 2);
        free(text);
    }
}

static void many_properties(void **state)
{
    (void)state;
    enum { PER_CONFIG = 65536, OF_PLAYER = 3 };
    static const char head[] = "[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n";
    for (int more = 0; more < 2; more++) {
        const char *names[ROOM];
        scene_project_free(project);
        project = scene_project_new();
        add("res://player.tscn", player);
        for (int left = SCENE_MAX_PROPERTIES - OF_PLAYER + more; left > 0; left -= PER_CONFIG) {
            char *text = malloc(PER_CONFIG * 32 + sizeof head), *end = text;
            assert_non_null(text);
            end += sprintf(end, "%s", head);
            for (int i = 0; i < left && i < PER_CONFIG; i++) {
                end += sprintf(end, "properties/%d/spawn = 1\n", i);
            }
            add("res://many.tscn", text);
            free(text);
        }
        scene_project_link(project);
        assert_int_equal(spawned_properties(project, "res://player.tscn", (scene_announcement){1, 2}, 0,
                                            SCENE_SPAWN, names),
                         more ? 0 : 2);
    }
}

/* A parameter of a function whose line begins far before it may have any value, like any parameter. */
static void long_lines(void **state)
{
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        char text[2 * SCENE_MAX_LINE], parent[SCENE_MAX_PATH];
        char *end = text + sprintf(text, "s = $Other\nx(");
        memset(end, 'y', SCENE_MAX_LINE / 2 * (1 + (size_t)longer));
        end += SCENE_MAX_LINE / 2 * (1 + longer);
        strcpy(end, ", s)\ns.spawn_path = z\n");
        scene_project_free(project);
        project = scene_project_new();
        add("res://world.tscn", world);
        scene_project_add_script(project, text, strlen(text));
        scene_project_link(project);
        assert_int_equal(spawn_parent(project, "Main/World/Spawner", parent), !longer);
    }
}

/* A scene with one synchronizer for the properties `position` and `second`. */
static void add_made(const char *path, const char *class_name, const char *second)
{
    char text[1024];
    snprintf(text, sizeof text,
             "[sub_resource type=\"SceneReplicationConfig\" id=\"1\"]\n"
             "properties/0/path = NodePath(\".:position\")\nproperties/0/spawn = true\n"
             "properties/1/path = NodePath(\".:%s\")\nproperties/1/spawn = true\n"
             "[node name=\"Made\" type=\"%s\"]\n"
             "[node name=\"Sync\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n"
             "replication_config = SubResource(\"1\")\n",
             second, class_name);
    add(path, text);
}

static const char *fitting(uint8_t first, uint8_t second, uint32_t count)
{
    const uint8_t types[] = {first, second};
    bool more;
    return scene_project_fitting(project, &(scene_shown_node){.path = "Main/World/Spawner"}, count,
                                 &(scene_spawned_values){types, 2}, &more);
}

static void scenes_of_a_spawn_function(void **state)
{
    (void)state;
    enum { BOOLEAN = 1, INTEGER = 2, VECTOR2 = 5, VECTOR3 = 9 };
    add("res://world.tscn", world);
    add_made("res://flat.tscn", "Sprite2D", "hp");
    add_made("res://deep.tscn", "CharacterBody3D", "visible");
    add_made("res://text.tscn", "Node", "hp"); /* position is a script's property: of any type */
    scene_project_link(project);
    assert_string_equal(fitting(VECTOR2, INTEGER, 1), "res://flat.tscn"); /* text: the same properties */
    assert_null(fitting(VECTOR3, BOOLEAN, 1));                            /* deep, text */
    assert_string_equal(fitting(INTEGER, INTEGER, 1), "res://text.tscn");
    assert_null(fitting(INTEGER, INTEGER, 2));
}

/* What the class of a scene's root says of a value, as ClassDB of Godot 4.6 has it. 0: the class has no such
 * property, so that it is one of a script, which may have any type. */
static void types_of_properties(void **state)
{
    (void)state;
    enum { VECTOR2 = 5, VECTOR3 = 9, TYPES = 39 };
    static const struct {
        const char *class_name, *property;
        uint8_t type;
    } rows[] = {{"Node2D", "position", 5},
                {"Node2D", "rotation", 3},
                {"Node2D", "rotation_degrees", 3},
                {"Node2D", "scale", 5},
                {"Node2D", "skew", 3},
                {"Node2D", "transform", 11},
                {"Node2D", "global_position", 5},
                {"Node2D", "global_rotation", 3},
                {"Node2D", "global_rotation_degrees", 3},
                {"Node2D", "global_scale", 5},
                {"Node2D", "global_transform", 11},
                {"Node2D", "visible", 1},
                {"Node2D", "modulate", 20},
                {"Node2D", "self_modulate", 20},
                {"Node2D", "quaternion", 0},
                {"Node2D", "basis", 0},
                {"Node2D", "size", 0},
                {"Node3D", "transform", 18},
                {"Node3D", "global_transform", 18},
                {"Node3D", "position", 9},
                {"Node3D", "rotation", 9},
                {"Node3D", "rotation_degrees", 9},
                {"Node3D", "quaternion", 15},
                {"Node3D", "basis", 17},
                {"Node3D", "scale", 9},
                {"Node3D", "global_position", 9},
                {"Node3D", "global_rotation", 9},
                {"Node3D", "global_rotation_degrees", 9},
                {"Node3D", "visible", 1},
                {"Node3D", "global_scale", 0},
                {"Node3D", "skew", 0},
                {"Node3D", "modulate", 0},
                {"Node3D", "self_modulate", 0},
                {"Node3D", "size", 0},
                {"Control", "size", 5},
                {"Control", "position", 5},
                {"Control", "global_position", 5},
                {"Control", "rotation", 3},
                {"Control", "rotation_degrees", 3},
                {"Control", "scale", 5},
                {"Control", "visible", 1},
                {"Control", "modulate", 20},
                {"Control", "self_modulate", 20},
                {"Control", "global_rotation", 0},
                {"Control", "global_rotation_degrees", 0},
                {"Control", "global_scale", 0},
                {"Control", "skew", 0},
                {"Control", "transform", 0},
                {"Control", "global_transform", 0},
                {"Control", "quaternion", 0},
                {"Control", "basis", 0},
                {"Sprite2D", "flip_h", 1},
                {"AnimatedSprite2D", "flip_h", 1},
                {"CharacterBody2D", "velocity", 5},
                {"CharacterBody3D", "velocity", 9},
                {"RigidBody2D", "linear_velocity", 5},
                {"RigidBody2D", "angular_velocity", 3},
                {"RigidBody3D", "linear_velocity", 9},
                {"RigidBody3D", "angular_velocity", 9},
                {"Label", "text", 4},
                {"Label3D", "text", 4},
                {"RichTextLabel", "text", 4},
                {"Button", "text", 4},
                {"LineEdit", "text", 4},
                {"TextEdit", "text", 4},
                {"ColorRect", "size", 5},
                {"ProgressBar", "size", 5},
                {"VBoxContainer", "size", 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene_project_free(project);
        project = scene_project_new();
        add("res://world.tscn", world);
        add_made("res://made.tscn", rows[i].class_name, rows[i].property);
        scene_project_link(project);
        uint8_t position = strstr(rows[i].class_name, "3D") ? VECTOR3 : VECTOR2;
        for (uint8_t type = 1; type < TYPES; type++) {
            bool fits = rows[i].type == 0 || rows[i].type == type;
            assert_int_equal(fitting(position, type, 1) != NULL, fits);
        }
    }
}

static void scenes_of_a_spawn_function_that_may_be_others(void **state)
{
    (void)state;
    enum { BOOLEAN = 1, INTEGER = 2, VECTOR2 = 5, VECTOR3 = 9 };
    bool more;
    uint8_t types[SCENE_MAX_FITTING + 1] = {VECTOR2, INTEGER};
    scene_spawned_values values = {types, 2};
    add("res://world.tscn", world);
    add_made("res://flat.tscn", "Sprite2D", "hp");
    add("res://heir.tscn", "[ext_resource type=\"PackedScene\" path=\"res://flat.tscn\" id=\"1\"]\n"
                           "[node name=\"Heir\" instance=ExtResource(\"1\")]\n");
    scene_project_link(project);
    assert_string_equal(
        scene_project_fitting(project, &(scene_shown_node){.path = "Main/World/Spawner"}, 1, &values, &more),
        "res://flat.tscn");
    assert_true(more);
    assert_null(scene_project_fitting(project, &(scene_shown_node){.path = "Main/Other"}, 1, &values, &more));
    assert_null(fitting(VECTOR3, INTEGER, 1)); /* the class of the inheriting scene is known, too */
    values.count = SCENE_MAX_FITTING + 1;
    assert_null(
        scene_project_fitting(project, &(scene_shown_node){.path = "Main/World/Spawner"}, 1, &values, &more));
    values.count = 0;
    assert_null(
        scene_project_fitting(project, &(scene_shown_node){.path = "Main/World/Spawner"}, 1, &values, &more));
    assert_null(fitting(BOOLEAN, BOOLEAN, 1));
}

/* A project that is not that of the capture: a node cannot be of this scene. */
static void scenes_that_cannot_be(void **state)
{
    (void)state;
    enum { INTEGER = 2, VECTOR2 = 5, VECTOR3 = 9 };
    static const struct {
        uint8_t types[3];
        uint32_t values, synchronizers;
        bool contradicts;
    } cases[] = {
        {{VECTOR2, INTEGER}, 2, 1, false}, {{VECTOR3, INTEGER}, 2, 1, true},
        {{VECTOR2, VECTOR2}, 2, 1, false}, /* hp may be anything */
        {{VECTOR2}, 1, 1, true},           {{VECTOR2, INTEGER, INTEGER}, 3, 1, true},
        {{VECTOR2, INTEGER}, 2, 2, true},  {{0}, 0, 0, false}, /* others have authority over it */
    };
    static const char *const scripts[] = {"var c: SceneReplicationConfig = $Sync.replication_config",
                                          "$Sync.replication_config.add_property(^\".:x\")",
                                          "$Sync.replication_config = load(\"res://x.tres\")",
                                          "$Sync.set(\"replication_config\", x)",
                                          "sync.ReplicationConfig = x;",
                                          "add_child(MultiplayerSynchronizer.new())",
                                          "new MultiplayerSynchronizer()"};
    for (size_t s = 0; s < sizeof scripts / sizeof *scripts; s++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            scene_project_free(project);
            project = scene_project_new();
            add_made("res://flat.tscn", "Sprite2D", "hp");
            scene_project_add_script(project, scripts[s], strlen(scripts[s]));
            scene_project_link(project);
            const scene_spawned_values values = {cases[i].types, cases[i].values};
            assert_int_equal(
                scene_project_contradicts(project, "res://flat.tscn", cases[i].synchronizers, &values),
                cases[i].contradicts && s == 0);
            assert_false(scene_project_contradicts(project, "res://none.tscn", 1, &values));
        }
    }
}

/* Of two versions of the scene, one can be. */
static void one_version_that_can_be(void **state)
{
    (void)state;
    const uint8_t types[] = {9, 2};
    add_made("res://flat.tscn", "Sprite2D", "hp");
    add_made("res://flat.tscn", "Node3D", "hp");
    scene_project_link(project);
    assert_false(scene_project_contradicts(project, "res://flat.tscn", 1, &(scene_spawned_values){types, 2}));
}

/* A scene whose configuration is not in the file could be any. */
static void scenes_that_cannot_be_ruled_out(void **state)
{
    (void)state;
    enum { INTEGER = 2, VECTOR2 = 5 };
    add("res://world.tscn", world);
    add_made("res://flat.tscn", "Sprite2D", "hp");
    add("res://code.tscn", "[node name=\"Code\" type=\"Node\"]\n"
                           "[node name=\"Sync\" type=\"MultiplayerSynchronizer\" parent=\".\"]\n");
    scene_project_link(project);
    assert_null(fitting(VECTOR2, INTEGER, 1));
}

/* Scenes that do not fit, with this many nodes in total. */
static void add_scenes_with_nodes(uint32_t count)
{
    enum { PER_FILE = 5000 };
    static const char line[] = "[node name=\"S\" type=\"MultiplayerSpawner\" parent=\".\"]\n";
    char *text = malloc(1024 + PER_FILE * strlen(line)), *end = text;
    assert_non_null(text);
    add("res://world.tscn", world);
    add_made("res://flat.tscn", "Sprite2D", "hp");
    end += sprintf(end, CONFIG("1", "a", "x", "false") ROOT SYNC("T", ".", USE("1")));
    for (int i = 0; i < PER_FILE; i++) {
        end = strcpy(end, line) + strlen(line);
    }
    for (; count > 0; count -= PER_FILE) {
        scene_project_add(project, &(source_file){0, "res://nodes.tscn", {text, (size_t)(end - text)}}, NULL);
    }
    scene_project_link(project);
    free(text);
}

static void many_nodes_for_a_spawn_function(void **state)
{
    (void)state;
    add_scenes_with_nodes(50000);
    assert_string_equal(fitting(5, 2, 1), "res://flat.tscn");
}

static void too_many_nodes_for_a_spawn_function(void **state)
{
    (void)state;
    add_scenes_with_nodes(100000);
    assert_null(fitting(5, 2, 1));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(text_that_is_kept_once), /* first, because it measures the peak
                                                                      * memory */
                                       TEST(lists),
                                       TEST(instance_by_uid),
                                       TEST(scenes_with_one_path),
                                       TEST(versions_of_a_scene),
                                       TEST(spawners),
                                       TEST(places),
                                       TEST(roots_without_a_name),
                                       TEST(places_that_are_not_certain),
                                       TEST(default_names),
                                       TEST(roots_of_one_name),
                                       TEST(many_roots_of_one_name),
                                       TEST(too_many_settings),
                                       TEST(synchronizers_by_their_path),
                                       TEST(synchronizers_that_are_inherited),
                                       TEST(configurations_in_files),
                                       TEST(scenes_that_are_not_certain),
                                       TEST(inside_a_scene),
                                       TEST(several_synchronizers),
                                       TEST(scenes_in_scenes),
                                       TEST(order),
                                       TEST(hostile),
                                       TEST(one_source),
                                       TEST(limits),
                                       TEST(many_scenes),
                                       TEST(many_autoloads),
                                       TEST(many_resources),
                                       TEST(many_properties),
                                       TEST(long_lines),
                                       TEST(scenes_of_a_spawn_function),
                                       TEST(types_of_properties),
                                       TEST(scenes_of_a_spawn_function_that_may_be_others),
                                       TEST(scenes_that_cannot_be),
                                       TEST(one_version_that_can_be),
                                       TEST(scenes_that_cannot_be_ruled_out),
                                       TEST(many_nodes_for_a_spawn_function),
                                       TEST(too_many_nodes_for_a_spawn_function),
                                       TEST(too_many_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
