/* wiretap-layout.h
 *
 * `struct wtap` as far as a file reader fills it in. Wireshark 4.6 installs a header for that
 * (wtap_module.h); the development packages of 4.0 to 4.4 lack it, although the functions a reader registers
 * with are exported. The members before those that are used are declared for each series, so that these have
 * their offsets; a test opens a file in each series. Source of the layouts: wiretap/wtap-int.h of the series.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WIRETAP_LAYOUT_H
#define WIRETAP_LAYOUT_H

#include "base/wireshark-compat.h"

#include <epan/epan.h>
#include <wiretap/wtap.h>
#include <wsutil/buffer.h>

#if WS_AT_LEAST(4, 6)
#include <wiretap/file_wrappers.h>
#include <wiretap/wtap_module.h>
#else

/* From wiretap/file_wrappers.h, which does not compile without a header that the packages lack. */
extern int file_read(void *buf, unsigned int count, FILE_T file);
extern int file_error(FILE_T fh, char **err_info);

#if WS_AT_LEAST(4, 2) && !WS_AT_LEAST(4, 4)
#error "the layout of struct wtap in Wireshark 4.2 has not been checked"
#endif

typedef compat_bool (*subtype_read_func)(struct wtap *, wtap_rec *, Buffer *, int *, char **, int64_t *);
typedef compat_bool (*subtype_seek_read_func)(struct wtap *, int64_t, wtap_rec *, Buffer *, int *, char **);

struct wtap {
    FILE_T fh;
    FILE_T random_fh;
    compat_bool ispipe;
    int file_type_subtype;
    unsigned snapshot_length;
    GArray *section_headers;
#if WS_AT_LEAST(4, 4)
    GArray *section_interfaces;
#endif
    GArray *interface_data;
    unsigned next_interface_data;
    GArray *name_resolution;
    GArray *decryption_secrets;
#if WS_AT_LEAST(4, 4)
    GArray *meta_events;
#endif
    char *pathname;
    void *priv; /* freed by wtap_close() with g_free() */
    void *lua_data;
    subtype_read_func subtype_read;
    subtype_seek_read_func subtype_seek_read;
    void (*subtype_sequential_close)(struct wtap *);
    void (*subtype_close)(struct wtap *);
    int file_encap;
    int file_tsprec;
    /* more, not used by readers */
};

#endif

/* Whether this Wireshark is of the series whose layout was compiled in. The plugin loader compares them, too;
 * it is checked again because a wrong layout would overwrite other memory. */
static inline bool wiretap_layout_is_of_this_series(void)
{
    int major = 0, minor = 0, micro = 0;
    epan_get_version_number(&major, &minor, &micro);
    return major == WIRESHARK_VERSION_MAJOR && minor == WIRESHARK_VERSION_MINOR;
}

/* Whether the members that wiretap sets before it calls a reader have the expected values in this layout. */
static inline bool wiretap_layout_fits(const struct wtap *wth)
{
    return wth->fh && wth->file_encap == WTAP_ENCAP_UNKNOWN && wth->file_tsprec == WTAP_TSPREC_USEC &&
           !wth->priv;
}

#endif
