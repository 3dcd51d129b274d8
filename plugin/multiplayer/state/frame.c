/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include <epan/proto_data.h>

#include "multiplayer/state/frame.h"

static int proto_godot;

void godot_frame_init(int proto)
{
    proto_godot = proto;
}

static godot_frame *existing(packet_info *pinfo)
{
    return (godot_frame *)p_get_proto_data(pinfo->pool, pinfo, proto_godot, GODOT_FRAME_PASS);
}

godot_frame *godot_frame_get(packet_info *pinfo)
{
    godot_frame *frame = existing(pinfo);
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

const godot_tap *godot_taps_of_frame(packet_info *pinfo)
{
    const godot_frame *frame = existing(pinfo);
    return frame ? frame->first : NULL;
}

bool godot_frame_has_second_record(packet_info *pinfo)
{
    const godot_frame *frame = existing(pinfo);
    return frame && frame->has_second_record;
}

const godot_session *godot_session_of_frame(packet_info *pinfo)
{
    const godot_frame *frame = existing(pinfo);
    return frame ? frame->session : NULL;
}
