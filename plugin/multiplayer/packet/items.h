/* items.h
 *
 * How the pieces of a packet are shown: items, their texts, lists of values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ITEMS_H
#define GODOT_ITEMS_H

#include "multiplayer/packet/fields.h"
#include "multiplayer/packet/packet.h"
#include "multiplayer/peers/names.h"
#include "project/project.h"
#include "variant/api.h"

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

/* Appends texts up to a NULL. Lines of every packet are put together so: formats cost ten times as much. */
void godot_append(wmem_strbuf_t *line, ...) G_GNUC_NULL_TERMINATED;
/* `before` and the number, from the pool: "Argument 0". */
const char *godot_numbered(const godot_packet *packet, const char *before, int64_t number);
/* A path or name as text for labels, columns and statistics, and by which it is remembered. */
const char *godot_text_at(const godot_packet *packet, multiplayer_text text);
/* As proto_tree_add_item() and proto_tree_add_string(), which do much of their work without a tree, too: to
 * throw where the capture has cut the packet. */
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
/* Name of a peer that the packet is from, for or about, at `item` (may be NULL), too; it appears by this. */
const char *godot_name_peer(const godot_packet *packet, proto_item *item, int32_t id);
/* As in a sentence: "client 2", "the server"; also of an end whose id is not known. */
const char *godot_peer_text(const godot_packet *packet, godot_party party);
/* How a packet or a part of it is encoded, a subtree that is closed at first. It is made before anything
 * else, so that what belongs there can be added at any time, and put last when `tree` is complete. */
proto_tree *godot_begin_encoding(const godot_packet *packet, proto_tree *tree, uint32_t offset,
                                 uint32_t length);
void godot_end_encoding(proto_tree *tree, proto_tree *encoding);
void godot_add_end_names(const godot_packet *packet);
/* From whom to whom, and how it was carried. */
void godot_add_delivery(const godot_packet *packet);
/* What a call does in one line, before everything else. */
void godot_add_call(const godot_packet *packet, const char *call);
/* Whether what was learned from the message of this number was captured after this packet: see
 * multiplayer/state/session.h. */
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

#endif
