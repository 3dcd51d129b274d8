/* row.h
 *
 * Rows of Godot Savings, and the costs that are subtracted in them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_ROW_H
#define GODOT_SAVINGS_ROW_H

#include "multiplayer/statistics/savings/subjects/counts.h"

/* A row of the report. The row takes ownership of the texts. */
typedef struct {
    double bytes;
    char *what, *where, *why;
    const char *but;             /* what it costs the game; not copied */
    const saved_bytes *evidence; /* NULL: see `frame` */
    uint32_t frame;
    bool question; /* whether it is possible depends on what the capture cannot show */
} savings_row;

/* Minimum number of bytes on the wire for advice. */
#define SAVINGS_LEAST_BYTES 10000u
/* Least messages that prove something; least share of unchanged updates for which a change is advised. */
#define SAVINGS_LEAST  20u
#define SAVINGS_SELDOM 0.75
/* Likewise, of each of all properties of a synchronizer: nothing is sent then while a node rests. */
#define SAVINGS_RESTS 0.5

void savings_free_row(void *row);
/* Adds a row; it is left out if it does not save enough. */
void savings_add_row(const savings *all, GPtrArray *rows, savings_row found);
/* Mean bytes on the wire of an acknowledgement; of one for a message that comes alone. */
double savings_acknowledgement_cost(const savings *all);
double savings_answer_cost(const savings *all);
/* Bytes below ENet of a datagram, on average; of reliable calls, each in one of its own, without arguments.
 * `answered`: times that a receiver gets some of them in one frame, which it acknowledges together. */
double savings_datagram_cost(const savings *all);
double savings_call_cost(const savings *all, double calls, double answered);
/* What is saved, minus the pings that ENet sends where no acknowledgements come any more. */
double savings_with_acknowledgements(const savings *all, const saved_bytes *of);
/* Something that happens `rate` times a second and need not as often. The row takes ownership of `where`. */
typedef struct {
    const saved_bytes *of;
    const slower_states *slower; /* NULL: calls */
    double more;                 /* bytes on the wire of what follows it */
    double rate;
    char *(*what)(double interval, double rate); /* the row's text, from the advised interval in seconds */
    const char *subject;                         /* begins the reason */
    char *where;
    const char *but;
} rate_advice;
void savings_advise_rate(const savings *all, GPtrArray *rows, const rate_advice *one);

#endif
