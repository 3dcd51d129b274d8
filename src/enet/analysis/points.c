/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/points.h"

/* Capture points of a conversation; datagrams of further ones are not compared. */
#define MAX_POINTS 8u

/* A datagram that was captured at one point or more. */
typedef struct {
    uint64_t hash; /* of its bytes */
    int64_t time[2];
    uint32_t frame[2];    /* frame at the first two points; 0: not captured there */
    uint32_t first_frame; /* at any point */
    uint32_t before;      /* index of the one before with the same key; 0: none */
    uint8_t endpoint;     /* that sent it */
    uint8_t seen;         /* bit n: point n has had it */
    uint32_t record;      /* index of the first; 0: it was refused */
    struct enet_points *points;
} sighting;

struct enet_points {
    uint32_t ids[MAX_POINTS];  /* the caller's; 0: none yet */
    bool given_up;             /* there is only one point */
    uint32_t count;            /* sightings */
    number_map by_hash;        /* its lower half and the endpoint to the newest sighting */
    int64_t first[2], last[2]; /* time at each point of the first and last datagram */
    bool has_difference[2];    /* by endpoint, for its datagrams: time at point 1 minus time at point 0 */
    int64_t least[2], most[2]; /* if has_difference */
};

static sighting *sighting_at(const enet_capture *capture, uint32_t index)
{
    return paged_list_at(&capture->sightings, index);
}

/* Number of the point, MAX_POINTS: there are too many. */
static unsigned point_of(struct enet_points *points, uint32_t id)
{
    unsigned point = 0;
    while (point < MAX_POINTS && points->ids[point] && points->ids[point] != id) {
        point++;
    }
    if (point < MAX_POINTS) {
        points->ids[point] = id;
    }
    return point;
}

/* Whether the comparison ends: too many datagrams, or too many with only one point. */
static bool gives_up(const enet_conversation *conversation)
{
    enet_capture *capture = conversation->capture;
    struct enet_points *points = conversation->points;
    bool too_many = points->count >= ENET_MAX_SIGHTINGS;
    if (!too_many && !points->has_difference[0] && !points->has_difference[1]) {
        too_many = points->count >= ENET_POINTS_PATIENCE || capture->points_budget == 0;
        capture->points_budget -= !too_many;
    }
    if (too_many && !points->given_up) {
        points->given_up = true;
        number_map_clear(&capture->memory, &points->by_hash);
    }
    return too_many;
}

/* Acknowledgements may be sent twice in the same millisecond, with the same bytes. */
#define MAX_ALIKE 8u

/* The oldest datagram with these bytes that was captured at another point, but not yet at `point`: its index.
 * 0: none. */
static uint32_t find(const enet_capture *capture, uint32_t newest, uint64_t hash, unsigned endpoint,
                     unsigned point)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < MAX_ALIKE && newest; i++) {
        const sighting *one = sighting_at(capture, newest);
        if (one->hash == hash && one->endpoint == endpoint && !(one->seen & 1u << point)) {
            found = newest;
        }
        newest = one->before;
    }
    return found;
}

/* Time at point 1 minus time at point 0. Clocks that were never set are half a century apart; more than 73
 * years count as 73 years, so that sums of two differences stay numbers. */
static int64_t time_between(const sighting *one)
{
    const int64_t most = INT64_C(1) << 61;
    int64_t difference = one->time[1] - one->time[0];
    return difference > most ? most : difference < -most ? -most : difference;
}

static void learn_difference(struct enet_points *points, const sighting *one)
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
    if (point > 1) {
        return;
    }
    if (points->first[point] == 0) {
        points->first[point] = time;
    }
    points->last[point] = time;
}

static void note_point(sighting *one, const enet_arrival *arrival, unsigned point)
{
    one->seen |= (uint8_t)(1u << point);
    if (point < 2) {
        one->frame[point] = arrival->frame;
        one->time[point] = arrival->time;
    }
    if (point < 2 && one->frame[1 - point]) {
        learn_difference(one->points, one);
    }
}

static struct enet_points *points_of(enet_conversation *conversation)
{
    if (!conversation->points) {
        conversation->points = allocate_zeroed(&conversation->capture->memory, sizeof *conversation->points);
        conversation->capture->sightings.size = sizeof(sighting);
    }
    return conversation->points;
}

uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before)
{
    enet_capture *capture = conversation->capture;
    *before = 0;
    if (!arrival->point) {
        return 0;
    }
    struct enet_points *points = points_of(conversation);
    unsigned point = points->given_up ? MAX_POINTS : point_of(points, arrival->point);
    if (point == MAX_POINTS) {
        return 0;
    }
    uint64_t hash = hash_bytes(wire->bytes, wire->captured) + wire->length;
    uint32_t key = (uint32_t)hash ^ (uint32_t)(hash >> 32) ^ arrival->endpoint;
    uint32_t newest = number_map_get(&points->by_hash, key);
    uint32_t index = find(capture, newest, hash, arrival->endpoint, point);
    sighting *one = index ? sighting_at(capture, index) : NULL;
    see_point(points, point, arrival->time);
    if (one) {
        note_point(one, arrival, point);
        capture->second_sightings++;
        *before = one->record;
        return index;
    }
    if (gives_up(conversation)) {
        return 0;
    }
    index = paged_list_add(&capture->memory, &capture->sightings);
    one = sighting_at(capture, index);
    *one = (sighting){.hash = hash,
                      .first_frame = arrival->frame,
                      .before = newest,
                      .endpoint = (uint8_t)arrival->endpoint,
                      .points = points};
    note_point(one, arrival, point);
    points->count++;
    number_map_put(&capture->memory, &points->by_hash, key, index);
    return index;
}

void enet_points_keep(enet_capture *capture, const enet_datagram_record *record)
{
    if (record->sighting) {
        sighting_at(capture, record->sighting)->record = record->index;
    }
}

/* The point near endpoint 0; the clock of point 1 minus that of point 0. False: not known. A datagram is
 * captured near its sender before it is captured near its receiver, so of all differences those of the
 * endpoint near point 0 are the greater ones. */
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

bool enet_points_clock(const enet_capture *capture, uint32_t index, int64_t *difference)
{
    unsigned near_first;
    return index && index <= capture->sightings.count &&
           place(sighting_at(capture, index)->points, &near_first, difference);
}

enet_sighting_facts enet_points_facts(const enet_capture *capture, uint32_t index)
{
    if (index == 0 || index > capture->sightings.count) {
        return (enet_sighting_facts){0};
    }
    const sighting *one = sighting_at(capture, index);
    const struct enet_points *points = one->points;
    unsigned near_first;
    int64_t difference;
    enet_sighting_facts facts = {.frame = one->first_frame, .record = one->record};
    facts.other_frame = one->frame[0] && one->frame[0] != facts.frame ? one->frame[0] : one->frame[1];
    facts.other_frame = facts.other_frame == facts.frame ? 0 : facts.other_frame;
    if (!place(points, &near_first, &difference)) {
        return facts;
    }
    unsigned sender = one->endpoint == 0 ? near_first : 1 - near_first, receiver = 1 - sender;
    facts.placed = true;
    facts.sender_frame = one->frame[sender];
    facts.receiver_frame = one->frame[receiver];
    facts.receiver_time = one->time[receiver];
    if (facts.sender_frame && facts.receiver_frame) {
        int64_t later = time_between(one) - difference;
        facts.has_transit = true;
        facts.transit = sender == 0 ? later : -later;
    } else if (facts.sender_frame) {
        /* In the other point's clock. */
        int64_t time = one->time[sender] + (sender == 0 ? difference : -difference);
        facts.lost = points->first[receiver] <= time && time <= points->last[receiver];
    }
    return facts;
}

/* --- addresses that differ ----------------------------------------------------------------------- */

enet_conversation *enet_points_home(enet_conversation *conversation, enet_arrival *arrival)
{
    if (!conversation->home) {
        return conversation;
    }
    arrival->endpoint ^= conversation->mirrored;
    return conversation->home;
}

static bool same_connect(const enet_connect_fields *a, const enet_connect_fields *b)
{
    return a->connect_id == b->connect_id && a->peer_id == b->peer_id && a->mtu == b->mtu &&
           a->window_size == b->window_size && a->channel_count == b->channel_count && a->data == b->data &&
           a->incoming_bandwidth == b->incoming_bandwidth && a->outgoing_bandwidth == b->outgoing_bandwidth;
}

bool enet_points_translated(enet_conversation *conversation, const enet_arrival *arrival,
                            const enet_command *connect)
{
    const enet_capture *capture = conversation->capture;
    uint32_t index = number_map_get(&capture->by_connect_id, connect->fields.connect.connect_id);
    const enet_connection *known = index ? enet_connection_at(capture, index) : NULL;
    if (!known || !known->connect_frame || !arrival->point) {
        return false;
    }
    enet_conversation *other = known->conversation;
    bool elsewhere = other != conversation && other != conversation->home && other->points &&
                     other->points->ids[0] != arrival->point;
    if (!elsewhere || !same_connect(&known->connect, &connect->fields.connect)) {
        return false;
    }
    conversation->home = other;
    conversation->mirrored = known->senders[ENET_INITIATOR].endpoint != arrival->endpoint;
    return true;
}
