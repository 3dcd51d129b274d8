/* compare.h
 *
 * tshark's `-z PREFIX,compare,BASELINE.csv[,FILTER]`: compares a table with a file that the same table wrote
 * for another capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_COMPARE_H
#define STAT_COMPARE_H

/* `option`: "godot,compare". Any registered table with a column "Wire bytes/s" can be compared, by that. */
void stat_compare_register(const char *option);

#endif
