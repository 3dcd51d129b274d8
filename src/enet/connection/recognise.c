/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/recognise.h"

#include "enet/wire/judge.h"

#define CANDIDATES 8u /* connections between the same sockets whose datagrams alternate */

/* A datagram that looks like ENet. */
typedef struct {
    unsigned endpoint; /* that has sent it, 0 or 1 */
    uint32_t address;  /* peer id and session */
    uint32_t seed;     /* seed of the checksum; 0 if it has no checksum */
    bool has_checksum, has_sent_time;
    uint16_t sent_time; /* if has_sent_time */
} candidate;

struct enet_candidates {
    candidate entries[CANDIDATES];
    unsigned count; /* number so far; the newest ones are in `entries`, a ring */
};

static uint32_t address_of(const enet_header *header)
{
    return (uint32_t)header->session << 19 | header->peer_id;
}

/* The sent time that the first command acknowledges; false if it is no acknowledgement. */
static bool echoed_time(const enet_detection *detection, uint16_t *time)
{
    enet_body_context context = {.header = &detection->header};
    enet_body body;
    enet_command command;

    enet_body_init(&body, detection->body, detection->body_length, detection->body_length, &context);
    if (!enet_body_next(&body, &command) || command.type != ENET_ACKNOWLEDGE) {
        return false;
    }
    *time = command.fields.acknowledgement.sent_time;
    return true;
}

/* Same sender, slot, session and layout as an earlier datagram; or from the other end, with the sent time of
 * that datagram. With checksums, both must have the same connect id. */
static bool agrees(const candidate *earlier, const enet_detection *detection, unsigned endpoint)
{
    uint16_t time;

    if (earlier->has_checksum != detection->header.has_checksum ||
        (detection->has_seed && detection->seed != earlier->seed)) {
        return false;
    }
    if (endpoint == earlier->endpoint) {
        return address_of(&detection->header) == earlier->address;
    }
    return earlier->has_sent_time && echoed_time(detection, &time) && time == earlier->sent_time;
}

static bool is_confirmed(const struct enet_candidates *candidates, const enet_detection *detection,
                         unsigned endpoint)
{
    for (unsigned i = 0; i < candidates->count && i < CANDIDATES; i++) {
        if (agrees(&candidates->entries[i], detection, endpoint)) {
            return true;
        }
    }
    return false;
}

void enet_bind(enet_conversation *conversation, const enet_header *header, bool proven)
{
    conversation->bound = conversation->layout_known = true;
    conversation->has_checksum = header->has_checksum;
    conversation->dialect = (uint8_t)header->dialect;
    conversation->dialect_known |= proven;
}

bool enet_recognise(enet_conversation *conversation, const enet_detection *detection, unsigned endpoint)
{
    bool proven = detection->confidence >= ENET_CONFIDENCE_GAVE_UP;

    if (!conversation->candidates) {
        conversation->candidates =
            allocate_zeroed(&conversation->capture->memory, sizeof *conversation->candidates);
    }
    if (proven || is_confirmed(conversation->candidates, detection, endpoint)) {
        enet_bind(conversation, &detection->header, proven);
        return true;
    }
    conversation->candidates->entries[conversation->candidates->count++ % CANDIDATES] =
        (candidate){.endpoint = endpoint,
                    .address = address_of(&detection->header),
                    .seed = detection->seed,
                    .has_checksum = detection->header.has_checksum,
                    .has_sent_time = detection->header.has_sent_time,
                    .sent_time = detection->header.sent_time};
    return false;
}

bool enet_recognise_cut(const uint8_t *bytes, size_t captured, size_t length, enet_dialect preferred,
                        enet_header *header)
{
    for (unsigned i = 0; i < 2 * ENET_DIALECT_COUNT; i++) {
        enet_dialect dialect = (enet_dialect)((preferred + i / 2) % ENET_DIALECT_COUNT);
        if (enet_header_read(header, bytes, captured, dialect, i & 1) &&
            enet_is_cut_connect(header, bytes + header->length, captured - header->length,
                                length - header->length, false)) {
            return true;
        }
    }
    return false;
}
