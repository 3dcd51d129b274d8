/* walk.h
 *
 * Private to the tree builder: value-tree.c iterates over the events of a value, value.c adds the item of
 * one, parts.c the items below it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_VARIANT_WALK_H
#define GODOT_VARIANT_WALK_H

#include "variant/api.h"
#include "variant/fields.h"

#define KEY_SIZE 100 /* bytes of a key or a name in a label */

/* A place between the events of a value. About 25 KiB, meant for the stack. */
typedef struct {
    const godot_variant *value;
    uint32_t next;           /* of those that are kept; `value->count` + 1: beyond them */
    variant_decoder decoder; /* valid beyond them */
    variant_event event;     /* likewise: the latest */
} variant_cursor;

void variant_cursor_begin(variant_cursor *cursor, const godot_variant *value);
/* Where `other` is. */
void variant_cursor_copy(variant_cursor *cursor, const variant_cursor *other);
/* NULL: there are no more. Valid until the next call. */
const variant_event *variant_cursor_next(variant_cursor *cursor);

/* A container that is open. */
typedef struct {
    proto_tree *tree;
    variant_string class_name; /* full Object */
} variant_walk_level;

typedef struct {
    const godot_variant *value; /* and, from there: */
    tvbuff_t *tvb;
    packet_info *pinfo;
    unsigned base; /* of the value in the tvb; offsets of events are relative to it */
    const uint8_t *bytes;
    uint32_t length;
    variant_options options;

    const variant_cursor *cursor; /* after the event that is being shown */
    proto_tree *top;
    const char *label;
    bool building; /* there is a tree: fields are needed */
    bool visible;  /* the tree is visible: labels are needed */
    bool noted_limit;
    unsigned problems;
    unsigned objects; /* full ones, and their scripts */
    unsigned max_depth;
    proto_tree *root; /* of the top-level value */
    proto_tree *here; /* to which findings are added */

    /* The key of the Dictionary entry whose value comes next. */
    bool has_key;
    bool leaf_key; /* `key` is to be shown with the entry; a container has items of its own */
    variant_event key;
    char key_text[KEY_SIZE];

    /* Children of the container at `hidden_depth` are not shown from here on; -1: none. */
    int hidden_depth;
    uint32_t hidden_from, hidden_count;

    variant_walk_level *levels; /* MAX_LEVELS + 1 */
} variant_walk;

/* --- what is below a value: parts.c -------------------------------------------------------------- */

/* The tree that values of this depth are added to. */
proto_tree *walk_parent_tree(const variant_walk *w, unsigned depth);
/* A string, in pinfo->pool; invalid UTF-8 is replaced. */
char *walk_string_value(const variant_walk *w, const variant_string *s);
/* A string for labels and messages, shortened. */
const char *walk_short_string(const variant_walk *w, const variant_string *s);
/* Hidden while it is zero. */
void walk_add_padding(const variant_walk *w, proto_tree *tree, uint32_t offset, uint32_t length);
/* A padded string inside a value. */
void walk_add_string(const variant_walk *w, proto_tree *tree, int hf, const variant_string *s);
/* A number rounded as the engine prints it, so that filters match the displayed digits. */
double walk_readable(double value, bool single);
/* Whether the frame has so many items that no more are added to containers. */
bool walk_too_many_items(const variant_walk *w);
/* One item for `count` values that are not shown, and once per value a note on why. */
void walk_add_more(variant_walk *w, proto_tree *tree, uint32_t offset, uint32_t length, uint32_t count);
void walk_add_components(const variant_walk *w, proto_tree *tree, const variant_event *e);
void walk_add_packed_elements(variant_walk *w, proto_tree *tree, const variant_event *e);
/* "/root/Player:position:x" */
const char *walk_path_value(const variant_walk *w, const variant_event *e);
void walk_add_path(variant_walk *w, proto_tree *tree, const variant_event *e);
void walk_add_object_id(const variant_walk *w, proto_tree *tree, const variant_event *e);
void walk_add_image(const variant_walk *w, proto_tree *tree, const variant_event *e);
void walk_add_input_event(const variant_walk *w, proto_tree *tree, const variant_event *e);
void walk_add_type_info(const variant_walk *w, proto_tree *tree, int hf, const variant_container_type *t);

/* --- one value: value.c -------------------------------------------------------------------------- */

/* The whole value as GDScript would print it, from the pool; up to 1 MiB. */
const char *walk_whole_text(const variant_walk *w);
const char *walk_label_of(const variant_walk *w, const variant_event *e);
/* The item and its label, without what is below it. */
proto_tree *walk_add_labelled(const variant_walk *w, proto_tree *parent, const variant_event *e,
                              const char *label);
void walk_add_dialect(const variant_walk *w, proto_tree *tree, bool hide);
void walk_add_header(const variant_walk *w, proto_tree *tree, const variant_event *e, bool hide);
void walk_add_text(variant_walk *w, proto_tree *tree);
proto_tree *walk_add_value(variant_walk *w, proto_tree *parent, const variant_event *e, const char *label);

#endif
