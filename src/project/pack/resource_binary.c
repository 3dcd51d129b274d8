/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/pack/resource_binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/compressed_file.h"
#include "project/pack/resource_reader.h"

enum { LAST_FORMAT = 6, FIRST_FORMAT = 5 }; /* 4.0 to 4.6 */
enum { RESERVED = 11 * 4 };

/* A resource inside of the file; the last one is the main resource. They follow each other. */
static void write_resource(resource_reader *r, const resource_internal *resource, size_t end_of_file)
{
    size_t bundled = 0;
    bool main = resource + 1 == r->internals + r->internal_count;
    r->at = resource->offset;
    r->length = main ? end_of_file : resource[1].offset;
    if (r->at > r->length) {
        r->failed = true;
        return;
    }
    slice type = resource_take_string(r);
    bool config = slice_equals(type, "SceneReplicationConfig"), script = slice_equals(type, "GDScript");
    if (main) {
        output_text(r->out, slice_equals(type, "PackedScene") ? "" : "[resource]\n");
    } else if (config || script) {
        output_text(r->out, "[sub_resource type=");
        resource_write_string(r, type);
        output_text(r->out, " id=");
        resource_write_string(r, resource->id);
        output_text(r->out, "]\n");
    } else {
        return;
    }
    for (uint32_t left = resource_take_u32(r); left > 0 && !r->failed && !r->out->failed; left--) {
        slice name = resource_take_name(r);
        size_t at = r->at;
        resource_skip_value(r);
        size_t end = r->at;
        if ((config && slice_begins(name, "properties/")) ||
            (script && slice_equals(name, "script/source"))) {
            resource_write_property(r, name, at);
            r->at = end;
        } else if (main && slice_equals(name, "_bundled")) {
            bundled = at;
        }
    }
    if (bundled) {
        resource_write_scene(r, bundled);
    }
}

static void write_externals(resource_reader *r)
{
    for (uint32_t i = 0; i < r->external_count; i++) {
        output_text(r->out, "[ext_resource type=");
        resource_write_string(r, r->externals[i].type);
        resource_write_uid(r, r->externals[i].uid);
        output_text(r->out, " path=");
        resource_write_string(r, r->externals[i].path);
        output_text(r->out, " id=\"");
        output_number(r->out, i);
        output_text(r->out, "\"]\n");
    }
}

/* Up to the resources' places; returns the type of the file's own. */
static slice take_header(resource_reader *r)
{
    static const char local[] = "local://";
    slice type = resource_take_string(r);
    resource_take(r, 8); /* offset of import settings, which are not written any more */
    r->flags = resource_take_u32(r);
    r->uid = resource_take_u64(r);
    if (r->flags & FLAG_SCRIPT_CLASS) {
        resource_take_string(r);
    }
    resource_take(r, RESERVED);
    r->string_count = resource_take_count(r, 4);
    r->strings = resource_make_array(r, r->string_count, sizeof *r->strings);
    for (uint32_t i = 0; i < r->string_count && !r->failed; i++) {
        r->strings[i] = resource_take_string(r);
    }
    r->external_count = resource_take_count(r, 8);
    r->externals = resource_make_array(r, r->external_count, sizeof *r->externals);
    for (uint32_t i = 0; i < r->external_count && !r->failed; i++) {
        slice kind = resource_take_string(r), path = resource_take_string(r);
        r->externals[i] =
            (resource_external){kind, path, r->flags & FLAG_UIDS ? resource_take_u64(r) : UINT64_MAX};
    }
    r->internal_count = resource_take_count(r, 12);
    r->internals = resource_make_array(r, r->internal_count, sizeof *r->internals);
    for (uint32_t i = 0; i < r->internal_count && !r->failed; i++) {
        slice id = resource_take_string(r);
        uint64_t offset = resource_take_u64(r);
        if (r->failed) {
            break;
        }
        size_t before = slice_begins(id, local) ? sizeof local - 1 : 0;
        r->internals[i] = (resource_internal){{id.text + before, id.length - before},
                                              offset < r->length ? (size_t)offset : r->length};
    }
    return type;
}

static void write_all(resource_reader *r)
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
        resource_write_string(r, type);
    }
    resource_write_uid(r, r->uid);
    output_text(r->out, "]\n");
    write_externals(r);
    for (uint32_t i = 0; i < r->internal_count && !r->failed; i++) {
        write_resource(r, &r->internals[i], end);
    }
}

/* `magic`: length of the magic number; 0 in a compressed file, where it is missing and not counted in
 * offsets. */
static bool plain_text(const uint8_t *bytes, size_t length, uint32_t magic, output *out)
{
    enum { AT_BYTE_ORDER = 0, AT_FORMAT = 16, HEADER = 20 };
    if (length < magic + HEADER || le32(bytes + magic + AT_BYTE_ORDER) != 0 ||
        le32(bytes + magic + AT_FORMAT) < FIRST_FORMAT || le32(bytes + magic + AT_FORMAT) > LAST_FORMAT) {
        return false;
    }
    resource_reader r = {.bytes = bytes, .length = length, .at = magic + HEADER, .out = out};
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
