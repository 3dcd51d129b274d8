/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/wire/scene_v4.h"

#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"

enum {
    SIZE_SHIFT = 4, /* bits 4-5: node id size */
    SIZE_MASK = 3,
    METHOD_WIDE = 0x40,
    RAW_CALL = 0x80,
    DELTA = 0x10,
    UNUSED_BIT = 0x08,
    SIMPLIFY_LENGTH = 38, /* command, 32 digits, NUL, id; the path may be empty for the reader */
    SPAWN_LENGTH = 18,
    SYNC_LENGTH = 11,
    RELAY_LENGTH = 7,
};

static void report(multiplayer_v4_packet *packet, multiplayer_problem problem, multiplayer_verdict verdict,
                   uint32_t offset, uint32_t length)
{
    multiplayer_report(&packet->findings, problem, verdict, offset, length);
}

static void too_short(multiplayer_v4_packet *packet)
{
    report(packet, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, packet->length, 0);
}

static bool has(const multiplayer_v4_packet *packet, uint32_t offset, uint32_t length)
{
    return offset <= packet->length && packet->length - offset >= length;
}

/* Offset of the path that a node id with the path flag refers to, or the packet's length. */
static uint32_t call_path(multiplayer_v4_packet *packet, multiplayer_v4_call *call, uint32_t header_end)
{
    uint32_t offset = call->node & ~MULTIPLAYER_V4_PATH_FLAG;
    if (call->node_size != 4 || !(call->node & MULTIPLAYER_V4_PATH_FLAG)) {
        return packet->length;
    }
    if (offset >= packet->length || offset < header_end) {
        report(packet, MULTIPLAYER_PROBLEM_PATH_OFFSET, MULTIPLAYER_DROPPED, call->node_offset, 4);
        return packet->length;
    }
    call->path = multiplayer_last_text(packet->bytes, offset, packet->length, &packet->findings);
    return offset;
}

static void parse_call(multiplayer_v4_packet *packet)
{
    static const uint8_t sizes[] = {1, 2, 4, 0};
    multiplayer_v4_call *call = &packet->u.call;
    const uint8_t *bytes = packet->bytes;
    call->node_size = sizes[packet->byte >> SIZE_SHIFT & SIZE_MASK];
    call->method_size = packet->byte & METHOD_WIDE ? 2 : 1;
    call->raw = packet->byte & RAW_CALL;
    if (call->node_size == 0) {
        report(packet, MULTIPLAYER_PROBLEM_ID_SIZE, MULTIPLAYER_DROPPED, 0, 1);
        return;
    }
    if (has(packet, 1, call->node_size)) {
        call->node_offset = 1;
        call->node = call->node_size == 1   ? bytes[1]
                     : call->node_size == 2 ? le16(bytes + 1)
                                            : le32(bytes + 1);
    }
    uint32_t offset = 1u + call->node_size;
    if (!has(packet, offset, call->method_size)) {
        too_short(packet);
        return;
    }
    call->method_offset = offset;
    call->method = call->method_size == 1 ? bytes[offset] : le16(bytes + offset);
    offset += call->method_size;
    uint32_t end = call_path(packet, call, offset);
    if (call->raw) {
        call->count = offset < end;
    } else if (offset >= end) {
        too_short(packet);
        return;
    } else {
        call->count_offset = offset;
        call->count = bytes[offset++];
        if (call->count == 0) {
            report(packet, MULTIPLAYER_PROBLEM_EMPTY_CALL, MULTIPLAYER_TOLERATED, call->count_offset, 1);
        }
    }
    call->arguments_offset = offset;
    call->arguments_length = end - offset;
    if (call->node == 0) {
        report(packet, MULTIPLAYER_PROBLEM_ID_ZERO, MULTIPLAYER_DROPPED, call->node_offset, call->node_size);
    }
    if ((call->node_size == 2 && call->node <= 0xff && call->node > 0) ||
        (call->method_size == 2 && call->method <= 0xff)) {
        report(packet, MULTIPLAYER_PROBLEM_NOT_MINIMAL, MULTIPLAYER_TOLERATED, call->node_offset,
               (uint32_t)call->node_size + call->method_size);
    }
}

static multiplayer_text last_text(multiplayer_v4_packet *packet, uint32_t offset)
{
    multiplayer_text text = multiplayer_last_text(packet->bytes, offset, packet->length, &packet->findings);
    if (text.length == 0) {
        report(packet, MULTIPLAYER_PROBLEM_EMPTY_TEXT, MULTIPLAYER_DROPPED, text.offset, 0);
    }
    return text;
}

