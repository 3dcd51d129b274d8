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
#include "multiplayer/api/tap.h"

/* Per frame and pass; in pinfo->pool. */
typedef struct {
    uint32_t ordinal;             /* of the next message whose transport does not number its messages */
    uint32_t shown;               /* messages in the Info column */
    godot_message *kept;          /* the latest message in file scope, NULL: none */
    const godot_session *session; /* of the first message, NULL: none yet */
    godot_tap *first, *last;      /* messages so far, for statistics; NULL: none */
    const godot_peer_tap *peer;   /* the frame is a record of that; NULL: it is not */
    bool has_second_record; /* the other end's record of a message was earlier in the file, and counted */
} godot_frame;

void godot_frame_init(int proto);
/* The state of this frame in this pass; the first call creates it. */
godot_frame *godot_frame_get(packet_info *pinfo);
/* Appends a message. */
void godot_frame_add(godot_frame *frame, godot_tap *tap);

#endif
