/* call-checks.h
 *
 * Checks whether the receiver executes a call; adds expert infos if it does not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_CALL_CHECKS_H
#define GODOT_CALL_CHECKS_H

#include "multiplayer/packet/items.h"
#include "multiplayer/session/paths.h"

/* Which types the receiver's method takes, if nothing else keeps it from being called. All zeroes: not
 * known. */
typedef struct {
    uint8_t types[KEPT_TYPES]; /* see project/scripts/argument_types.h */
    const char *otherwise;     /* for the sentence: what the engine may have refused before */
} godot_expected_types;

/* Godot 4: the call of the method with number `method`, with `count` arguments. */
godot_expected_types godot_check_call(const godot_packet *packet, const godot_path *path, uint16_t method,
                                      uint32_t count);
/* Godot 3: the call of a method by its name, with `count` arguments; if not `call`, RSET of a property. */
godot_expected_types godot_check_v3_call(const godot_packet *packet, const char *node, const char *name,
                                         bool call, uint32_t count);
/* When the arguments were read: whether the engine converts all of them. `api`: 3 or 4. */
void godot_check_types(const godot_packet *packet, const godot_expected_types *expected, const char *node,
                       const char *name, int api);

#endif
