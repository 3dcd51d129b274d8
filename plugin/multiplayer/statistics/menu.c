/* menu.c
 *
 * Entries of a packet's context menu that filter the packets which belong to it (from Wireshark 4.2 on).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/funnel.h>

#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/filters.h"
#include "statistics/option.h"

#if COMPAT_PACKET_MENUS

/* The text of the packet's last field of this name, NULL: it has none. In a frame with several packets it is
 * that of the last one, as in the columns. */
static const char *text_of(const GPtrArray *fields, const char *name)
{
    for (unsigned i = fields->len; i > 0; i--) {
        const field_info *field = fields->pdata[i - 1];
        if (strcmp(field->hfinfo->abbrev, name) == 0 && FT_IS_STRING(field->hfinfo->type)) {
            return fvalue_get_string(field->value);
        }
    }
    return NULL;
}

/* As text_of(), of a number of a frame. 0: there is none. */
static uint32_t frame_of(const GPtrArray *fields, const char *name)
{
    for (unsigned i = fields->len; i > 0; i--) {
        const field_info *field = fields->pdata[i - 1];
        if (strcmp(field->hfinfo->abbrev, name) == 0) {
            return fvalue_get_uinteger(field->value);
        }
    }
    return 0;
}

static const char *filter_node(wmem_allocator_t *pool, const GPtrArray *fields)
{
    const char *path = text_of(fields, "godot.path");
    return path ? godot_filter_node_states(pool, path) : NULL;
}

static const char *filter_method(wmem_allocator_t *pool, const GPtrArray *fields)
{
    const char *method = text_of(fields, "godot.rpc.method");
    return method ? godot_filter_text(pool, "godot.rpc.method", method) : NULL;
}

static const char *filter_reply(wmem_allocator_t *pool, const GPtrArray *fields)
{
    uint32_t reply = frame_of(fields, "godot.response_in");
    return reply ? wmem_strdup_printf(pool, "frame.number == %u || godot.response_in == %u", reply, reply)
                 : NULL;
}

/* The node itself, or one that contains it: of a spawned scene, only the topmost node is spawned. */
static const char *filter_spawn(wmem_allocator_t *pool, const GPtrArray *fields)
{
    const char *path = text_of(fields, "godot.path");
    char *of = wmem_strdup(pool, path ? path : "");
    wmem_strbuf_t *any = wmem_strbuf_new(pool, "");
    while (*of) {
        wmem_strbuf_append_printf(any, "%s%s", wmem_strbuf_get_len(any) ? " || " : "",
                                  godot_filter_text(pool, "godot.path", of));
        char *slash = strrchr(of, '/');
        *(slash ? slash : of) = '\0';
    }
    return path ? wmem_strdup_printf(pool, "godot.spawn.name && (%s)", wmem_strbuf_get_str(any)) : NULL;
}

typedef struct {
    const char *name, *needs; /* in the menu; the fields a packet has to have */
    const char *(*filter)(wmem_allocator_t *pool, const GPtrArray *fields);
} menu_entry;

static const menu_entry entries[] = {
    {"Godot/All of This Node", "godot.path", filter_node},
    {"Godot/All Calls of This Method", "godot.rpc.method", filter_method},
    {"Godot/Its Reply", "godot.response_in", filter_reply},
    {"Godot/Where This Node Was Spawned", "godot.path", filter_spawn},
};

static void chosen(void *entry, GPtrArray *fields)
{
    const funnel_ops_t *window_system = funnel_get_funnel_ops();
    wmem_allocator_t *pool = wmem_allocator_new(WMEM_ALLOCATOR_SIMPLE);
    const char *filter = fields ? ((const menu_entry *)entry)->filter(pool, fields) : NULL;
    if (filter && window_system) {
        window_system->set_filter(window_system->ops_id, filter);
        window_system->apply_filter(window_system->ops_id);
    }
    wmem_destroy_allocator(pool);
}

void godot_menu_register(int proto _U_)
{
    for (size_t i = 0; !stat_is_tshark() && i < array_length(entries); i++) {
        funnel_register_packet_menu(entries[i].name, entries[i].needs, chosen, (void *)&entries[i], FALSE);
    }
}

#else

void godot_menu_register(int proto _U_)
{
}

#endif