static bool is_checksum(const uint8_t *digits)
{
    for (uint32_t i = 0; i < MULTIPLAYER_V4_CHECKSUM_LENGTH; i++) {
        if (!((digits[i] >= '0' && digits[i] <= '9') || (digits[i] >= 'a' && digits[i] <= 'f'))) {
            return false;
        }
    }
    return true;
}

static void parse_simplify(multiplayer_v4_packet *packet)
{
    multiplayer_v4_simplify *simplify = &packet->u.simplify;
    if (packet->length < SIMPLIFY_LENGTH) {
        too_short(packet);
        return;
    }
    simplify->checksum_offset = 1;
    uint32_t end = 1 + MULTIPLAYER_V4_CHECKSUM_LENGTH;
    if (!is_checksum(packet->bytes + 1) || packet->bytes[end] != 0) {
        report(packet, MULTIPLAYER_PROBLEM_CHECKSUM_TEXT, MULTIPLAYER_TOLERATED, 1,
               MULTIPLAYER_V4_CHECKSUM_LENGTH + 1);
    }
    simplify->id_offset = end + 1;
    simplify->id = le32(packet->bytes + simplify->id_offset);
    if (simplify->id == 0) {
        report(packet, MULTIPLAYER_PROBLEM_ID_ZERO, MULTIPLAYER_TOLERATED, simplify->id_offset, 4);
    }
    simplify->path = last_text(packet, SIMPLIFY_LENGTH);
}

static void parse_confirm(multiplayer_v4_packet *packet)
{
    multiplayer_v4_confirm *confirm = &packet->u.confirm;
    const uint8_t *bytes = packet->bytes;
    if (packet->length < 3) {
        too_short(packet);
        return;
    }
    confirm->valid_offset = 1;
    confirm->valid = bytes[1];
    if (confirm->valid > 1) {
        report(packet, MULTIPLAYER_PROBLEM_UNUSED_BITS, MULTIPLAYER_TOLERATED, 1, 1);
    }
    /* 4.0 - 4.2 send the path, 4.3 and later the id. Six bytes may be a three-letter path. */
    if (packet->length == MULTIPLAYER_V4_CONFIRM_ID_LENGTH && (bytes[4] == 0 || bytes[5] != 0)) {
        confirm->id_offset = 2;
        confirm->id = le32(bytes + 2);
    } else {
        confirm->path = last_text(packet, 2);
    }
}

static void parse_spawn_rest(multiplayer_v4_packet *packet, uint32_t offset)
{
    multiplayer_v4_spawn *spawn = &packet->u.spawn;
    if (spawn->scene == MULTIPLAYER_V4_CUSTOM_SCENE) {
        if (!has(packet, offset, 4)) {
            report(packet, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, offset, 0);
            return;
        }
        uint32_t size = le32(packet->bytes + offset);
        spawn->argument_size_offset = offset;
        offset += 4;
        spawn->argument_offset = offset;
        spawn->argument_length = size;
        if (!has(packet, offset, size)) {
            report(packet, MULTIPLAYER_PROBLEM_SIZE_FIELD, MULTIPLAYER_DROPPED, spawn->argument_size_offset,
                   4);
            spawn->argument_length = packet->length - offset;
        }
        offset += spawn->argument_length;
    }
    spawn->state_offset = offset;
    spawn->state_length = packet->length - offset;
}

/* A name that the receiver of a SPAWN accepts: not empty, none of . : @ / " % */
static bool is_node_name(const uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (strchr(".:@/\"%", bytes[i]) && bytes[i]) {
            return false;
        }
    }
    return length > 0;
}

static void parse_spawn(multiplayer_v4_packet *packet)
{
    multiplayer_v4_spawn *spawn = &packet->u.spawn;
    const uint8_t *bytes = packet->bytes;
    if (packet->length < SPAWN_LENGTH) {
        too_short(packet);
        return;
    }
    spawn->scene_offset = 1;
    spawn->scene = bytes[1];
    spawn->spawner_offset = 2;
    spawn->spawner = le32(bytes + 2);
    spawn->net_id_offset = 6;
    spawn->net_id = le32(bytes + 6);
    spawn->sync_count_offset = 10;
    spawn->sync_count = le32(bytes + 10);
    spawn->name_size_offset = 14;
    spawn->name_size = le32(bytes + 14);
    spawn->sync_ids_offset = SPAWN_LENGTH;
    uint32_t rest = packet->length - SPAWN_LENGTH;
    if (spawn->sync_count > rest / 4) {
        report(packet, MULTIPLAYER_PROBLEM_SIZE_FIELD, MULTIPLAYER_DROPPED, spawn->sync_count_offset, 4);
        spawn->sync_ids_length = rest - rest % 4;
        return;
    }
    spawn->sync_ids_length = spawn->sync_count * 4;
    uint32_t offset = SPAWN_LENGTH + spawn->sync_ids_length;
    if (spawn->name_size == 0 || !has(packet, offset, spawn->name_size)) {
        report(packet, MULTIPLAYER_PROBLEM_SIZE_FIELD, MULTIPLAYER_DROPPED, spawn->name_size_offset, 4);
        return;
    }
    spawn->name = multiplayer_read_text(bytes, offset, offset + spawn->name_size);
    if (!spawn->name.terminated) {
        report(packet, MULTIPLAYER_PROBLEM_UNTERMINATED, MULTIPLAYER_TOLERATED, offset + spawn->name.length,
               0);
    }
    if (!is_node_name(bytes + offset, spawn->name.length)) {
        report(packet, MULTIPLAYER_PROBLEM_NODE_NAME, MULTIPLAYER_DROPPED, offset, spawn->name.length);
    }
    parse_spawn_rest(packet, offset + spawn->name_size);
}

