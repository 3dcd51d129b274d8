/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/bytes.h"
#include "project/authority/lines.h"

/* `key`: "autoload/Net", "application/run/main_scene"; `value`: "*res://net.gd". */
static void read_setting(authority_lines *a, uint32_t root, slice key, slice value)
{
    static const char autoload[] = "autoload/";
    slice name = {key.text + sizeof autoload - 1, key.length - (sizeof autoload - 1)};
    if (value.length > 0 && *value.text == '*') { /* as a global variable */
        value = (slice){value.text + 1, value.length - 1};
    }
    if (slice_equals(key, "application/run/main_scene")) {
        authority_add_autoload(a, root, slice_of(""), value);
    } else if (slice_begins(key, autoload)) {
        authority_add_autoload(a, root, name, value);
    }
}

/* [section], then name="value". */
static void read_text(authority_lines *a, uint32_t root, slice text)
{
    static const char *const sections[] = {"[autoload]", "[application]"};
    static const char *const prefixes[] = {"autoload/", "application/"};
    const char *end = text.text + text.length, *prefix = NULL;
    for (const char *at = text.text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        slice line = {at, (size_t)((newline ? newline : end) - at)};
        const char *sign = memchr(at, '=', line.length);
        const char *open = sign ? memchr(sign, '"', (size_t)(at + line.length - sign)) : NULL;
        const char *close = open ? memchr(open + 1, '"', (size_t)(at + line.length - open - 1)) : NULL;
        if (slice_begins(line, "[")) {
            prefix = slice_begins(line, sections[0])   ? prefixes[0]
                     : slice_begins(line, sections[1]) ? prefixes[1]
                                                       : NULL;
        } else if (prefix && close) {
            const char *key =
                pool_join(&a->pool, slice_of(prefix), (slice){at, (size_t)(sign - at)}, NO_SLICE, NO_SLICE);
            read_setting(a, root, slice_of(key), (slice){open + 1, (size_t)(close - open - 1)});
        }
        at = newline ? newline + 1 : end;
    }
}

/* "ECFG", number of settings; of each the key, the bytes of its value, a Variant, both with their length
 * before (core/config/project_settings.cpp). */
static void read_binary(authority_lines *a, uint32_t root, const uint8_t *bytes, size_t length)
{
    enum { HEADER = 8, TYPE_STRING = 4 };
    for (size_t at = HEADER; at + 4 <= length;) {
        size_t key = le32(bytes + at), left = length - at - 4;
        if (key > left || left - key < 4) {
            return;
        }
        const uint8_t *value = bytes + at + 4 + key + 4;
        size_t size = le32(value - 4);
        if (size > left - key - 4) {
            return;
        }
        if (size >= 8 && le32(value) == TYPE_STRING && le32(value + 4) <= size - 8) {
            read_setting(a, root, (slice){(const char *)bytes + at + 4, key},
                         (slice){(const char *)value + 8, le32(value + 4)});
        }
        at += 8 + key + size;
    }
}

void authority_read_settings(authority_lines *a, uint32_t root, const uint8_t *bytes, size_t length)
{
    if (length >= 4 && memcmp(bytes, "ECFG", 4) == 0) {
        read_binary(a, root, bytes, length);
    } else {
        read_text(a, root, (slice){(const char *)bytes, length});
    }
}
