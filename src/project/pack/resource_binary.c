/* resource_binary.c
 *
 * See resource_binary.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/pack/resource_binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "codec/compressed_file.h"

enum { LAST_FORMAT = 6, FIRST_FORMAT = 5 }; /* 4.0 to 4.6 */
enum { FLAG_UIDS = 2, FLAG_DOUBLE = 4, FLAG_SCRIPT_CLASS = 8 };
enum { RESERVED = 11 * 4 };

/* Types of values, with numbers of their own (core/io/resource_format_binary.cpp). */
enum {
    TAG_NIL = 1,
    TAG_BOOL = 2,
    TAG_INT = 3,
    TAG_STRING = 5,
    TAG_NODE_PATH = 22,
    TAG_OBJECT = 24,
    TAG_DICTIONARY = 26,
    TAG_ARRAY = 30,
    TAG_BYTES = 31,
    TAG_INT32_ARRAY = 32,
    TAG_STRING_ARRAY = 34,
    TAG_STRING_NAME = 44,
    TAG_COUNT = 54
};
enum { OBJECT_NONE, OBJECT_EXTERNAL_PATH, OBJECT_INTERNAL, OBJECT_EXTERNAL };

/* Sizes of the other types, or of their elements. */
static const struct {
    uint8_t bytes, reals; /* reals: 4 bytes each, or 8 in double precision builds */
    bool known, array;
} sizes[TAG_COUNT] = {
    [TAG_NIL] = {0, 0, true, false},
    [TAG_BOOL] = {4, 0, true, false},
    [TAG_INT] = {4, 0, true, false},
    [4] = {0, 1, true, false},   /* float */
    [10] = {0, 2, true, false},  /* Vector2 */
    [11] = {0, 4, true, false},  /* Rect2 */
    [12] = {0, 3, true, false},  /* Vector3 */
    [13] = {0, 4, true, false},  /* Plane */
    [14] = {0, 4, true, false},  /* Quaternion */
    [15] = {0, 6, true, false},  /* AABB */
    [16] = {0, 9, true, false},  /* Basis */
    [17] = {0, 12, true, false}, /* Transform3D */
    [18] = {0, 6, true, false},  /* Transform2D */
    [20] = {16, 0, true, false}, /* Color */
    [23] = {4, 0, true, false},  /* RID */
    [TAG_INT32_ARRAY] = {4, 0, true, true},
    [33] = {4, 0, true, true},   /* PackedFloat32Array */
    [35] = {0, 3, true, true},   /* PackedVector3Array */
    [36] = {16, 0, true, true},  /* PackedColorArray */
    [37] = {0, 2, true, true},   /* PackedVector2Array */
    [40] = {8, 0, true, false},  /* int that needs 64 bits */
    [41] = {8, 0, true, false},  /* float that needs 64 bits */
    [42] = {0, 0, true, false},  /* Callable */
    [43] = {0, 0, true, false},  /* Signal */
    [45] = {8, 0, true, false},  /* Vector2i */
    [46] = {16, 0, true, false}, /* Rect2i */
    [47] = {12, 0, true, false}, /* Vector3i */
    [48] = {8, 0, true, true},   /* PackedInt64Array */
    [49] = {8, 0, true, true},   /* PackedFloat64Array */
    [50] = {0, 4, true, false},  /* Vector4 */
    [51] = {16, 0, true, false}, /* Vector4i */
    [52] = {0, 16, true, false}, /* Projection */
    [53] = {0, 4, true, true},   /* PackedVector4Array */
};

typedef struct {
    slice type, path;
    uint64_t uid;
} external;

typedef struct {
    slice id; /* "local://ID" without the first part */
    size_t offset;
} internal;

typedef struct {
    const uint8_t *bytes;
    size_t length, at;
    bool failed; /* all that is read from now on is nothing */
    uint32_t flags;
    uint64_t uid;
    slice *strings;
    external *externals;
    internal *internals;
    uint32_t string_count, external_count, internal_count;
    output *out;
} reader;

/* --- pieces -------------------------------------------------------------------------------------- */

static const uint8_t *take(reader *r, size_t length)
{
    if (r->failed || length > r->length - r->at) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *piece = r->bytes + r->at;
    r->at += length;
    return piece;
}

