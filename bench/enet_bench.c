/* enet_bench.c
 *
 * Measures how fast ENet's commands are read, datagrams of unknown endpoints recognised, and bodies
 * decompressed, by this decoder and by libenet; see measure.h. The input is UDP payloads of an uncompressed
 * game. For the range coder, all bodies are joined and cut into pieces of 300, 1,300 and 4,000 bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "codec/range_coder.h"
#include "enet/wire/detect.h"
#include "measure.h"

#ifdef HAVE_LIBENET
#include <enet/enet.h>
#endif

static uint8_t scratch[ENET_MAX_DATAGRAM];

/* --- datagrams ------------------------------------------------------------------------------------- */

static size_t walk(const input *in)
{
    size_t total = 0;
    for (size_t i = 0; i < in->count; i++) {
        const piece *p = &in->pieces[i];
        enet_header header;
        enet_command command;
        enet_body body;
        if (!enet_header_read(&header, p->bytes, p->length, ENET_STOCK, false)) {
            continue;
        }
        enet_body_context context = {.header = &header};
        size_t length = p->length - header.length;
        enet_body_init(&body, p->bytes + header.length, length, length, &context);
        while (enet_body_next(&body, &command)) {
        }
        total += p->length;
    }
    return total;
}

static size_t detect(const input *in)
{
    enet_detection detection;
    size_t total = 0;
    for (size_t i = 0; i < in->count; i++) {
        enet_detect(&detection, ENET_STOCK, in->pieces[i].bytes, in->pieces[i].length, scratch);
        total += in->pieces[i].length;
    }
    return total;
}

/* --- range coder ----------------------------------------------------------------------------------- */

enum { SIZE_300, SIZE_1300, SIZE_4000, SIZES };
static const size_t sizes[SIZES] = {300, 1300, 4000};
static input compressed[SIZES];

/* Compressed datagrams are kept until the program ends. */
static void compress(const uint8_t *plain, size_t length, size_t size, input *out)
{
    for (size_t at = 0; at + size <= length && out->count < MAX_PIECES; at += size) {
        size_t packed = enet_range_encode(plain + at, size, scratch, sizeof scratch);
        uint8_t *bytes = packed ? malloc(packed) : NULL;
        if (bytes == NULL) {
            continue;
        }
        memcpy(bytes, scratch, packed);
        out->pieces[out->count++] = (piece){bytes, packed};
    }
}

static void prepare(const input *in)
{
    static uint8_t plain[1 << 24];
    size_t length = 0;
    for (size_t i = 0; i < in->count; i++) {
        const piece *p = &in->pieces[i];
        enet_header header;
        if (enet_header_read(&header, p->bytes, p->length, ENET_STOCK, false)) {
            memcpy(plain + length, p->bytes + header.length, p->length - header.length);
            length += p->length - header.length;
        }
    }
    for (int i = 0; i < SIZES; i++) {
        compress(plain, length, sizes[i], &compressed[i]);
    }
}

static size_t ours(const input *in)
{
    size_t total = 0, length;
    for (size_t i = 0; i < in->count; i++) {
        enet_range_decode(in->pieces[i].bytes, in->pieces[i].length, scratch, sizeof scratch, &length);
        total += length;
    }
    return total;
}

static size_t ours_300(const input *in)
{
    (void)in;
    return ours(&compressed[SIZE_300]);
}

static size_t ours_1300(const input *in)
{
    (void)in;
    return ours(&compressed[SIZE_1300]);
}

static size_t ours_4000(const input *in)
{
    (void)in;
    return ours(&compressed[SIZE_4000]);
}

#ifdef HAVE_LIBENET
static size_t theirs(const input *in)
{
    static void *coder;
    size_t total = 0;
    if (coder == NULL) {
        coder = enet_range_coder_create();
    }
    for (size_t i = 0; i < in->count; i++) {
        total += enet_range_coder_decompress(coder, in->pieces[i].bytes, in->pieces[i].length, scratch,
                                             sizeof scratch);
    }
    return total;
}

static size_t theirs_300(const input *in)
{
    (void)in;
    return theirs(&compressed[SIZE_300]);
}

static size_t theirs_1300(const input *in)
{
    (void)in;
    return theirs(&compressed[SIZE_1300]);
}

static size_t theirs_4000(const input *in)
{
    (void)in;
    return theirs(&compressed[SIZE_4000]);
}
#endif

int main(int argc, char **argv)
{
    static const measurement table[] = {
        {"walk", walk},
        {"detect", detect},
        {"range 300", ours_300},
        {"range 1300", ours_1300},
        {"range 4000", ours_4000},
#ifdef HAVE_LIBENET
        {"libenet 300", theirs_300},
        {"libenet 1300", theirs_1300},
        {"libenet 4000", theirs_4000},
#endif
    };
    return measure_all(argc, argv, table, sizeof table / sizeof table[0], prepare);
}
