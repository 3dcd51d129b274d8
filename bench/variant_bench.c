/* variant_bench.c
 *
 * How fast the Variant decoder is:  variant_bench FILE [ROUNDS]
 *
 * FILE holds one Godot 4 value. Each measurement is repeated ROUNDS times; the fastest round counts, since
 * everything else on the machine can only slow it down. With ROUNDS 1 it is meant for callgrind, which counts
 * what happens in decode_all(), iterate() and write_text().
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
    size_t length;
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
    variant_init(&decoder, in->bytes, in->length, options);
    while (variant_next(&decoder, &event)) {
        if (event.kind == VARIANT_VALUE) {
            sum += visit(in->bytes, &event);
        }
    }
    return sum;
}

/* Decodes only. */
NOINLINE static double iterate(const input *in)
{
    return variant_skip(in->bytes, in->length, options, NULL);
}

NOINLINE static double write_text(const input *in)
{
    return (double)variant_text(in->bytes, in->length, options, in->text, text_size, NULL);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 24];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: variant_bench FILE [ROUNDS]\n");
        return 2;
    }
    input in = {bytes, fread(bytes, 1, sizeof bytes, file), malloc(text_size)};
    fclose(file);
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 10000;
    measure("decode, visiting every leaf", decode_all, &in, rounds);
    measure("decode only", iterate, &in, rounds);
    measure("write as text", write_text, &in, rounds / 10 + 1);
    free(in.text);
    return 0;
}