static uint32_t take_u32(reader *r)
{
    const uint8_t *piece = take(r, 4);
    return piece ? le32(piece) : 0;
}

static uint64_t take_u64(reader *r)
{
    const uint8_t *piece = take(r, 8);
    return piece ? le64(piece) : 0;
}

/* A number of elements of at least `size` bytes each. */
static uint32_t take_count(reader *r, size_t size)
{
    uint32_t count = take_u32(r);
    if (count > (r->length - r->at) / size) {
        r->failed = true;
        return 0;
    }
    return count;
}

static slice take_text(reader *r, uint32_t length)
{
    const char *text = (const char *)take(r, length);
    return (slice){text ? text : "", text && length > 0 ? length - 1 : 0};
}

static slice take_string(reader *r)
{
    return take_text(r, take_u32(r));
}

/* One of the table's, or, marked by the highest bit, one that stands here. */
static slice take_name(reader *r)
{
    uint32_t index = take_u32(r);
    if (index & 0x80000000u) {
        return take_text(r, index & 0x7fffffffu);
    }
    if (index >= r->string_count) {
        r->failed = true;
        return (slice){NULL, 0};
    }
    return r->strings[index];
}

static void *make_array(reader *r, uint32_t count, size_t size)
{
    void *array = calloc((size_t)count + 1, size);
    if (!array) {
        r->failed = true;
    }
    return array;
}

/* Passes over a value after its tag; returns the number of values in it. */
static uint64_t skip_content(reader *r, uint32_t tag)
{
    if (tag < TAG_COUNT && sizes[tag].known) {
        size_t size = sizes[tag].bytes + (size_t)sizes[tag].reals * (r->flags & FLAG_DOUBLE ? 8 : 4);
        uint32_t count = sizes[tag].array ? take_count(r, size) : 1;
        take(r, count * size);
        return 0;
    }
    switch (tag) {
    case TAG_STRING:
    case TAG_STRING_NAME:
        take_string(r);
        return 0;
    case TAG_NODE_PATH: {
        uint32_t counts = take_u32(r);
        for (uint32_t left = (counts & 0xffff) + (counts >> 16 & 0x7fff); left > 0 && !r->failed; left--) {
            take_name(r);
        }
        return 0;
    }
    case TAG_OBJECT: {
        uint32_t kind = take_u32(r);
        if (kind == OBJECT_EXTERNAL_PATH) {
            take_string(r);
            take_string(r);
        } else if (kind != OBJECT_NONE) {
            take(r, 4);
        }
        return 0;
    }
    case TAG_DICTIONARY:
        return 2 * (uint64_t)(take_u32(r) & 0x7fffffffu);
    case TAG_ARRAY:
        return take_u32(r) & 0x7fffffffu;
    case TAG_BYTES: {
        uint32_t count = take_u32(r);
        take(r, ((size_t)count + 3) & ~(size_t)3);
        return 0;
    }
    case TAG_STRING_ARRAY:
        for (uint32_t left = take_count(r, 4); left > 0 && !r->failed; left--) {
            take_string(r);
        }
        return 0;
    default:
        r->failed = true;
        return 0;
    }
}

static void skip_value(reader *r)
{
    for (uint64_t left = 1; left > 0 && !r->failed; left--) {
        left += skip_content(r, take_u32(r));
    }
}

/* --- text ---------------------------------------------------------------------------------------- */

void resource_uid_text(uint64_t uid, char text[RESOURCE_UID_SIZE])
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxy012345678";
    char reversed[RESOURCE_UID_SIZE];
    size_t count = 0, length = 0;
    if (!(uid >> 63)) {
        memcpy(text, "uid://", length = 6);
        do {
            reversed[count++] = digits[uid % 34];
            uid /= 34;
        } while (uid > 0);
    }
    while (count > 0) {
        text[length++] = reversed[--count];
    }
    text[length] = 0;
}

static void write_string(reader *r, slice s)
{
    output_quoted(r->out, s.text, s.length);
}

static void write_uid(reader *r, uint64_t uid)
{
    char text[RESOURCE_UID_SIZE];
    resource_uid_text(uid, text);
    if (*text) {
        output_text(r->out, " uid=\"");
        output_text(r->out, text);
        output_text(r->out, "\"");
    }
}

