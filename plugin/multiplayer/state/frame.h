/* frame.h
 *
 * What the dissector `godot` keeps of a frame while it is dissected: its messages so far. Statistics ask for
 * them after the frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FRAME_H
#define GODOT_FRAME_H

#include "multiplayer/state/session.h"
#include "multiplayer/state/tap.h"

/* Per frame and pass; in pinfo->pool. */
typedef struct {
    uint32_t ordinal;             /* of the next message without an index of its own */
    uint32_t shown;               /* messages in the Info column */
    godot_message *kept;          /* the latest message of which something is kept, NULL: none */
    const godot_session *session; /* of the first message, NULL: none yet */
    godot_tap *first, *last;      /* messages so far */
    bool
        has_second_record; /* of a message whose other end's record came before: statistics have counted it */
} godot_frame;

void godot_frame_init(int proto);
/* That of this pass, made when it is asked for first. */
godot_frame *godot_frame_get(packet_info *pinfo);
/* Puts a message after those before it. */
void godot_frame_add(godot_frame *frame, godot_tap *tap);

/* The messages of the frame that has just been dissected, each with the next one; NULL: there are none. */
const godot_tap *godot_taps_of_frame(packet_info *pinfo);
/* Whether the frame has a record of a message that the file has had before as the other end's. */
bool godot_frame_has_second_record(packet_info *pinfo);
/* Session of the first of them; NULL: there are none. */
const godot_session *godot_session_of_frame(packet_info *pinfo);

#endif
