/* godot-tap.h
 *
 * What the tap "godot" says about each multiplayer message, for statistics.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_TAP_H
#define GODOT_TAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *node; /* path of the node the message is about, NULL if it is about none */
    const char *what; /* method, or "spawn", "synchronize", "path cache", … */
    uint32_t session;
    int32_t source, target; /* peer ids, 0: not known or everybody */
    bool from_initiator, relayed;
    uint32_t length, wire_length; /* message; its share of the frames' bytes */
} godot_tap;

#endif
