/* delivery.c
 *
 * See delivery.h. The copies are collected on the first pass; later passes put them in order once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/analysis/delivery.h"

#include <stdlib.h>

#include "base/array.h"
#include "enet/analysis/points.h"
#include "enet/connection/holes.h"

/* A copy of a command. */
typedef struct {
    uint64_t place;    /* channel and number */
    uint32_t first;    /* index of the first transmission */
    uint32_t sighting; /* of this copy */
    uint32_t arrived;  /* sighting of the copy that arrived first; 0: none arrived */
    uint32_t last;     /* sighting with which this and all earlier commands can be delivered; 0: none */
} copy;

struct enet_deliveries {
    copy *copies;
    uint32_t count, room;
    uint32_t ordered;          /* number of copies that were sorted */
    uint32_t second_sightings; /* this member of enet_capture at that time */
};

static uint64_t place_of(uint8_t channel, uint32_t number)
{
    return (uint64_t)channel << 32 | number;
}

void enet_delivery_note(enet_capture *capture, enet_sender *sender, uint8_t channel, uint32_t first,
                        uint32_t sighting)
{
    const memory_allocator *memory = &capture->memory;
    const enet_transmission *transmission = enet_transmission_at(capture, first);
    if (!sender->deliveries) {
        sender->deliveries = allocate_zeroed(memory, sizeof *sender->deliveries);
    }
    struct enet_deliveries *all = sender->deliveries;
    array_grow(memory, &all->copies, all->count, &all->room, UINT32_MAX, sizeof *all->copies);
    all->copies[all->count++] =
        (copy){.place = place_of(channel, transmission->number), .first = first, .sighting = sighting};
}

static int compare_place(const void *element, const void *place)
{
    uint64_t own = ((const copy *)element)->place, other = *(const uint64_t *)place;
    return own < other ? -1 : own > other;
}

static int by_place(const void *a, const void *b)
{
    const copy *first = a, *second = b;
    int order = compare_place(first, &second->place);
    return order ? order : first->sighting < second->sighting ? -1 : first->sighting > second->sighting;
}

/* The later sighting; 0 if none of them arrived. */
static uint32_t later(const enet_capture *capture, uint32_t a, uint32_t b)
{
    if (!a || !b) {
        return a ? a : b;
    }
    int64_t time_a = enet_points_facts(capture, a).receiver_time,
            time_b = enet_points_facts(capture, b).receiver_time;
    return time_b > time_a ? b : a;
}

/* Of the copies of one command, `count` of them. */
static uint32_t first_to_arrive(const enet_capture *capture, const copy *copies, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!enet_points_facts(capture, copies[i].sighting).receiver_frame) {
            continue;
        }
        bool earlier = !found || later(capture, copies[i].sighting, found) == found;
        found = earlier ? copies[i].sighting : found;
    }
    return found;
}

/* A command that the receiver has, although it was not captured there, does not delay others. */
static bool is_missing(const enet_capture *capture, const copy *one)
{
    const enet_transmission *first = enet_transmission_at(capture, one->first);
    return !one->arrived && !first->command_acked_in;
}

static void put_in_order(const enet_capture *capture, struct enet_deliveries *all)
{
    uint32_t last = 0, next;
    bool waits = false;
    qsort(all->copies, all->count, sizeof *all->copies, by_place);
    for (uint32_t i = 0; i < all->count; i = next) {
        copy *one = &all->copies[i];
        for (next = i + 1; next < all->count && all->copies[next].place == one->place; next++) {
        }
        bool new_channel = i == 0 || one[-1].place >> 32 != one->place >> 32;
        last = new_channel ? 0 : last;
        one->arrived = first_to_arrive(capture, one, next - i);
        waits = (!new_channel && waits) || is_missing(capture, one);
        last = later(capture, last, one->arrived);
        for (uint32_t k = i; k < next; k++) {
            all->copies[k].arrived = one->arrived;
            all->copies[k].last = waits ? 0 : last;
        }
    }
    all->ordered = all->count;
    all->second_sightings = capture->second_sightings;
}

static const copy *find(const struct enet_deliveries *all, uint64_t place)
{
    uint32_t at = lower_bound(&place, all->copies, all->count, sizeof *all->copies, compare_place);
    return at < all->count && all->copies[at].place == place ? &all->copies[at] : NULL;
}

/* Where the command is in the order. NULL: it is not reliable, or not known to be the same as where the
 * datagram was captured first. */
