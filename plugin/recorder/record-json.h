/* record-json.h
 *
 * Reads the JSON texts in records (docs/recorder.md) with libwsutil's parser: plain values by name, and the
 * names of a node or a scene.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RECORD_JSON_H
#define RECORD_JSON_H

#include "multiplayer/packet/names.h"

#include <wsutil/wsjson.h>

/* Limits of a text that is read. */
#define RECORDER_JSON_MAX_LENGTH  65536u
#define RECORDER_JSON_MAX_TOKENS  4096u
#define RECORDER_JSON_MAX_NESTING 8u

typedef struct {
    wmem_allocator_t *scope;
    char *text; /* changed while it is read: every value can be read once */
    jsmntok_t *root;
} recorder_json;

/* Reads an object from `length` bytes into `scope`. Returns NULL, or what is wrong with it. */
const char *recorder_json_open(wmem_allocator_t *scope, const uint8_t *bytes, uint32_t length,
                               recorder_json *json);

/* A string by its name, as one line; valid as long as `json`. NULL: there is none. */
const char *recorder_json_text(recorder_json *json, jsmntok_t *object, const char *name);

/* A whole number (of a size that a double holds); false: there is none. */
bool recorder_json_number(recorder_json *json, jsmntok_t *object, const char *name, int64_t *number);

/* Whether the root has a member with this name that is `true`. */
bool recorder_json_is_true(const recorder_json *json, const char *name);

/* The names of a node or of a scene; a text has one of the two. Everything is copied into `scope`. NULL: it
 * has none. */
godot_node_names *recorder_json_node(wmem_allocator_t *scope, recorder_json *json);
godot_scene_names *recorder_json_scene(wmem_allocator_t *scope, recorder_json *json);

#endif
