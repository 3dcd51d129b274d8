/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/pack/resource_reader.h"

#include <stdlib.h>

#include "base/bytes.h"

/* SceneState, as in PackedScene::_bundled: positions of the parts. */
typedef struct {
    size_t *names, *variants, *paths; /* of each element; names without a tag */
    uint32_t name_count, variant_count, path_count;
    const uint8_t *numbers;
    uint32_t number_count, node_count,
        base; /* base: number of the variant that is the inherited scene, from 1 on */
} scene_state;

enum { PATH_FLAG = 1 << 30, PLACEHOLDER_FLAG = 1 << 30, INDEX_MASK = (1 << 24) - 1 };
enum {
    NAME_MASK = (1 << 18) - 1,
    PROPERTY_MASK = (1 << 30) - 1,
    NO_PARENT = 0x7fffffff,
    INSTANTIATED = 0x7fffffff
};

static size_t *take_places(resource_reader *r, uint32_t *count, uint32_t tag)
{
    if (resource_take_u32(r) != tag) {
        r->failed = true;
        return NULL;
    }
    *count = resource_take_count(r, 4);
    size_t *places = resource_make_array(r, *count, sizeof *places);
    for (uint32_t i = 0; i < *count && !r->failed; i++) {
        places[i] = r->at;
        if (tag == TAG_STRING_ARRAY) {
            resource_take_string(r);
        } else {
            resource_skip_value(r);
        }
    }
    return places;
}

static void take_part(resource_reader *r, scene_state *s, slice key)
{
    size_t at = r->at;
    if (slice_equals(key, "names") && !s->names) {
        s->names = take_places(r, &s->name_count, TAG_STRING_ARRAY);
    } else if (slice_equals(key, "variants") && !s->variants) {
        s->variants = take_places(r, &s->variant_count, TAG_ARRAY);
    } else if (slice_equals(key, "node_paths") && !s->paths) {
        s->paths = take_places(r, &s->path_count, TAG_ARRAY);
    } else if (slice_equals(key, "nodes") && resource_take_u32(r) == TAG_INT32_ARRAY) {
        s->number_count = resource_take_count(r, 4);
        s->numbers = resource_take(r, 4 * (size_t)s->number_count);
    } else {
        r->at = at;
        resource_skip_value(r);
    }
    size_t end = r->at;
    r->at = at;
    if (slice_equals(key, "node_count") && resource_take_u32(r) == TAG_INT) {
        s->node_count = resource_take_u32(r);
    } else if (slice_equals(key, "base_scene") && resource_take_u32(r) == TAG_INT) {
        s->base = resource_take_u32(r) + 1;
    }
    r->at = end;
}

static void take_state(resource_reader *r, scene_state *s)
{
    if (resource_take_u32(r) != TAG_DICTIONARY) {
        r->failed = true;
        return;
    }
    for (uint32_t left = resource_take_u32(r) & 0x7fffffffu; left > 0 && !r->failed; left--) {
        uint32_t tag = resource_take_u32(r);
        if (tag != TAG_STRING && tag != TAG_STRING_NAME) {
            r->failed = true;
            return;
        }
        take_part(r, s, resource_take_string(r));
    }
}

static slice name_at(resource_reader *r, const scene_state *s, uint32_t index)
{
    if (index >= s->name_count) {
        r->failed = true;
        return (slice){NULL, 0};
    }
    r->at = s->names[index];
    return resource_take_string(r);
}

/* A node in the array of numbers. */
typedef struct {
    uint32_t parent, type, name, index, instance, property_count;
    const uint8_t *properties; /* pairs of name and variant */
} node;

/* False at the end of the numbers. `*at`: of the node, then of the next one. */
static bool next_node(const scene_state *s, uint32_t *at, node *n)
{
    enum { PARENT, OWNER, TYPE, NAME, INSTANCE, PROPERTIES, FIXED };
    if (s->number_count - *at < FIXED) {
        return false;
    }
    const uint8_t *p = s->numbers + 4 * (size_t)*at;
    uint32_t left = s->number_count - *at - FIXED, count = le32(p + 4 * PROPERTIES);
    *n = (node){le32(p + 4 * PARENT),
                le32(p + 4 * TYPE),
                le32(p + 4 * NAME) & NAME_MASK,
                le32(p + 4 * NAME) >> 18,
                le32(p + 4 * INSTANCE),
                count,
                p + 4 * FIXED};
    if (count >= left / 2 + (left % 2)) { /* there is a number of groups after them */
        return false;
    }
    left -= 2 * count + 1;
    uint32_t groups = le32(p + 4 * (FIXED + 2 * (size_t)count));
    if (groups > left) {
        return false;
    }
    *at += FIXED + 2 * count + 1 + groups;
    return true;
}

