/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/timeout.h"

#include "enet/connection/record.h"

#define SECOND INT64_C(1000000000)

enum { LEAST_TRANSMISSIONS = 6, LEAST_CONNECTS = 3 };
static const int64_t least_wait = 5 * SECOND, most_wait = 30 * SECOND, longest_wait = 86400 * SECOND;

/* --- pauses -------------------------------------------------------------------------------------- */

/* Twice the interval of the pings: shorter ones are not noticed by players either. Less than half of the time
 * after which the numbers in datagrams begin again. */
#define SHORTEST_PAUSE SECOND
#define LONGEST_PAUSE  (30 * SECOND)
#define CLOCK_ERROR    (SECOND / 4) /* of the time in a datagram and its capture, in a pause */
#define CATCHING_UP    (SECOND / 5) /* after a pause, in which the process answers what had arrived */

/* The caller's number of the socket that the sender has; 0: not known. */
static uint32_t socket_of(const enet_sender *sender)
{
    return sender->connection->conversation->sockets[sender->endpoint];
}

/* A process pauses for all of its connections at once. */
static bool is_paused(const enet_capture *capture, const enet_sender *sender)
{
    uint32_t socket = socket_of(sender);

    for (uint32_t i = socket ? capture->pauses.count : 0; i > 0; i--) {
        const enet_pause *pause = paged_list_at(&capture->pauses, i);
        if (socket_of(pause->sender) == socket && pause->from_time < sender->silent_until &&
            pause->to_time > sender->silent_since) {
            return true;
        }
    }
    return false;
}

static void note_pause(enet_capture *capture, enet_sender *sender)
{
    if (!sender->silence_agrees || !sender->silence_answered || capture->pauses.count >= ENET_MAX_PAUSES) {
        return;
    }
    if (is_paused(capture, sender)) {
        sender->silent_frame = 0;
        return;
    }
    enet_pause *pause = paged_list_at(&capture->pauses, paged_list_add(&capture->memory, &capture->pauses));
    *pause = (enet_pause){.last = sender->silent_frame,
                          .first = sender->heard_again,
                          .from_time = sender->silent_since,
                          .to_time = sender->silent_until,
                          .sender = sender};
    sender->silent_frame = 0;
}

/* The sender's clock in a datagram: one that was sent in the silence and came late shows that. */
static void read_clock(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                       const enet_header *header)
{
    if (sender->silent_frame && !sender->silence_agrees && sender->has_sent_time) {
        int64_t sent = (uint16_t)(header->sent_time - sender->sent_time) * (SECOND / 1000);
        int64_t late = arrival->time - sender->sent_at - sent;
        sender->silence_agrees = late < CLOCK_ERROR && late > -CLOCK_ERROR;
        note_pause(capture, sender);
    }
    sender->has_sent_time = true;
    sender->sent_time = header->sent_time;
    sender->sent_at = arrival->time;
}

/* The time of a datagram of any connection. */
static void note_time(enet_capture *capture, int64_t time, uint32_t frame)
{
    if (capture->last_time - time > CLOCK_ERROR) { /* the clock was set back */
        if (capture->jumps.count < ENET_MAX_JUMPS) {
            uint32_t added = paged_list_add(&capture->memory, &capture->jumps);
            *(uint32_t *)paged_list_at(&capture->jumps, added) = frame;
        }
        number_map_clear(&capture->memory, &capture->life_of_socket);
        capture->last_time = time;
    }
    if (capture->last_time != -ENET_MAX_TIME && time - capture->last_time > ENET_LONGEST_QUIET &&
        capture->breaks.count < ENET_MAX_BREAKS) {
        enet_break *added =
            paged_list_at(&capture->breaks, paged_list_add(&capture->memory, &capture->breaks));
        *added = (enet_break){.from = capture->last_time, .to = time};
    }
    capture->last_time = time > capture->last_time ? time : capture->last_time;
}

/* Whether the capture has gone on from one time to another: in a break nothing at all was captured, so it may
 * have been stopped. After the last one that is kept it is not known. */
static bool goes_on(const enet_capture *capture, int64_t from, int64_t to)
{
    uint32_t count = capture->breaks.count;

    for (uint32_t i = count; i > 0; i--) {
        const enet_break *at = paged_list_at(&capture->breaks, i);
        if (at->to <= from) {
            return count < ENET_MAX_BREAKS || i < count;
        }
        if (at->from < to) {
            return false;
        }
    }
    return true;
}

