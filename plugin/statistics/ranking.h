/* ranking.h
 *
 * Rows in the order of their sums, while these grow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RANKING_H
#define RANKING_H

/* What is known of a row, and told to it. */
typedef struct {
    double (*sum)(const void *row, const void *context);
    void (*place)(void *row, unsigned place); /* from 0 */
    const void *context;                      /* for `sum` */
} ranking;

/* The sum of the row at `place` has grown: exchanges it with others until none before it has less. Those
 * before it are in their order, the largest first; places of rows with the same sum say nothing. Takes
 * log(place) steps for each different sum that is overtaken. */
void ranking_rise(const ranking *of, void **rows, unsigned place);

#endif
