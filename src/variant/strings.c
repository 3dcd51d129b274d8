/* strings.c
 *
 * Strings of Variants, and the values made of them: String, StringName, NodePath, Signal, PackedStringArray.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/reader.h"

#include "base/utf8.h"

#define NODE_PATH_NEW      0x80000000u /* in the first word: not the plain string of versions before 3.0 */
#define NODE_PATH_PROPERTY 2u          /* in the flags: one more string than counted (Godot 2) */
#define NODE_PATH_FLAGS    1u          /* in the flags: those set by engines since 3.0 */

/* --- strings ------------------------------------------------------------------------------------- */

/* The part of a string that the reader keeps: after a byte order mark, up to the first NUL. */
static void find_text(const uint8_t *bytes, variant_string *s)
{
    const uint8_t *p = bytes + s->offset + 4;
    s->text_offset = s->offset + 4;
    s->text_length = s->wire_length;
    if (s->text_length >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
        s->text_offset += 3;
        s->text_length -= 3;
        p += 3;
    }
    const uint8_t *nul = s->text_length > 0 ? memchr(p, 0, s->text_length) : NULL;
    if (nul != NULL) {
        s->text_length = (uint32_t)(nul - p);
    }
}

static void check_text(variant_decoder *d, const variant_string *s, unsigned rules)
{
    utf8_rules rules_of_text = d->options.dialect == VARIANT_GODOT3 ? UTF8_GODOT3 : UTF8_STANDARD;
    uint32_t end = s->text_offset + s->text_length;
    uint32_t sequence;
    for (uint32_t at = s->text_offset; at < end; at += sequence) {
        sequence = utf8_sequence(d->bytes + at, end - at, rules_of_text);
        if (sequence == 0) {
            variant_report(d, VARIANT_PROBLEM_INVALID_UTF8, at, 1);
            break;
        }
    }
    if (end < s->padding_offset && !((rules & STRING_TERMINATED) && end + 1 == s->padding_offset)) {
        variant_report(d, VARIANT_PROBLEM_EMBEDDED_NUL, end, 1);
    }
}

static bool all_zero(const uint8_t *p, uint32_t length)
{
    while (length > 0) {
        if (p[--length] != 0) {
            return false;
        }
    }
    return true;
}

uint32_t variant_read_padding(variant_decoder *d, uint32_t length, bool may_be_stale)
{
    uint32_t padding = padding_of(length);
    if (padding > bytes_left(d)) {
        padding = bytes_left(d);
        variant_report(d, VARIANT_PROBLEM_PADDING_MISSING, d->position, padding);
    }
    if (!may_be_stale && !all_zero(here(d), padding)) {
        variant_report(d, VARIANT_PROBLEM_PADDING_NOT_ZERO, d->position, padding);
    }
    d->position += padding;
    return padding;
}

bool variant_is_plain_string(const uint8_t *p, uint32_t length, uint32_t end)
{
    const uint64_t low = 0x0101010101010101u, top = 0x8080808080808080u; /* of each byte */
    uint32_t at = 0;
    for (; length - at >= 8; at += 8) {
        uint64_t word = le64(p + at);
        if (((word - low) | word) & top) { /* a byte is 0 or above 0x7f */
            return false;
        }
    }
    if (at == end) {
        return true;
    }
    uint32_t text_bits = 8 * (length - at);
    uint64_t word = le64(p + end - 8) >> (64 - 8 * (end - at));
    if (word >> text_bits != 0) {
        return false;
    }
    word |= low << text_bits;
    return !(((word - low) | word) & top);
}

/* Any string, after its length has been checked: sets *s except for the members that depend on the text. */
static void read_slow_string(variant_decoder *d, variant_string *s, unsigned rules)
{
    bool stale_padding = d->facts->lax_strings || (rules & STRING_STALE_PADDING);
    find_text(d->bytes, s);
    check_text(d, s, rules);
    d->position = s->padding_offset;
    s->padding = (uint8_t)variant_read_padding(d, s->wire_length, stale_padding);
    s->length = d->position - s->offset;
}

bool variant_read_string(variant_decoder *d, variant_string *s, unsigned rules)
{
    uint32_t offset = d->position;
    uint32_t length;
    if (!read_u32(d, &length)) {
        return false;
    }
    uint32_t left = bytes_left(d);
    bool padded = length <= left && padding_of(length) <= left - length;
    if (!padded && (length > left || !d->facts->lax_strings)) {
        return variant_fail(d, VARIANT_PROBLEM_STRING_OVERRUN, offset, d->length - offset);
    }

    set_string(s, offset, length);
    if (rules & STRING_TERMINATED && length > 0) {
        s->text_length--;
    }
    if (padded && is_plain_string(here(d), s->text_length, length + padding_of(length), left)) {
        d->position += length + padding_of(length);
    } else {
        read_slow_string(d, s, rules);
    }
    return true;
}

