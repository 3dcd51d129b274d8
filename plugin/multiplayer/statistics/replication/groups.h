/* groups.h
 *
 * Rows of *Godot Replication*: all flows of nodes of the same scene are one row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_REPLICATION_GROUPS_H
#define STAT_GODOT_REPLICATION_GROUPS_H

#include "multiplayer/statistics/replication/replication.h"

typedef struct {
    const flow *worst; /* the first of them */
    const char *kind;  /* their scene; if it is not known: where their nodes are */
    unsigned flows;
    uint32_t sent, lost, ignored, unconfirmed; /* of all */
    bool arrivals_known;                       /* of one: else nothing is known of `lost` */
} flow_group;

/* One for each kind of node, and property if they are `by_property`, in the order of their first flows, which
 * are sorted: the worst first. */
GPtrArray *replication_groups(wmem_allocator_t *pool, const GPtrArray *flows, bool by_property);

/* What ends a row: number of flows, name of the property ("": none), scene; node and peers of the worst. */
void replication_append_row_end(GString *text, const flow_group *group, const char *name);
/* Filter of messages about the property's node; "": it is not known. */
const char *replication_filter_of_node(wmem_allocator_t *pool, const property *of);

#endif
