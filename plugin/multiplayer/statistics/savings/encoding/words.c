/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/words.h"

#include <string.h>

#include <glib.h>

#include "multiplayer/statistics/savings/encoding/texts.h"

/* Longer texts are no sentences that a game makes, or words of people. */
enum { MOST_LENGTH = 256 };

static bool is_of_word(uint8_t one)
{
    return one >= 0x80 || one == '_' || g_ascii_isalnum(one);
}

static void add_word(text_words *all, uint32_t hash)
{
    uint32_t i = 0;
    while (i < MIN(all->count, ENCODED_KEYS) && all->hashes[i] != hash) {
        i++;
    }
    all->words++;
    if (i == ENCODED_KEYS) {
        all->count = ENCODED_KEYS + 1;
    } else if (i == all->count) {
        all->hashes[i] = hash;
        all->uses[i] = 1;
        all->count++;
        all->newest = all->texts;
    } else {
        all->uses[i]++;
    }
}

/* Reads one word, or a number, at the beginning. Returns its length. */
static uint32_t word_at(const uint8_t *text, uint32_t length, uint32_t *hash, bool *number)
{
    uint32_t at = 0;
    *hash = 0;
    *number = true;
    for (; at < length && is_of_word(text[at]); at++) {
        *hash = *hash * 31 + text[at];
        *number &= g_ascii_isdigit(text[at]) != 0;
    }
    return at;
}

uint32_t text_words_add(text_words *all, const encoded_part *part, bool again)
{
    uint32_t words = 0, numbers = 0, hash;
    bool number;
    all->messages++;
    all->texts += !again;
    all->each = part->text_number;
    if (!part->text || part->text_length > MOST_LENGTH) {
        all->count = ENCODED_KEYS + 1;
        return 0;
    }
    for (uint32_t at = 0; at < part->text_length; at++) {
        uint32_t length = word_at(part->text + at, part->text_length - at, &hash, &number);
        if (length && !number && !again) {
            add_word(all, hash);
        }
        words += length && !number;
        numbers += length && number;
        at += length;
    }
    uint32_t instead = words * part->text_number + numbers * part->text_long_number;
    return part->text_size - MIN(instead, part->text_size);
}

bool text_words_are_few(const text_words *all, uint32_t uses)
{
    return all->count > 1 && all->count <= ENCODED_KEYS && all->words >= 2 * all->texts &&
           all->words >= uses * all->count && all->texts >= 2 * all->newest;
}

uint32_t text_words_fixed(const text_words *all)
{
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < MIN(all->count, ENCODED_KEYS); i++) {
        fixed += all->uses[i] >= all->texts ? all->messages : 0;
    }
    return fixed * all->each;
}

void sentence_add(sentence *all, uint32_t number, const encoded_part *part)
{
    uint32_t hashes[SENTENCE_NUMBERS];
    uint32_t count = sentence_numbers(part->text, part->text_length, hashes, SENTENCE_NUMBERS);
    sentence *one = &all[number];
    if (!one->texts++) {
        one->count = count;
        memcpy(one->numbers, hashes, sizeof hashes);
    }
    for (uint32_t i = 0; i < MIN(count, SENTENCE_NUMBERS); i++) {
        one->varied |= (uint32_t)(one->numbers[i] != hashes[i]) << i;
    }
}

uint32_t sentences_fixed(const sentence *all)
{
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < ENCODED_KEYS; i++) {
        const sentence *one = &all[i];
        uint32_t varied = (uint32_t)__builtin_popcount(one->varied);
        varied += one->count - MIN(one->count, SENTENCE_NUMBERS);
        uint32_t left = varied ? bytes_of_numbers(varied) : 0;
        uint32_t now = one->count > 1 ? bytes_of_numbers(one->count) : 0; /* one may be a small int */
        fixed += one->texts * (now - MIN(left, now));
    }
    return fixed;
}
