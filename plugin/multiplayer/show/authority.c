/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/show/authority.h"

#include "base/allocators.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/show/path-cache.h"

/* Who sends the states of a synchronizer. */
typedef struct {
    int32_t peer;
    bool several;         /* others, too: its authority changes, or there are several games */
    uint32_t first, last; /* frame_order() of the first and last state */
} sync_owner;

static wmem_map_t *owners; /* path -> sync_owner */

void godot_authority_init(void)
{
    owners = file_map(wmem_str_hash, g_str_equal);
}

void godot_authority_learn(const godot_packet *packet, const char *path)
{
    int32_t peer = godot_session_peer_id(packet->message, packet->from);
    if (!packet->learn || !peer || !godot_project_available()) {
        return;
    }
    uint32_t frame = frame_order(packet->pinfo);
    sync_owner *owner = wmem_map_lookup(owners, path);
    if (!owner) {
        const char *kept = godot_store_may_keep(godot_state_store(), sizeof *owner)
                               ? godot_store_text(godot_state_store(), path)
                               : NULL;
        if (!kept) {
            return;
        }
        owner = wmem_new(wmem_file_scope(), sync_owner);
        *owner = (sync_owner){peer, false, frame, frame};
        wmem_map_insert(owners, kept, owner);
    }
    owner->several |= owner->peer != peer;
    owner->last = frame;
}

/* Only between two states: before and after them it may be another one. */
static int32_t find_owner(const godot_packet *packet, const char *node)
{
    const sync_owner *owner = frame_visited(packet->pinfo) ? wmem_map_lookup(owners, node) : NULL;
    uint32_t frame = frame_order(packet->pinfo);
    return owner && !owner->several && owner->first <= frame && frame <= owner->last ? owner->peer : 0;
}

void godot_authority_not_known(const godot_packet *packet, const char *reason)
{
    bool known = packet->to && godot_session_peer_id(packet->message, packet->to); /* not in a mesh */
    expert_add_info_format(packet->pinfo, packet->item, &ei_godot_authority_unknown,
                           "Whether %s allows the call is not known: %s",
                           known ? godot_peer_text(packet, packet->to) : "the receiver", reason);
}

int32_t godot_authority_show(const godot_packet *packet, const char *node, const char *checksum,
                             const char *name)
{
    const char *reason =
        frame_visited(packet->pinfo) ? "it may have changed at about this time in the game" : NULL;
    int32_t peer;
    uint32_t frame = 0;
    if (!godot_names_recorded_authority(packet, node, &peer, &frame)) {
        peer = godot_names_authority(packet, node, checksum, name, &reason);
        peer = peer || !reason ? peer : find_owner(packet, node);
    }
    frame_add_reference(packet->tree, hf_godot_rpc_authority_in, packet->tvb, frame);
    godot_add_peer(packet->tree, packet->tvb, hf_godot_rpc_authority, peer);
    if (!peer && reason) {
        godot_authority_not_known(packet, reason);
        godot_add_unread(packet, packet->item);
    }
    return peer;
}
