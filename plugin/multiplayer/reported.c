/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reported.h"

#include "multiplayer/packet/fields.h"
#include "multiplayer/packet/recorded-twice.h"
#include "multiplayer/reports/engine_text.h"
#include "multiplayer/reports/relayed.h"
#include "multiplayer/reports/search.h"
#include "multiplayer/reports/show.h"

/* Receivers of one packet whose reports the sender's record refers to. */
enum { MAX_REFERRED = 64 };

/* Without the game, only an addressee that reads the packet itself: it is not relayed. */
static bool is_answered(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    const recorder_record *recorded = packet->recorded;
    if (godot_reports_of((report_packet){message->frame, message->place})) {
        return true;
    }
    if (!recorded || (recorded->received && !recorded->number)) {
        return false;
    }
    if (recorded->received) {
        return godot_reports_are_complete(packet->pinfo, recorded->recording);
    }
    /* The first pass does not know yet whether the packet is in the receiver's recording. */
    return godot_reports_are_of_peer(packet->pinfo, recorded->other_id) &&
           (!frame_visited(packet->pinfo) || godot_recordings_receiver(message, 0));
}

void godot_reported_begin(godot_packet *packet)
{
    const godot_message *message = packet->message;
    const recorder_record *recorded = packet->recorded;
    if (recorded && !frame_visited(packet->pinfo)) {
        godot_reports_learn_packet(recorded->recording, recorded->number, recorded->received,
                                   (report_packet){message->frame, message->place});
    }
    packet->answered = is_answered(packet);
}

static engine_packet_kind kind_of(const godot_packet *packet)
{
    const godot_tap *tap = packet->tap;
    bool path = tap->full_path || packet->message->api == 3;
    if (tap->call || tap->set) {
        return path ? ENGINE_CALL_BY_PATH : ENGINE_CALL;
    }
    if (g_strcmp0(tap->what, "path cache") != 0) {
        return ENGINE_OTHER;
    }
    return tap->full_path ? ENGINE_ANNOUNCEMENT : ENGINE_CONFIRMATION;
}

/* Calls, spawns and announcements over the network, which a debugger's error may be about. */
static void remember(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    const godot_tap *tap = packet->tap;
    if (packet->recorded || message->repeated || frame_visited(packet->pinfo) || !tap->node ||
        !godot_report_wants_candidates()) {
        return;
    }
    int32_t receiver = godot_session_peer_id(message, godot_receiving_end(message));
    if (tap->relayed && tap->to != 0 && tap->to != receiver) {
        return;
    }
    const report_candidate candidate = {
        .packet = {message->frame, message->place},
        .sender = tap->from,
        .receiver = receiver,
        .way = (uint64_t)message->session->index << 1 | message->from_initiator,
        .node = tap->node,
        .method = tap->call || tap->set ? tap->what : NULL,
        .kind = kind_of(packet),
        .arguments = tap->argument_count,
    };
    godot_report_candidate(packet->pinfo, &candidate);
}

static void add_at_sender(const report_view *view, const godot_message *message)
{
    for (uint32_t i = 0; i < MAX_REFERRED; i++) {
        uint32_t frame = godot_recordings_receiver(message, i);
        if (!frame) {
            return;
        }
        godot_reports_refer(view, godot_reports_of((report_packet){frame, message->place}));
    }
}

/* The first refusal is the problem of the packet. */
static void set_problem(godot_tap *tap, const godot_report *reports)
{
    for (const godot_report *report = reports; report && !tap->problem; report = report->next) {
        if (godot_report_is_refusal(report)) {
            tap->problem = report->text;
            tap->problem_code = "godot.engine.error";
        }
    }
}

void godot_reported_add(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    const report_packet here = {message->frame, message->place};
    const godot_report *reports = godot_reports_of(here);
    const report_origin *origin = godot_reports_origin_of(here);
    const report_view view = {
        .pinfo = packet->pinfo, .tvb = packet->tvb, .tree = packet->tree, .item = packet->item};
    remember(packet);
    if (origin) {
        godot_report_show_origin(&view, origin);
    }
    if (reports) {
        packet->tap->engine_error = godot_reports_show_at_packet(&view, reports);
        set_problem(packet->tap, reports);
        if (godot_reports_count(here) > MAX_OF_PACKET) {
            expert_add_info_format(packet->pinfo, packet->item, &ei_godot_capped,
                                   "Only %d of %u reports about this packet are shown", MAX_OF_PACKET,
                                   godot_reports_count(here));
        }
    } else if (packet->recorded && !packet->recorded->received && godot_reports_are_any()) {
        add_at_sender(&view, message);
    } else {
        godot_reports_refer(&view, godot_relayed_reports(here));
    }
}
