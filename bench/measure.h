/* measure.h
 *
 * The programs of bench/ are tables of functions to measure:  PROGRAM FILE [ROUNDS [NAME]]
 *
 * FILE has pieces of bytes, each with its length before it (32 bits, little-endian). Each function processes
 * all pieces, ROUNDS times. The output has a line for each: its name, the bytes processed in a round, and the
 * average CPU time of a round in seconds, separated by tabs. ROUNDS 1 and a NAME are for callgrind, which
 * counts the instructions of measured().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_PIECES 50000

typedef struct {
    const uint8_t *bytes;
    size_t length;
} piece;

typedef struct {
    piece pieces[MAX_PIECES];
    size_t count;
} input;

typedef struct {
    const char *name;
    size_t (*function)(const input *in); /* returns the number of bytes processed */
} measurement;

/* CPU time of the process, in seconds. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The result is stored so that the last call is no tail call: callgrind would count nothing. */
__attribute__((noinline)) static size_t measured(const measurement *m, const input *in)
{
    volatile size_t bytes = m->function(in);
    return bytes;
}

static void measure(const measurement *m, const input *in, long rounds)
{
    double start = seconds();
    size_t bytes = 0;
    for (long i = 0; i < rounds; i++) {
        bytes = measured(m, in);
    }
    printf("%s\t%zu\t%.9f\n", m->name, bytes, (seconds() - start) / (double)rounds);
}

static void split(input *in, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; length - at >= 4 && in->count < MAX_PIECES;) {
        size_t size = bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 |
                      (size_t)bytes[at + 3] << 24;
        if (size > length - at - 4) {
            break;
        }
        in->pieces[in->count++] = (piece){bytes + at + 4, size};
        at += 4 + size;
    }
}

/* The whole program. `prepare` (may be NULL) is called before anything is measured. */
static int measure_all(int argc, char **argv, const measurement *table, size_t count,
                       void (*prepare)(const input *in))
{
    static uint8_t bytes[1 << 24];
    static input in;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: %s FILE [ROUNDS [NAME]]\n", argv[0]);
        return 2;
    }
    split(&in, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    if (prepare != NULL) {
        prepare(&in);
    }
    for (size_t i = 0; i < count; i++) {
        if (argc < 4 || strcmp(argv[3], table[i].name) == 0) {
            measure(&table[i], &in, argc > 2 ? strtol(argv[2], NULL, 10) : 100);
        }
    }
    return 0;
}

#endif