static void parse_despawn(multiplayer_v4_packet *packet)
{
    if (packet->length < 5) {
        too_short(packet);
        return;
    }
    packet->u.despawn.net_id_offset = 1;
    packet->u.despawn.net_id = le32(packet->bytes + 1);
    if (packet->length > 5) {
        report(packet, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED, 5, packet->length - 5);
    }
}

static void parse_sync(multiplayer_v4_packet *packet)
{
    multiplayer_v4_sync *sync = &packet->u.sync;
    sync->delta = packet->byte & DELTA;
    if (packet->length < SYNC_LENGTH) {
        too_short(packet);
        return;
    }
    sync->entries_offset = 1;
    if (!sync->delta) {
        sync->time_offset = 1;
        sync->time = le16(packet->bytes + 1);
        sync->entries_offset = 3;
    }
    uint32_t position = sync->entries_offset;
    multiplayer_v4_entry entry;
    while (multiplayer_v4_next_entry(packet, &position, &entry))
        ;
    if (position < packet->length) {
        report(packet, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED, position,
               packet->length - position);
    }
}

static void parse_sys(multiplayer_v4_packet *packet)
{
    multiplayer_v4_sys *sys = &packet->u.sys;
    if (packet->length < 2) {
        too_short(packet);
        return;
    }
    sys->subcommand_offset = 1;
    sys->subcommand = packet->bytes[1];
    if (sys->subcommand == MULTIPLAYER_V4_AUTH || sys->subcommand >= MULTIPLAYER_V4_SUBCOMMAND_COUNT) {
        sys->data_offset = 2;
        sys->data_length = packet->length - 2;
        if (sys->subcommand != MULTIPLAYER_V4_AUTH) {
            report(packet, MULTIPLAYER_PROBLEM_SUBCOMMAND, MULTIPLAYER_DROPPED, 1, 1);
        }
        return;
    }
    if (!has(packet, 2, 4)) {
        too_short(packet);
        return;
    }
    sys->peer_offset = 2;
    sys->peer = (int32_t)le32(packet->bytes + 2);
    if (sys->subcommand == MULTIPLAYER_V4_RELAY) {
        sys->data_offset = 6;
        sys->data_length = packet->length - 6;
        if (packet->length < RELAY_LENGTH) {
            too_short(packet);
        } else if ((packet->bytes[6] & MULTIPLAYER_V4_COMMAND_MASK) == MULTIPLAYER_V4_SYS) {
            report(packet, MULTIPLAYER_PROBLEM_RELAYED_SYSTEM, MULTIPLAYER_DROPPED, 6, sys->data_length);
        }
        return;
    }
    if (sys->peer < 2) {
        report(packet, MULTIPLAYER_PROBLEM_PEER_ID, MULTIPLAYER_TOLERATED, 2, 4);
    }
    if (packet->length > 6) {
        report(packet, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED, 6, packet->length - 6);
    }
}

/* Bits of the command byte that each command uses. */
static const uint8_t used_bits[MULTIPLAYER_V4_COMMAND_COUNT] = {
    [MULTIPLAYER_V4_REMOTE_CALL] = 0xf7,  [MULTIPLAYER_V4_SIMPLIFY_PATH] = 0x07,
    [MULTIPLAYER_V4_CONFIRM_PATH] = 0x07, [MULTIPLAYER_V4_RAW] = 0x07,
    [MULTIPLAYER_V4_SPAWN] = 0x07,        [MULTIPLAYER_V4_DESPAWN] = 0x07,
    [MULTIPLAYER_V4_SYNC] = 0x17,         [MULTIPLAYER_V4_SYS] = 0x07,
};

