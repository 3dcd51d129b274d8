/* option.h
 *
 * What the options of tshark's -z have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_OPTION_H
#define STAT_OPTION_H

#include <stdbool.h>
#include <stdio.h>

/* Whether this is tshark: the window has menus, and shows texts by itself. */
bool stat_is_tshark(void);

/* Ends the program: the `argument` of -z cannot be used. */
void stat_refuse(const char *argument, const char *why);

/* What follows `option` ("godot,summary") and a comma in the `argument` of -z; NULL: it ends there. Wireshark
 * takes any argument that begins with the option: of another one the program ends. */
const char *stat_option_rest(const char *argument, const char *option);

/* When everything was written into the `file` at `path` that -z names. If it is not there as a whole (a full
 * disk), the program ends with status 2, as a statistic cannot make tshark's own another one, and the file is
 * emptied and removed: a part of it is not to be taken for all. */
void stat_file_complete(FILE *file, const char *path);

#endif
