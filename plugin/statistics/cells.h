/* cells.h
 *
 * Cells of a statistic's table, as Wireshark's windows show them.
 *
 * Before 4.6 windows show six decimals, whatever the format: there, cells with decimals are texts, with
 * blanks in front so that they are sorted as numbers. Other texts have no number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_CELLS_H
#define STAT_CELLS_H

#include "base/wireshark-compat.h"

#include <epan/stat_tap_ui.h>

typedef stat_tap_table_item_type stat_cell;

/* A new cell, with the number 0 or an empty text. */
void stat_cell_begin(stat_cell *cell, stat_tap_table_item_enum type, bool in_window);
/* Whether it has a text that is no number. */
bool stat_cell_is_text(const stat_cell *cell);

void stat_cell_set_text(stat_cell *cell, const char *text);
void stat_cell_set_number(stat_cell *cell, double number);
/* Adds to a cell of type TABLE_ITEM_UINT; a sum beyond its range is shown as the largest number. */
void stat_cell_add(stat_cell *cell, uint64_t amount);
/* The sum in a cell, exact up to 2^53. */
double stat_cell_sum(const stat_cell *cell);

#endif
