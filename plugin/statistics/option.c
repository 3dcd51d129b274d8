/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epan/stat_tap_ui.h>
#include <glib/gstdio.h>

bool stat_is_tshark(void)
{
    return g_strcmp0(g_get_prgname(), "tshark") == 0;
}

void stat_option_register(const char *title, const char *option,
                          compat_stat_started (*start)(const char *argument, void *data), void *data)
{
    stat_tap_ui ui = {.group = REGISTER_PACKET_STAT_GROUP_UNSORTED,
                      .title = title,
                      .cli_string = option,
                      .tap_init_cb = start};
    register_stat_tap_ui(&ui, data);
}

void stat_refuse(const char *argument, const char *why)
{
    fprintf(stderr, "%s: -z %s: %s\n", g_get_prgname(), argument, why);
    exit(1);
}

const char *stat_option_rest(const char *argument, const char *option)
{
    const char *rest = argument + strlen(option);
    if (*rest && *rest != ',') {
        char *why = g_strdup_printf("After \"%s\" comes a comma, or nothing", option);
        stat_refuse(argument, why);
    }
    return *rest ? rest + 1 : NULL;
}

void stat_file_complete(FILE *file, const char *path)
{
    enum { FAILED = 2 };
    bool written = fflush(file) == 0 && !ferror(file);
    if (written) {
        return;
    }
    fprintf(stderr, "tshark: The file \"%s\" could not be written: %s\n", path, g_strerror(errno));
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
        file = g_freopen(path, "wb", file);
        (void)g_remove(path);
    }
    exit(FAILED);
}
