/* framing/test_store_file.c: files of store_var() written by engines (test-captures/files), and damaged ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "framing/store_file.h"
#include "variant/variant_data.h"

static const struct {
    const char *name;
    variant_dialect dialect;
} engines[] = {{"godot-3.2", VARIANT_GODOT3}, {"godot-3.6", VARIANT_GODOT3}, {"godot-4.6", VARIANT_GODOT4}};
#define ENGINES (sizeof engines / sizeof engines[0])

static test_bytes file_of(size_t engine, const char *kind)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/../../test-captures/files/%s-%s.dat", TEST_DATA_DIR,
                   engines[engine].name, kind);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *content = malloc(1u << 20);
    size_t length = fread(content, 1, 1u << 20, file);
    (void)fclose(file);
    test_bytes bytes = bytes_copy(content, length);
    free(content);
    return bytes;
}

/* Walks to the end; returns the number of records. */
static uint32_t walk(const store_file *file, const uint8_t *bytes, size_t length)
{
    uint32_t records = 0, record;
    size_t offset = 0;
    while ((record = store_file_record(file, bytes, length, offset)) != 0) {
        assert_int_equal(
            variant_skip(bytes + offset + 4, record - 4, (variant_options){.dialect = file->dialect}, NULL),
            record - 4);
        offset += record;
        records++;
    }
    assert_int_equal(offset, length);
    return records;
}

static void plain(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENGINES; e++) {
        for (int big = 0; big < 2; big++) {
            test_bytes b = file_of(e, big ? "big-endian" : "plain");
            store_file file = store_file_judge(b.bytes, b.length, true);
            assert_int_equal(file.kind, STORE_FILE_PLAIN);
            assert_int_equal(file.big_endian, big);
            assert_int_equal(file.dialect, engines[e].dialect);
            assert_true(file.records > 5);
            assert_int_equal(walk(&file, b.bytes, b.length), file.records);
            /* Truncated inside of a record: only accepted as the beginning of a file. */
            assert_int_equal(store_file_judge(b.bytes, b.length - 5, true).kind, STORE_FILE_NONE);
            assert_int_equal(store_file_judge(b.bytes, b.length - 5, false).kind, STORE_FILE_PLAIN);
            bytes_free(&b);
        }
    }
}

/* Records after those of an engine that it cannot have written: the length of every value is a multiple of
 * four. */
static void lengths(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENGINES; e++) {
        test_bytes b = file_of(e, "plain");
        const store_file file = store_file_judge(b.bytes, b.length, true);
        uint8_t *longer = calloc(1, b.length + 16);
        assert_non_null(longer);
        memcpy(longer, b.bytes, b.length);
        for (uint8_t length = 0; length <= 12; length++) {
            bool possible = length >= 4 && length % 4 == 0;
            longer[b.length] = length;
            assert_int_equal(store_file_record(&file, longer, b.length + 16, b.length),
                             possible ? length + 4 : 0);
            /* cut inside of it */
            assert_int_equal(store_file_judge(longer, b.length + 7, false).kind,
                             possible ? STORE_FILE_PLAIN : STORE_FILE_NONE);
        }
        free(longer);
        bytes_free(&b);
    }
}

static void compressed(void **state)
{
    static const struct {
        const char *kind;
        uint32_t mode;
    } modes[] = {{"fastlz", COMPRESSED_FILE_FASTLZ},
                 {"deflate", COMPRESSED_FILE_DEFLATE},
                 {"zstd", COMPRESSED_FILE_ZSTD},
                 {"gzip", COMPRESSED_FILE_GZIP}};
    (void)state;
    for (size_t i = 0; i < ENGINES * 4; i++) {
        test_bytes b = file_of(i / 4, modes[i % 4].kind);
        store_file file = store_file_judge(b.bytes, b.length, true);
        assert_int_equal(file.kind, STORE_FILE_COMPRESSED);
        assert_int_equal(file.content.mode, modes[i % 4].mode);
        uint8_t *out = malloc(file.content.unpacked_size + 1);
        out[file.content.unpacked_size] = 0xee;
        assert_true(compressed_file_unpack(&file.content, b.bytes, b.length, out));
        assert_int_equal(out[file.content.unpacked_size], 0xee);
        store_file inner = store_file_judge(out, file.content.unpacked_size, true);
        assert_int_equal(inner.kind, STORE_FILE_PLAIN);
        assert_int_equal(inner.dialect, engines[i / 4].dialect);
        assert_int_equal(walk(&inner, out, file.content.unpacked_size), inner.records);

        assert_false(
            compressed_file_unpack(&file.content, b.bytes, file.content.blocks_offset + 3, out)); /* cut */
        file.content.mode = COMPRESSED_FILE_BROTLI;
        assert_false(compressed_file_unpack(&file.content, b.bytes, b.length, out));
        file.content.mode = modes[(i + 1) % 4].mode; /* the algorithms are distinguished */
        assert_false(compressed_file_unpack(&file.content, b.bytes, b.length, out));
        free(out);
        bytes_free(&b);
    }
}

