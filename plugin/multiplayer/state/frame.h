/* frame.h
 *
 * State of the dissector `godot` for the frame that is being dissected: its messages so far. Statistics read
 * them when the frame is complete.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FRAME_H
#define GODOT_FRAME_H

#include "multiplayer/state/session.h"
#include "multiplayer/state/tap.h"

/* Per frame and pass; in pinfo->pool. */
typedef struct {
    uint32_t ordinal;             /* of the next message whose transport does not number its messages */
    uint32_t shown;               /* messages in the Info column */
    godot_message *kept;          /* the latest message in file scope, NULL: none */
    const godot_session *session; /* of the first message, NULL: none yet */
    godot_tap *first, *last;      /* messages so far */
    bool has_second_record;       /* the other end's record of a message came earlier in the file */
} godot_frame;

void godot_frame_init(int proto);
/* The state of this frame in this pass; the first call creates it. */
godot_frame *godot_frame_get(packet_info *pinfo);
/* Appends a message. */
void godot_frame_add(godot_frame *frame, godot_tap *tap);

/* The messages of the frame that has just been dissected, a list; NULL: there are none. */
const godot_tap *godot_taps_of_frame(packet_info *pinfo);
/* Whether statistics have counted a message of this frame already, by the other end's record of it. */
bool godot_frame_has_second_record(packet_info *pinfo);
/* Session of the first message; NULL: there is none. */
const godot_session *godot_session_of_frame(packet_info *pinfo);

#endif