/* "/A/B:c:d" */
static void write_node_path(reader *r)
{
    output path = {.limit = RESOURCE_TEXT_MAX};
    uint32_t counts = take_u32(r), names = counts & 0xffff, subnames = counts >> 16 & 0x7fff;
    output_text(&path, counts & 0x80000000u ? "/" : "");
    for (uint32_t i = 0; i < names + subnames && !r->failed && !path.failed; i++) {
        slice name = take_name(r);
        output_text(&path, i >= names ? ":" : i > 0 ? "/" : "");
        output_add(&path, name.text, name.length);
    }
    output_quoted(r->out, path.text, path.length);
    r->failed |= path.failed;
    free(path.text);
}

static void write_object(reader *r)
{
    uint32_t kind = take_u32(r), index = kind == OBJECT_INTERNAL || kind == OBJECT_EXTERNAL ? take_u32(r) : 0;
    if (kind == OBJECT_INTERNAL && index < r->internal_count) {
        output_text(r->out, "SubResource(");
        write_string(r, r->internals[index].id);
        output_text(r->out, ")");
    } else if (kind == OBJECT_EXTERNAL && index < r->external_count) {
        output_text(r->out, "ExtResource(\"");
        output_number(r->out, index);
        output_text(r->out, "\")");
    } else {
        output_text(r->out, "null");
    }
}

static void write_string_array(reader *r)
{
    output_text(r->out, "PackedStringArray(");
    for (uint32_t i = 0, count = take_count(r, 4); i < count && !r->failed; i++) {
        output_text(r->out, i ? ", " : "");
        write_string(r, take_string(r));
    }
    output_text(r->out, ")");
}

/* The value at `at`, if it is of a type that matters here. */
static void write_value(reader *r, size_t at)
{
    r->at = at;
    switch (take_u32(r)) {
    case TAG_BOOL:
        output_text(r->out, take_u32(r) ? "true" : "false");
        break;
    case TAG_INT:
        output_number(r->out, (int32_t)take_u32(r));
        break;
    case TAG_STRING:
    case TAG_STRING_NAME:
        write_string(r, take_string(r));
        break;
    case TAG_NODE_PATH:
        output_text(r->out, "NodePath(");
        write_node_path(r);
        output_text(r->out, ")");
        break;
    case TAG_OBJECT:
        write_object(r);
        break;
    case TAG_STRING_ARRAY:
        write_string_array(r);
        break;
    default:
        output_text(r->out, "null");
        break;
    }
}

static void write_property(reader *r, slice name, size_t at)
{
    output_add(r->out, name.text, name.length);
    output_text(r->out, " = ");
    write_value(r, at);
    output_text(r->out, "\n");
    r->failed |= r->out->failed;
}

/* --- scenes -------------------------------------------------------------------------------------- */

/* SceneState, as PackedScene::_bundled has it: places of the parts. */
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

static size_t *take_places(reader *r, uint32_t *count, uint32_t tag)
{
    if (take_u32(r) != tag) {
        r->failed = true;
        return NULL;
    }
    *count = take_count(r, 4);
    size_t *places = make_array(r, *count, sizeof *places);
    for (uint32_t i = 0; i < *count && !r->failed; i++) {
        places[i] = r->at;
        if (tag == TAG_STRING_ARRAY) {
            take_string(r);
        } else {
            skip_value(r);
        }
    }
    return places;
}

static void take_part(reader *r, scene_state *s, slice key)
{
    size_t at = r->at;
    if (slice_equals(key, "names") && !s->names) {
        s->names = take_places(r, &s->name_count, TAG_STRING_ARRAY);
    } else if (slice_equals(key, "variants") && !s->variants) {
        s->variants = take_places(r, &s->variant_count, TAG_ARRAY);
    } else if (slice_equals(key, "node_paths") && !s->paths) {
        s->paths = take_places(r, &s->path_count, TAG_ARRAY);
    } else if (slice_equals(key, "nodes") && take_u32(r) == TAG_INT32_ARRAY) {
        s->number_count = take_count(r, 4);
        s->numbers = take(r, 4 * (size_t)s->number_count);
    } else {
        r->at = at;
        skip_value(r);
    }
    size_t end = r->at;
    r->at = at;
    if (slice_equals(key, "node_count") && take_u32(r) == TAG_INT) {
        s->node_count = take_u32(r);
    } else if (slice_equals(key, "base_scene") && take_u32(r) == TAG_INT) {
        s->base = take_u32(r) + 1;
    }
    r->at = end;
}

