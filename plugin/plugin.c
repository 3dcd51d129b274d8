/* plugin.c
 *
 * What Wireshark's plugin loader looks for, and the list of dissectors in this plugin.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL /* before every include: the loader's symbols must be exported */
#include "base/wireshark-compat.h"

#include <epan/proto.h>

#include "base/memory.h"

/* One line per dissector. `register` of all of them runs before `handoff` of any. */
#ifdef ENET_ONLY
#define DISSECTORS(X) X(enet)
#else
#define DISSECTORS(X)                                                                                        \
    X(enet)                                                                                                  \
    X(godot)                                                                                                 \
    X(godot_debugger)                                                                                        \
    X(godot_file)                                                                                            \
    X(godot_recorder)                                                                                        \
    X(godot_stream)                                                                                          \
    X(godot_variant)
#endif

#define DECLARE(name)                                                                                        \
    void proto_register_##name(void);                                                                        \
    void proto_reg_handoff_##name(void);
DISSECTORS(DECLARE)

WS_DLL_PUBLIC_DEF const char plugin_version[] = PLUGIN_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

/* A protocol cannot be registered twice. With both modules installed, `enet` is that of godot.so, in any
 * order: all are loaded before the first one registers. Quarks are those of the process. */
#define HAS_ENET "godot-wireshark: a module with enet and more is loaded"

#ifdef ENET_ONLY
static bool wanted;

static void register_if_wanted(void)
{
    wanted = g_quark_try_string(HAS_ENET) == 0 && proto_get_id_by_filter_name("enet") < 0;
    if (wanted) {
        proto_register_enet();
    }
}

static void handoff_if_wanted(void)
{
    if (wanted) {
        proto_reg_handoff_enet();
    }
}

/* libwireshark keeps the pointer to each structure. */
static const proto_plugin plugins[] = {{register_if_wanted, handoff_if_wanted}};
#else
#define PLUGIN(name) {proto_register_##name, proto_reg_handoff_##name},
static const proto_plugin plugins[] = {DISSECTORS(PLUGIN)};
#endif

void plugin_register(void)
{
#ifndef ENET_ONLY
    (void)g_quark_from_string(HAS_ENET);
#endif
    hash_factor = (uint64_t)g_random_int() << 32 | g_random_int() | 1u;
    for (size_t i = 0; i < array_length(plugins); i++) {
        proto_register_plugin(&plugins[i]);
    }
}

uint32_t plugin_describe(void)
{
    return WS_PLUGIN_DESC_DISSECTOR;
}
