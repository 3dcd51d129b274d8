/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/heading.h"

#include <math.h>

#include <glib.h>

/* By so many radians a direction may differ: it turns between the updates. Likewise, of its length, a
 * velocity, since frames of a game do not come evenly; and a direction, of 1. */
#define TURNS   0.1
#define UNEVEN  0.25
#define ROUNDED 1e-3
/* An update shows so many ticks at the most; by so much of one their number differs from a whole one. */
enum { MOST_TICKS = 4 };
#define PART_OF_TICK 0.05
/* Of the way in a tick: it is a velocity for a tick, and not for a second, if they are so near. */
#define FOR_A_TICK 0.1
/* Of a position: shorter ways have no direction in 32 bits. */
#define SHORTEST 1e-5
/* Least share of what was judged that fits, also where it turns; likewise, without turns. After so many of
 * which less than half fit, nothing will. */
#define MOSTLY 0.9
#define OFTEN  0.7
enum { ENOUGH = 64 };
/* Least updates, eighths of the circle, and updates in each of these: what moves one way tells nothing. */
enum { LEAST_HITS = 40, LEAST_EIGHTHS = 3, LEAST_IN_EIGHTH = 4 };

uint32_t heading_position(const godot_tap_variant *values, uint32_t count)
{
    uint32_t first = count;
    double at[3];
    for (uint32_t i = 0; i < count; i++) {
        bool vector = savings_vector_at(&values[i], at) > 0;
        if (vector && values[i].property && g_str_has_suffix(values[i].property, "position")) {
            return i;
        }
        first = vector && first == count ? i : first;
    }
    return first;
}

/* What it has been most often. */
static int likely_kind(const heading_count *of)
{
    int most = 0;
    for (int kind = 1; kind < HEADINGS; kind++) {
        most = of->hits[kind] > of->hits[most] ? kind : most;
    }
    return most;
}

/* From the axis x to y; in space, around the axis y, from z to x. */
static double angle_of(const savings_numbers *way)
{
    return way->count == 3 ? atan2(way->at[0], way->at[2]) : atan2(way->at[1], way->at[0]);
}

static int fits_angle(double angle, const savings_numbers *way)
{
    double turned = remainder(angle - angle_of(way), 2 * G_PI);
    int quarters = (int)floor(turned / G_PI_2 + 0.5);
    return fabs(turned - quarters * G_PI_2) <= TURNS ? HEADING_ANGLE + (quarters + 4) % 4 : HEADINGS;
}

/* Frames of a game and of the network do not come evenly, so a velocity is also known by whole ticks. */
static bool is_velocity(heading_count *of, double length, double along, double seconds)
{
    double of_one = along / length; /* by so much a velocity of 1 has moved it */
    bool first = of->tick == 0 || of_one < (1 - FOR_A_TICK) * of->tick;
    of->tick = first ? of_one : of->tick;
    double ticks = of_one / of->tick, whole = floor(ticks + 0.5);
    return fabs(length * seconds - along) <= UNEVEN * along ||
           (whole <= MOST_TICKS && fabs(ticks - whole) <= PART_OF_TICK);
}

static int fits_vector(heading_count *of, const savings_numbers *value, const savings_numbers *way,
                       double seconds)
{
    double product = 0, length = savings_length_of(value), along = savings_length_of(way);
    for (int i = 0; i < 3; i++) {
        product += value->at[i] * way->at[i];
    }
    if (product < cos(TURNS) * length * along || length == 0) {
        return HEADINGS;
    }
    return fabs(length - 1) <= ROUNDED               ? HEADING_WAY
           : is_velocity(of, length, along, seconds) ? HEADING_VELOCITY
                                                     : HEADINGS;
}

/* Whether the value is an angle, of which it is a rotation in space. */
static bool is_rotation(const savings_numbers *value)
{
    return value->count == 3 && value->at[0] == 0 && value->at[2] == 0;
}

