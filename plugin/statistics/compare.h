/* compare.h
 *
 * Compares a table with a file that the same table wrote for another capture: *Godot Compare*, with the file
 * of the preference godot.compare.baseline, and tshark's `-z godot,compare,BASELINE.csv[,FILTER]`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_COMPARE_H
#define STAT_COMPARE_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>

/* `option`: "godot,compare". A registered table can be compared if it has a column "Wire bytes/s" and uses
 * the tap `godot` or `godot_message`. */
void stat_compare_register(const char *option, module_t *preferences);

#endif
