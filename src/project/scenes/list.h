/* list.h
 *
 * The lists of properties that a synchronizer sends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_LIST_H
#define SCENE_LIST_H

#include <stdint.h>

/* bytes of a node's path with its NUL; longer paths are not looked up */
#define SCENE_MAX_PATH 1024u
#define SCENE_UNKNOWN  UINT32_MAX

typedef enum { SCENE_SPAWN, SCENE_ALWAYS, SCENE_ON_CHANGE } scene_list;

/* Number of properties of a synchronizer, as far as its packets show it: at least and at most in the
 * requested list, and in SCENE_ALWAYS (SCENE_UNKNOWN: no full state was captured). */
typedef struct {
    uint32_t least, most, always;
} scene_counts;

#endif