void multiplayer_v4_parse(const uint8_t *bytes, size_t length, multiplayer_v4_packet *packet)
{
    memset(packet, 0, sizeof *packet);
    packet->bytes = bytes;
    packet->length = length < MULTIPLAYER_MAX_LENGTH ? (uint32_t)length : MULTIPLAYER_MAX_LENGTH;
    if (length == 0) {
        too_short(packet);
        return;
    }
    packet->byte = bytes[0];
    packet->command = (multiplayer_v4_command)(bytes[0] & MULTIPLAYER_V4_COMMAND_MASK);
    if (packet->byte & ~used_bits[packet->command]) {
        report(packet, MULTIPLAYER_PROBLEM_UNUSED_BITS, MULTIPLAYER_IGNORED, 0, 1);
    }
    switch (packet->command) {
    case MULTIPLAYER_V4_REMOTE_CALL:
        parse_call(packet);
        break;
    case MULTIPLAYER_V4_SIMPLIFY_PATH:
        parse_simplify(packet);
        break;
    case MULTIPLAYER_V4_CONFIRM_PATH:
        parse_confirm(packet);
        break;
    case MULTIPLAYER_V4_SPAWN:
        parse_spawn(packet);
        break;
    case MULTIPLAYER_V4_DESPAWN:
        parse_despawn(packet);
        break;
    case MULTIPLAYER_V4_SYNC:
        parse_sync(packet);
        break;
    case MULTIPLAYER_V4_SYS:
        parse_sys(packet);
        break;
    case MULTIPLAYER_V4_RAW: /* the rest belongs to the application */
        if (packet->length < 2) {
            too_short(packet);
        }
        break;
    case MULTIPLAYER_V4_COMMAND_COUNT:
        break;
    }
}

bool multiplayer_v4_next_entry(const multiplayer_v4_packet *packet, uint32_t *position,
                               multiplayer_v4_entry *entry)
{
    const uint8_t *bytes = packet->bytes;
    bool delta = packet->u.sync.delta;
    uint32_t header = delta ? 16 : 8;
    /* Like the engine's loop: an entry needs at least one byte after its header. */
    if (*position >= packet->length || packet->length - *position <= header) {
        return false;
    }
    memset(entry, 0, sizeof *entry);
    entry->offset = *position;
    entry->id = le32(bytes + *position);
    if (delta) {
        entry->mask_offset = *position + 4;
        entry->mask = le64(bytes + entry->mask_offset);
    }
    entry->size_offset = *position + header - 4;
    entry->size = le32(bytes + entry->size_offset);
    entry->data_offset = *position + header;
    uint32_t left = packet->length - entry->data_offset;
    entry->data_length = entry->size < left ? entry->size : left;
    if (entry->size > left) {
        multiplayer_report(&entry->findings, MULTIPLAYER_PROBLEM_SIZE_FIELD, MULTIPLAYER_PARTLY,
                           entry->size_offset, 4);
    } else if (entry->size == 0) {
        multiplayer_report(&entry->findings, MULTIPLAYER_PROBLEM_EMPTY_ENTRY, MULTIPLAYER_TOLERATED,
                           entry->size_offset, 4);
    }
    entry->length = header + entry->data_length;
    *position = entry->data_offset + entry->data_length;
    return true;
}

uint32_t multiplayer_v4_mask_count(uint64_t mask)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) {
        count++;
    }
    return count;
}

const char *multiplayer_v4_command_name(uint8_t command_byte)
{
    static const char *const names[MULTIPLAYER_V4_COMMAND_COUNT] = {
        [MULTIPLAYER_V4_REMOTE_CALL] = "Remote Call",
        [MULTIPLAYER_V4_SIMPLIFY_PATH] = "Simplify Path",
        [MULTIPLAYER_V4_CONFIRM_PATH] = "Confirm Path",
        [MULTIPLAYER_V4_RAW] = "Raw",
        [MULTIPLAYER_V4_SPAWN] = "Spawn",
        [MULTIPLAYER_V4_DESPAWN] = "Despawn",
        [MULTIPLAYER_V4_SYNC] = "Sync",
        [MULTIPLAYER_V4_SYS] = "System",
    };
    unsigned command = command_byte & MULTIPLAYER_V4_COMMAND_MASK;
    return command == MULTIPLAYER_V4_SYNC && (command_byte & DELTA) ? "Delta Sync" : names[command];
}

const char *multiplayer_v4_subcommand_name(uint8_t subcommand)
{
    static const char *const names[MULTIPLAYER_V4_SUBCOMMAND_COUNT] = {
        [MULTIPLAYER_V4_AUTH] = "Authentication",
        [MULTIPLAYER_V4_ADD_PEER] = "Add Peer",
        [MULTIPLAYER_V4_DEL_PEER] = "Delete Peer",
        [MULTIPLAYER_V4_RELAY] = "Relay",
    };
    return subcommand < MULTIPLAYER_V4_SUBCOMMAND_COUNT ? names[subcommand] : NULL;
}
