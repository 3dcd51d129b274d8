/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/show/points.h"

#include "base/registration.h"
#include "enet/show/expert.h"

static int hf_captured_before, hf_captured_again, hf_transit, hf_clock_difference, hf_delivered_in;

static hf_register_info fields[] = {
    FIELD_BLURB(hf_captured_before, "Captured Before in Frame", "enet.captured_before", FT_FRAMENUM,
                BASE_NONE, "The same datagram at the other capture point"),
    FIELD_BLURB(hf_captured_again, "Captured Again in Frame", "enet.captured_again", FT_FRAMENUM, BASE_NONE,
                "The same datagram at the other capture point"),
    FIELD_BLURB(hf_transit, "Transit Time", "enet.transit", FT_RELATIVE_TIME, BASE_NONE,
                "From the capture point near the sender to this one"),
    FIELD_BLURB(hf_clock_difference, "Clock Difference", "enet.clock_difference", FT_RELATIVE_TIME, BASE_NONE,
                "How far the clock of the capture point that comes second in the file is ahead, estimated as "
                "NTP does"),
    FIELD_BLURB(hf_delivered_in, "Delivered in Frame", "enet.delivered_in", FT_FRAMENUM, BASE_NONE,
                "The receiver's ENet holds the message until then: an earlier reliable one is missing"),
};

static void add_time(const enet_view *view, int field, int64_t nanoseconds)
{
    nstime_t time = enet_nstime(nanoseconds);
    proto_item_set_generated(proto_tree_add_time(view->tree, field, view->tvb, 0, 0, &time));
}

void enet_points_tree(const enet_view *view)
{
    enet_sighting_facts facts = enet_state_sighting(view->pinfo, view->record);
    proto_item *item = proto_tree_get_parent(view->tree);
    int64_t difference;

    if (view->record->second) {
        frame_add_reference(view->tree, hf_captured_before, view->tvb, facts.frame);
        expert_add_info(view->pinfo, item, &ei_enet_second_point);
    } else if (facts.other_frame) {
        frame_add_reference(view->tree, hf_captured_again, view->tvb, facts.other_frame);
    }
    if (facts.has_transit && facts.receiver_frame == frame_order(view->pinfo)) {
        add_time(view, hf_transit, facts.transit);
    }
    if (view->record->second && enet_state_clock_difference(view->pinfo, view->record, &difference)) {
        add_time(view, hf_clock_difference, difference);
    }
    if (facts.lost && !view->record->second) {
        expert_add_info(view->pinfo, item, &ei_enet_lost);
    }
}

void enet_points_tree_command(const enet_view *view, proto_tree *tree, const enet_command *command)
{
    enet_delivery_facts delivery = enet_state_delivery(view->pinfo, view->record, command);

    if (delivery.known && !delivery.copy && delivery.frame && delivery.frame != frame_order(view->pinfo)) {
        frame_add_reference(tree, hf_delivered_in, view->body_tvb, delivery.frame);
    }
}

void enet_points_tree_register(int proto)
{
    proto_register_field_array(proto, fields, array_length(fields));
}
