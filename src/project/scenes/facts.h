/* facts.h
 *
 * What every producer of names (a project, an exported pack, a recording) says about spawners and
 * synchronizers, and what the wire shows of these: the question to which names are the answer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_FACTS_H
#define SCENE_FACTS_H

#include <stdint.h>

#include "project/scenes/read/limits.h"

#define SCENE_UNKNOWN UINT32_MAX

/* The lists of properties that a synchronizer sends. */
typedef enum { SCENE_SPAWN, SCENE_ALWAYS, SCENE_ON_CHANGE } scene_list;
enum { SCENE_LISTS = 3 };

/* Names in wire order: "position", "Body:rotation". */
typedef struct scene_name_list {
    const char *const *names;
    uint32_t count; /* SCENE_UNKNOWN: not known for certain */
} scene_name_list;

typedef struct {
    const char *path;             /* inside of the scene: "Body/Sync"; NULL: not known for certain */
    const scene_name_list *lists; /* SCENE_LISTS of them, by scene_list */
} scene_synchronizer;

/* Number of properties of a synchronizer, as far as its packets show it: at least and at most in the
 * requested list, and in SCENE_ALWAYS (SCENE_UNKNOWN: no full state was captured). */
typedef struct {
    uint32_t least, most, always;
} scene_counts;

/* The synchronizers in a spawn packet: how many are announced, and how many values they have together. */
typedef struct {
    uint32_t count, values;
} scene_announcement;

/* A node, as far as the wire shows where it is. */
typedef struct {
    const char *path;   /* whole, "Main/Player/Sync"; NULL: not known */
    const char *scene;  /* of the spawned node that it is, or that it is part of; NULL: not known */
    const char *inside; /* its path below that node; NULL: not known */
} scene_shown_node;

/* A synchronizer: one with a path, or, if `at.path` is NULL, the one with this number of a spawned scene. */
typedef struct {
    scene_shown_node at;
    scene_list list;
    scene_counts counts;             /* of one with a path */
    scene_announcement announcement; /* of the SPAWN, and the number among those of the scene, from 0 */
    uint32_t number;
} scene_shown_synchronizer;

/* Which of a spawned scene's synchronizers have been announced: returns the number of the first, the others
 * follow. Numbers are in the order in which the synchronizers enter the tree, which is the order in which the
 * engine (4.6) announces them; the first is 0. SCENE_UNKNOWN if it is not certain: a node announces those
 * that its sender has authority over, so either all of them, or the one with this number of values.
 * SCENE_NOT_MEANT: they cannot have been announced so. `count` may be SCENE_UNKNOWN. */
#define SCENE_NOT_MEANT (SCENE_UNKNOWN - 1)
uint32_t scene_first_announced(const scene_synchronizer *list, uint32_t count,
                               scene_announcement announcement);

#endif
