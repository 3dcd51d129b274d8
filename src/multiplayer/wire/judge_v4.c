/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/wire/scene_v4.h"

#include "base/bytes.h"
#include "base/utf8.h"
#include "variant/variant.h"

enum { PLAUSIBLE_ID = 1 << 24 }; /* counters start at 1 and go up by one per node */

static bool plausible_id(uint32_t id)
{
    return id > 0 && id < PLAUSIBLE_ID;
}

static bool plausible_text(const multiplayer_v4_packet *packet, const multiplayer_text *text)
{
    return text->terminated && utf8_is_printable(packet->bytes + text->offset, text->length);
}

/* Returns the number of values, -1 if the bytes are not values. */
static int plausible_values(const multiplayer_v4_packet *packet, uint32_t offset, uint32_t length,
                            bool *readable)
{
    return multiplayer_plausible_values(packet->bytes + offset, length, VARIANT_GODOT4, readable);
}

static multiplayer_confidence judge_call(const multiplayer_v4_packet *packet)
{
    const multiplayer_v4_call *call = &packet->u.call;
    bool by_path = call->path.offset != 0, readable = false;
    if (by_path ? !plausible_text(packet, &call->path) : call->node >= PLAUSIBLE_ID) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    if (call->raw) {
        return by_path ? MULTIPLAYER_MEDIUM : MULTIPLAYER_WEAK;
    }
    int count = plausible_values(packet, call->arguments_offset, call->arguments_length, &readable);
    if (count != call->count) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    if (by_path) {
        return MULTIPLAYER_STRONG;
    }
    return readable                      ? MULTIPLAYER_STRONG
           : call->arguments_length >= 8 ? MULTIPLAYER_MEDIUM
                                         : MULTIPLAYER_WEAK;
}

static multiplayer_confidence judge_confirm(const multiplayer_v4_packet *packet)
{
    const multiplayer_v4_confirm *confirm = &packet->u.confirm;
    if (confirm->id_offset) {
        return plausible_id(confirm->id) ? MULTIPLAYER_WEAK : MULTIPLAYER_IMPOSSIBLE;
    }
    return plausible_text(packet, &confirm->path) ? MULTIPLAYER_WEAK : MULTIPLAYER_IMPOSSIBLE;
}

static multiplayer_confidence judge_spawn(const multiplayer_v4_packet *packet)
{
    const multiplayer_v4_spawn *spawn = &packet->u.spawn;
    bool readable = false;
    if (!plausible_id(spawn->spawner) || !plausible_id(spawn->net_id) ||
        spawn->name.length + 1 != spawn->name_size || !plausible_text(packet, &spawn->name)) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    if (spawn->argument_size_offset &&
        multiplayer_plausible_value(packet->bytes + spawn->argument_offset, spawn->argument_length,
                                    VARIANT_GODOT4, &readable) != spawn->argument_length) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    return plausible_values(packet, spawn->state_offset, spawn->state_length, &readable) < 0
               ? MULTIPLAYER_IMPOSSIBLE
               : MULTIPLAYER_STRONG;
}

static multiplayer_confidence judge_sync(const multiplayer_v4_packet *packet)
{
    uint32_t position = packet->u.sync.entries_offset, entries = 0;
    multiplayer_v4_entry entry;
    while (multiplayer_v4_next_entry(packet, &position, &entry)) {
        bool readable = false;
        if (entry.findings.count || !plausible_id(entry.id & ~MULTIPLAYER_V4_PATH_FLAG)) {
            return MULTIPLAYER_IMPOSSIBLE;
        }
        int count = plausible_values(packet, entry.data_offset, entry.data_length, &readable);
        if (count < 0 || (packet->u.sync.delta && (uint32_t)count != multiplayer_v4_mask_count(entry.mask))) {
            return MULTIPLAYER_IMPOSSIBLE;
        }
        entries++;
    }
    return entries ? MULTIPLAYER_STRONG : MULTIPLAYER_IMPOSSIBLE;
}

static multiplayer_confidence judge_sys(const multiplayer_v4_packet *packet)
{
    const multiplayer_v4_sys *sys = &packet->u.sys;
    switch (sys->subcommand) {
    case MULTIPLAYER_V4_AUTH:
        return MULTIPLAYER_WEAK;
    case MULTIPLAYER_V4_RELAY:
        /* The inner packet is not SYS (reported otherwise), so this does not go deeper than one level. */
        return multiplayer_v4_judge(packet->bytes + sys->data_offset, sys->data_length);
    default:
        return MULTIPLAYER_STRONG;
    }
}

multiplayer_confidence multiplayer_v4_judge(const uint8_t *bytes, size_t length)
{
    multiplayer_v4_packet packet;
    multiplayer_v4_parse(bytes, length, &packet);
    if (packet.findings.count) { /* no engine writes packets with findings */
        return MULTIPLAYER_IMPOSSIBLE;
    }
    switch (packet.command) {
    case MULTIPLAYER_V4_REMOTE_CALL:
        return judge_call(&packet);
    case MULTIPLAYER_V4_SIMPLIFY_PATH:
        return plausible_text(&packet, &packet.u.simplify.path) ? MULTIPLAYER_CONCLUSIVE
                                                                : MULTIPLAYER_IMPOSSIBLE;
    case MULTIPLAYER_V4_CONFIRM_PATH:
        return judge_confirm(&packet);
    case MULTIPLAYER_V4_SPAWN:
        return judge_spawn(&packet);
    case MULTIPLAYER_V4_DESPAWN:
        return plausible_id(packet.u.despawn.net_id) ? MULTIPLAYER_WEAK : MULTIPLAYER_IMPOSSIBLE;
    case MULTIPLAYER_V4_SYNC:
        return judge_sync(&packet);
    case MULTIPLAYER_V4_SYS:
        return judge_sys(&packet);
    case MULTIPLAYER_V4_RAW:
    case MULTIPLAYER_V4_COMMAND_COUNT:
        break;
    }
    return MULTIPLAYER_WEAK;
}
