/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/ranking.h"

/* The first of these rows whose sum is not greater. */
static unsigned first_with(const ranking *of, void *const *rows, unsigned count, double sum)
{
    unsigned from = 0;
    while (from < count) {
        unsigned middle = from + (count - from) / 2;
        if (of->sum(rows[middle], of->context) > sum) {
            from = middle + 1;
        } else {
            count = middle;
        }
    }
    return from;
}

void ranking_rise(const ranking *of, void **rows, unsigned place)
{
    void *row = rows[place];
    const double sum = of->sum(row, of->context);
    double before;
    while (place > 0 && (before = of->sum(rows[place - 1], of->context)) < sum) {
        unsigned first = first_with(of, rows, place, before);
        rows[place] = rows[first];
        of->place(rows[place], place);
        place = first;
    }
    rows[place] = row;
    of->place(row, place);
}
