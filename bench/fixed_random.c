/* A library to preload when instructions are counted: GLib's random numbers are one and the same, so that tables by hash, of Wireshark and
 * of the plugin, have the same order in each run. Their collisions change what a frame takes by a percent otherwise.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
unsigned g_random_int(void);

__attribute__((visibility("default"))) unsigned g_random_int(void)
{
    return 0x9e3779b1u;
}
