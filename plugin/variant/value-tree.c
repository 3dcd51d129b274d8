/* value-tree.c
 *
 * Shows one Variant as a tree: a loop over the events of src/variant/variant.h.
 *
 * The limits are far below those of Wireshark (gui.max_tree_items, gui.max_tree_depth). Values beyond them
 * are covered by one item, and are still checked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <epan/expert.h>
#include <epan/prefs.h>

#include "base/columns.h"
#include "variant/api.h"
#include "variant/walk.h"

#define MAX_LEVELS    250 /* nested containers shown */
#define DEPTH_RESERVE 8   /* levels of the tree below a value: row, component, expert info */
#define MAX_PROBLEMS  50  /* problems shown of one value */

/* --- findings ------------------------------------------------------------------------------------ */

static const char *consequence(const variant_walk *w, variant_verdict verdict)
{
    const char *engine = variant_dialect_name(
        w->options.dialect == VARIANT_GODOT4_MANUAL ? VARIANT_GODOT4 : w->options.dialect);

    if (VARIANT_REJECTS(verdict)) {
        return wmem_strdup_printf(w->pinfo->pool, "%s rejects the value: %s%s", engine,
                                  variant_verdict_name(verdict), godot_variant_doubt(w->value));
    }
    return wmem_strdup_printf(w->pinfo->pool,
                              verdict == VARIANT_TOLERATED ? "%s tolerates it%s" : "%s ignores it%s", engine,
                              godot_variant_doubt(w->value));
}

/* An item for a value whose type cannot be read. */
static void add_invalid(variant_walk *w, const variant_event *e)
{
    proto_item *item = proto_tree_add_none_format(w->top, hf_variant_invalid, w->tvb, (int)w->base,
                                                  (int)w->length, "%s: <%s>", w->label ? w->label : "Value",
                                                  variant_problems[e->problem].name);
    w->root = w->here = proto_item_add_subtree(item, ett_variant_value);
    walk_add_text(w, w->root);
    if (e->type != VARIANT_INVALID) {
        variant_event value = *e;
        value.offset = e->value_offset;
        walk_add_header(w, w->root, &value, false);
    } else {
        walk_add_dialect(w, w->root, false);
    }
}

static bool caused_by_cut(const variant_walk *w, const variant_event *e)
{
    return w->value->cut && (e->fatal || e->problem == VARIANT_PROBLEM_PADDING_MISSING);
}

static void add_finding(variant_walk *w, const variant_event *e)
{
    if (caused_by_cut(w, e)) {
        return;
    }
    if (w->building && !w->root) {
        add_invalid(w, e);
    }
    w->problems++;

    uint32_t offset = MIN(e->offset, w->length);
    uint32_t length = MIN(e->length, w->length - offset);
    const char *name = variant_problems[e->problem].name, *text = variant_problems[e->problem].text;
    if (w->problems > MAX_PROBLEMS) {
        if (w->problems == MAX_PROBLEMS + 1) {
            expert_add_info(w->pinfo, proto_tree_get_parent(w->root ? w->root : w->top),
                            &ei_variant_more_problems);
        }
        return;
    }
    const char *verdict = consequence(w, e->verdict);
    proto_item *item = proto_tree_add_string_format(
        w->here, hf_variant_problem, w->tvb, (int)(w->base + offset), (int)length, name, "Problem: %s", name);
    expert_add_info_format(w->pinfo, item, &ei_variant_problem[e->problem], "%s. %s", text, verdict);
}

static bool is_script(const variant_walk *w, const variant_event *e)
{
    static const char script[] = "script";

    return e->role == VARIANT_PROPERTY && e->type == VARIANT_STRING &&
           e->name.text_length == strlen(script) &&
           memcmp(w->bytes + e->name.text_offset, script, strlen(script)) == 0;
}

/* Where a receiver allows objects, a full Object runs code there: its class's and its script's. */
static void warn_of_object(variant_walk *w, const variant_event *e)
{
    bool object = e->kind == VARIANT_BEGIN && e->type == VARIANT_OBJECT;

    if (!object && !is_script(w, e)) {
        return;
    }
    if (w->objects++ >= MAX_PROBLEMS) {
        return;
    }
    if (object) {
        expert_add_info_format(w->pinfo, w->here, &ei_variant_object_code,
                               "Full object of class %s: a receiver that allows objects creates it%s",
                               walk_short_string(w, &e->text), godot_variant_doubt(w->value));
    } else if (w->hidden_depth >= 0 && w->hidden_depth < e->depth - 1) { /* the object is not shown */
        expert_add_info_format(w->pinfo, w->here, &ei_variant_object_code,
                               "Object with the script %s: a receiver that allows objects runs it%s",
                               walk_short_string(w, &e->text), godot_variant_doubt(w->value));
    } else {
        expert_add_info_format(
            w->pinfo, w->here, &ei_variant_object_code,
            "Object of class %s with the script %s: a receiver that allows objects runs it%s",
            walk_short_string(w, &w->levels[e->depth - 1].class_name), walk_short_string(w, &e->text),
            godot_variant_doubt(w->value));
    }
}

/* --- the walk ------------------------------------------------------------------------------------ */

/* Children of an open container are shown until one of the limits is reached. */
static bool may_show(const variant_walk *w, const variant_event *e)
{
    return e->depth == 0 ||
           (e->depth <= w->max_depth && e->index < godot_variant_max_elements && !walk_too_many_items(w));
}

