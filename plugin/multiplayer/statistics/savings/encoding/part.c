/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/part.h"

/* An argument or a property itself has a short head, in a container an int has at least 32 bits. */
/* Times that a number may become larger than all before: a total that goes on to rise will not fit. */
enum { MOST_RISES = 20 };

uint32_t encoded_int_length(const variant_event *value, unsigned bits)
{
    enum { SHORT_HEAD = 1, HEAD = 4, LEAST = 32, BYTE = 8 };
    return value->depth ? HEAD + MAX(bits, LEAST) / BYTE : SHORT_HEAD + bits / BYTE;
}

/* Only bool and int are shorter as an argument; bytes that are the only one come without a head. */
uint32_t encoded_element_length(const godot_tap_variant *argument)
{
    enum { SHORT_HEAD = 1, HEAD = 4, WORD = 4 };
    uint32_t length = argument->length, rest = length % WORD;
    if (argument->raw) {
        return PACKED_HEAD + length + (rest ? WORD - rest : 0);
    }
    return rest ? HEAD + MAX(WORD, length - SHORT_HEAD) : length;
}

uint32_t encoded_part_add_key(encoded_part *part, uint32_t hash)
{
    uint32_t i = 0;
    while (i < MIN(part->key_count, ENCODED_KEYS) && part->key_hashes[i] != hash) {
        i++;
    }
    if (i == part->key_count && i < ENCODED_KEYS) {
        part->key_hashes[part->key_count++] = hash;
    } else if (i == ENCODED_KEYS) {
        part->key_count = ENCODED_KEYS + 1;
    }
    return i;
}

void encoded_part_count_text(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    part->texts = 1;
    (void)encoded_part_add_key(part, wmem_strong_hash(bytes + value->offset, value->length));
}

unsigned encoded_part_form(const encoded_part *part)
{
    return part->forms ? (unsigned)__builtin_ctz(part->forms) : ENCODED_FORMS;
}

/* Of two kinds that can be together at a place the one that includes the other; else ENCODING_NONE. */
static encoding_kind kind_of_both(encoding_kind one, encoding_kind other)
{
    static const encoding_kind pairs[][2] = {{ENCODING_TEXT, ENCODING_SENTENCE},
                                             {ENCODING_NUMBERS, ENCODING_COLOR_TEXT}}; /* "00112233" */
    if (one == other) {
        return one;
    }
    if (one == ENCODING_NONE || other == ENCODING_NONE) {
        return ENCODING_NONE;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if ((one == pairs[i][0] && other == pairs[i][1]) || (one == pairs[i][1] && other == pairs[i][0])) {
            return pairs[i][1];
        }
    }
    return one == ENCODING_ANY ? other : other == ENCODING_ANY ? one : ENCODING_NONE;
}

void encoded_part_add_number(encoded_part *part, int64_t number)
{
    part->most = MAX(part->most, (uint32_t)number);
}

void encoded_part_merge(encoded_part *into, const encoded_part *one)
{
    unsigned without_keys = 1u << ENCODED_LONG | (one->kind == ENCODING_JSON ? 1u << ENCODED_BYTES : 0);
    into->forms &= into->keys != one->keys ? without_keys : one->forms;
    into->forms &= into->values != one->values ? ~(1u << ENCODED_BYTES) : UINT_MAX;
    into->text = NULL;
    into->kind = kind_of_both(into->kind, one->kind);
    for (int i = 0; i < ENCODED_FORMS; i++) {
        into->saved[i] += one->saved[i];
    }
    into->count += one->count;
    into->risen += one->most > into->most;
    into->most = MAX(into->most, one->most);
    into->forms &= into->risen > MOST_RISES ? ~(1u << ENCODED_BYTES) : UINT_MAX;
    into->texts += one->texts;
    uint32_t known = into->key_count;
    for (uint32_t i = 0; i < MIN(one->key_count, ENCODED_KEYS); i++) {
        (void)encoded_part_add_key(into, one->key_hashes[i]);
    }
    into->newest = into->key_count != known ? into->texts : into->newest;
    into->key_count = MAX(into->key_count, one->key_count);
}

void encoded_part_set(encoded_part *part, encoding_kind kind, unsigned form, uint32_t length,
                      uint64_t instead)
{
    part->kind = kind;
    part->forms |= 1u << form;
    part->saved[form] = instead < length ? (uint32_t)(length - instead) : 0;
}

void encoded_part_set_packed(encoded_part *part, encoding_kind kind, uint32_t length, uint32_t count,
                             const uint32_t sizes[ENCODED_FORMS])
{
    part->kind = kind;
    part->forms = 0;
    for (unsigned i = 0; i < ENCODED_FORMS; i++) {
        if (sizes[i]) {
            encoded_part_set(part, kind, i, length, PACKED_HEAD + ((uint64_t)count * sizes[i] + 3) / 4 * 4);
        }
    }
}

void encoded_part_set_texts(encoded_part *part, uint32_t length, uint32_t count)
{
    const uint32_t sizes[ENCODED_FORMS] = {0, 0, 1};
    encoded_part_set_packed(part, count ? ENCODING_TEXTS : ENCODING_ANY, length, count, sizes);
    part->texts = count;
}

bool encoded_part_becomes_bytes(const encoded_part *part, unsigned form)
{
    switch (part->kind) {
    case ENCODING_INTS:
    case ENCODING_BOOLS:
    case ENCODING_INT64:
    case ENCODING_FLOAT64:
    case ENCODING_INT_ROWS:
    case ENCODING_VECTORI:
        return form == ENCODED_BYTES;
    case ENCODING_INT32:
    case ENCODING_FLOAT32:
    case ENCODING_VECTORS:
    case ENCODING_TEXTS:
        return true;
    case ENCODING_HEX:
    case ENCODING_BASE64:
        return form == ENCODED_SHORT;
    default:
        return false;
    }
}
