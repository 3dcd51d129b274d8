/* fuzz_multiplayer.c
 *
 * Arbitrary bytes as multiplayer packets of both generations: nothing is read beyond the end, every reported
 * field is inside of the packet, and a packet recognised as an engine's has no findings.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "multiplayer/wire/api_v3.h"
#include "multiplayer/wire/scene_v4.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(uint32_t offset, uint32_t part, size_t size)
{
    if (offset > size || part > size - offset) {
        abort();
    }
}

static void check_findings(const multiplayer_findings *findings, size_t size)
{
    if (findings->count > MULTIPLAYER_MAX_FINDINGS) {
        abort();
    }
    for (uint32_t i = 0; i < findings->count; i++) {
        inside(findings->list[i].offset, findings->list[i].length, size);
    }
}

static void check_v4(const uint8_t *data, size_t size)
{
    multiplayer_v4_packet packet;
    multiplayer_v4_entry entry;
    multiplayer_v4_parse(data, size, &packet);
    check_findings(&packet.findings, size);
    if (multiplayer_v4_judge(data, size) != MULTIPLAYER_IMPOSSIBLE && packet.findings.count) {
        abort();
    }
    switch (packet.command) {
    case MULTIPLAYER_V4_REMOTE_CALL:
        inside(packet.u.call.arguments_offset, packet.u.call.arguments_length, size);
        inside(packet.u.call.path.offset, packet.u.call.path.length, size);
        break;
    case MULTIPLAYER_V4_SIMPLIFY_PATH:
        inside(packet.u.simplify.path.offset, packet.u.simplify.path.length, size);
        break;
    case MULTIPLAYER_V4_CONFIRM_PATH:
        inside(packet.u.confirm.path.offset, packet.u.confirm.path.length, size);
        break;
    case MULTIPLAYER_V4_SPAWN:
        inside(packet.u.spawn.sync_ids_offset, packet.u.spawn.sync_ids_length, size);
        inside(packet.u.spawn.name.offset, packet.u.spawn.name.length, size);
        inside(packet.u.spawn.argument_offset, packet.u.spawn.argument_length, size);
        inside(packet.u.spawn.state_offset, packet.u.spawn.state_length, size);
        break;
    case MULTIPLAYER_V4_SYNC:
        for (uint32_t position = packet.u.sync.entries_offset;
             position && multiplayer_v4_next_entry(&packet, &position, &entry);) {
            inside(entry.offset, entry.length, size);
            inside(entry.data_offset, entry.data_length, size);
            check_findings(&entry.findings, size);
        }
        break;
    case MULTIPLAYER_V4_SYS:
        inside(packet.u.sys.data_offset, packet.u.sys.data_length, size);
        break;
    default:
        break;
    }
}

static void check_v3(const uint8_t *data, size_t size)
{
    multiplayer_v3_packet packet;
    multiplayer_v3_header header;
    multiplayer_v3_carrier carrier;
    multiplayer_v3_parse(data, size, &packet);
    check_findings(&packet.findings, size);
    inside(packet.name.offset, packet.name.length, size);
    inside(packet.path.offset, packet.path.length, size);
    inside(packet.values_offset, packet.values_length, size);
    if (size && multiplayer_v3_judge(data, size) != MULTIPLAYER_IMPOSSIBLE && packet.findings.count) {
        abort();
    }
    multiplayer_v3_judge_enet(data, size, 0, &carrier);
    multiplayer_v3_judge_enet(data, size, 1, &carrier);
    multiplayer_v3_judge_websocket(data, size);
    for (int i = MULTIPLAYER_V3_BARE; i <= MULTIPLAYER_V3_WEBSOCKET; i++) {
        multiplayer_v3_parse_header((multiplayer_v3_carrier)i, data, size, &header);
        check_findings(&header.findings, size);
        inside(header.length, 0, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_v4(data, size);
    check_v3(data, size);
    return 0;
}
