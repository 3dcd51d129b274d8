/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/key.h"

#include <string.h>

void godot_key_begin(wmem_strbuf_t *key, char kind)
{
    wmem_strbuf_truncate(key, 0);
    wmem_strbuf_append_c(key, kind);
}

/* Six bits in each character, and a blank, which is none of them. */
void godot_key_number(wmem_strbuf_t *key, uint64_t number)
{
    char digits[12];
    size_t count = 0;
    for (; number; number >>= 6) {
        digits[count++] = (char)('0' + (number & 63));
    }
    digits[count++] = ' ';
    wmem_strbuf_append_len(key, digits, count);
}

/* Its length before it: no two texts can be read as two others. */
void godot_key_text(wmem_strbuf_t *key, const char *text)
{
    size_t length = strlen(text);
    godot_key_number(key, length);
    wmem_strbuf_append_len(key, text, length);
}
