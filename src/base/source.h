/* source.h
 *
 * A file of a game while it is read: a script, a scene, another resource.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/array.h"

typedef struct {
    uint32_t root;    /* number of its project, if there are several: names refer to files of the same one */
    const char *path; /* "res://player.gd" */
    slice text;       /* its content; not needed afterwards */
} source_file;

#endif