/* The process has its socket since the sender's datagram before this one. */
static void note_life(enet_capture *capture, const enet_sender *sender, int64_t time)
{
    uint32_t socket = socket_of(sender);
    int64_t from = sender->last_frame ? sender->last_time : time;

    if (!socket || time < capture->last_time) {
        return;
    }
    uint32_t index = number_map_get(&capture->life_of_socket, socket);
    enet_life *life = index ? paged_list_at(&capture->lives, index) : NULL;
    if (!life || life->to < from) {
        index = paged_list_add(&capture->memory, &capture->lives);
        enet_life *added = paged_list_at(&capture->lives, index);
        *added = (enet_life){from, time, number_map_get(&capture->life_of_socket, socket)};
        number_map_put(&capture->memory, &capture->life_of_socket, socket, index);
        return;
    }
    life->to = time;
    life->from = from < life->from ? from : life->from;
    for (const enet_life *before; life->before;) {
        before = paged_list_at(&capture->lives, life->before);
        if (before->to < life->from) {
            break;
        }
        life->from = before->from < life->from ? before->from : life->from;
        life->before = before->before;
    }
}

/* Whether the same process has the socket (0: not known) from one time to another. */
static bool lives_on(const enet_capture *capture, uint32_t socket, int64_t from, int64_t to)
{
    uint32_t index = socket ? number_map_get(&capture->life_of_socket, socket) : 0;

    for (unsigned tried = 0; index && tried < ENET_MAX_LIVES_TRIED; tried++) {
        const enet_life *life = paged_list_at(&capture->lives, index);
        if (life->from <= from && life->to >= to) {
            return true;
        }
        index = life->before;
    }
    return false;
}

void enet_timeout_hear(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                       const enet_header *header)
{
    note_life(capture, sender, arrival->time);
    note_time(capture, arrival->time, arrival->frame);
    bool runs = enet_clock_runs(capture, sender->last_frame, arrival->frame);
    int64_t silence = sender->last_frame && runs ? arrival->time - sender->last_time : 0;

    if (silence >= SHORTEST_PAUSE && silence <= LONGEST_PAUSE) {
        sender->silent_frame = sender->last_frame;
        sender->heard_again = arrival->frame;
        sender->silent_since = sender->last_time;
        sender->silent_until = arrival->time;
        sender->silence_agrees = sender->silence_answered = false;
    } else if (!runs || (sender->silent_frame && arrival->time - sender->silent_until > CATCHING_UP)) {
        sender->silent_frame = 0;
    }
    if (header->has_sent_time) {
        read_clock(capture, sender, arrival, header);
    }
    sender->first_frame = sender->first_frame ? sender->first_frame : arrival->frame;
    sender->last_time = arrival->time;
    sender->last_frame = arrival->frame;
    sender->point = arrival->point;
    sender->unreachable_frame = 0;
}

void enet_timeout_answered(enet_capture *capture, enet_sender *sender, const enet_transmission *answered)
{
    if (sender->silent_frame && answered && answered->time >= sender->silent_since &&
        enet_clock_runs(capture, answered->frame, sender->heard_again) &&
        sender->silent_until - answered->time >= SHORTEST_PAUSE / 2) {
        sender->silence_answered = true;
        note_pause(capture, sender);
    }
}

const enet_pause *enet_pause_before(const enet_capture *capture, const enet_sender *sender, uint32_t frame)
{
    for (uint32_t i = 1; i <= capture->pauses.count; i++) {
        const enet_pause *pause = paged_list_at(&capture->pauses, i);
        if (pause->first == frame && pause->sender == sender) {
            return pause;
        }
    }
    return NULL;
}

/* --- time-outs ----------------------------------------------------------------------------------- */

void enet_timeout_repeat(const enet_capture *capture, enet_sender *sender, uint32_t first)
{
    const enet_sender *other = enet_other_sender(sender);
    const enet_transmission *oldest = enet_transmission_at(capture, sender->repeated);

    if (!oldest || oldest->command_acked_in || oldest->time > enet_transmission_at(capture, first)->time) {
        sender->repeated = first;
    }
    if (sender->repeated != first) {
        return;
    }
    sender->heard_time = other->last_time;
    sender->heard_frame = other->last_frame;
}

