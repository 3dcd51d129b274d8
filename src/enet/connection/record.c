/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/record.h"

/* Whether the reference of a record without detail is its `about`. */
static bool is_about(unsigned type)
{
    return type == ENET_ACKNOWLEDGE || enet_commands[type].fragment;
}

enet_command_detail enet_detail_of(const enet_capture *capture, const enet_command_record *record,
                                   unsigned type)
{
    if (record->has_detail) {
        return *(const enet_command_detail *)paged_list_at(&capture->details, record->reference);
    }
    if (is_about(type)) {
        return (enet_command_detail){.about = record->reference};
    }
    return (enet_command_detail){.transmission = record->reference};
}

void enet_detail_keep(enet_capture *capture, enet_command_record *record, unsigned type,
                      const enet_command_detail *detail)
{
    bool about = is_about(type);

    if (detail->earlier_frame || detail->number || (about ? detail->transmission : detail->about)) {
        record->has_detail = 1;
        record->reference = paged_list_add(&capture->memory, &capture->details);
        *(enet_command_detail *)paged_list_at(&capture->details, record->reference) = *detail;
    } else {
        record->reference = about ? detail->about : detail->transmission;
    }
}

bool enet_clock_runs(const enet_capture *capture, uint32_t from, uint32_t to)
{
    uint32_t count = capture->jumps.count;

    for (uint32_t i = count; i > 0; i--) {
        const uint32_t *at = paged_list_at(&capture->jumps, i);
        if (*at <= from) {
            return count < ENET_MAX_JUMPS || i < count;
        }
        if (*at <= to) {
            return false;
        }
    }
    return true;
}

const enet_transmission *enet_round_trip(const enet_capture *capture, const enet_command_detail *detail,
                                         unsigned type, uint32_t frame)
{
    bool certain = type == ENET_ACKNOWLEDGE || (type == ENET_VERIFY_CONNECT && detail->number == 1);
    const enet_transmission *answered = certain ? enet_transmission_at(capture, detail->about) : NULL;

    return answered && enet_clock_runs(capture, answered->frame, frame) ? answered : NULL;
}

/* --- datagrams ----------------------------------------------------------------------------------- */

typedef struct {
    uint32_t sighting;
    uint32_t expected_checksum; /* if the checksum is bad */
} rare_members;

static rare_members *rare_of(const enet_kept_datagram *kept)
{
    return (rare_members *)(uintptr_t)(kept->commands + kept->command_count);
}

static bool has_rare(const enet_datagram_record *record)
{
    return record->sighting || record->layout.checksum_verdict == ENET_CHECKSUM_BAD;
}

void enet_datagram_make(enet_capture *capture, enet_datagram_record *record)
{
    size_t size = sizeof(enet_kept_datagram) + record->command_count * sizeof(enet_command_record) +
                  (has_rare(record) ? sizeof(rare_members) : 0);

    record->index = arena_add(&capture->memory, &capture->records, size);
    record->commands = enet_kept_at(capture, record->index)->commands;
}

static bool are_equal(const enet_datagram_terms *a, const enet_datagram_terms *b)
{
    return a->sender == b->sender && a->dialect == b->dialect && a->has_checksum == b->has_checksum &&
           a->direction_known == b->direction_known && a->has_connect_data == b->has_connect_data &&
           a->channel_count == b->channel_count && a->mtu == b->mtu;
}

/* Index of the parameters: those of the sender's previous datagram if they are the same. */
static uint32_t terms_of(enet_capture *capture, const enet_datagram_record *record)
{
    uint32_t *latest = record->sender ? &record->sender->terms : &capture->terms_of_unknown;
    const enet_datagram_terms terms = {.sender = record->sender,
                                       .dialect = record->layout.dialect,
                                       .has_checksum = record->layout.has_checksum,
                                       .direction_known = record->direction_known,
                                       .has_connect_data = record->has_connect_data,
                                       .channel_count = record->channel_count,
                                       .mtu = record->mtu & 0x1fffu};

    if (!*latest || !are_equal(paged_list_at(&capture->terms, *latest), &terms)) {
        *latest = paged_list_add(&capture->memory, &capture->terms);
        *(enet_datagram_terms *)paged_list_at(&capture->terms, *latest) = terms;
    }
    return *latest;
}

void enet_datagram_keep(enet_capture *capture, const enet_datagram_record *record)
{
    enet_kept_datagram *kept = enet_kept_at(capture, record->index);

    kept->terms = terms_of(capture, record);
    kept->shared_bytes = record->shared_bytes;
    kept->first_message = record->first_message;
    kept->command_count = record->command_count & 0x7ffu;
    kept->dropped = record->dropped;
    kept->second = record->second;
    kept->compression = record->layout.compression;
    kept->decompress_result = record->layout.decompress_result;
    kept->checksum_verdict = record->layout.checksum_verdict;
    kept->has_rare = has_rare(record);
    if (kept->has_rare) {
        *rare_of(kept) = (rare_members){record->sighting, record->layout.expected_checksum};
    }
}

enet_datagram_record enet_datagram_kept(const enet_capture *capture, uint32_t index)
{
    enet_kept_datagram *kept = enet_kept_at(capture, index);
    const enet_datagram_terms *terms = paged_list_at(&capture->terms, kept->terms);
    rare_members rare = kept->has_rare ? *rare_of(kept) : (rare_members){0};

    return (enet_datagram_record){.index = index,
                                  .sender = terms->sender,
                                  .layout = {.dialect = terms->dialect,
                                             .has_checksum = terms->has_checksum,
                                             .compression = kept->compression,
                                             .decompress_result = kept->decompress_result,
                                             .checksum_verdict = kept->checksum_verdict,
                                             .expected_checksum = rare.expected_checksum},
                                  .shared_bytes = kept->shared_bytes,
                                  .direction_known = terms->direction_known,
                                  .has_connect_data = terms->has_connect_data,
                                  .dropped = kept->dropped,
                                  .second = kept->second,
                                  .channel_count = terms->channel_count,
                                  .mtu = terms->mtu,
                                  .sighting = rare.sighting,
                                  .first_message = kept->first_message,
                                  .command_count = kept->command_count,
                                  .commands = kept->commands};
}
