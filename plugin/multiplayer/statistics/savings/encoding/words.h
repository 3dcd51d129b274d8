/* words.h
 *
 * Words of texts: a game that makes sentences of few names can send numbers of these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_WORDS_H
#define GODOT_SAVINGS_WORDS_H

#include "multiplayer/statistics/savings/encoding/part.h"

/* The words of all texts at one place. */
typedef struct {
    uint32_t hashes[ENCODED_KEYS], uses[ENCODED_KEYS];
    uint32_t count;  /* different ones; ENCODED_KEYS + 1: more */
    uint32_t words;  /* of all texts */
    uint32_t newest; /* number of the text that had the last new one */
    uint32_t texts;
    uint32_t messages; /* that had one: several for a call with several receivers */
    uint32_t each;     /* bytes of a number instead of a word */
} text_words;

/* Numbers between the same words. */
enum { SENTENCE_NUMBERS = 32 };
typedef struct {
    uint32_t texts, count, varied; /* with these words; numbers in each, and bits of those that varied */
    uint32_t numbers[SENTENCE_NUMBERS];
} sentence;

/* `all`: of ENCODED_KEYS sentences; `number`: that of the text. */
void sentence_add(sentence *all, uint32_t number, const encoded_part *part);
/* Bytes of numbers that need not be sent, because they are always the same with the words. */
uint32_t sentences_fixed(const sentence *all);

/* Adds a text, or a part that has several ones, which are not known. Returns the bytes that it would take
 * less with a number instead of each word. `again`: the same call, to another receiver. */
uint32_t text_words_add(text_words *all, const encoded_part *part, bool again);

/* Whether there are few words, and since long no new one. `uses`: of each, on average. */
bool text_words_are_few(const text_words *all, uint32_t uses);

/* Bytes of the numbers of words that all texts have, and so need not be sent. */
uint32_t text_words_fixed(const text_words *all);

#endif
