/* detect.c
 *
 * Detects whether bytes are a Variant, and of which generation. The encoding has no magic number, so the
 * bytes are read to their end in each dialect. Nearly any finding of the decoder excludes a dialect; the
 * others are scored by how plausible the values are in a game. The thresholds are choices, not facts of the
 * engine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/internal.h"

#define MAX_CLASS_NAME      64
#define COMPONENTS_TO_JUDGE 16 /* numbers of one math type or packed array that count towards the score */

/* In order of preference when several dialects fit equally well. */
static const variant_dialect candidates[] = {VARIANT_GODOT4, VARIANT_GODOT3, VARIANT_GODOT2,
                                             VARIANT_GODOT4_MANUAL};

/* Findings that traffic of unmodified engines of the generation does have. */
#define BIT(problem) (1u << VARIANT_PROBLEM_##problem)
static const uint32_t expected_problems[VARIANT_DIALECT_COUNT] = {
    /* `script` was a nested object before 4.3 */
    [VARIANT_GODOT4] = BIT(OBJECT_SCRIPT),
    /* 3.0 and 3.1 do not clear padding; 3.0 sends every int in 64 bits */
    [VARIANT_GODOT3] = BIT(PADDING_NOT_ZERO) | BIT(NOT_MINIMAL),
};

typedef struct {
    int score;
    bool possible;
    bool container;  /* a container that is not empty */
    bool text;       /* a String of at least two printable characters */
    bool short_int;  /* an int in 32 bits */
    bool padded_int; /* an int in 64 bits that fits 32 */
} judgement;

static uint32_t printable_characters(const uint8_t *bytes, const variant_string *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->text_length; i++) {
        uint8_t c = bytes[s->text_offset + i];
        if (c >= ' ' && c != 0x7f && (c & 0xc0) != 0x80) {
            count++;
        }
    }
    return count;
}

static int judge_int(int64_t i)
{
    return i > -1000000 && i < 1000000 ? 1 : 0;
}

/* Numbers near 1 are typical of games; denormal numbers, huge numbers and NaN are typical of other data. */
static int judge_float(double f)
{
    double magnitude = f < 0 ? -f : f;
    if (f == 0.0 || (magnitude > 0x1p-30 && magnitude < 0x1p30)) {
        return 1;
    }
    return magnitude > 0x1p-126 && magnitude < 0x1p100 ? 0 : -3;
}

static int judge_components(const uint8_t *bytes, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    const bool integer = facts->component_kind >= VARIANT_INT8U;
    uint32_t count = facts->packed ? e->count * facts->component_count : facts->component_count;
    int score = 0;
    for (uint32_t i = 0; i < count && i < COMPONENTS_TO_JUDGE; i++) {
        score += integer ? judge_int(variant_component_int(bytes, e, i))
                         : judge_float(variant_component(bytes, e, i));
    }
    return score;
}

/* Names between slashes are never empty and contain none; sub-names may. */
static bool is_engine_node_path(const uint8_t *bytes, const variant_event *e)
{
    uint32_t position = e->data_offset;
    for (uint32_t i = 0; !e->value.path.old_format && i < e->value.path.names; i++) {
        variant_string s = variant_next_string(bytes, e, &position);
        for (uint32_t k = 0; k < s.text_length; k++) {
            if (bytes[s.text_offset + k] == '/') {
                return false;
            }
        }
        if (s.text_length == 0) {
            return false;
        }
    }
    return true;
}

static void judge_value(judgement *j, const uint8_t *bytes, const variant_event *e)
{
    uint32_t printable;
    switch (e->type) {
    case VARIANT_INT:
        j->score += judge_int(e->value.i);
        j->short_int = j->short_int || !e->wide;
        break;
    case VARIANT_FLOAT:
        j->score += judge_float(e->value.f);
        break;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        printable = printable_characters(bytes, &e->text);
        j->score += printable >= 3 ? 3 : printable > 0; /* a character counts like a number */
        j->text = j->text || printable >= 2;
        break;
    case VARIANT_NODE_PATH:
        j->possible = is_engine_node_path(bytes, e);
        break;
    default:
        j->score += judge_components(bytes, e);
        break;
    }
    if (e->role == VARIANT_KEY && e->index == 0 && e->type == VARIANT_STRING) {
        j->score += 2;
    }
}

static bool is_engine_container(const uint8_t *bytes, size_t length, const variant_event *e)
{
    uint64_t least = e->type == VARIANT_ARRAY ? 4 : 8; /* bytes per element, entry or property */
    if (e->count * least > length - e->data_offset) {
        return false;
    }
    if (e->type == VARIANT_OBJECT) {
        uint8_t first = bytes[e->text.text_offset];
        return first >= 'A' && first <= 'Z' && e->text.text_length <= MAX_CLASS_NAME;
    }
    bool unnamed = e->element_type.kind == VARIANT_TYPED_CLASS && e->element_type.name.text_length == 0;
    if (e->type == VARIANT_DICTIONARY) {
        unnamed = unnamed || (e->key_type.kind == VARIANT_TYPED_CLASS && e->key_type.name.text_length == 0);
    }
    return !unnamed;
}

static void judge_finding(judgement *j, const variant_event *e, uint32_t expected)
{
    if (e->fatal || !(expected >> e->problem & 1)) {
        j->possible = false;
    } else if (e->problem == VARIANT_PROBLEM_NOT_MINIMAL) {
        j->possible = e->type == VARIANT_INT;
        j->padded_int = true;
    } else if (e->problem == VARIANT_PROBLEM_PADDING_NOT_ZERO) {
        j->score -= 3;
    }
}

static judgement judge(const uint8_t *bytes, size_t length, variant_dialect dialect)
{
    variant_options options = {.dialect = dialect, .objects_allowed = true};
    judgement j = {.possible = true, .score = length >= 16 ? 2 : 0};
    variant_decoder d;
    variant_event e;
    variant_init(&d, bytes, length, options);
    while (j.possible && variant_next(&d, &e)) {
        if (e.kind == VARIANT_VALUE) {
            judge_value(&j, bytes, &e);
        } else if (e.kind == VARIANT_BEGIN) {
            j.possible = is_engine_container(bytes, length, &e);
            j.container = j.container || e.count > 0;
        } else if (e.kind == VARIANT_FINDING) {
            judge_finding(&j, &e, expected_problems[dialect]);
        }
    }
    /* 3.0 never sends an int in 32 bits, later ones never send one in 64 bits that fits 32. */
    j.possible = j.possible && d.position == length && !(j.short_int && j.padded_int);
    return j;
}

variant_guess variant_detect(const uint8_t *bytes, size_t length, variant_dialect preferred)
{
    variant_guess best = {.dialect = VARIANT_GODOT4};
    bool earlier = false, latest = false;
    int best_score = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        judgement j = judge(bytes, length, candidates[i]);
        if (!j.possible) {
            continue;
        }
        latest |= candidates[i] == VARIANT_GODOT4;
        earlier |= candidates[i] == VARIANT_GODOT3 || candidates[i] == VARIANT_GODOT2;
        if (best.score > 0 && candidates[i] != preferred &&
            (j.score <= best_score || best.dialect == preferred)) {
            continue;
        }
        best_score = j.score;
        best = (variant_guess){
            .dialect = candidates[i],
            .score = j.score > 1 ? j.score : 1,
            .consumed = (uint32_t)length,
            .strong = length >= 8 && length % 4 == 0 && (j.container || j.text || j.score >= 4),
        };
    }
    best.ambiguous = latest && earlier;
    return best;
}
