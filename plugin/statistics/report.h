/* report.h
 *
 * Statistics that are a page of text: in a window of their own (menu Statistics), on the terminal with
 * tshark's -z.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/wireshark-compat.h"

#include <epan/tap.h>

/* A tap that a report uses. */
typedef struct {
    const char *tap;      /* its name */
    tap_packet_cb packet; /* gets the report's state */
} report_source;

/* A button of the window: each time it is pressed, it applies the next display filter, and the page stays. */
typedef struct {
    const char *label;
    /* The filter with this number, from 0 on, of what was written last; NULL: there are no more, and the
     * first one follows. */
    const char *(*filter)(void *state, unsigned number);
} report_button;

/* A report; has to be valid until the program ends. */
typedef struct {
    const char *title;  /* of the window and in the menu: "Godot Summary" */
    const char *option; /* "godot,summary": after it may come a comma and a display filter */
    const report_source *sources;
    unsigned source_count;
    const report_button *buttons; /* up to the first without a label, at most 3; NULL: none but Update */
    void *(*begin)(wmem_allocator_t *pool);    /* a new state; `pool` is freed with it */
    void (*write)(void *state, GString *text); /* after all packets so far; may be called several times */
    void (*end)(void *state);                  /* frees what is not in the pool; NULL: there is nothing */
} report;

/* Has `thing` freed with `pool`, by `free_thing`. Returns it. */
void *report_keep(wmem_allocator_t *pool, void *thing, GDestroyNotify free_thing);
/* A list of pointers to what is in the pool, as it is itself. */
GPtrArray *report_list(wmem_allocator_t *pool);

/* An empty text. */
GString *report_text(wmem_allocator_t *pool);

void report_register(const report *registered);

#endif
