/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/engine_text.h"

/* In a form, %n stands for a node's path, %m for a method, %p for a peer id, %a for a number of arguments and
 * %s for anything: each up to the character after it in the form. The text may go on after the form. */
static const struct {
    const char *form;
    unsigned kinds;
} forms[] = {
    {"RPC '%m' is not allowed on node %n from: %p.", ENGINE_CALL | ENGINE_CALL_BY_PATH},
    {"RSET '%m' is not allowed on node %n from: %p.", ENGINE_CALL | ENGINE_CALL_BY_PATH},
    {"RPC - '%s::%m': Method expected %s, but called with %a", ENGINE_CALL | ENGINE_CALL_BY_PATH},
    {"RPC - '%s::%m': Method", ENGINE_CALL | ENGINE_CALL_BY_PATH},
    {"Node not found: \"%n\" (relative to \"", ENGINE_CALL_BY_PATH | ENGINE_ANNOUNCEMENT},
    {"(Node not found: \"%n\" (relative to \"", ENGINE_CALL_BY_PATH | ENGINE_ANNOUNCEMENT},
    {"Failed to get path from RPC: %n.", ENGINE_CALL_BY_PATH},
    {"Failed to get cached path from RPC: %n.", ENGINE_CALL_BY_PATH},
    {"The rpc node checksum failed. Make sure to have the same methods on both nodes. Node path: %n",
     ENGINE_ANNOUNCEMENT},
};

/* The number at the beginning of `text`, -1: there is none, or it is too large. */
static int32_t read_number(slice text)
{
    int64_t number = 0;
    size_t i = 0;
    for (; i < text.length && text.text[i] >= '0' && text.text[i] <= '9' && number <= INT32_MAX; i++) {
        number = number * 10 + (text.text[i] - '0');
    }
    return i > 0 && number <= INT32_MAX ? (int32_t)number : -1;
}

/* Length of what a placeholder stands for: up to the last place of the literal text after it; with `first`,
 * up to the first one. */
static size_t length_before(const char *text, const char *literal, bool first)
{
    size_t length = strcspn(literal, "%"), last = SIZE_MAX;
    if (length == 0) {
        return strlen(text);
    }
    for (size_t i = 0; text[i]; i++) {
        if (strncmp(text + i, literal, length) == 0) {
            last = i;
            if (first) {
                break;
            }
        }
    }
    return last;
}

static bool fits(const char *form, const char *text, engine_text *names)
{
    for (; *form; form++) {
        if (*form != '%') {
            if (*text++ != *form) {
                return false;
            }
            continue;
        }
        char kind = *++form;
        size_t length = length_before(text, form + 1, kind != 'n');
        if (length == SIZE_MAX || (kind != 's' && length == 0)) {
            return false;
        }
        slice found = {text, length};
        if (kind == 'n') {
            names->node = found;
        } else if (kind == 'm') {
            names->method = found;
        } else if (kind == 'p') {
            names->sender = read_number(found) > 0 ? read_number(found) : 0;
        } else if (kind == 'a') {
            names->arguments = read_number(found);
        }
        text += length;
    }
    return true;
}

bool engine_text_read(const char *text, engine_text *names)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        *names = (engine_text){NO_SLICE, NO_SLICE, 0, -1, forms[i].kinds};
        if (!fits(forms[i].form, text, names)) {
            continue;
        }
        /* Who announces a path prints it as the tree has it, when the other end's confirmation says that the
         * methods differ. */
        if (forms[i].kinds == ENGINE_ANNOUNCEMENT && *names->node.text == '/') {
            names->kinds = ENGINE_CONFIRMATION;
        }
        return true;
    }
    return false;
}

bool engine_text_follows(const char *function)
{
    return strcmp(function, "process_simplify_path") == 0 || strcmp(function, "process_rpc") == 0;
}

bool engine_text_names_node(slice named, const char *node)
{
    static const char root[] = "/root/";
    slice other = slice_of(node);
    if (slice_begins(other, root)) {
        other = (slice){other.text + sizeof root - 1, other.length - (sizeof root - 1)};
    }
    if (other.length == 0 || named.length < other.length ||
        memcmp(named.text + named.length - other.length, other.text, other.length) != 0) {
        return false;
    }
    /* The whole name, or its end after a root. */
    return named.length == other.length ||
           (*named.text == '/' && named.text[named.length - other.length - 1] == '/');
}