variant_string variant_next_string(const uint8_t *bytes, const variant_event *event, uint32_t *position)
{
    uint32_t end = event->data_offset + event->data_length;
    variant_string s;
    set_string(&s, *position, le32(bytes + *position));
    if (s.padding > end - s.padding_offset) {
        s.padding = (uint8_t)(end - s.padding_offset);
    }
    if (event->type == VARIANT_PACKED_STRING_ARRAY && s.wire_length > 0) {
        s.text_length--;
    }
    if (((s.wire_length + s.padding) & 3) != 0 ||
        !is_plain_string(bytes + s.text_offset, s.text_length, s.wire_length + s.padding,
                         end - s.text_offset)) {
        find_text(bytes, &s);
    }
    *position = s.padding_offset + s.padding;
    s.length = *position - s.offset;
    return s;
}

bool variant_text_is(const variant_decoder *d, const variant_string *s, const char *text)
{
    return s->text_length == strlen(text) && memcmp(d->bytes + s->text_offset, text, s->text_length) == 0;
}

bool variant_text_begins(const variant_decoder *d, const variant_string *s, const char *text)
{
    return s->text_length >= strlen(text) && memcmp(d->bytes + s->text_offset, text, strlen(text)) == 0;
}

/* --- values -------------------------------------------------------------------------------------- */

bool variant_read_string_value(variant_decoder *d, variant_event *e)
{
    if (!variant_read_string(d, &e->text, 0)) {
        return false;
    }
    e->data_offset = e->text.offset + 4;
    e->data_length = e->text.wire_length;
    e->padding = e->text.padding;
    return true;
}

/* The NodePath of before Godot 3.0, which 2.1 and 3.0 still accept: a plain string without padding. */
static bool read_old_node_path(variant_decoder *d, variant_event *e)
{
    const variant_dialect_facts *facts = d->facts;
    uint32_t length = le32(here(d));
    if (length > bytes_left(d) - 4) {
        return variant_fail(
            d, facts->old_node_paths ? VARIANT_PROBLEM_STRING_OVERRUN : VARIANT_PROBLEM_OLD_NODE_PATH,
            d->position, bytes_left(d));
    }
    variant_report(d, VARIANT_PROBLEM_OLD_NODE_PATH, d->position, 4 + length);
    e->text = (variant_string){
        .offset = d->position,
        .length = 4 + length,
        .wire_length = length,
        .padding_offset = d->position + 4 + length,
    };
    find_text(d->bytes, &e->text);
    check_text(d, &e->text, 0);
    d->position += 4 + length;
    e->data_offset += 4;
    e->data_length = length;
    e->value.path.names = e->value.path.subnames = e->value.path.flags = 0;
    e->value.path.old_format = true;
    return true;
}

bool variant_read_node_path(variant_decoder *d, variant_event *e)
{
    const variant_dialect_facts *facts = d->facts;
    if (bytes_left(d) >= 4 && !(le32(here(d)) & NODE_PATH_NEW)) {
        return read_old_node_path(d, e);
    }
    if (!need(d, 12)) {
        return false;
    }
    uint32_t names = le32(here(d)) & ~NODE_PATH_NEW;
    uint32_t subnames = le32(here(d) + 4);
    uint32_t flags = le32(here(d) + 8);
    if (flags & ~(NODE_PATH_FLAGS | (facts->old_node_paths ? NODE_PATH_PROPERTY : 0))) {
        variant_report(d, VARIANT_PROBLEM_NODE_PATH_FLAGS, d->position + 8, 4);
    }

    /* The reader adds in 32 bits, reads that many strings, and takes the first ones as names. */
    uint32_t property = flags & NODE_PATH_PROPERTY ? 1 : 0;
    uint32_t total = names + subnames + property;
    if ((uint64_t)names + subnames + property > UINT32_MAX) {
        variant_report(d, VARIANT_PROBLEM_NODE_PATH_COUNTS, d->position, 8);
    }
    d->position += 12;
    e->data_offset = d->position;
    for (uint32_t i = 0; i < total; i++) {
        if (!variant_read_string(d, &e->text, STRING_STALE_PADDING)) {
            return false;
        }
    }
    e->data_length = d->position - e->data_offset;
    e->value.path.names = names < total ? names : total;
    e->value.path.subnames = total - e->value.path.names;
    e->value.path.flags = flags;
    e->value.path.old_format = false;
    return true;
}

bool variant_read_signal(variant_decoder *d, variant_event *e)
{
    return variant_read_string(d, &e->text, 0) && variant_read_id(d, e);
}

bool variant_read_packed_strings(variant_decoder *d, variant_event *e)
{
    if (!variant_read_loop_count(d, e)) {
        return false;
    }
    e->element_size = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!variant_read_string(d, &e->text, STRING_TERMINATED)) {
            return false;
        }
    }
    e->data_length = d->position - e->data_offset;
    return true;
}