static int fits(heading_count *of, const savings_numbers *value, const savings_numbers *way, double seconds)
{
    if (value->count == 1 || is_rotation(value)) {
        return fits_angle(value->at[is_rotation(value)], way);
    }
    return value->count == way->count ? fits_vector(of, value, way, seconds) : HEADINGS;
}

/* By how much the value is turned from the way, if it is of this kind. */
static double turned_by(const savings_numbers *value, const savings_numbers *way, int kind)
{
    double angle = kind >= HEADING_WAY ? angle_of(value) : value->at[is_rotation(value)] - kind * G_PI_2;
    return remainder(angle - angle_of(way), 2 * G_PI);
}

/* Between two updates it may turn: then the way is between both directions. */
static bool is_turn(const heading_count *of, const savings_numbers *before, const savings_numbers *now,
                    const savings_numbers *way)
{
    int kind = likely_kind(of);
    double one = turned_by(before, way, kind), other = turned_by(now, way, kind);
    return one * other <= 0 && fabs(one - other) < G_PI;
}

static void judge(heading_count *of, const heading_before *before, const heading_before *now)
{
    savings_numbers way = {.count = now->position.count};
    bool same = true;
    for (int i = 0; i < 3; i++) {
        way.at[i] = now->position.at[i] - before->position.at[i];
        same &= now->value.at[i] == before->value.at[i];
    }
    double length = savings_length_of(&way);
    bool rests = length <= SHORTEST * savings_length_of(&now->position);
    if (rests && (same || savings_length_of(&now->value) == 0)) {
        return; /* as it was, or no velocity */
    }
    int kind = rests ? HEADINGS : fits(of, &now->value, &way, now->time - before->time);
    of->judged++;
    if (kind < HEADINGS) {
        int eighth = (int)floor((angle_of(&way) / G_PI + 1) * HEADING_EIGHTHS / 2);
        of->hits[kind]++;
        of->eighths[eighth % HEADING_EIGHTHS]++;
    } else {
        of->turns += !rests && is_turn(of, &before->value, &now->value, &way);
    }
    of->broken = of->judged == ENOUGH && of->hits[likely_kind(of)] * 2 < ENOUGH;
}

void heading_add(heading_count *of, heading_before *before, const godot_tap_variant *position,
                 const godot_tap_variant *value, double now)
{
    if (of->broken) {
        return;
    }
    heading_before latest = {savings_numbers_at(position), savings_numbers_at(value), now};
    bool finite = isfinite(savings_length_of(&latest.position)) && isfinite(savings_length_of(&latest.value));
    if (latest.position.count < 2 || !latest.value.count || !finite) {
        of->broken = true;
        return;
    }
    of->solid = latest.position.count == 3;
    if (before->position.count == latest.position.count && before->value.count == latest.value.count) {
        judge(of, before, &latest);
    }
    *before = latest;
}

int heading_kind(const heading_count *of)
{
    unsigned eighths = 0;
    int kind = likely_kind(of);
    double hits = of->hits[kind], judged = of->judged;
    for (int i = 0; i < HEADING_EIGHTHS; i++) {
        eighths += of->eighths[i] >= LEAST_IN_EIGHTH;
    }
    bool fits = hits >= OFTEN * judged && hits + of->turns >= MOSTLY * judged;
    return of->broken || hits < LEAST_HITS || eighths < LEAST_EIGHTHS || !fits ? HEADINGS : kind;
}

const char *heading_text(const heading_count *of, int kind)
{
    static const char *const flat[HEADINGS] = {"way.angle()",      "way.angle() + PI / 2",
                                               "way.angle() + PI", "way.angle() - PI / 2",
                                               "way.normalized()", "way / time"};
    static const char *const solid[HEADINGS] = {"atan2(way.x, way.z)",   "atan2(way.z, -way.x)",
                                                "atan2(-way.x, -way.z)", "atan2(-way.z, way.x)",
                                                "way.normalized()",      "way / time"};
    bool for_a_tick = kind == HEADING_VELOCITY && fabs(of->tick - 1) <= FOR_A_TICK;
    return for_a_tick ? "way / ticks" : (of->solid ? solid : flat)[kind];
}