/* When the sender would send the command again: each time it waits twice as long. False: it was sent only
 * once. */
static bool next_timeout(const enet_capture *capture, const enet_transmission *first, int64_t *next)
{
    const enet_transmission *before = first, *last = first;

    while (last->next) {
        before = last;
        last = enet_transmission_at(capture, last->next);
    }
    int64_t waited = last->time - before->time;
    waited = waited < 0 ? 0 : waited < longest_wait ? waited : longest_wait; /* may go back */
    *next = last->time + 2 * waited;
    return last != before;
}

/* Whether a CONNECT that the other end does not answer was answered all the same, out of the capture's sight:
 * the client goes on, or ends with a DISCONNECT to be acknowledged, which enet_peer_disconnect() sends only
 * if it is connected. Or it may be answered yet: the capture does not go on for as long as the client has
 * waited before. */
static bool may_be_answered(const enet_capture *capture, const enet_sender *sender,
                            const enet_transmission *first, const enet_transmission *last)
{
    bool copy = last->has_sent_time && sender->has_sent_time && sender->sent_time == last->sent_time;
    bool later = sender->last_frame > last->frame && !copy;
    int64_t next;

    next_timeout(capture, first, &next);
    return (later && (!sender->disconnect_frame || sender->connection->ended_gracefully)) ||
           capture->last_time < last->time + (next - last->time) / 2;
}

/* Whether the sender gives up then, and nothing contradicts this. */
static bool has_given_up(const enet_capture *capture, const enet_sender *sender,
                         const enet_transmission *first, const enet_transmission *last)
{
    const enet_sender *other = enet_other_sender(sender);
    int64_t next;

    if (!next_timeout(capture, first, &next) || sender->disconnect_frame ||
        (other->disconnect_frame && other->disconnect_frame <= last->frame)) {
        return false;
    }
    int64_t wait = next - first->time;
    int64_t late = next + (next - last->time) / 4; /* senders check the time once per frame of the game */
    return ((first->count >= LEAST_TRANSMISSIONS && wait >= least_wait) || wait >= most_wait) &&
           sender->last_time <= late && capture->last_time > late && goes_on(capture, last->time, late);
}

enet_timeout enet_timeout_at(const enet_capture *capture, const enet_sender *sender, uint32_t index)
{
    enet_timeout timeout = {.kind = ENET_NO_TIMEOUT};
    const enet_connection *connection = sender->connection;
    const enet_transmission *last = enet_transmission_at(capture, index);
    const enet_transmission *first = last ? enet_first_transmission(capture, last) : NULL;

    if (!first || first->last != index || !sender->repeated ||
        enet_transmission_at(capture, sender->repeated) != first ||
        (first->command_acked_in && first->command_acked_in < sender->last_frame) ||
        !enet_clock_runs(capture, first->frame, UINT32_MAX)) {
        return timeout;
    }
    if (first->type == ENET_CONNECT) {
        bool answered = first->command_acked_in || connection->verify_frame ||
                        enet_other_sender(sender)->last_frame ||
                        may_be_answered(capture, sender, first, last);
        timeout.kind = !answered && first->count >= LEAST_CONNECTS ? ENET_UNANSWERED : ENET_NO_TIMEOUT;
    } else if (has_given_up(capture, sender, first, last)) {
        timeout.kind = ENET_TIMED_OUT;
    }
    timeout.transmissions = first->count;
    timeout.waited = last->time - first->time;
    next_timeout(capture, first, &timeout.given_up);
    timeout.until = timeout.given_up - first->time;
    const uint32_t *sockets = connection->conversation->sockets;
    timeout.lives_on = lives_on(capture, sockets[sender->endpoint], last->time, timeout.given_up);
    timeout.has_server = lives_on(capture, sockets[!sender->endpoint], first->time, last->time);
    timeout.heard_frame = sender->heard_frame;
    timeout.heard = timeout.given_up - sender->heard_time;
    timeout.accepted_only = sender->side == ENET_INITIATOR && connection->verify_frame &&
                            sender->heard_time - connection->verify_time < SECOND &&
                            enet_clock_runs(capture, connection->verify_frame, sender->heard_frame);
    return timeout;
}