static void take_state(reader *r, scene_state *s)
{
    if (take_u32(r) != TAG_DICTIONARY) {
        r->failed = true;
        return;
    }
    for (uint32_t left = take_u32(r) & 0x7fffffffu; left > 0 && !r->failed; left--) {
        uint32_t tag = take_u32(r);
        if (tag != TAG_STRING && tag != TAG_STRING_NAME) {
            r->failed = true;
            return;
        }
        take_part(r, s, take_string(r));
    }
}

static slice name_at(reader *r, const scene_state *s, uint32_t index)
{
    if (index >= s->name_count) {
        r->failed = true;
        return (slice){NULL, 0};
    }
    r->at = s->names[index];
    return take_string(r);
}

/* A node as it stands among the numbers. */
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
static void write_base(reader *r, const scene_state *s, uint32_t index, size_t begin)
{
    r->at = index < s->path_count ? s->paths[index] : r->length;
    if (take_u32(r) != TAG_NODE_PATH) {
        r->failed = true;
        return;
    }
    for (uint32_t left = take_u32(r) & 0xffff; left > 0 && !r->failed; left--) {
        slice name = take_name(r);
        if (!slice_equals(name, ".")) {
            output_text(r->out, r->out->length > begin ? "/" : "");
            output_add(r->out, name.text, name.length);
        }
    }
}

/* The path of the node's parent, from the scene's root on: "." or "A/B". */
static void write_parent(reader *r, const scene_state *s, const node *nodes, const node *n)
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

static void write_node(reader *r, const scene_state *s, const node *nodes, const node *n)
{
    uint32_t instance = has_parent(n) || !s->base ? n->instance : s->base - 1;
    output_text(r->out, "\n[node name=");
    write_string(r, name_at(r, s, n->name));
    if (n->type != INSTANTIATED) {
        output_text(r->out, " type=");
        write_string(r, name_at(r, s, n->type));
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
        write_value(r, s->variants[instance]);
    }
    output_text(r->out, "]\n");
    for (uint32_t i = 0; i < n->property_count && !r->failed; i++) {
        uint32_t name = le32(n->properties + 8 * (size_t)i) & PROPERTY_MASK,
                 value = le32(n->properties + 8 * (size_t)i + 4);
        slice property = name_at(r, s, name);
        if (value < s->variant_count && matters(property)) {
            write_property(r, property, s->variants[value]);
        }
    }
}

