/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/record.h"

#include <string.h>

#include "base/bytes.h"

static const uint8_t magic[] = {'G', 'D', 'R', 'C'};

recorder_record recorder_parse(const uint8_t *bytes, uint32_t length)
{
    recorder_record record = {.status = RECORDER_NO_MAGIC};
    if (length <= RECORDER_AT_VERSION || memcmp(bytes, magic, sizeof magic) != 0) {
        return record;
    }
    record.version = bytes[RECORDER_AT_VERSION];
    if (record.version != RECORDER_VERSION) {
        record.status = RECORDER_OTHER_VERSION;
        return record;
    }
    if (length < RECORDER_HEAD_LENGTH) {
        record.status = RECORDER_CUT_HEAD;
        return record;
    }
    record.kind = bytes[RECORDER_AT_KIND];
    record.flags = bytes[RECORDER_AT_FLAGS];
    record.received = record.flags & RECORDER_RECEIVED;
    record.own_is_server = record.flags & RECORDER_SERVER;
    record.mode = (uint8_t)((record.flags & RECORDER_MODE) >> RECORDER_MODE_SHIFT);
    record.recording = le32(bytes + RECORDER_AT_RECORDING);
    record.own_id = (int32_t)le32(bytes + RECORDER_AT_OWN_ID);
    record.other_id = (int32_t)le32(bytes + RECORDER_AT_OTHER_ID);
    record.channel = le16(bytes + RECORDER_AT_CHANNEL);
    record.head_length = le16(bytes + RECORDER_AT_HEAD_LENGTH);
    if (record.head_length < RECORDER_HEAD_LENGTH || record.head_length > length) {
        record.status = RECORDER_BAD_HEAD_LENGTH;
        return record;
    }
    if (recorder_is_numbered(&record)) {
        record.number = le32(bytes + RECORDER_AT_NUMBER);
    }
    record.status = RECORDER_WHOLE;
    record.payload_offset = record.head_length;
    record.payload_length = length - record.head_length;
    return record;
}

bool recorder_is_numbered(const recorder_record *record)
{
    bool packet = record->kind == RECORDER_PACKET || record->kind == RECORDER_RAW_PACKET ||
                  record->kind == RECORDER_STREAM;
    return packet && record->head_length >= RECORDER_NUMBERED_LENGTH;
}

const char *recorder_kind_name(uint8_t kind)
{
    static const char *const names[RECORDER_KIND_COUNT] = {
        [RECORDER_PACKET] = "Packet",
        [RECORDER_CONNECTED] = "Peer connected",
        [RECORDER_DISCONNECTED] = "Peer disconnected",
        [RECORDER_INFO] = "Recorder",
        [RECORDER_NAMES] = "Names",
        [RECORDER_RAW_PACKET] = "Packet of a PacketPeer",
        [RECORDER_STREAM] = "Bytes of a StreamPeer",
        [RECORDER_LEFT_OUT] = "Records left out",
        [RECORDER_REPORT] = "Report",
        [RECORDER_OUTPUT] = "Output",
        [RECORDER_NODE] = "Node",
        [RECORDER_PAUSE] = "Pause",
        [RECORDER_ORIGIN] = "Origin",
    };
    return kind < RECORDER_KIND_COUNT ? names[kind] : "Unknown";
}

/* --- other heads --------------------------------------------------------------------------------- */

/* EOSGMultiplayerPeer: event, reliability, peer id. */
static recorder_head parse_epic(const uint8_t *bytes, uint32_t length, int32_t sender)
{
    enum { HEAD_LENGTH = 6, EVENT_COUNT = 3, RELIABILITY_COUNT = 3 };
    static const recorder_head_kind kinds[EVENT_COUNT] = {RECORDER_EPIC_PACKET, RECORDER_EPIC_PEER_ID,
                                                          RECORDER_EPIC_MESH};
    recorder_head none = {.kind = RECORDER_NO_HEAD};
    if (length < HEAD_LENGTH || bytes[0] >= EVENT_COUNT || bytes[1] >= RELIABILITY_COUNT ||
        (int32_t)le32(bytes + 2) != sender) {
        return none;
    }
    recorder_head head = {kinds[bytes[0]], HEAD_LENGTH, sender, bytes[0], bytes[1]};
    bool alone = length == HEAD_LENGTH;
    /* A CONFIRM_PATH for path id 1 has the same six bytes as a request of peer 1, which never sends one. */
    if ((head.kind == RECORDER_EPIC_PACKET && alone) || (head.kind == RECORDER_EPIC_MESH && sender == 1)) {
        return none;
    }
    return head;
}

recorder_head recorder_parse_head(const char *peer_class, const uint8_t *bytes, uint32_t length,
                                  int32_t sender, bool first)
{
    recorder_head head = {.kind = RECORDER_NO_HEAD};
    if (!peer_class || sender <= 0) {
        return head;
    }
    if (strcmp(peer_class, "EOSGMultiplayerPeer") == 0) {
        return parse_epic(bytes, length, sender);
    }
    if (strcmp(peer_class, "SteamMultiplayerPeer") == 0 && first && length == 4 &&
        (int32_t)le32(bytes) == sender) {
        return (recorder_head){.kind = RECORDER_STEAM_HELLO, .length = 4, .peer_id = sender};
    }
    return head;
}
