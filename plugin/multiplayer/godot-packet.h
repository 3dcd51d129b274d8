/* godot-packet.h
 *
 * What the parts of the dissector `godot` have in common: the packet that is being dissected, and how its
 * pieces are shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PACKET_H
#define GODOT_PACKET_H

#include "multiplayer/godot-fields.h"
#include "project/godot-project.h"
#include "multiplayer/godot-session.h"
#include "multiplayer/godot-tap.h"
#include "variant/godot-variant.h"

/* Limits of what is shown of one packet. */
enum {
    MAX_ENTRIES = 2000,    /* synchronizers in a packet */
    MAX_VALUES = 1000,     /* values of a synchronizer or spawned node */
    MAX_SYNC_IDS = 1000,   /* of a spawned node */
    MAX_STATE_NAMES = 256, /* of the values that a node is spawned with */
    MAX_PACKET_VALUES = 20000,
    MAX_PATH_TEXT = 4096,  /* bytes of a path or name by which it is remembered and shown */
    MAX_CALL_TEXT = 1000,  /* bytes of a call as one line */
    MAX_VALUE_TEXT = 400,  /* bytes of an argument in it */
    MAX_INFO_MESSAGES = 8, /* messages of a frame in the Info column */
    MAX_INFO_ENTRIES = 4,  /* synchronizers of a packet in it */
    MAX_INFO_TEXT = 200,   /* bytes of each */
    MAX_DIFFERENCE = 16,   /* methods named when two lists differ */
    MAX_SCRIPTS = 16,      /* with the same methods, besides the first */
};

/* A packet while it is being dissected; of a relayed one, the inner packet. */
typedef struct {
    packet_info *pinfo;
    proto_tree *tree;          /* what the packet means; of a relayed one that of the outer packet */
    proto_tree *encoding;      /* how that is written: bytes, ids, sizes; the last subtree of `tree` */
    proto_item *encoding_item; /* child of `tree` that `encoding` is below */
    proto_item *item;          /* of the protocol */
    tvbuff_t *tvb;
    const uint8_t *bytes;
    uint32_t length;                     /* as captured */
    bool cut;                            /* by the snap length: an end too early says nothing */
    const enet_payload_info *enet;       /* NULL: not over ENet */
    const godot_recorded_info *recorded; /* NULL: captured */
    const godot_message *message;
    bool learn;                             /* what it says is new */
    godot_party from, to;                   /* to 0: everybody, or everybody but one */
    int32_t broadcast;                      /* which of these: 0, or below 0 that one */
    uint32_t values;                        /* shown so far */
    wmem_strbuf_t *info;                    /* what the Info column says about the packet */
    godot_tap *tap;                         /* what statistics learn about it */
    bool tapped;                            /* somebody listens: `tap` has to be complete */
    tvbuff_t **payload;                     /* of a RAW packet, for other dissectors; *payload NULL: none */
    const multiplayer_v3_header *v3_header; /* Godot 3: source and target are in it; NULL: by connection */
    tvbuff_t *v3_tvb;                       /* in which it is; valid if v3_header is not NULL */
} godot_packet;

typedef struct {
    uint32_t offset, length;
    uint32_t expected;        /* number of values, UINT32_MAX: as many as there are */
    const char *label;        /* "Argument ", before the number of a value without a name */
    const char *const *names; /* of the first `name_count` values; may be NULL if that is 0 */
    uint32_t name_count;
    bool properties;     /* the names are those of properties */
    bool arguments;      /* the values are those of a call */
    const char *node;    /* whose properties they are; NULL: not known, or arguments */
    wmem_array_t *sizes; /* gets a godot_tap_value for each; NULL: not wanted */
    wmem_strbuf_t *line; /* their texts are appended to it; NULL: not wanted */
    size_t line_start;   /* where in `line` the text begins that has room for MAX_CALL_TEXT bytes */
    variant_options options;
} godot_values;

/* --- godot-packet.c: small pieces and values --- */
/* Appends texts up to a NULL. Lines of every packet are put together so: formats cost ten times as much. */
void godot_append(wmem_strbuf_t *line, ...) G_GNUC_NULL_TERMINATED;
/* `before` and the number, from the pool: "Argument 0". */
const char *godot_numbered(const godot_packet *packet, const char *before, int64_t number);
/* A path or name as text for labels, columns and statistics, and by which it is remembered. */
const char *godot_text_at(const godot_packet *packet, multiplayer_text text);
/* As proto_tree_add_item() and proto_tree_add_string(), which do much of their work without a tree, too: to throw where the
 * capture has cut the packet. */
static inline proto_item *godot_add_item(const godot_packet *packet, proto_tree *tree, int hf,
                                         uint32_t offset, uint32_t length, unsigned encoding)
{
    return tree || packet->cut
               ? proto_tree_add_item(tree, hf, packet->tvb, (int)offset, (int)length, encoding)
               : NULL;
}
static inline proto_item *godot_add_string(const godot_packet *packet, proto_tree *tree, int hf,
                                           uint32_t offset, uint32_t length, const char *text)
{
    return tree || packet->cut ? proto_tree_add_string(tree, hf, packet->tvb, (int)offset, (int)length, text)
                               : NULL;
}
void godot_add_text(const godot_packet *packet, int hf, multiplayer_text text);
void godot_add_number(const godot_packet *packet, int hf, uint32_t offset, uint32_t length);
proto_item *godot_add_generated_string(proto_tree *tree, tvbuff_t *tvb, int hf, const char *text);
void godot_add_generated_number(proto_tree *tree, tvbuff_t *tvb, int hf, uint32_t number);
void godot_add_peer(proto_tree *tree, tvbuff_t *tvb, int hf, int32_t peer);
/* An expert info about bytes that no other item stands for. */
void godot_add_finding(const godot_packet *packet, proto_tree *tree, expert_field *expert, uint32_t offset,
                       uint32_t length, const char *format, ...) G_GNUC_PRINTF(6, 7);
