/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/engine/conclusions.h"

/* script/field-reference writes this table into docs/reported.md. */
const godot_conclusion_facts godot_conclusions[GODOT_CONCLUSIONS] = {
    [GODOT_PATH_UNDEFINED] = {"godot.path.undefined", GODOT_NEEDS_START | GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_PATH_REDEFINED] = {"godot.path.redefined", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_PATH_NEVER_CONFIRMED] = {"godot.path.node_not_found",
                                    GODOT_NEEDS_SINCE | GODOT_NEEDS_END | GODOT_NEEDS_PACKET |
                                        GODOT_NEEDS_LATER,
                                    "the receiver"},
    [GODOT_CONFIRMS_NOTHING] = {"godot.path.confirms_nothing", GODOT_NEEDS_START | GODOT_NEEDS_PACKET,
                                "the receiver"},
    [GODOT_CHECKSUM_REFUSED] = {"godot.path.checksum_refused", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_CHECKSUM_DIFFERS] = {"godot.path.checksum_differs", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_NODE_NOT_FOUND] = {"godot.rpc.node_not_found",
                              GODOT_NEEDS_SINCE | GODOT_NEEDS_END | GODOT_NEEDS_PACKET | GODOT_NEEDS_LATER,
                              "both ends"},
    [GODOT_NODE_DESPAWNED] = {"godot.rpc.despawned", GODOT_NEEDS_SINCE | GODOT_NEEDS_PACKET, "the receiver"},
    [GODOT_CHECKSUM_FAILED] = {"godot.rpc.checksum_failed", GODOT_NEEDS_SINCE | GODOT_NEEDS_PACKET,
                               "the receiver"},
    [GODOT_CALL_REFUSED] =
        {"godot.rpc.wrong_arguments, godot.rpc.wrong_type, godot.rpc.not_allowed, godot.rpc.method_not_found",
         GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_NET_ID_UNKNOWN] = {"godot.net_id.unknown", GODOT_NEEDS_START | GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_PEER_NOT_ANNOUNCED] = {"godot.peer.unknown", GODOT_NEEDS_START | GODOT_NEEDS_PACKET, "the server"},
    [GODOT_PEER_LEFT] = {"godot.peer.unknown", GODOT_NEEDS_SINCE | GODOT_NEEDS_PACKET, "the server"},
    [GODOT_NEVER_ADMITTED] = {"godot.sys.never_admitted, godot.sys.auth_failed",
                              GODOT_NEEDS_START | GODOT_NEEDS_END | GODOT_NEEDS_PACKET | GODOT_NEEDS_LATER,
                              "both ends"},
    [GODOT_NOT_FROM_SERVER] = {"godot.sys.not_server", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_WRONG_SOURCE] = {"godot.source.mismatch", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_VERSIONS_DIFFER] = {"godot.version_mismatch", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_GENERATIONS_DIFFER] = {"godot.generation_mismatch", GODOT_NEEDS_PACKET, "the sender"},
    [GODOT_MALFORMED] = {"godot.problem", GODOT_NEEDS_PACKET, "the sender"},
};

godot_missing godot_engine_lacks(godot_conclusion conclusion, const godot_message *message, godot_party party,
                                 godot_moment since)
{
    unsigned needs = godot_conclusions[conclusion].needs;
    if (needs & GODOT_NEEDS_PACKET && godot_session_is_garbled(message)) {
        return GODOT_MISSING_SEGMENTS;
    }
    if (needs & GODOT_NEEDS_PACKET && message->cut) {
        return GODOT_MISSING_BYTES;
    }
    if (!(needs & (GODOT_NEEDS_START | GODOT_NEEDS_SINCE))) {
        return GODOT_MISSING_NOTHING;
    }
    if (needs & GODOT_NEEDS_START) {
        since = (godot_moment){0, 0};
    }
    const godot_moment end = {UINT32_MAX, 0}, here = {message->number, message->frame};
    return godot_session_missing(message, party, since, needs & GODOT_NEEDS_END ? end : here);
}

godot_verdict godot_engine_lacks_peer(const godot_message *message, int32_t peer,
                                      const godot_presence **state)
{
    const godot_session *session = message->session;
    const godot_party server = session->server_number[0] ? GODOT_INITIATOR : GODOT_ACCEPTOR;
    const godot_presence *said = *state = godot_session_presence(message, peer);
    bool later = said && said->number > message->number;
    godot_verdict absent = {!said || later || !said->present, GODOT_MISSING_NOTHING};
    if (later && !said->present) {
        absent.holds = false; /* it leaves later */
    } else if (later) {
        absent.missing = GODOT_MISSING_ORDER;
    } else if (absent.holds) {
        absent.missing =
            godot_engine_lacks(said ? GODOT_PEER_LEFT : GODOT_PEER_NOT_ANNOUNCED, message, server,
                               said ? (godot_moment){said->number, said->frame} : (godot_moment){0, 0});
    }
    return absent;
}

godot_verdict godot_engine_never_admits(const godot_message *message, bool closed)
{
    const int64_t auth_timeout = INT64_C(3000000000); /* the default of SceneMultiplayer */
    const godot_session *session = message->session;
    const godot_moment none = {0, 0};
    int64_t last = session->last[0] > session->last[1] ? session->last[0] : session->last[1];
    bool over = closed || last - message->time > auth_timeout;
    godot_verdict verdict = {!session->admitted && over, GODOT_MISSING_NOTHING};
    for (unsigned end = 0; verdict.holds && verdict.missing == GODOT_MISSING_NOTHING && end < 2; end++) {
        verdict.missing =
            godot_engine_lacks(GODOT_NEVER_ADMITTED, message, end ? GODOT_ACCEPTOR : GODOT_INITIATOR, none);
    }
    return verdict;
}
