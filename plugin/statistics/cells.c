/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/cells.h"

#include <math.h>

void stat_cell_begin(stat_cell *cell, stat_tap_table_item_enum type, bool in_window)
{
    const bool number = type == TABLE_ITEM_FLOAT;
    cell->type = number && in_window && !WS_AT_LEAST(4, 6) ? TABLE_ITEM_STRING : type;
    if (cell->type == TABLE_ITEM_STRING) {
        cell->value.string_value = g_strdup("");
        cell->user_data.float_value = number ? 0 : (double)NAN;
    }
}

bool stat_cell_is_text(const stat_cell *cell)
{
    return cell->type == TABLE_ITEM_STRING && isnan(cell->user_data.float_value);
}

void stat_cell_set_text(stat_cell *cell, const char *text)
{
    g_free((char *)cell->value.string_value);
    cell->value.string_value = g_strdup(text);
}

void stat_cell_set_number(stat_cell *cell, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    cell->user_data.float_value = number;
    if (cell->type == TABLE_ITEM_STRING) {
        stat_cell_set_text(cell, g_ascii_formatd(text, sizeof text, "%12.2f", number));
    } else if (cell->type == TABLE_ITEM_FLOAT) {
        cell->value.float_value = number;
    } else {
        cell->value.uint_value = number >= UINT_MAX ? UINT_MAX : (unsigned)(number + 0.5);
    }
}

void stat_cell_add(stat_cell *cell, uint64_t amount)
{
    stat_cell_set_number(cell, cell->user_data.float_value + (double)amount);
}

double stat_cell_sum(const stat_cell *cell)
{
    return cell->user_data.float_value;
}
