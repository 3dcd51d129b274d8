/* structures.c
 *
 * Prints the offsets of members of Wireshark's structures whose headers are not installed everywhere: as the
 * plugin declares them or, with THEIRS, as Wireshark's sources do. script/new-wireshark compares the two.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <stdio.h>

#ifdef THEIRS
#include <wireshark.h>
#include <epan/packet.h>
#include <epan/sequence_analysis.h>
#include <wiretap/wtap-int.h>
typedef seq_analysis_item_t compat_seq_item;
typedef seq_analysis_info_t compat_seq_info;
#else
#include "framing/wiretap-layout.h"
#endif

#define SHOW(type, member)                                                                                   \
    printf("%s.%s: %zu, %zu bytes\n", #type, #member, offsetof(type, member), sizeof(((type *)0)->member))

int main(void)
{
    SHOW(struct wtap, fh);
    SHOW(struct wtap, random_fh);
    SHOW(struct wtap, file_type_subtype);
    SHOW(struct wtap, snapshot_length);
    SHOW(struct wtap, priv);
    SHOW(struct wtap, subtype_read);
    SHOW(struct wtap, subtype_seek_read);
    SHOW(struct wtap, subtype_close);
    SHOW(struct wtap, file_encap);
    SHOW(struct wtap, file_tsprec);
    SHOW(compat_seq_item, frame_number);
    SHOW(compat_seq_item, port_src);
    SHOW(compat_seq_item, port_dst);
    SHOW(compat_seq_item, frame_label);
    SHOW(compat_seq_item, comment);
    SHOW(compat_seq_item, conv_num);
    SHOW(compat_seq_item, has_color_filter);
    SHOW(compat_seq_item, display);
    SHOW(compat_seq_info, nconv);
    SHOW(compat_seq_info, items);
    return 0;
}
