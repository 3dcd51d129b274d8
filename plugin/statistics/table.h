/* table.h
 *
 * Statistics that are tables: sortable in the window (menu Statistics), sorted and aligned in tshark, or
 * written into a file (`-z godot,bandwidth,FILE.csv`). Wireshark's own table (epan/stat_tap_ui.h) keeps the
 * cells; this adds rows that are found by a key, sums that do not overflow, and the printing.
 *
 * A window is first sorted by its first column, ascending, so windows have an additional first column with
 * the rank. Columns are as wide as their contents, so numbers come first and the longest text last.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_TABLE_H
#define STAT_TABLE_H

#include "base/wireshark-compat.h"

#include "statistics/cells.h"

/* Default limit on the rows of a table; everything beyond it is counted in one row. Hostile traffic can have
 * any number of names. */
#define STAT_TABLE_MAX_ROWS 4000u
#define STAT_TABLE_UNSORTED UINT_MAX

/* The last column of a table whose rows have display filters. In tshark only if the table requests it,
 * because it doubles the width of lines. */
#define STAT_TABLE_FILTER TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Filter", "%s"

/* A title that files of earlier versions have. */
typedef struct {
    const char *title;
    unsigned table;
} stat_former_title;

typedef struct {
    stat_tap_table_ui ui;      /* its packet_func gets a stat_data_t as its data */
    const char *const *titles; /* one for each table */
    const char *other_option;  /* of -z, which means the same; NULL: none */
    unsigned title_count;
    const stat_former_title *former; /* `former_count`; NULL: none */
    unsigned former_count;
    bool prints_filters;                    /* tshark has its column STAT_TABLE_FILTER, too */
    unsigned max_rows;                      /* 0: STAT_TABLE_MAX_ROWS */
    unsigned sort_column;                   /* rows with more of this come first; STAT_TABLE_UNSORTED */
    void (*start)(void);                    /* when the statistic is begun; NULL: nothing to do */
    void *(*begin)(wmem_allocator_t *pool); /* makes `state`; NULL: there is none */
    void *state;                            /* the statistic's own data besides the cells */
    wmem_allocator_t *pool;                 /* freed with `state`; NULL: there is none */
    void (*derive)(stat_cell *row); /* fills the cells that follow from others; NULL: there are none */
    /* Completes the texts of a row that is printed, written or compared: what was not known when it was made.
     * NULL: all was. */
    void (*complete)(stat_cell *row);
    double (*concurrent)(void); /* mean number of connections, for CSV; 0: not known. NULL: not written */
    /* Returns the heading of a column for this capture; NULL: its name. */
    const char *(*heading)(const char *name);
    /* tshark: reads a number before the filter into `option`; returns the filter, NULL if there is none.
     * NULL: the table has no option. */
    const char *(*take_option)(const char *text, double *option, const char **error);
    double option;      /* initially the default */
    bool in_window;     /* its rows are those of Wireshark's windows, not of tshark or a copy */
    GHashTable **rows;  /* of each table: key → number of the row */
    GPtrArray **order;  /* windows: of each table, cells of its rows by their rank; NULL: rows have none */
    GPtrArray *earlier; /* tables of windows that are open; NULL: none yet */
} stat_table;

/* First text of a CSV file's last line: the mean number of connections, with which rates of two files can be
 * compared. */
#define STAT_TABLE_CONCURRENT "Connections at a time"

/* The members that each table sets. `packet`: gets what the tap `tap` has; `option`: "godot,bandwidth";
 * `columns`, `names`: arrays, of the columns and the titles. */
#define STAT_TABLE(name, option, tap, packet, columns, names)                                                \
    .ui = {.group = REGISTER_PACKET_STAT_GROUP_UNSORTED,                                                     \
           .title = name,                                                                                    \
           .tap_name = tap,                                                                                  \
           .cli_string = option,                                                                             \
           .packet_func = packet,                                                                            \
           .nfields = array_length(columns),                                                                 \
           .fields = columns},                                                                               \
    .titles = names, .title_count = array_length(names)

void stat_table_register(stat_table *table);

/* The table that a packet_func was called for. */
stat_table *stat_table_of(void *tap_data);

/* Finds or creates the row with this key in table `index`; a new one has sums 0 and empty texts. If there are
 * too many, returns the row "(other)". */
stat_cell *stat_table_row(stat_table *table, unsigned index, const char *key);

/* Resets `state`, before the packets are read again. */
void stat_table_restart(stat_table *table);

/* To be called when the `sort_column` of a row of table `index` has grown: updates its rank. */
void stat_table_rank(stat_table *table, unsigned index, stat_cell *row);

/* The tables in the order in which they were registered; NULL: there are no more. */
const stat_table *stat_table_registered(unsigned number);
/* The columns that tshark has, `count`; a window has a rank before them and may have a filter after them. */
const stat_tap_table_item *stat_table_columns(const stat_table *table, unsigned *count);
/* A copy without rows and ranks, to be freed with stat_table_free(). */
stat_table *stat_table_copy(const stat_table *registered);
void stat_table_free(stat_table *copy);
/* Row `number` of table `index`, NULL: there are no more. */
stat_cell *stat_table_cells(const stat_table *table, unsigned index, unsigned number);

/* Whether this is the row "(other)", in which only sums are valid. */
bool stat_row_is_other(const stat_cell *row);

/* The display filter that shows the frames of a row, in the last column; a table without one has no use for
 * it. */
void stat_row_set_filter(const stat_table *table, stat_cell *row, const char *filter);

#endif