static void hide_from(variant_walk *w, const variant_event *e)
{
    w->hidden_depth = e->depth - 1;
    w->hidden_count = 0;
    w->hidden_from = w->has_key ? w->key.offset : e->role == VARIANT_PROPERTY ? e->name.offset : e->offset;
    w->here = w->levels[w->hidden_depth].tree;
}

static void count_hidden(variant_walk *w, const variant_event *e)
{
    if (e->depth == w->hidden_depth + 1 && e->role != VARIANT_KEY) {
        w->hidden_count++;
    }
}

/* Keeps a key until its value, whose label contains it. */
static void keep_key(variant_walk *w, const variant_event *key)
{
    w->has_key = true;
    w->leaf_key = key->kind == VARIANT_VALUE;
    w->key = *key;
    if (!w->visible) {
        return;
    }
    if (w->leaf_key) {
        variant_event_text(w->bytes, key, w->key_text, sizeof w->key_text);
    } else {
        variant_text(w->bytes + key->offset, key->length, w->options, w->key_text, sizeof w->key_text, NULL);
    }
    utf8_one_line(w->key_text);
}

static void begin_or_value(variant_walk *w, const variant_event *e)
{
    if (w->hidden_depth < 0 && !may_show(w, e)) {
        hide_from(w, e);
    }
    if (w->hidden_depth >= 0) {
        count_hidden(w, e);
    } else if (e->role == VARIANT_KEY && e->kind == VARIANT_VALUE) {
        w->here = walk_parent_tree(w, e->depth);
        keep_key(w, e);
        return;
    } else {
        w->here =
            w->building ? walk_add_value(w, walk_parent_tree(w, e->depth), e, walk_label_of(w, e)) : w->top;
        if (e->kind == VARIANT_BEGIN) {
            w->levels[e->depth].tree = w->here;
            if (e->type == VARIANT_OBJECT) {
                w->levels[e->depth].class_name = e->text;
            }
        }
    }
    w->has_key = w->leaf_key = false;
    warn_of_object(w, e);
}

static void end(variant_walk *w, const variant_event *e)
{
    if (w->hidden_depth > e->depth) { /* impossible: its own END comes first */
        w->hidden_depth = -1;
    }
    if (w->hidden_depth >= 0 && w->hidden_depth < e->depth) {
        return;
    }
    proto_tree *tree = w->levels[e->depth].tree;
    uint32_t to = MIN(e->offset + e->length, w->length);
    if (w->hidden_depth >= 0 && to > w->hidden_from && w->building) {
        walk_add_more(w, tree, w->hidden_from, to - w->hidden_from, w->hidden_count);
    }
    w->hidden_depth = -1;
    w->has_key = w->leaf_key = false;
    if (w->visible) {
        proto_item_set_len(proto_tree_get_parent(tree), (int)(to - e->offset));
    }
    if (e->role == VARIANT_KEY) {
        keep_key(w, e);
    }
    w->here = walk_parent_tree(w, e->depth);
}

static void handle(variant_walk *w, const variant_event *e)
{
    switch (e->kind) {
    case VARIANT_VALUE:
    case VARIANT_BEGIN:
        begin_or_value(w, e);
        break;
    case VARIANT_END:
        end(w, e);
        break;
    case VARIANT_FINDING:
        add_finding(w, e);
        break;
    }
}

/* How many nested containers fit into the tree below `tree`. */
static unsigned depth_left(const proto_tree *tree)
{
    unsigned depth = DEPTH_RESERVE;

    for (; tree; tree = tree->parent) {
        depth++;
    }
    return depth < prefs.gui_max_tree_depth ? MIN(MAX_LEVELS, prefs.gui_max_tree_depth - depth) : 0;
}

/* Returns the value's item, NULL if there is none. */
static proto_item *walk(godot_variant *value, proto_tree *tree, const char *label, bool building)
{
    variant_walk w = {.value = value,
                      .tvb = value->tvb,
                      .pinfo = value->pinfo,
                      .top = tree,
                      .base = value->offset,
                      .bytes = value->bytes,
                      .length = value->length,
                      .options = value->options,
                      .label = label,
                      .building = building};
    variant_walk_level levels[MAX_LEVELS + 1]; /* these two not in `w`, which is cleared */
    variant_cursor cursor;
    const variant_event *event;

    w.visible = w.building && PTREE_DATA(tree)->visible;
    if (w.visible || (w.building && proto_field_is_referenced(tree, hf_variant_text))) {
        value->whole = walk_whole_text(&w);
    }
    w.levels = levels;
    w.cursor = &cursor;
    w.max_depth = depth_left(tree);
    w.hidden_depth = -1;
    w.here = tree;

    variant_cursor_begin(&cursor, value);
    while ((event = variant_cursor_next(&cursor))) {
        handle(&w, event);
    }
    if (value->cut && value->consumed == 0) {
        tvb_ensure_bytes_exist(w.tvb, (int)value->offset, (int)value->wanted);
    }
    if (VARIANT_REJECTS(value->error) && w.root) {
        proto_item *item = proto_tree_add_string(w.root, hf_variant_error, w.tvb, (int)value->offset, 0,
                                                 variant_verdict_name(value->error));
        if (w.visible) {
            proto_item_append_text(item, "%s", godot_variant_doubt(value));
            proto_item_set_generated(item);
        }
    }
    return w.root;
}

proto_item *godot_variant_add(godot_variant *value, proto_tree *tree, const char *label)
{
    bool building = proto_field_is_referenced(tree, proto_godot_variant);
    return building || value->noteworthy ? walk(value, tree, label, building) : NULL;
}
