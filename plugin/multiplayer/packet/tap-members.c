/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/tap-members.h"

#include "multiplayer/packet/fields.h"
#include "multiplayer/peers/names.h"

const char *godot_transfer_mode_name(godot_transfer_mode mode)
{
    static const char *const names[] = {
        [GODOT_TRANSFER_RELIABLE] = "reliable",
        [GODOT_TRANSFER_UNRELIABLE] = "unreliable",
        [GODOT_TRANSFER_UNRELIABLE_ORDERED] = "unreliable ordered",
    };
    return names[mode];
}

void godot_name_ends(const godot_packet *packet)
{
    const packet_info *pinfo = packet->pinfo;
    if (frame_visited(pinfo)) {
        return;
    }
    const godot_peer_facts source = {.address = &pinfo->src, .port = pinfo->srcport},
                           target = {.address = &pinfo->dst, .port = pinfo->destport};
    bool up = packet->message->from_initiator;
    godot_peer_appears(godot_session_peer_id(packet->message, up ? GODOT_INITIATOR : GODOT_ACCEPTOR),
                       &source);
    godot_peer_appears(godot_session_peer_id(packet->message, up ? GODOT_ACCEPTOR : GODOT_INITIATOR),
                       &target);
    godot_peer_appears(packet->tap->from, NULL);
    godot_peer_appears(godot_peer_meant(packet->tap->to), NULL);
}

void godot_tap_set_ends(const godot_packet *packet)
{
    godot_tap *tap = packet->tap;
    tap->from = godot_session_peer_id(packet->message, packet->from);
    tap->to = packet->to ? godot_session_peer_id(packet->message, packet->to) : packet->broadcast;
    tap->to_unknown = packet->to && tap->to == 0;
    godot_name_ends(packet);
}

/* Texts of godot_tap.refused. Each of these problems is found on the first pass. */
static const struct {
    const expert_field *expert;
    const char *refused;
} reasons[] = {
    {&ei_godot_despawned, "node despawned"},        {&ei_godot_refused_call, "checksum failed"},
    {&ei_godot_wrong_arguments, "wrong arguments"}, {&ei_godot_not_allowed, "not allowed"},
    {&ei_godot_wrong_type, "wrong type"},           {&ei_godot_method_not_found, "method not found"},
    {&ei_godot_only_server, "not from the server"},
};

void godot_tap_set_problem(const godot_packet *packet, const expert_field *expert, const char *text)
{
    for (size_t i = 0; i < array_length(reasons); i++) {
        if (reasons[i].expert == expert) {
            packet->tap->refused = reasons[i].refused;
        }
    }
    if (!packet->tap->problem) {
        packet->tap->problem = text ? text : proto_registrar_get_name(expert->hf);
        packet->tap->problem_code = proto_registrar_get_abbrev(expert->hf);
    }
}

void godot_tap_add(wmem_array_t *list, godot_tap_variant value)
{
    if (list) {
        wmem_array_append_one(list, value);
    }
}
