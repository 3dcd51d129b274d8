/* peers.h
 *
 * To whom calls and states go: what the server passes on or answers, receipts, who is far away.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_PEERS_H
#define GODOT_SAVINGS_PEERS_H

#include "multiplayer/statistics/savings/rows/row.h"

/* What the server passes on or answers: passed.c */
void savings_passed_begin(savings *all);
/* `steady`: what savings_count_arguments() has returned. */
void savings_count_passed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                          uint32_t steady);
/* The method, of clients, whose calls nearly all calls of this one by the server follow; it can be the same.
 * NULL: there is none. */
const called_method *savings_origin_of(const called_method *of);
/* Calls of the server that come right after one of the receiver, of the same node. */
void savings_count_asked(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
/* The method that these calls answer, each one call of it; NULL: there is none. */
const called_method *savings_question_of(const called_method *of);
/* Calls that say in their first argument for which peer they are. */
void savings_count_addressed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
void savings_advise_addressed(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_passed(const savings *all, GPtrArray *rows, const called_method *of);
/* Calls that one peer accepts and others refuse; and those of clients that the server passes on. */
void savings_advise_receiver(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_server_only(const savings *all, GPtrArray *rows, const called_method *of);

/* Receipts of calls: passed.c. The row replaces others about the method; false: there is none. */
void savings_receipts_begin(savings *all);
void savings_count_receipts(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
bool savings_advise_receipts(const savings *all, GPtrArray *rows, const called_method *of);

/* Distances: distance.c */
void savings_distances_begin(savings *all);
/* Notes who writes the node's states: the author. Returns the node if the update is of its position; else,
 * and if there are too many, NULL. */
node_position *savings_position_of(const savings *all, const godot_update *update, int32_t author);
/* Notes a position of the node, and how far it is from the receiver's own; and that a message is complete. */
void savings_count_distance(savings *all, node_position *node, const godot_tap *tap,
                            const godot_update *update);
void savings_end_distances(savings *all, const godot_tap *tap);
/* The peer that writes states of the node or of one above it; 0: not known. */
int32_t savings_owner_of(const savings *all, const char *node);
void savings_advise_visibility(const savings *all, GPtrArray *rows);

#endif
