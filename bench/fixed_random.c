/* A library to preload when instructions are counted: GLib's random numbers are constant, so that hash tables
 * of Wireshark and of the plugin have the same order in each run. Otherwise, their collisions change the cost
 * of a frame by a percent.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
unsigned g_random_int(void);

__attribute__((visibility("default"))) unsigned g_random_int(void)
{
    return 0x9e3779b1u;
}
