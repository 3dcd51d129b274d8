/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/pack/resource_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

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

const uint8_t *resource_take(resource_reader *r, size_t length)
{
    if (r->failed || length > r->length - r->at) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *piece = r->bytes + r->at;
    r->at += length;
    return piece;
}

uint32_t resource_take_u32(resource_reader *r)
{
    const uint8_t *piece = resource_take(r, 4);
    return piece ? le32(piece) : 0;
}

uint64_t resource_take_u64(resource_reader *r)
{
    const uint8_t *piece = resource_take(r, 8);
    return piece ? le64(piece) : 0;
}

uint32_t resource_take_count(resource_reader *r, size_t size)
{
    uint32_t count = resource_take_u32(r);
    if (count > (r->length - r->at) / size) {
        r->failed = true;
        return 0;
    }
    return count;
}

static slice take_text(resource_reader *r, uint32_t length)
{
    const char *text = (const char *)resource_take(r, length);
    return (slice){text ? text : "", text && length > 0 ? length - 1 : 0};
}

slice resource_take_string(resource_reader *r)
{
    return take_text(r, resource_take_u32(r));
}

slice resource_take_name(resource_reader *r)
{
    uint32_t index = resource_take_u32(r);
    if (index & 0x80000000u) {
        return take_text(r, index & 0x7fffffffu);
    }
    if (index >= r->string_count) {
        r->failed = true;
        return (slice){NULL, 0};
    }
    return r->strings[index];
}

void *resource_make_array(resource_reader *r, uint32_t count, size_t size)
{
    void *array = calloc((size_t)count + 1, size);
    if (!array) {
        r->failed = true;
    }
    return array;
}

/* Skips a value after its tag; returns the number of values in it. */
static uint64_t skip_content(resource_reader *r, uint32_t tag)
{
    if (tag < TAG_COUNT && sizes[tag].known) {
        size_t size = sizes[tag].bytes + (size_t)sizes[tag].reals * (r->flags & FLAG_DOUBLE ? 8 : 4);
        uint32_t count = sizes[tag].array ? resource_take_count(r, size) : 1;
        resource_take(r, count * size);
        return 0;
    }
    switch (tag) {
    case TAG_STRING:
    case TAG_STRING_NAME:
        resource_take_string(r);
        return 0;
    case TAG_NODE_PATH: {
        uint32_t counts = resource_take_u32(r);
        for (uint32_t left = (counts & 0xffff) + (counts >> 16 & 0x7fff); left > 0 && !r->failed; left--) {
            resource_take_name(r);
        }
        return 0;
    }
    case TAG_OBJECT: {
        uint32_t kind = resource_take_u32(r);
        if (kind == OBJECT_EXTERNAL_PATH) {
            resource_take_string(r);
            resource_take_string(r);
        } else if (kind != OBJECT_NONE) {
            resource_take(r, 4);
        }
        return 0;
    }
    case TAG_DICTIONARY:
        return 2 * (uint64_t)(resource_take_u32(r) & 0x7fffffffu);
    case TAG_ARRAY:
        return resource_take_u32(r) & 0x7fffffffu;
    case TAG_BYTES: {
        uint32_t count = resource_take_u32(r);
        resource_take(r, ((size_t)count + 3) & ~(size_t)3);
        return 0;
    }
    case TAG_STRING_ARRAY:
        for (uint32_t left = resource_take_count(r, 4); left > 0 && !r->failed; left--) {
            resource_take_string(r);
        }
        return 0;
    default:
        r->failed = true;
        return 0;
    }
}

void resource_skip_value(resource_reader *r)
{
    for (uint64_t left = 1; left > 0 && !r->failed; left--) {
        left += skip_content(r, resource_take_u32(r));
    }
}

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

void resource_write_string(resource_reader *r, slice s)
{
    output_quoted(r->out, s.text, s.length);
}

void resource_write_uid(resource_reader *r, uint64_t uid)
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
static void write_node_path(resource_reader *r)
{
    output path = {.limit = RESOURCE_TEXT_MAX};
    uint32_t counts = resource_take_u32(r), names = counts & 0xffff, subnames = counts >> 16 & 0x7fff;
    output_text(&path, counts & 0x80000000u ? "/" : "");
    for (uint32_t i = 0; i < names + subnames && !r->failed && !path.failed; i++) {
        slice name = resource_take_name(r);
        output_text(&path, i >= names ? ":" : i > 0 ? "/" : "");
        output_add(&path, name.text, name.length);
    }
    output_quoted(r->out, path.text, path.length);
    r->failed |= path.failed;
    free(path.text);
}

static void write_object(resource_reader *r)
{
    uint32_t kind = resource_take_u32(r),
             index = kind == OBJECT_INTERNAL || kind == OBJECT_EXTERNAL ? resource_take_u32(r) : 0;
    if (kind == OBJECT_INTERNAL && index < r->internal_count) {
        output_text(r->out, "SubResource(");
        resource_write_string(r, r->internals[index].id);
        output_text(r->out, ")");
    } else if (kind == OBJECT_EXTERNAL && index < r->external_count) {
        output_text(r->out, "ExtResource(\"");
        output_number(r->out, index);
        output_text(r->out, "\")");
    } else {
        output_text(r->out, "null");
    }
}

static void write_string_array(resource_reader *r)
{
    output_text(r->out, "PackedStringArray(");
    for (uint32_t i = 0, count = resource_take_count(r, 4); i < count && !r->failed; i++) {
        output_text(r->out, i ? ", " : "");
        resource_write_string(r, resource_take_string(r));
    }
    output_text(r->out, ")");
}

void resource_write_value(resource_reader *r, size_t at)
{
    r->at = at;
    switch (resource_take_u32(r)) {
    case TAG_BOOL:
        output_text(r->out, resource_take_u32(r) ? "true" : "false");
        break;
    case TAG_INT:
        output_number(r->out, (int32_t)resource_take_u32(r));
        break;
    case TAG_STRING:
    case TAG_STRING_NAME:
        resource_write_string(r, resource_take_string(r));
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

void resource_write_property(resource_reader *r, slice name, size_t at)
{
    output_add(r->out, name.text, name.length);
    output_text(r->out, " = ");
    resource_write_value(r, at);
    output_text(r->out, "\n");
    r->failed |= r->out->failed;
}
