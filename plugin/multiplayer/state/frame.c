/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include <epan/proto_data.h>

#include "multiplayer/state/frame.h"

static int proto_godot;

void godot_frame_init(int proto)
{
    proto_godot = proto;
}

godot_frame *godot_frame_get(packet_info *pinfo)
{
    godot_frame *frame = p_get_proto_data(pinfo->pool, pinfo, proto_godot, GODOT_FRAME_PASS);
    if (!frame) {
        frame = wmem_new0(pinfo->pool, godot_frame);
        p_add_proto_data(pinfo->pool, pinfo, proto_godot, GODOT_FRAME_PASS, frame);
    }
    return frame;
}

void godot_frame_add(godot_frame *frame, godot_tap *tap)
{
    if (frame->last) {
        frame->last->next = tap;
    } else {
        frame->first = tap;
    }
    frame->last = tap;
}
