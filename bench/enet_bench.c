/* enet_bench.c
 *
 * How fast ENet's range coder is decoded and commands are walked:  enet_bench DATAGRAMS [ROUNDS]
 *
 * DATAGRAMS has the UDP payloads of a capture, each behind its length in two bytes, big endian. Each
 * measurement is repeated ROUNDS times; the fastest round counts, since everything else on the machine can
 * only slow it down. With ROUNDS 1 it is meant for callgrind, which counts what happens in decompress_all(),
 * walk_all() and detect_all().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "enet/detect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE      __attribute__((noinline))
#define MAX_DATAGRAMS 20000

typedef struct {
    const uint8_t *bytes;
    size_t length;
    enet_header header;
    uint8_t *body; /* plain */
    size_t body_length;
} datagram;

static datagram datagrams[MAX_DATAGRAMS];
static size_t datagram_count;
static uint8_t scratch[ENET_MAX_DATAGRAM];

typedef size_t measurement(void); /* returns the bytes of plain bodies or datagrams it went through */

/* All compressed bodies. */
NOINLINE static size_t decompress_all(void)
{
    size_t total = 0, length;

    for (size_t i = 0; i < datagram_count; i++) {
        const datagram *d = &datagrams[i];

        if (d->header.compressed &&
            enet_range_decode(d->bytes + d->header.length, d->length - d->header.length, scratch,
                              sizeof scratch, &length) == DECOMPRESSED) {
            total += length;
        }
    }
    return total;
}

/* Every command of every body. */
NOINLINE static size_t walk_all(void)
{
    size_t total = 0;

    for (size_t i = 0; i < datagram_count; i++) {
        enet_body_context context = {.header = &datagrams[i].header};
        enet_command command;
        enet_body body;

        enet_body_init(&body, datagrams[i].body, datagrams[i].body_length, datagrams[i].body_length,
                       &context);
        while (enet_body_next(&body, &command)) {
            total += command.length;
        }
    }
    return total;
}

/* Datagrams of endpoints nobody knows. */
NOINLINE static size_t detect_all(void)
{
    enet_detection detection;
    size_t total = 0;

    for (size_t i = 0; i < datagram_count; i++) {
        enet_detect(&detection, ENET_STOCK, datagrams[i].bytes, datagrams[i].length, scratch);
        total += datagrams[i].length;
    }
    return total;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void measure(const char *name, measurement *function, int rounds)
{
    double best = 1e9;
    size_t bytes = 0;

    for (int i = 0; i < rounds; i++) {
        double start = seconds(), taken;

        bytes = function();
        taken = seconds() - start;
        best = taken < best ? taken : best;
    }
    printf("%-15s %8zu bytes %9.1f MB/s %8.0f ns per datagram\n", name, bytes, (double)bytes / best / 1e6,
           best * 1e9 / (double)datagram_count);
}

static void load(uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at + 2 <= length && datagram_count < MAX_DATAGRAMS;) {
        datagram *d = &datagrams[datagram_count];

        d->length = (size_t)bytes[at] << 8 | bytes[at + 1];
        d->bytes = bytes + at + 2;
        at += 2 + d->length;
        if (at > length || !enet_header_read(&d->header, d->bytes, d->length, ENET_STOCK, false)) {
            continue;
        }
        d->body_length = d->length - d->header.length;
        d->body = bytes + at - d->body_length;
        if (d->header.compressed) {
            if (enet_range_decode(d->body, d->body_length, scratch, sizeof scratch, &d->body_length)) {
                continue;
            }
            d->body = malloc(d->body_length);
            if (!d->body) {
                exit(1);
            }
            memcpy(d->body, scratch, d->body_length);
        }
        datagram_count++;
    }
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 24];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    int rounds = argc > 2 ? atoi(argv[2]) : 20;

    if (!file) {
        fprintf(stderr, "usage: enet_bench DATAGRAMS [ROUNDS]\n");
        return 1;
    }
    load(bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    printf("%zu datagrams\n", datagram_count);
    measure("range decoder", decompress_all, rounds);
    measure("walk", walk_all, rounds);
    measure("detect", detect_all, rounds);
    return 0;
}
