/* limits.h
 *
 * Limits for what the scenes and scripts of a game can cost, so that a hostile project takes bounded time and
 * memory. Beyond one of them no name that depends on it is certain. Beside each: its test in
 * tests/project/test_scene_config.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_LIMITS_H
#define SCENE_LIMITS_H

enum {
    /* All files together: memory. */
    SCENE_MAX_SCENES = 16384,      /* many_scenes */
    SCENE_MAX_NODES = 262144,      /* too_many_nodes */
    SCENE_MAX_PROPERTIES = 262144, /* many_properties */
    SCENE_MAX_MOVED = 256,         /* names of nodes whose spawn_path scripts set; too_many_settings */
    /* One file: time, since each node searches the resources, and each setting the script. */
    SCENE_MAX_RESOURCES = 1024, /* many_resources */
    SCENE_MAX_SETTINGS = 64,    /* of spawn_path; too_many_settings */
    SCENE_MAX_MENTIONS = 1000,  /* of a variable; too_many_settings */
    SCENE_MAX_LINE = 4096,      /* bytes before a name that are searched for "func"; long_lines */
    /* One lookup: time, and the stack. */
    SCENE_MAX_PATH = 1024,        /* bytes of a node's path with its NUL; limits */
    SCENE_MAX_LEVELS = 32,        /* of scenes in scenes, and of inheritance; limits */
    SCENE_MAX_SEARCHED = 4096,    /* scenes; many_roots_of_one_name */
    SCENE_MAX_FOUND = 256,        /* nodes that a path may mean; scenes_with_one_path, roots_of_one_name */
    SCENE_MAX_SYNCHRONIZERS = 64, /* of one spawned node; limits */
    SCENE_MAX_FITTING = 256,      /* values of one; scenes_of_a_spawn_function_that_may_be_others */
    SCENE_MAX_STEPS = 100000      /* nodes of all scenes; too_many_nodes_for_a_spawn_function */
};

#endif
