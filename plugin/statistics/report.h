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

/* What a report is made from. */
typedef struct {
    const char *tap;      /* its name */
    tap_packet_cb packet; /* gets the report's state */
} report_source;

/* Registered once, lives as long as the program. */
typedef struct {
    const char *title;  /* of the window and in the menu: "Godot Summary" */
    const char *option; /* "godot,summary": after it may come a comma and a display filter */
    const report_source *sources;
    unsigned source_count;
    void *(*begin)(void);                      /* a new state */
    void (*write)(void *state, GString *text); /* when all packets were seen; may be called several times */
    void (*end)(void *state);                  /* frees it */
} report;

void report_register(const report *registered);

#endif
