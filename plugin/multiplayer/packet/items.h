/* items.h
 *
 * Tree items, labels and value lists that are common to all kinds of packets. Returned texts are in
 * pinfo->pool unless they are constants.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ITEMS_H
#define GODOT_ITEMS_H

#include "multiplayer/engine/conclusions.h"
#include "multiplayer/packet/fields.h"
#include "multiplayer/packet/dissection.h"
#include "multiplayer/payload/offer.h"
#include "multiplayer/peers/names.h"
#include "project/project.h"
#include "variant/api.h"

/* Where a game's own bytes stand, for dissectors of others. */
typedef struct godot_place {
    godot_payload_table table;
    int32_t argument;     /* its number; of a list, and of what is no argument: -1 */
    const char *node;     /* path, NULL: not known, or that of the list */
    const char *name;     /* of the method or property; NULL: that in the list, or in other tables none */
    const char *checksum; /* of the node's methods in Godot 4; NULL: not known */
    const char *before;   /* texts of the arguments before it; NULL: none */
    const char *after;    /* of those after it; NULL: none */
    /* Paths of the scripts that may have the method, up to a NULL; NULL: not known. */
    const char *const *(*scripts)(const godot_packet *packet, const struct godot_place *place);
} godot_place;

extern const godot_place godot_place_property;

/* A list of values in the packet, one after the other. */
typedef struct {
    uint32_t offset, length;  /* bytes in the packet */
    uint32_t expected;        /* number of values; UINT32_MAX: up to the end of the bytes */
    const char *label;        /* "Argument ", before the number of a value without a name */
    const char *const *names; /* of the first `name_count` values; may be NULL if that is 0 */
    uint32_t name_count;
    bool properties;          /* the names are those of properties */
    bool arguments;           /* the values are those of a call */
    const godot_place *place; /* of those that are bytes; NULL: nobody decodes these */
    const char *node;         /* path of the node that has the properties; NULL: not known, or arguments */
    bool spawned;             /* they are those that it is spawned with */
    wmem_array_t *sizes;      /* a godot_tap_value is appended for each value; NULL: not wanted */
    wmem_strbuf_t *line;      /* the texts of the values are appended; NULL: not wanted */
    size_t line_start;        /* offset in `line` from which MAX_CALL_TEXT bytes are counted */
    variant_options options;
} godot_values;

/* Appends all arguments up to a NULL. The line of every packet is built this way, because a format string
 * takes ten times as long. */
void godot_append(wmem_strbuf_t *line, ...) G_GNUC_NULL_TERMINATED;
/* Returns `before` followed by the number: "Argument 0". */
const char *godot_numbered(const godot_packet *packet, const char *before, int64_t number);
/* Whether the snap length has cut a path or name: what is left of it is another one, and no key. */
static inline bool godot_is_cut(const godot_packet *packet, multiplayer_text text)
{
    return packet->cut && !text.terminated;
}
/* Returns a path or name as one line of valid UTF-8, up to MAX_PATH_TEXT bytes: the form in which labels,
 * columns and statistics show it, and the key under which it is kept. One that is cut ends with "…". */
const char *godot_text_at(const godot_packet *packet, multiplayer_text text);
/* Same as proto_tree_add_item() and proto_tree_add_string(), but skipped if there is no tree. If the snap
 * length has cut the packet they are called all the same, since they have to throw then. */
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
/* Adds a path or name, as godot_text_at() returns it if it is cut. NULL: it has no offset, or no tree. */
proto_item *godot_add_text(const godot_packet *packet, int hf, multiplayer_text text);
void godot_add_number(const godot_packet *packet, int hf, uint32_t offset, uint32_t length);
proto_item *godot_add_generated_string(proto_tree *tree, tvbuff_t *tvb, int hf, const char *text);
void godot_add_generated_number(proto_tree *tree, tvbuff_t *tvb, int hf, uint32_t number);
void godot_add_peer(proto_tree *tree, tvbuff_t *tvb, int hf, int32_t peer);
/* Adds an item for bytes that have none yet, with an expert info. */
void godot_add_finding(const godot_packet *packet, proto_tree *tree, expert_field *expert, uint32_t offset,
                       uint32_t length, const char *format, ...) G_GNUC_PRINTF(6, 7);
