/* test_ranking.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "statistics/ranking.h"

enum { ROWS = 1024, ROUNDS = 50 };

typedef struct {
    double sum;
    unsigned place;
} row;

static row rows[ROWS];
static void *order[ROWS];
static unsigned long steps;

static double sum_of(const void *pointer, const void *context)
{
    assert_ptr_equal(context, rows);
    steps++;
    return ((const row *)pointer)->sum;
}

static void set_place(void *pointer, unsigned place)
{
    steps++;
    ((row *)pointer)->place = place;
}

static const ranking by_sum = {sum_of, set_place, rows};

static void begin(void)
{
    steps = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        rows[i] = (row){0, i};
        order[i] = &rows[i];
    }
}

static void add(unsigned number, double amount)
{
    rows[number].sum += amount;
    ranking_rise(&by_sum, order, rows[number].place);
}

static void assert_in_order(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        assert_int_equal(((row *)order[i])->place, i);
        assert_true(i == 0 || ((row *)order[i - 1])->sum >= ((row *)order[i])->sum);
    }
}

/* Each of a game's nodes has the same sum, again and again. */
static void each_in_turn(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < ROUNDS * ROWS; i++) {
        add(i % ROWS, 40);
    }
    assert_in_order();
    assert_true(steps < 32ul * ROUNDS * ROWS);
}

/* Each new one is larger than all before it. */
static void rising(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < ROWS; i++) {
        add(i, i + 1);
        assert_int_equal(rows[i].place, 0);
    }
    assert_in_order();
}

static void any(void **state)
{
    (void)state;
    begin();
    uint32_t random = 1;
    for (unsigned i = 0; i < ROUNDS * ROWS; i++) {
        random = random * 1664525u + 1013904223u;
        add(random >> 22, random >> 12 & 7);
    }
    assert_in_order();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_in_turn), cmocka_unit_test(rising),
                                       cmocka_unit_test(any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
