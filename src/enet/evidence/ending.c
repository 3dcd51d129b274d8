/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/evidence/ending.h"

#include "enet/evidence/conclusions.h"

enet_timeout enet_timeout_after(const enet_capture *capture, const enet_sender *sender, uint32_t index)
{
    return enet_may_conclude(sender, ENET_CONCLUDES_TIMEOUT) ? enet_timeout_at(capture, sender, index)
                                                             : (enet_timeout){.kind = ENET_NO_TIMEOUT};
}

/* The time-out of this end's oldest command that it repeats. */
static enet_timeout given_up_by(const enet_capture *capture, const enet_sender *sender)
{
    const enet_transmission *first = enet_transmission_at(capture, sender->repeated);

    return enet_timeout_after(capture, sender, first ? first->last : 0);
}

/* Whether the other end still repeats what this one does not answer: its oldest command that it repeats, and
 * has sent again after this end's last datagram. */
static bool is_awaited(const enet_capture *capture, const enet_sender *gone)
{
    const enet_sender *other = enet_other_sender(gone);
    const enet_transmission *first = enet_transmission_at(capture, other->repeated);
    const enet_transmission *last = first ? enet_transmission_at(capture, first->last) : NULL;

    return last && first->count > 2 && !first->command_acked_in && last->frame > gone->last_frame;
}

/* Whether this end may have given up before the other one did: it was not captured, or was repeating what was
 * not answered while it was heard. Since when it did is not in the capture, or so few transmissions are that
 * they show no time-out: some may be missing. */
static bool may_have_given_up(const enet_capture *capture, const enet_sender *gone)
{
    const enet_transmission *first = enet_transmission_at(capture, gone->repeated);
    bool unanswered = first && (!first->command_acked_in || first->command_acked_in > gone->last_frame);

    return !gone->first_frame || (unanswered && (!gone->connection->from_start ||
                                                 given_up_by(capture, gone).kind != ENET_TIMED_OUT));
}

/* The connection for which one of the ends uses the slot again; 0: none. */
static uint32_t replaced_by(const enet_sender *gone)
{
    return gone->replaced_by ? gone->replaced_by : enet_other_sender(gone)->replaced_by;
}

/* Whether this end has opened another connection instead; the other end may be the same process. */
static bool has_left(const enet_capture *capture, const enet_sender *gone)
{
    uint32_t index = replaced_by(gone);
    const enet_connection *next = index ? enet_connection_at(capture, index) : NULL;

    return next && next->roles_known && next->senders[ENET_INITIATOR].endpoint == gone->endpoint;
}

/* How the end `gone` has ended, if it has. */
static enet_ending_kind end_of(const enet_capture *capture, const enet_sender *gone,
                               const enet_timeout *timeout)
{
    const enet_connection *connection = gone->connection;

    bool heard = enet_may_conclude(enet_other_sender(gone), ENET_CONCLUDES_GONE) &&
                 connection->state != ENET_CONNECTING;

    if (gone->unreachable_frame && gone->first_frame) {
        return ENET_UNREACHABLE;
    }
    if (heard && !gone->unreachable_frame && has_left(capture, gone)) {
        return ENET_REPLACED;
    }
    if (timeout->kind == ENET_TIMED_OUT) {
        return ENET_GIVEN_UP;
    }
    return heard && !gone->unreachable_frame && is_awaited(capture, gone) ? ENET_SILENT : ENET_NO_END;
}

bool enet_is_followed(const enet_connection *connection)
{
    const enet_conversation *here = connection->conversation;
    const enet_connection *next = here->newest ? enet_connection_at(here->capture, here->newest) : NULL;

    return next && next->roles_known && next->first_frame > connection->senders[0].last_frame &&
           next->first_frame > connection->senders[1].last_frame;
}

/* Whether an end of this kind says more than the other one, or is the earlier of two time-outs. */
static bool is_before(enet_ending_kind kind, const enet_timeout *timeout, const enet_ending *other)
{
    return kind < other->kind ||
           (kind == ENET_GIVEN_UP && kind == other->kind && timeout->given_up < other->given_up_time);
}

/* Whether the end that has sent no Disconnect had given up the other one before that. */
static bool is_given_up_before(const enet_capture *capture, const enet_connection *connection)
{
    const enet_sender *other = enet_other_sender(&connection->senders[connection->ended_by]);
    enet_timeout timeout = given_up_by(capture, other);

    return timeout.kind == ENET_TIMED_OUT && timeout.given_up < connection->end_time;
}

enet_ending enet_ending_of(const enet_capture *capture, const enet_connection *connection)
{
    enet_ending ending = {.kind = ENET_NO_END};

    if (connection->end_frame && !is_given_up_before(capture, connection)) {
        const enet_sender *closer = &connection->senders[connection->ended_by];
        return (enet_ending){.kind = ENET_DISCONNECTED,
                             .side = connection->ended_by,
                             .frame = closer->last_frame,
                             .time = connection->end_time,
                             .shown_in = connection->end_frame};
    }
    for (uint8_t side = 0; side < ENET_SIDES; side++) {
        const enet_sender *gone = &connection->senders[side];
        enet_timeout timeout = given_up_by(capture, enet_other_sender(gone));
        enet_ending_kind kind = end_of(capture, gone, &timeout);
        if (kind == ENET_NO_END || (ending.kind != ENET_NO_END && !is_before(kind, &timeout, &ending))) {
            continue;
        }
        ending =
            (enet_ending){.kind = kind,
                          .side = side,
                          .frame = kind == ENET_GIVEN_UP ? timeout.heard_frame : gone->last_frame,
                          .time = kind == ENET_GIVEN_UP ? timeout.given_up - timeout.heard : gone->last_time,
                          .shown_in = gone->unreachable_frame,
                          .given_up = timeout.kind == ENET_TIMED_OUT,
                          .lives_on = timeout.lives_on,
                          .either = kind == ENET_GIVEN_UP && may_have_given_up(capture, gone),
                          .given_up_time = timeout.given_up,
                          .next_stream = replaced_by(gone) ? replaced_by(gone) - 1 : 0};
    }
    return ending;
}