void godot_add_findings(const godot_packet *packet, proto_tree *tree, const multiplayer_findings *findings);
/* Returns the name of a peer that the packet is from, for or about, and appends it to `item` (may be NULL).
 * On the first pass a peer that has no name yet is given one. */
const char *godot_name_peer(const godot_packet *packet, proto_item *item, int32_t id);
/* Returns what a sentence calls the party: "client 2", "the server"; "the client" or "the server" for an end
 * whose id is not known. */
const char *godot_peer_text(const godot_packet *packet, godot_party party);
/* Adds the subtree "Encoding" for a packet or a part of it. godot_end_encoding() moves it to the end of
 * `tree`, when that is complete. */
proto_tree *godot_begin_encoding(const godot_packet *packet, proto_tree *tree, uint32_t offset,
                                 uint32_t length);
void godot_end_encoding(proto_tree *tree, proto_tree *encoding);
/* Adds the names of source and target as hidden fields, for columns and filters. */
void godot_add_end_names(const godot_packet *packet);
/* Adds source, target, transfer mode and channel. */
void godot_add_delivery(const godot_packet *packet);
/* Adds the call as one line, before the other items. */
void godot_add_call(const godot_packet *packet, const char *call);
/* True if the message with this number was captured after this packet: see multiplayer/state/session.h. */
bool godot_is_later(const godot_packet *packet, uint32_t number);
/* Adds the expert info of a conclusion; none if the receiver's engine has said what it did. If something is
 * `missing` that could disprove it: instead one that says that it is not judged, and why. False: it is not
 * concluded. */
bool godot_conclude(const godot_packet *packet, proto_item *item, expert_field *expert, godot_missing missing,
                    const char *format, ...) G_GNUC_PRINTF(5, 6);
/* What is missing for a conclusion about packets of its sender that refers to no earlier message. If the
 * sender is not known, the beginning. */
static inline godot_missing godot_packet_lacks(const godot_packet *packet, godot_conclusion conclusion)
{
    return packet->ends_assumed && conclusion != GODOT_MALFORMED
               ? GODOT_MISSING_BEGINNING
               : godot_engine_lacks(conclusion, packet->message, packet->from, (godot_moment){0, 0});
}
/* godot_session_first() in this pass. */
bool godot_is_first(const godot_packet *packet, godot_topic topic, godot_party party, uint32_t id);
/* Adds an expert info, once per peer, if this peer has left or was not announced. */
void godot_check_presence(const godot_packet *packet, proto_item *item, int32_t peer);
/* Sets `node` and `what` of the tap's data. */
void godot_set_tap(const godot_packet *packet, const char *node, const char *what);
/* Adds the subtree for the arguments of a call and returns it. */
proto_tree *godot_add_arguments(const godot_packet *packet, uint32_t offset, uint32_t length, uint32_t count);
/* Adds the values of a list. Returns the number of those that could be read. `verdict`: what the receiver
 * does if one cannot be read. */
uint32_t godot_add_values(godot_packet *packet, proto_tree *tree, const godot_values *list,
                          multiplayer_verdict verdict);
/* Offers a game's own bytes to dissectors of others, which add to `tree`. NULL: none took them, else their
 * text for the Info column, which may be empty. */
const char *godot_offer_bytes(const godot_packet *packet, proto_tree *tree, const godot_place *place,
                              uint32_t offset, uint32_t length);
/* Adds bytes that the application has chosen; if a dissector of others takes them or they are one Variant, as
 * from var_to_bytes(), also their content, and its text with a blank after it to packet->info. */
void godot_add_application_bytes(godot_packet *packet, int hf, uint32_t offset, uint32_t length,
                                 variant_dialect dialect);

#endif
