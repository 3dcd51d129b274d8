/* conclusions.h
 *
 * What is concluded of the receiving engine, and what the capture must have for each conclusion.
 *
 * A conclusion is drawn only if nothing is missing that could disprove it. Otherwise it is not judged, and
 * the reason is said. So removing packets from a capture never adds a conclusion.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_CONCLUSIONS_H
#define GODOT_CONCLUSIONS_H

#include "multiplayer/session/session.h"

typedef enum {
    GODOT_PATH_UNDEFINED,
    GODOT_PATH_REDEFINED,
    GODOT_PATH_NEVER_CONFIRMED,
    GODOT_CONFIRMS_NOTHING,
    GODOT_CHECKSUM_REFUSED,
    GODOT_CHECKSUM_DIFFERS,
    GODOT_NODE_NOT_FOUND,
    GODOT_NODE_DESPAWNED,
    GODOT_CHECKSUM_FAILED,
    GODOT_CALL_REFUSED,
    GODOT_NET_ID_UNKNOWN,
    GODOT_PEER_NOT_ANNOUNCED,
    GODOT_PEER_LEFT,
    GODOT_NEVER_ADMITTED,
    GODOT_NOT_FROM_SERVER,
    GODOT_WRONG_SOURCE,
    GODOT_VERSIONS_DIFFER,
    GODOT_GENERATIONS_DIFFER,
    GODOT_MALFORMED,
    GODOT_CONCLUSIONS
} godot_conclusion;

/* What a conclusion needs. */
enum {
    GODOT_NEEDS_START = 1,  /* everything that the end in question has sent since the session began */
    GODOT_NEEDS_SINCE = 2,  /* everything that it has sent since what the conclusion refers to */
    GODOT_NEEDS_END = 4,    /* … up to the end of the capture; else up to this packet */
    GODOT_NEEDS_PACKET = 8, /* the packet itself, whole and in its place */
    GODOT_NEEDS_LATER = 16, /* that time has passed, so the second pass */
};

typedef struct {
    const char *filter; /* of its expert info; several, with a comma */
    unsigned needs;     /* bits */
    const char *about;  /* whose packets: "who announces paths" */
} godot_conclusion_facts;

/* Whether something is so, as far as the capture shows it, and what it lacks to prove it. */
typedef struct {
    bool holds;
    godot_missing missing; /* not GODOT_MISSING_NOTHING: it is not judged */
} godot_verdict;

extern const godot_conclusion_facts godot_conclusions[GODOT_CONCLUSIONS];

/* What is missing for the conclusion about packets of `party`. `since`: the message that it refers to, if it
 * needs that. GODOT_MISSING_NOTHING: it may be drawn. */
godot_missing godot_engine_lacks(godot_conclusion conclusion, const godot_message *message, godot_party party,
                                 godot_moment since);

/* Whether the authentication does not come to its end: the connection is closed before, or SceneMultiplayer's
 * auth_timeout passes. For later passes. */
godot_verdict godot_engine_never_admits(const godot_message *message, bool closed);

/* Whether packets from or to `peer`, another client, should not occur: the server has not announced it, or
 * says that it has left. `*state`: what it has said; NULL: nothing. */
godot_verdict godot_engine_lacks_peer(const godot_message *message, int32_t peer,
                                      const godot_presence **state);

#endif
