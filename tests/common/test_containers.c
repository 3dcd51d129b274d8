/* common/test_containers.c
 *
 * Arrays, maps and the hash of src/base.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "enet/capture_of_datagrams.h"

#include "base/pool.h"

/* Bytes that differ in one bit or at the end, with every factor; what cancels out in FNV-1a's products is
 * the highest bit of neighbouring words. */
static void hashes_of_bytes(void **state)
{
    static const uint64_t factors[] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0x100000001b3), 3};
    (void)state;
    for (unsigned f = 0; f < 3; f++) {
        uint8_t bytes[23] = "a datagram of 22 bytes";
        hash_factor = factors[f];
        uint64_t whole = hash_bytes(bytes, sizeof bytes);
        for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(hash_bytes(bytes, sizeof bytes) != whole);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_true(hash_bytes(bytes, sizeof bytes - 1) != whole);
        assert_true(hash_bytes(bytes, sizeof bytes) == whole);
        bytes[3] ^= 0x80, bytes[7] ^= 0x80;
        assert_true(hash_bytes(bytes, sizeof bytes) != whole);
    }
    hash_factor = factors[0];
}

static void hash_depends_on_the_factor(void **state)
{
    (void)state;
    uint32_t number = hash_number(1234567);
    hash_factor += UINT64_C(1) << 40;
    assert_true(hash_number(1234567) != number);
    hash_factor -= UINT64_C(1) << 40;
    assert_int_equal(hash_number(1234567), number);
}

static void map_of_numbers(void **state)
{
    (void)state;
    counted_memory counted;
    const memory_allocator memory = {counted_resize, &counted};
    number_map map = {0};
    counted_begin(&counted);
    assert_int_equal(number_map_get(&map, 0), 0);
    for (uint32_t step = 1; step; step <<= 7) {
        for (uint32_t i = 0; i < 300; i++) {
            number_map_put(&memory, &map, i * step, i + 1);
        }
        for (uint32_t i = 0; i < 300; i++) {
            uint32_t found = number_map_get(&map, i * step);
            assert_true(found && (found - 1) * step == i * step);
        }
    }
    assert_true(map.count < map.capacity);
    number_map_clear(&memory, &map);
    assert_int_equal(number_map_get(&map, 1), 0);
    assert_int_equal(counted.live, 0);
}

static void array_with_a_limit(void **state)
{
    (void)state;
    memory_pool pool = {.limit = 100};
    uint32_t *numbers = NULL, count = 0, room = 0;
    for (; pool_grow(&pool, &numbers, count, &room, 64, sizeof *numbers); count++) {
        assert_true(count < room && !pool.failed);
        numbers[count] = count;
    }
    assert_int_equal(count, 64);
    assert_int_equal(numbers[63], 63);
    assert_true(pool.failed);
    free(numbers);
    pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_of_bytes),
        cmocka_unit_test(hash_depends_on_the_factor),
        cmocka_unit_test(map_of_numbers),
        cmocka_unit_test(array_with_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