/* 4096 letters by FileAccess of Godot 4.6, as long as a block: the engine adds one without bytes, which is not
 * read. */
static void whole_blocks(void **state)
{
    static const char *const files[] = {
        [COMPRESSED_FILE_FASTLZ] =
            "47435046000000000010000000100000370000000a000000016161e0fd01e0fd01e0fd01e0fd01e0fd01e0fd01e0fd01"
            "e0fd01e0fd01e0fd01e0fd01e0fd01e0fd01e0fd01e0fd01e0980102616161010000e002010200000047435046",
        [COMPRESSED_FILE_DEFLATE] =
            "474350460100000000100000001000001c00000008000000789cedc1010d000000c2a0acef5f"
            "c21e0e28000000e0dd00efcb105b789c03000000000147435046",
        [COMPRESSED_FILE_ZSTD] =
            "47435046020000000010000000100000130000000900000028b52ffd60000f4d00001061610100fb"
            "f7011628b52ffd200001000047435046",
        [COMPRESSED_FILE_GZIP] =
            "4743504603000000001000000010000028000000140000001f8b0800000000000003edc1010d0000"
            "00c2a0acef5fc21e0e28000000e0dd0073dc999c001000001f8b0800000000000003030000000000000000004743504"
            "6"};
    uint8_t expected[4096], out[4097];

    (void)state;
    memset(expected, 'a', sizeof expected);
    for (size_t mode = 0; mode < sizeof files / sizeof *files; mode++) {
        compressed_file file;
        test_bytes b = bytes_from_hex(files[mode]);
        out[sizeof expected] = 0xee;
        assert_true(compressed_file_read("GCPF", b.bytes, b.length, true, &file));
        assert_true(compressed_file_unpack(&file, b.bytes, b.length, out));
        assert_memory_equal(out, expected, sizeof expected);
        assert_int_equal(out[sizeof expected], 0xee);
        bytes_free(&b);
    }
}

static void headers(void **state)
{
    uint8_t header[24] = "GCPF\2\0\0\0\0\20\0\0\0\1\0\0\1\0\0\0";
    (void)state;
    assert_int_equal(store_file_judge(header, sizeof header, true).kind, STORE_FILE_COMPRESSED);
    assert_int_equal(store_file_judge(header, 12, true).kind, STORE_FILE_NONE);
    header[9] = 0; /* blocks of no bytes */
    assert_int_equal(store_file_judge(header, sizeof header, true).kind, STORE_FILE_NONE);
    header[8] = 1; /* blocks of one byte: their table would be longer than the file */
    assert_int_equal(store_file_judge(header, sizeof header, true).kind, STORE_FILE_NONE);
    header[11] = 2; /* more than 16 MiB at once */
    assert_int_equal(store_file_judge(header, sizeof header, true).kind, STORE_FILE_NONE);
    header[11] = 1;
    header[8] = 0;
    header[15] = 0x11; /* more than 256 MiB in all */
    assert_int_equal(store_file_judge(header, sizeof header, true).kind, STORE_FILE_NONE);
    for (size_t e = 0; e < ENGINES; e++) {
        test_bytes b = file_of(e, "encrypted");
        assert_int_equal(store_file_judge(b.bytes, b.length, true).kind, STORE_FILE_ENCRYPTED);
        bytes_free(&b);
    }
    assert_int_equal(store_file_judge((const uint8_t *)"\4\0\0\0\0\0\0\0", 8, true).kind, STORE_FILE_NONE);
    assert_string_equal(store_file_mode_name(COMPRESSED_FILE_ZSTD), "Zstandard");
    assert_string_equal(store_file_mode_name(99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),        cmocka_unit_test(lengths), cmocka_unit_test(compressed),
        cmocka_unit_test(whole_blocks), cmocka_unit_test(headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