static const copy *copy_of(const enet_capture *capture, const enet_sender *sender, uint32_t first_record,
                           const enet_command *command)
{
    const enet_kept_datagram *first = first_record ? enet_kept_at(capture, first_record) : NULL;
    if (!sender || !sender->deliveries || !first || command->index >= first->command_count) {
        return NULL;
    }
    enet_command_detail detail = enet_detail_of(capture, &first->commands[command->index], command->type);
    if (detail.transmission == 0 || detail.transmission > capture->transmissions.count) {
        return NULL;
    }
    const enet_transmission *sent =
        enet_first_transmission(capture, enet_transmission_at(capture, detail.transmission));
    if (sender->deliveries->ordered != sender->deliveries->count ||
        sender->deliveries->second_sightings != capture->second_sightings) {
        put_in_order(capture, sender->deliveries);
    }
    return find(sender->deliveries, place_of(command->channel, sent->number));
}

enet_delivery_facts enet_delivery_of(const enet_capture *capture, const enet_datagram_record *record,
                                     const enet_command *command, uint32_t frame)
{
    enet_sighting_facts here = enet_points_facts(capture, record->sighting);
    if (here.receiver_frame != frame || !frame) {
        return (enet_delivery_facts){0};
    }
    const copy *one = copy_of(capture, record->sender, here.record, command);
    if (!one) {
        return (enet_delivery_facts){0};
    }
    enet_sighting_facts last = enet_points_facts(capture, one->last);
    return (enet_delivery_facts){.known = true,
                                 .copy = one->arrived != record->sighting,
                                 .frame = last.receiver_frame,
                                 .wait = last.receiver_time - here.receiver_time};
}

/* --- by acknowledgements ------------------------------------------------------------------------- */

/* Whether the receiver is known to have this number. */
static bool has_arrived(const enet_capture *capture, const enet_sender *sender, const enet_channel *channel,
                        uint32_t number)
{
    uint32_t index = enet_sent_find(&sender->sent, channel->number, (uint16_t)number);
    const enet_transmission *sent = enet_transmission_at(capture, index);

    return sent && sent->number == number && (sent->command_acked_in || sent->unanswerable);
}

void enet_delivery_acknowledged(enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                                uint32_t number, const enet_arrival *arrival)
{
    if (number <= channel->answered) {
        return;
    }
    if (number > channel->answered + 1) {
        channel->waits_since = channel->waits ? channel->waits_since : arrival->time;
        channel->waits = true;
        if (arrival->time - channel->waits_since <= ENET_SETTLED) {
            return;
        }
    }
    channel->answered = number;
    while (channel->answered < channel->acked &&
           has_arrived(capture, sender, channel, channel->answered + 1)) {
        channel->answered++;
    }
    channel->waits = channel->answered < channel->acked;
    channel->waits_since = arrival->time;
    if (channel->answered > number && array_grow(&capture->memory, &channel->held, channel->held_count,
                                                 &channel->held_room, UINT32_MAX, sizeof *channel->held)) {
        channel->held[channel->held_count++] = (enet_held){
            .first = number + 1, .last = channel->answered, .frame = arrival->frame, .time = arrival->time};
    }
}

static int compare_last(const void *element, const void *number)
{
    return ((const enet_held *)element)->last < *(const uint32_t *)number ? -1 : 0;
}

/* NULL: it did not wait. */
static const enet_held *waited(const enet_channel *channel, uint32_t number)
{
    uint32_t place =
        lower_bound(&number, channel->held, channel->held_count, sizeof *channel->held, compare_last);
    bool held = place < channel->held_count && channel->held[place].first <= number;

    return held ? &channel->held[place] : NULL;
}

uint32_t enet_delivery_at_latest(const enet_sender *sender, uint8_t channel_number,
                                 const enet_transmission *first)
{
    const enet_channel *channel = enet_channel_find(sender, channel_number);

    if (!channel || !first->command_acked_in || first->number > channel->answered) {
        return 0;
    }
    const enet_held *held = waited(channel, first->number);
    return held ? held->frame : first->command_acked_in;
}

bool enet_delivery_time(const enet_capture *capture, const enet_sender *sender, uint8_t channel_number,
                        const enet_transmission *first, int64_t *time)
{
    if (!enet_delivery_at_latest(sender, channel_number, first)) {
        return false;
    }
    const enet_held *held = waited(enet_channel_find(sender, channel_number), first->number);
    const enet_transmission *last = enet_transmission_at(capture, first->last);
    *time = held ? held->time : last ? last->time : first->time;
    return true;
}
