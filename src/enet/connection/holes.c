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

void enet_holes_add(enet_capture *capture, enet_sender *sender, const enet_hole *hole)
{
    struct enet_holes *holes = holes_of(capture, sender);
    enet_hole *newest = holes->count ? &holes->list[holes->count - 1] : NULL;

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
    sender->holes->missing[kind]--;
    return true;
}

void enet_holes_acknowledge(enet_capture *capture, enet_sender *sender, uint8_t channel, uint32_t number)
{
    enet_hole *hole = find(sender, ENET_HOLE_RELIABLE, channel, number);

    holes_of(capture, sender)->acknowledged++;
    if (hole) {
        hole->acknowledged = true;
    }
}