static bool has_parent(const node *n)
{
    return n->parent < 0x80000000u && n->parent != NO_PARENT;
}

/* The path of a node that is not the scene's own, from the scene's root on; `begin`: where it begins in the
 * text. */
static void write_base(resource_reader *r, const scene_state *s, uint32_t index, size_t begin)
{
    r->at = index < s->path_count ? s->paths[index] : r->length;
    if (resource_take_u32(r) != TAG_NODE_PATH) {
        r->failed = true;
        return;
    }
    for (uint32_t left = resource_take_u32(r) & 0xffff; left > 0 && !r->failed; left--) {
        slice name = resource_take_name(r);
        if (!slice_equals(name, ".")) {
            output_text(r->out, r->out->length > begin ? "/" : "");
            output_add(r->out, name.text, name.length);
        }
    }
}

/* The path of the node's parent, from the scene's root on: "." or "A/B". */
static void write_parent(resource_reader *r, const scene_state *s, const node *nodes, const node *n)
{
    uint32_t chain[RESOURCE_MAX_DEPTH], depth = 0;
    uint32_t above = (uint32_t)(n - nodes), parent = n->parent;
    while (!(parent & PATH_FLAG) && (parent & INDEX_MASK) != 0) {
        parent &= INDEX_MASK;
        if (parent >= above || depth == RESOURCE_MAX_DEPTH || !has_parent(&nodes[parent])) {
            r->failed = true;
            return;
        }
        above = chain[depth++] = parent;
        parent = nodes[above].parent;
    }
    output_text(r->out, " parent=\"");
    size_t begin = r->out->length;
    if (parent & PATH_FLAG) {
        write_base(r, s, parent & INDEX_MASK, begin);
    }
    while (depth > 0 && !r->failed) {
        slice name = name_at(r, s, nodes[chain[--depth]].name);
        output_text(r->out, r->out->length > begin ? "/" : "");
        output_add(r->out, name.text, name.length);
    }
    output_text(r->out, r->out->length > begin ? "\"" : ".\"");
}

static bool matters(slice property)
{
    static const char *const names[] = {"replication_config",   "root_path",
                                        "spawn_path",           "_spawnable_scenes",
                                        "unique_name_in_owner", "script"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (slice_equals(property, names[i])) {
            return true;
        }
    }
    return false;
}

static void write_node(resource_reader *r, const scene_state *s, const node *nodes, const node *n)
{
    uint32_t instance = has_parent(n) || !s->base ? n->instance : s->base - 1;
    output_text(r->out, "\n[node name=");
    resource_write_string(r, name_at(r, s, n->name));
    if (n->type != INSTANTIATED) {
        output_text(r->out, " type=");
        resource_write_string(r, name_at(r, s, n->type));
    }
    if (has_parent(n)) {
        write_parent(r, s, nodes, n);
    }
    if (n->index > 0) {
        output_text(r->out, " index=\"");
        output_number(r->out, n->index - 1);
        output_text(r->out, "\"");
    }
    if (instance < s->variant_count && !(instance & PLACEHOLDER_FLAG)) {
        output_text(r->out, " instance=");
        resource_write_value(r, s->variants[instance]);
    }
    output_text(r->out, "]\n");
    for (uint32_t i = 0; i < n->property_count && !r->failed; i++) {
        uint32_t name = le32(n->properties + 8 * (size_t)i) & PROPERTY_MASK,
                 value = le32(n->properties + 8 * (size_t)i + 4);
        slice property = name_at(r, s, name);
        if (value < s->variant_count && matters(property)) {
            resource_write_property(r, property, s->variants[value]);
        }
    }
}

static void write_nodes(resource_reader *r, const scene_state *s)
{
    uint32_t at = 0, count = 0, most = s->number_count / 6;
    node *nodes = resource_make_array(r, most, sizeof *nodes);
    while (nodes && count < most && count < s->node_count && next_node(s, &at, &nodes[count])) {
        count++;
    }
    if (count < s->node_count) {
        r->failed = true;
    }
    for (uint32_t i = 0; i < count && !r->failed && !r->out->failed; i++) {
        write_node(r, s, nodes, &nodes[i]);
    }
    free(nodes);
}

void resource_write_scene(resource_reader *r, size_t bundled)
{
    scene_state state = {.names = NULL};
    r->at = bundled;
    take_state(r, &state);
    if (!r->failed && state.names && state.variants && state.numbers) {
        write_nodes(r, &state);
    } else {
        r->failed = true;
    }
    free(state.names);
    free(state.variants);
    free(state.paths);
}
