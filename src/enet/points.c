/* enet/points.c
 *
 * See enet/points.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/points.h"

/* A datagram that was captured at one point or at both. */
typedef struct {
    uint64_t hash; /* of its bytes */
    int64_t time[2];
    uint32_t frame[2]; /* by point; 0: not captured there */
    uint8_t endpoint;  /* that sent it */
    uint8_t first;     /* point that was seen first */
    uint32_t before;   /* index of the one before with the same key; 0: none */
    uint32_t record;   /* index of the first; 0: it was refused */
} crossing;

struct enet_points {
    uint32_t ids[2]; /* the caller's; 0: none yet */
    bool given_up;   /* there is only one point */
    enet_list crossings;
    enet_map by_hash;          /* its lower half and the endpoint to the newest crossing */
    int64_t first[2], last[2]; /* time at each point of the first and last datagram */
    bool has_difference[2];    /* by endpoint, of what it sent: time at point 1 minus time at point 0 */
    int64_t least[2], most[2]; /* if has_difference */
};

static uint64_t hash_of(const uint8_t *bytes, uint32_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (uint32_t i = 0; i < length; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static crossing *crossing_at(const struct enet_points *points, uint32_t index)
{
    return enet_list_at(&points->crossings, index);
}

/* Number of the point, 2: neither of the two. */
static unsigned point_of(struct enet_points *points, uint32_t id)
{
    for (unsigned point = 0; point < 2; point++) {
        if (points->ids[point] == 0) {
            points->ids[point] = id;
        }
        if (points->ids[point] == id) {
            return point;
        }
    }
    return 2;
}

bool enet_points_known(const enet_conversation *conversation)
{
    const struct enet_points *points = conversation->points;
    return points && (points->has_difference[0] || points->has_difference[1]);
}

/* Only one point so far, for too long. */
static bool gives_up(const enet_conversation *conversation)
{
    enet_capture *capture = conversation->capture;
    struct enet_points *points = conversation->points;
    bool too_many = points->crossings.count >= ENET_MAX_CROSSINGS;
    if (!too_many && !enet_points_known(conversation)) {
        too_many = points->crossings.count >= ENET_POINTS_PATIENCE || capture->points_budget == 0;
        capture->points_budget -= !too_many;
    }
    if (too_many && !points->given_up) {
        points->given_up = true;
        enet_map_clear(&capture->memory, &points->by_hash);
    }
    return too_many;
}

/* Acknowledgements may be sent twice in the same millisecond, with the same bytes. */
#define MAX_ALIKE 8u

/* The oldest of the datagrams with these bytes that the other point has had, and `point` not yet. NULL: none. */
static crossing *find(const struct enet_points *points, uint32_t newest, uint64_t hash, unsigned endpoint,
                      unsigned point, uint32_t *index)
{
    crossing *found = NULL;
    for (unsigned i = 0; i < MAX_ALIKE && newest; i++) {
        crossing *one = crossing_at(points, newest);
        if (one->hash == hash && one->endpoint == endpoint && one->first != point && !one->frame[point]) {
            found = one;
            *index = newest;
        }
        newest = one->before;
    }
    return found;
}

/* Time at point 1 minus time at point 0. Clocks that were never set are half a century apart; more than 73 years count as
 * 73 years, so that sums of two differences stay numbers. */
static int64_t time_between(const crossing *one)
{
    const int64_t most = INT64_C(1) << 61;
    int64_t difference = one->time[1] - one->time[0];
    return difference > most ? most : difference < -most ? -most : difference;
}

static void learn_difference(struct enet_points *points, const crossing *one)
{
    int64_t difference = time_between(one);
    bool known = points->has_difference[one->endpoint];
    int64_t *least = &points->least[one->endpoint], *most = &points->most[one->endpoint];
    *least = known && *least < difference ? *least : difference;
    *most = known && *most > difference ? *most : difference;
    points->has_difference[one->endpoint] = true;
}

static void see_point(struct enet_points *points, unsigned point, int64_t time)
{
    if (points->first[point] == 0) {
        points->first[point] = time;
    }
    points->last[point] = time;
}

uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before)
{
    const enet_memory *memory = &conversation->capture->memory;
    *before = 0;
    if (!arrival->point) {
        return 0;
    }
    if (!conversation->points) {
        conversation->points = enet_allocate(memory, sizeof *conversation->points);
        conversation->points->crossings.size = sizeof(crossing);
    }
    struct enet_points *points = conversation->points;
    unsigned point = points->given_up ? 2 : point_of(points, arrival->point);
    if (point == 2) {
        return 0;
    }
    uint64_t hash = hash_of(wire->bytes, wire->captured) + wire->length;
    uint32_t key = (uint32_t)hash ^ (uint32_t)(hash >> 32) ^ arrival->endpoint;
    uint32_t newest = enet_map_get(&points->by_hash, key), index = 0;
    crossing *one = find(points, newest, hash, arrival->endpoint, point, &index);
    see_point(points, point, arrival->time);
    if (one) {
        one->frame[point] = arrival->frame;
        one->time[point] = arrival->time;
        learn_difference(points, one);
        *before = one->record;
        return index;
    }
    if (gives_up(conversation)) {
        return 0;
    }
    index = enet_list_add(memory, &points->crossings);
    one = crossing_at(points, index);
    one->hash = hash;
    one->before = newest;
    one->endpoint = (uint8_t)arrival->endpoint;
    one->first = (uint8_t)point;
    one->frame[point] = arrival->frame;
    one->time[point] = arrival->time;
    enet_map_put(memory, &points->by_hash, key, index);
    return index;
}

void enet_points_keep(enet_conversation *conversation, const enet_datagram_record *record)
{
    if (record->crossing) {
        crossing_at(conversation->points, record->crossing)->record = record->index;
    }
}

/* The point near endpoint 0; the clock of point 1 minus that of point 0. False: not known. A datagram is captured near its
 * sender before it is captured near its receiver, so of all differences those of the endpoint near point 0 are the greater
 * ones. */
static bool place(const struct enet_points *points, unsigned *near_first, int64_t *difference)
{
    if (!points || !points->has_difference[0] || !points->has_difference[1]) {
        return false;
    }
    *near_first = points->least[0] >= points->most[1] ? 0 : 1;
    int64_t greater = points->least[*near_first], smaller = points->most[1 - *near_first];
    *difference = smaller + (greater - smaller) / 2;
    return greater >= smaller;
}

bool enet_points_clock(const enet_conversation *conversation, int64_t *difference)
{
    unsigned near_first;
    return place(conversation->points, &near_first, difference);
}

enet_crossing_facts enet_points_facts(const enet_conversation *conversation, uint32_t index)
{
    const struct enet_points *points = conversation->points;
    if (!points || index == 0 || index > points->crossings.count) {
        return (enet_crossing_facts){0};
    }
    const crossing *one = crossing_at(points, index);
    unsigned other = 1u - one->first, near_first;
    int64_t difference;
    enet_crossing_facts facts = {.frame = one->frame[one->first], .other_frame = one->frame[other]};
    if (!place(points, &near_first, &difference)) {
        return facts;
    }
    unsigned near_sender = one->endpoint == 0 ? near_first : 1 - near_first;
    facts.at_sender = one->first == near_sender;
    if (facts.other_frame) {
        int64_t later = time_between(one) - difference;
        facts.has_transit = true;
        facts.transit = near_sender == 0 ? later : -later;
        return facts;
    }
    /* In the other point's clock. */
    int64_t time = one->time[one->first] + (one->first == 0 ? difference : -difference);
    facts.lost = facts.at_sender && points->first[other] <= time && time <= points->last[other];
    return facts;
}
