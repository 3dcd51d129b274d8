/* option.h
 *
 * Functions for the arguments of tshark's -z.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_OPTION_H
#define STAT_OPTION_H

#include "base/wireshark-compat.h"

#include <stdio.h>

/* Whether this is tshark, not Wireshark. */
bool stat_is_tshark(void);

/* Adds the option `-z option` and, in the window, whatever `start` shows. `data`: for `start`. */
void stat_option_register(const char *title, const char *option,
                          compat_stat_started (*start)(const char *argument, void *data), void *data);

/* Ends the program with a message about an invalid `argument` of -z. */
void stat_refuse(const char *argument, const char *why);

/* The rest of the `argument` of -z after `option` ("godot,summary") and a comma; NULL: there is none. Ends
 * the program if something else follows the option, since Wireshark only compares the beginning. */
const char *stat_option_rest(const char *argument, const char *option);

/* To be called when everything was written to the `file` at `path`. If writing has failed (disk full),
 * removes the file, so that an incomplete one is not used, and ends the program with status 2, because a
 * statistic cannot set tshark's exit status. */
void stat_file_complete(FILE *file, const char *path);

#endif
