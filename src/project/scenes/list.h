/* list.h
 *
 * The lists of properties that a synchronizer sends, as questions name them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_LIST_H
#define SCENE_LIST_H

#include <stdint.h>

/* bytes of a node's path with its NUL; of longer ones nothing is said */
#define SCENE_MAX_PATH 1024u
#define SCENE_UNKNOWN  UINT32_MAX

typedef enum { SCENE_SPAWN, SCENE_ALWAYS, SCENE_ON_CHANGE } scene_list;

/* How many properties a synchronizer has by its packets: in the list that is asked for, and in SCENE_ALWAYS
 * (SCENE_UNKNOWN: no full state of it is known). */
typedef struct {
    uint32_t least, most, always;
} scene_counts;

#endif