void godot_add_findings(const godot_packet *packet, proto_tree *tree, const multiplayer_findings *findings);
godot_party godot_other_end(godot_party end);
/* "1203", or the role of an end whose id is not known. */
const char *godot_peer_text(const godot_packet *packet, godot_party party);
/* How a packet or a part of it is encoded, a subtree that is closed at first. It is made before anything else,
 * so that what belongs there can be added at any time, and put last when `tree` is complete. */
proto_tree *godot_begin_encoding(const godot_packet *packet, proto_tree *tree, uint32_t offset,
                                 uint32_t length);
void godot_end_encoding(proto_tree *tree, proto_tree *encoding);
/* From whom to whom, and how it was carried. */
void godot_add_delivery(const godot_packet *packet);
/* What a call does in one line, before everything else. */
void godot_add_call(const godot_packet *packet, const char *call);
/* Whether what was learned from the message of this number was captured after this packet: see
 * godot-session.h. */
bool godot_is_later(const godot_packet *packet, uint32_t number);
/* Notes, once per peer, that this peer is not there. */
void godot_check_presence(const godot_packet *packet, proto_item *item, int32_t peer);
void godot_set_tap(const godot_packet *packet, const char *node, const char *what);
/* The item that the arguments of a call are below. */
proto_tree *godot_add_arguments(const godot_packet *packet, uint32_t offset, uint32_t length, uint32_t count);
/* Shows values one after the other. Returns how many there are (that can be read). */
uint32_t godot_add_values(godot_packet *packet, proto_tree *tree, const godot_values *list,
                          multiplayer_verdict verdict);
/* Bytes of an application. A Variant is worth a try: var_to_bytes() is how most games fill them. Its text is
 * appended to packet->info, with a blank after it. */
void godot_add_application_bytes(godot_packet *packet, int hf, uint32_t offset, uint32_t length,
                                 variant_dialect dialect);

/* --- godot-path-cache.c --- */

/* No script of the project has these RPC methods, or the project could not be read. */
void godot_add_no_script(const godot_packet *packet, proto_item *item);
/* Names of what is replicated are missing, or a statement: if not all of the project could be read, says so, once. */
void godot_add_unread(const godot_packet *packet, proto_item *item);
/* An id of the sender's path cache: what it stands for goes to `tree`, the id and where it was announced to
 * `encoding`. */
const godot_path *godot_add_path_id(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                    int hf, uint32_t offset, uint32_t length, uint32_t id);
/* At an announcement: the link to its confirmation. It points forward only, so that every pass shows the
 * same. */
void godot_add_confirmed_in(godot_packet *packet, const godot_path *entry);
/* Later passes: notes that the receiver never confirms the path, at its announcement and at calls. */
void godot_check_confirmed(const godot_packet *packet, proto_item *item, const godot_path *path,
                           bool announcement);
/* The receiver of an announcement answers. `entry`: what it answers to, NULL if that was not captured. */
void godot_show_confirmation(godot_packet *packet, godot_path *entry, const char *what, bool valid,
                             proto_item *valid_item, bool learn);
void godot_dissect_simplify(godot_packet *packet, const multiplayer_v4_simplify *simplify, bool dropped);
void godot_dissect_confirm(godot_packet *packet, const multiplayer_v4_confirm *confirm, bool dropped);

/* --- godot-refused.c: why the receiver does not carry out a call --- */
/* Godot 4: by the number of the method and `count` arguments. */
void godot_check_call(const godot_packet *packet, const godot_path *path, uint16_t method, uint32_t count);
/* Godot 3: by its name; or a property that is set, where there is nothing to count. */
void godot_check_v3_call(const godot_packet *packet, const char *node, const char *name, bool call,
                         uint32_t count);

/* --- godot-replication.c: Godot 4 --- */
/* The path id of a spawner has been announced: the nodes that were spawned before get their paths. First pass
 * only. */
void godot_resolve_spawns(const godot_packet *packet, uint32_t spawner);
void godot_dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped);
void godot_dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id);
void godot_dissect_sync(godot_packet *packet, const multiplayer_v4_packet *parsed);

/* --- godot-rows.c: what a row of `-z godot,messages` needs beyond the other statistics --- */
/* Who has made the packet and whom it is for, by `from`, `to`, `broadcast`. */
void godot_tap_set_ends(const godot_packet *packet);
/* The first problem stays. */
void godot_tap_set_problem(const godot_packet *packet, const char *text);
/* Values at `offset`, if anybody wants them. */
void godot_tap_add_argument(const godot_packet *packet, uint32_t offset, uint32_t length,
                            variant_options options);
/* The bare bytes of a call. */
void godot_tap_add_bytes(const godot_packet *packet, uint32_t offset, uint32_t length);
/* `node`: "" if not known. */
void godot_tap_add_value(const godot_packet *packet, const char *node, const char *property, uint32_t offset,
                         uint32_t length, variant_options options);

/* --- packet-godot.c --- */
/* The messages of the frame that has just been dissected, each with the next one; NULL: there are none. */
const godot_tap *godot_taps_of_frame(packet_info *pinfo);
/* Session of the first of them; NULL: there are none. */
const godot_session *godot_session_of_frame(packet_info *pinfo);

/* --- godot-v4.c and godot-v3.c: one packet of SceneMultiplayer or MultiplayerAPI --- */
void godot_dissect_v4(godot_packet *packet);
void godot_dissect_v3(godot_packet *packet);

#endif
