/* test-plugin.h
 *
 * The functions of a plugin module for tests; included by its only file, which defines plugin_register().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TEST_PLUGIN_H
#define TEST_PLUGIN_H

#include "base/wireshark-compat.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = "0";
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

uint32_t plugin_describe(void)
{
    return WS_PLUGIN_DESC_DISSECTOR;
}

#endif
