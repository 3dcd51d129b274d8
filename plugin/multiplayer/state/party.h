/* party.h
 *
 * The participants of a session; see session.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PARTY_H
#define GODOT_PARTY_H

#include <stdint.h>

/* A peer id (> 0), or one of the two ends of the connection, whose peer id may not be known: the initiator,
 * which is the client as far as the capture shows it, and the acceptor. */
typedef int32_t godot_party;
#define GODOT_INITIATOR ((godot_party)-1)
#define GODOT_ACCEPTOR  ((godot_party)-2)

#endif
