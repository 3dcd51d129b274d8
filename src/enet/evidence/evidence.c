/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/evidence/evidence.h"

#include "enet/connection/holes.h"

#define MAX_SEARCHED 256u /* holes that are looked at for one span */

const enet_sender *enet_evidence_sender(const enet_capture *capture, uint32_t stream, bool from_initiator)
{
    if (stream >= capture->connections.count) {
        return NULL;
    }
    return &enet_connection_at(capture, stream + 1)->senders[from_initiator ? ENET_INITIATOR : ENET_ACCEPTOR];
}

/* --- holes in a span ----------------------------------------------------------------------------- */

typedef struct {
    uint32_t reliable, proven; /* commands that are missing; holes in which some were acknowledged */
    bool concerned;            /* something of what the span is about is missing */
    bool others;               /* something else is missing */
    bool unknown;              /* there are holes that were not looked at, or not kept */
} shortage;

static bool is_about(const enet_hole *hole, const enet_span *span)
{
    bool numbered = hole->kind == ENET_HOLE_RELIABLE || hole->kind == ENET_HOLE_UNRELIABLE;

    if (hole->kind == ENET_HOLE_CUT) {
        return true;
    }
    if (span->reliable && hole->kind != ENET_HOLE_RELIABLE) {
        return false;
    }
    return !numbered || span->channel == ENET_EVERY_CHANNEL || span->channel == hole->channel;
}

/* What is missing of `sender` from the frame `from` to `to`. */
static shortage look(const enet_sender *sender, const enet_span *span, uint32_t from, uint32_t to)
{
    const struct enet_holes *holes = sender->holes;
    shortage found = {0};

    if (!holes) {
        return found;
    }
    uint32_t at = enet_holes_from(holes, from);
    uint32_t end = holes->count - at < MAX_SEARCHED ? holes->count : at + MAX_SEARCHED;
    for (uint32_t i = at; i < end; i++) {
        const enet_hole *hole = &holes->list[i];
        if (hole->after >= to || !hole->missing) {
            continue;
        }
        bool about = is_about(hole, span);
        found.concerned |= about;
        found.others |= !about;
        found.reliable += about && hole->kind == ENET_HOLE_RELIABLE ? hole->missing : 0;
        found.proven += about && hole->acknowledged;
    }
    found.unknown = end < holes->count || (holes->full_from && holes->full_from <= to);
    return found;
}

/* --- answers ------------------------------------------------------------------------------------- */

/* Whether its first datagram is the first one that it has sent. */
static bool has_start(const enet_sender *sender)
{
    const enet_channel *own = enet_channel_find(sender, ENET_CONNECTION_CHANNEL);

    return sender->first_frame && own && sender->connection->from_start &&
           (sender->side == ENET_INITIATOR ? sender->connection->connect_frame
                                           : sender->connection->verify_frame) == sender->first_frame;
}

/* A direction without any datagram: whether the other one shows that there was something to be captured. */
static enet_answer unseen(const enet_sender *sender)
{
    return sender->connection->state == ENET_ESTABLISHED ? ENET_NO : ENET_NOT_KNOWN;
}

/* After the last reliable number of a channel, only acknowledgements show that the capture has lost another
 * one. */
static enet_answer after_last_number(const enet_sender *sender, const enet_span *span, uint32_t from,
                                     uint32_t to)
{
    const enet_sender *other = enet_other_sender(sender);
    shortage found = look(sender, span, from, to);

    if (found.concerned) {
        return ENET_NO;
    }
    bool answers = other->last_frame >= to && (other->first_frame <= from || has_start(other));
    /* What else is missing may have been lost on the network, if the capture has all acknowledgements. */
    const enet_span anything = {.reliable = false, .channel = ENET_EVERY_CHANNEL};
    shortage answered = look(other, &anything, from, to);
    bool all = !found.others || (!answered.concerned && !answered.unknown);
    return answers && all && !found.unknown ? ENET_YES : ENET_NOT_KNOWN;
}

/* The last frame up to which both directions were captured. */
static uint32_t last_of_both(const enet_sender *sender)
{
    uint32_t other = enet_other_sender(sender)->last_frame;

    return other && other < sender->last_frame ? other : sender->last_frame;
}

enet_answer enet_evidence_whole(const enet_capture *capture, const enet_span *span)
{
    const enet_sender *sender = enet_evidence_sender(capture, span->stream, span->from_initiator);

    if (!sender || !sender->first_frame) {
        return sender ? unseen(sender) : ENET_NOT_KNOWN;
    }
    uint32_t to = span->to ? span->to : last_of_both(sender);
    shortage found = look(sender, span, span->from, to);
    if (found.concerned) {
        return ENET_NO;
    }
    if (found.unknown || to > sender->last_frame ||
        (span->from < sender->first_frame && !has_start(sender))) {
        return ENET_NOT_KNOWN;
    }
    if (span->counted) {
        bool numbers_read = sender->connection->state == ENET_ESTABLISHED; /* before, they are refused */
        return numbers_read && !found.others ? ENET_YES : ENET_NOT_KNOWN;
    }
    if (!span->reliable || span->channel == ENET_EVERY_CHANNEL) {
        return after_last_number(sender, span, span->from, to);
    }
    const enet_channel *channel = enet_channel_find(sender, (uint8_t)span->channel);
    uint32_t last = channel ? channel->newest : 0;
    if (last >= to) {
        return ENET_YES;
    }
    return after_last_number(sender, span, last > span->from ? last : span->from, to);
}

uint32_t enet_evidence_missing(const enet_capture *capture, const enet_span *span, bool *proven)
{
    const enet_sender *sender = enet_evidence_sender(capture, span->stream, span->from_initiator);
    shortage found = {0};

    if (sender) {
        found = look(sender, span, span->from, span->to ? span->to : UINT32_MAX);
    }
    *proven = found.proven > 0;
    return found.reliable;
}

enet_direction enet_evidence_of(const enet_sender *sender)
{
    static const unsigned lacks[] = {[ENET_HOLE_RELIABLE] = ENET_LACKS_RELIABLE,
                                     [ENET_HOLE_UNRELIABLE] = ENET_LACKS_UNRELIABLE,
                                     [ENET_HOLE_GROUPS] = ENET_LACKS_UNRELIABLE,
                                     [ENET_HOLE_CUT] = ENET_LACKS_BYTES};
    const struct enet_holes *holes = sender->holes;
    enet_direction facts = {.first = sender->first_frame,
                            .last = sender->last_frame,
                            .clocks_differ = sender->connection->clocks_differ};

    facts.bits = (has_start(sender) ? ENET_COMPLETE_START : 0u) |
                 (enet_other_sender(sender)->first_frame ? ENET_COMPLETE_OTHER : 0u) |
                 (sender->connection->end_frame ? ENET_COMPLETE_END : 0u);
    for (unsigned kind = 0; holes && kind < ENET_HOLE_KINDS; kind++) {
        facts.bits |= holes->missing[kind] ? lacks[kind] : 0;
    }
    facts.missing = holes ? holes->missing[ENET_HOLE_RELIABLE] : 0;
    facts.acknowledged = holes ? holes->acknowledged : 0;
    facts.lost = holes && holes->lost > facts.acknowledged ? holes->lost : facts.acknowledged;
    facts.bits |= facts.lost ? ENET_LACKS_ARRIVED : 0u;
    return facts;
}
