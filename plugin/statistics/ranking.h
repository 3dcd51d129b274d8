/* ranking.h
 *
 * Keeps rows sorted by their sums, which only grow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RANKING_H
#define RANKING_H

/* Callbacks for a row. */
typedef struct {
    double (*sum)(const void *row, const void *context);
    void (*place)(void *row, unsigned place); /* from 0 */
    const void *context;                      /* for `sum` */
} ranking;

/* To be called when the sum of the row at `place` has grown: moves it before all rows with smaller sums. The
 * rows before it have to be sorted, the largest sum first; rows with equal sums are in any order. Takes
 * log(place) steps for each different sum that it passes. */
void ranking_rise(const ranking *of, void **rows, unsigned place);

#endif
