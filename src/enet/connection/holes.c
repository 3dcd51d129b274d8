/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/holes.h"

#include "base/array.h"

#define NEARBY   16u  /* frames: datagrams that were cut within so many are one hole */
#define SEARCHED 256u /* newest holes among which a number is looked up; it comes late by some seconds */

static struct enet_holes *holes_of(enet_capture *capture, enet_sender *sender)
{
    if (!sender->holes) {
        sender->holes = allocate_zeroed(&capture->memory, sizeof *sender->holes);
    }
    return sender->holes;
}

static bool continues(const enet_hole *newest, const enet_hole *hole)
{
    if (newest->kind != hole->kind || newest->channel != hole->channel || newest->missing < newest->count) {
        return false;
    }
    return hole->kind == ENET_HOLE_CUT
               ? hole->before - newest->before < NEARBY
               : newest->after == hole->after && hole->number - newest->number == newest->count;
}

/* The capture lost so many reliable commands of the connection. */
static void note_lost(enet_capture *capture, enet_connection *connection, uint32_t count)
{
    if (count && !connection->is_lossy) {
        connection->is_lossy = true;
        capture->kept_of_lossy += connection->reliable;
    }
    capture->lost += count;
}

void enet_holes_captured(enet_capture *capture, const enet_sender *sender)
{
    sender->connection->reliable++;
    capture->kept_of_lossy += sender->connection->is_lossy;
}

bool enet_holes_may_lack(const enet_capture *capture, const enet_connection *connection)
{
    const uint64_t certain = 7; /* e to the power of -7 is 0.001 */

    return connection->is_lossy || (uint64_t)connection->reliable * capture->lost <
                                       certain * ((uint64_t)capture->kept_of_lossy + capture->lost);
}

/* Counts what is still missing of the holes that are old enough. */
static void settle(enet_capture *capture, const enet_sender *sender)
{
    struct enet_holes *holes = sender->holes;

    while (holes->settled < holes->count &&
           sender->last_time - holes->list[holes->settled].time > ENET_SETTLED) {
        const enet_hole *hole = &holes->list[holes->settled++];
        uint32_t lost = hole->kind == ENET_HOLE_RELIABLE ? hole->missing : 0;
        holes->lost += lost;
        note_lost(capture, sender->connection, hole->acknowledged ? 0 : lost);
    }
}

void enet_holes_add(enet_capture *capture, enet_sender *sender, const enet_hole *hole)
{
    struct enet_holes *holes = holes_of(capture, sender);
    enet_hole *newest = holes->count ? &holes->list[holes->count - 1] : NULL;

    settle(capture, sender);
    newest = holes->settled < holes->count ? newest : NULL;
    holes->missing[hole->kind] += hole->count;
    if (newest && continues(newest, hole)) {
        newest->before = hole->before;
        newest->missing = newest->count += hole->count;
        return;
    }
    if (capture->holes_budget == 0 || !array_grow(&capture->memory, &holes->list, holes->count, &holes->room,
                                                  ENET_MAX_HOLES, sizeof *holes->list)) {
        holes->full_from = holes->full_from ? holes->full_from : hole->before;
        return;
    }
    capture->holes_budget--;
    newest = &holes->list[holes->count++];
    *newest = *hole;
    newest->missing = hole->count;
    newest->time = capture->last_time;
}

void enet_holes_settle(enet_capture *capture, const enet_sender *sender)
{
    if (sender->holes) {
        settle(capture, sender);
    }
}

void enet_holes_cut(enet_capture *capture, enet_sender *sender, uint32_t frame)
{
    enet_holes_add(capture, sender,
                   &(enet_hole){.kind = ENET_HOLE_CUT, .count = 1, .after = frame - 1, .before = frame});
}

/* The hole that has this number, NULL: none. */
static enet_hole *find(const enet_sender *sender, enet_hole_kind kind, uint8_t channel, uint32_t number)
{
    const struct enet_holes *holes = sender->holes;
    uint32_t count = holes ? holes->count : 0;

    for (uint32_t i = count; i > 0 && count - i < SEARCHED; i--) {
        enet_hole *hole = &holes->list[i - 1];
        if (hole->kind == kind && hole->channel == channel && number - hole->number < hole->count) {
            return hole;
        }
    }
    return NULL;
}

bool enet_holes_fill(const enet_sender *sender, enet_hole_kind kind, uint8_t channel, uint32_t number)
{
    enet_hole *hole = find(sender, kind, channel, number);

    if (!hole || !hole->missing) {
        return false;
    }
    hole->missing--;
    bool settled = hole - sender->holes->list < (ptrdiff_t)sender->holes->settled;
    sender->holes->lost -= kind == ENET_HOLE_RELIABLE && settled;
    sender->holes->missing[kind]--;
    return true;
}

static int compare_before(const void *element, const void *key)
{
    const enet_hole *hole = element;
    const uint32_t *from = key;

    return hole->before < *from ? -1 : 0;
}

uint32_t enet_holes_from(const struct enet_holes *holes, uint32_t frame)
{
    return lower_bound(&frame, holes->list, holes->count, sizeof *holes->list, compare_before);
}

const enet_hole *enet_holes_at(const enet_sender *sender, enet_hole_kind kind, uint8_t channel, uint16_t next,
                               uint32_t frame)
{
    const struct enet_holes *holes = sender->holes;

    for (uint32_t i = holes ? enet_holes_from(holes, frame) : 0;
         holes && i < holes->count && holes->list[i].before == frame; i++) {
        const enet_hole *hole = &holes->list[i];
        bool same = hole->kind == kind && (kind == ENET_HOLE_GROUPS || hole->channel == channel);
        if (same && (uint16_t)(hole->number + hole->count) == next) {
            return hole;
        }
    }
    return NULL;
}

void enet_holes_acknowledge(enet_capture *capture, enet_sender *sender, uint8_t channel, uint32_t number)
{
    enet_hole *hole = find(sender, ENET_HOLE_RELIABLE, channel, number);

    holes_of(capture, sender)->acknowledged++;
    note_lost(capture, sender->connection, 1);
    if (hole) {
        hole->acknowledged = true;
    }
}