static void write_nodes(reader *r, const scene_state *s)
{
    uint32_t at = 0, count = 0, most = s->number_count / 6;
    node *nodes = make_array(r, most, sizeof *nodes);
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

static void write_scene(reader *r, size_t bundled)
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

/* --- resources ----------------------------------------------------------------------------------- */

/* A resource inside of the file; the last one is the one that the file is. They stand one after the other. */
static void write_resource(reader *r, const internal *resource, size_t end_of_file)
{
    size_t bundled = 0;
    bool main = resource + 1 == r->internals + r->internal_count;
    r->at = resource->offset;
    r->length = main ? end_of_file : resource[1].offset;
    if (r->at > r->length) {
        r->failed = true;
        return;
    }
    slice type = take_string(r);
    bool config = slice_equals(type, "SceneReplicationConfig"), script = slice_equals(type, "GDScript");
    if (main) {
        output_text(r->out, slice_equals(type, "PackedScene") ? "" : "[resource]\n");
    } else if (config || script) {
        output_text(r->out, "[sub_resource type=");
        write_string(r, type);
        output_text(r->out, " id=");
        write_string(r, resource->id);
        output_text(r->out, "]\n");
    } else {
        return;
    }
    for (uint32_t left = take_u32(r); left > 0 && !r->failed && !r->out->failed; left--) {
        slice name = take_name(r);
        size_t at = r->at;
        skip_value(r);
        size_t end = r->at;
        if ((config && slice_begins(name, "properties/")) ||
            (script && slice_equals(name, "script/source"))) {
            write_property(r, name, at);
            r->at = end;
        } else if (main && slice_equals(name, "_bundled")) {
            bundled = at;
        }
    }
    if (bundled) {
        write_scene(r, bundled);
    }
}

static void write_externals(reader *r)
{
    for (uint32_t i = 0; i < r->external_count; i++) {
        output_text(r->out, "[ext_resource type=");
        write_string(r, r->externals[i].type);
        write_uid(r, r->externals[i].uid);
        output_text(r->out, " path=");
        write_string(r, r->externals[i].path);
        output_text(r->out, " id=\"");
        output_number(r->out, i);
        output_text(r->out, "\"]\n");
    }
}

/* Up to the resources' places; returns the type of the file's own. */
static slice take_header(reader *r)
{
    static const char local[] = "local://";
    slice type = take_string(r);
    take(r, 8); /* the place of import settings, which are not written any more */
    r->flags = take_u32(r);
    r->uid = take_u64(r);
    if (r->flags & FLAG_SCRIPT_CLASS) {
        take_string(r);
    }
    take(r, RESERVED);
    r->string_count = take_count(r, 4);
    r->strings = make_array(r, r->string_count, sizeof *r->strings);
    for (uint32_t i = 0; i < r->string_count && !r->failed; i++) {
        r->strings[i] = take_string(r);
    }
    r->external_count = take_count(r, 8);
    r->externals = make_array(r, r->external_count, sizeof *r->externals);
    for (uint32_t i = 0; i < r->external_count && !r->failed; i++) {
        slice kind = take_string(r), path = take_string(r);
        r->externals[i] = (external){kind, path, r->flags & FLAG_UIDS ? take_u64(r) : UINT64_MAX};
    }
    r->internal_count = take_count(r, 12);
    r->internals = make_array(r, r->internal_count, sizeof *r->internals);
    for (uint32_t i = 0; i < r->internal_count && !r->failed; i++) {
        slice id = take_string(r);
        uint64_t offset = take_u64(r);
        if (r->failed) {
            break;
        }
        size_t before = slice_begins(id, local) ? sizeof local - 1 : 0;
        r->internals[i] = (internal){{id.text + before, id.length - before},
                                     offset < r->length ? (size_t)offset : r->length};
    }
    return type;
}

static void write_all(reader *r)
{
    slice type = take_header(r);
    size_t end = r->length;
    if (r->failed || r->internal_count == 0) {
        r->failed = true;
        return;
    }
    bool scene = slice_equals(type, "PackedScene");
    output_text(r->out, scene ? "[gd_scene" : "[gd_resource type=");
    if (!scene) {
        write_string(r, type);
    }
    write_uid(r, r->uid);
    output_text(r->out, "]\n");
    write_externals(r);
    for (uint32_t i = 0; i < r->internal_count && !r->failed; i++) {
        write_resource(r, &r->internals[i], end);
    }
}

/* `magic`: bytes of the magic number, which those of a compressed file do not have and offsets then do not
 * count. */
static bool plain_text(const uint8_t *bytes, size_t length, uint32_t magic, output *out)
{
    enum { AT_BYTE_ORDER = 0, AT_FORMAT = 16, HEADER = 20 };
    if (length < magic + HEADER || le32(bytes + magic + AT_BYTE_ORDER) != 0 ||
        le32(bytes + magic + AT_FORMAT) < FIRST_FORMAT || le32(bytes + magic + AT_FORMAT) > LAST_FORMAT) {
        return false;
    }
    reader r = {.bytes = bytes, .length = length, .at = magic + HEADER, .out = out};
    write_all(&r);
    free(r.strings);
    free(r.externals);
    free(r.internals);
    return !r.failed && !out->failed;
}

bool resource_binary_text(const uint8_t *bytes, size_t length, output *out)
{
    compressed_file file;
    out->limit = RESOURCE_TEXT_MAX;
    if (length >= 4 && memcmp(bytes, "RSRC", 4) == 0) {
        return plain_text(bytes, length, 4, out);
    }
    if (!compressed_file_read("RSCC", bytes, length, true, &file) || file.unpacked_size > RESOURCE_TEXT_MAX) {
        return false;
    }
    uint8_t *content = malloc((size_t)file.unpacked_size + 1);
    bool read = content && compressed_file_unpack(&file, bytes, length, content) &&
                plain_text(content, file.unpacked_size, 0, out);
    free(content);
    return read;
}
