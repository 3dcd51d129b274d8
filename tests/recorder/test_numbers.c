/* recorder/test_numbers.c
 *
 * What the numbers of records show: holes, records in another order, records that are there twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "recorder/numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static void *resize(void *context, void *old, size_t size)
{
    (void)context;
    return realloc(old, size); /* never to 0 here */
}

static const memory_allocator memory = {resize, NULL};

/* Records with these numbers in the frames 10, 20, 30, …; returns how many of them are there again. */
static unsigned learn(recorder_numbers *numbers, const uint32_t *list, uint32_t count)
{
    unsigned again = 0;
    *numbers = (recorder_numbers){0};
    for (uint32_t i = 0; i < count; i++) {
        again += recorder_numbers_learn(&memory, numbers, list[i], 10 * (i + 1));
    }
    return again;
}

static void test_whole(void **state)
{
    (void)state;
    const uint32_t list[] = {1, 2, 3, 4};
    recorder_numbers numbers;
    assert_int_equal(learn(&numbers, list, 4), 0);
    assert_true(recorder_numbers_whole(&numbers, 0, 0));
    assert_true(recorder_numbers_whole(&numbers, 10, 30));
}

static void test_hole(void **state)
{
    (void)state;
    const uint32_t list[] = {1, 2, 5, 6};
    recorder_numbers numbers;
    assert_int_equal(learn(&numbers, list, 4), 0);
    assert_false(recorder_numbers_whole(&numbers, 0, 0));
    assert_true(recorder_numbers_whole(&numbers, 0, 20));
    assert_false(recorder_numbers_whole(&numbers, 0, 21));
    assert_false(recorder_numbers_whole(&numbers, 29, 0));
    assert_true(recorder_numbers_whole(&numbers, 30, 0));
    free(numbers.holes);
}

static void test_late_start(void **state)
{
    (void)state;
    const uint32_t list[] = {7, 8};
    recorder_numbers numbers;
    learn(&numbers, list, 2);
    assert_false(recorder_numbers_whole(&numbers, 0, 20));
    assert_true(recorder_numbers_whole(&numbers, 10, 0));
    free(numbers.holes);
}

/* What comes late is missing until then. */
static void test_order(void **state)
{
    (void)state;
    const uint32_t list[] = {1, 3, 4, 2, 5};
    recorder_numbers numbers;
    assert_int_equal(learn(&numbers, list, 5), 0);
    assert_false(recorder_numbers_whole(&numbers, 30, 0));
    assert_true(recorder_numbers_whole(&numbers, 40, 0));
    free(numbers.holes);
}

static void test_again(void **state)
{
    (void)state;
    const uint32_t list[] = {1, 1, 2, 4, 2, 4, 3};
    recorder_numbers numbers;
    assert_int_equal(learn(&numbers, list, 7), 3);
    free(numbers.holes);
}

static void test_without_numbers(void **state)
{
    (void)state;
    const uint32_t list[] = {0, 0};
    recorder_numbers numbers;
    assert_int_equal(learn(&numbers, list, 2), 0);
    assert_false(recorder_numbers_whole(&numbers, 10, 20));
}

/* More holes than are kept: from then on nothing counts as whole, or as there for the second time. */
static void test_limit(void **state)
{
    (void)state;
    uint32_t list[RECORDER_MAX_HOLES + 2];
    recorder_numbers numbers;
    for (uint32_t i = 0; i < RECORDER_MAX_HOLES + 2; i++) {
        list[i] = 2 * i + 1;
    }
    learn(&numbers, list, RECORDER_MAX_HOLES + 1);
    uint32_t last = numbers.last_frame;
    assert_int_equal(numbers.count, RECORDER_MAX_HOLES);
    assert_true(recorder_numbers_whole(&numbers, last, 0));
    assert_false(recorder_numbers_learn(&memory, &numbers, list[RECORDER_MAX_HOLES + 1], last + 10));
    assert_false(recorder_numbers_whole(&numbers, last + 10, 0));
    assert_true(recorder_numbers_whole(&numbers, last, last + 9));
    assert_false(recorder_numbers_learn(&memory, &numbers, 1, last + 20));
    free(numbers.holes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole), cmocka_unit_test(test_hole),  cmocka_unit_test(test_late_start),
        cmocka_unit_test(test_order), cmocka_unit_test(test_again), cmocka_unit_test(test_without_numbers),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
