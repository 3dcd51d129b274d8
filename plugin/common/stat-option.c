/* stat-option.c
 *
 * See common/stat-option.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/stat-option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

bool stat_is_tshark(void)
{
    return g_strcmp0(g_get_prgname(), "tshark") == 0;
}

void stat_refuse(const char *argument, const char *why)
{
    fprintf(stderr, "tshark: -z %s: %s\n", argument, why);
    exit(1);
}

void stat_file_failed(const char *path)
{
    fprintf(stderr, "tshark: The file \"%s\" could not be written: %s\n", path, g_strerror(errno));
}
