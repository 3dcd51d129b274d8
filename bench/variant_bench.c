/* variant_bench.c
 *
 * How fast the Variant decoder is:  variant_bench FILE [ROUNDS]
 *
 * FILE holds Godot 4 values with the length before each, as bench/variant_bodies.py writes them. Each measurement is
 * repeated ROUNDS times; the round that took the least time of the process counts, since everything else on the machine
 * can only slow it down. With ROUNDS 1 it is meant for callgrind, which counts what happens in decode_all(), iterate() and
 * write_text().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static const variant_options options = {.dialect = VARIANT_GODOT4};
static const size_t text_size = 1 << 24;

typedef struct {
    const uint8_t *bytes;
    uint32_t length;
} body;

typedef struct {
    body *bodies;
    size_t count, length; /* bytes of all bodies */
    char *text;
} input;

typedef double measurement(const input *in);

/* Everything that a value says, as one number, so that nothing can be left out. */
static double visit(const uint8_t *bytes, const variant_event *e)
{
    double sum = 0;
    uint32_t position = e->data_offset;
    uint32_t components;
    const variant_type_info *facts;
    switch (e->type) {
    case VARIANT_BOOL:
        return e->value.b;
    case VARIANT_INT:
        return (double)e->value.i;
    case VARIANT_FLOAT:
        return e->value.f;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        return e->text.text_length;
    case VARIANT_PACKED_STRING_ARRAY:
        for (uint32_t i = 0; i < e->count; i++) {
            sum += variant_next_string(bytes, e, &position).text_length;
        }
        return sum;
    default:
        facts = variant_type_facts(e->type);
        components = facts->component_count * (facts->packed ? e->count : 1);
        for (uint32_t i = 0; i < components; i++) {
            sum += variant_component(bytes, e, i);
        }
        return sum;
    }
}

/* Decodes and looks at every leaf. */
NOINLINE static double decode_all(const input *in)
{
    variant_decoder decoder;
    variant_event event;
    double sum = 0;
    for (size_t i = 0; i < in->count; i++) {
        variant_init(&decoder, in->bodies[i].bytes, in->bodies[i].length, options);
        while (variant_next(&decoder, &event)) {
            if (event.kind == VARIANT_VALUE) {
                sum += visit(in->bodies[i].bytes, &event);
            }
        }
    }
    return sum;
}

/* Decodes only. */
NOINLINE static double iterate(const input *in)
{
    double sum = 0;
    for (size_t i = 0; i < in->count; i++) {
        sum += variant_skip(in->bodies[i].bytes, in->bodies[i].length, options, NULL);
    }
    return sum;
}

NOINLINE static double write_text(const input *in)
{
    double sum = 0;
    for (size_t i = 0; i < in->count; i++) {
        sum += (double)variant_text(in->bodies[i].bytes, in->bodies[i].length, options, in->text, text_size,
                                    NULL);
    }
    return sum;
}

/* CPU time of the process. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure(const char *name, measurement *function, const input *in, long rounds)
{
    double best = 1e9, result = 0;
    for (long i = 0; i < rounds; i++) {
        double start = seconds();
        result = function(in);
        double time = seconds() - start;
        best = time < best ? time : best;
    }
    printf("%-30s %7.0f MB/s  (%.1f us, result %.10g)\n", name, (double)in->length / best / 1e6, best * 1e6,
           result);
}

/* The values in `bytes`. */
static input split(const uint8_t *bytes, size_t length)
{
    input in = {.bodies = malloc((length / 4 + 1) * sizeof(body)), .text = malloc(text_size)};
    for (size_t at = 0; length - at > 4;) {
        uint32_t size = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
        if (size > length - at - 4) {
            break;
        }
        in.bodies[in.count++] = (body){bytes + at + 4, size};
        in.length += size;
        at += 4 + size;
    }
    return in;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 24];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: variant_bench FILE [ROUNDS]\n");
        return 2;
    }
    input in = split(bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 1000;
    printf("%zu values, %zu bytes\n", in.count, in.length);
    measure("decode, visiting every leaf", decode_all, &in, rounds);
    measure("decode only", iterate, &in, rounds);
    measure("write as text", write_text, &in, rounds / 10 + 1);
    free(in.bodies);
    free(in.text);
    return 0;
}
