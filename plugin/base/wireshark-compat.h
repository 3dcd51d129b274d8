/* wireshark-compat.h
 *
 * The one place for differences between Wireshark 4.0, 4.2, 4.4 and 4.6. Everything else is written with the
 * newest names; this header supplies them where they are missing. It brings wireshark.h and epan/packet.h,
 * so a dissector includes it first. (config.h is not for plugins: it describes Wireshark's own build.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WIRESHARK_COMPAT_H
#define WIRESHARK_COMPAT_H

#include <wireshark.h>

#define WS_AT_LEAST(major, minor)                                                                            \
    (WIRESHARK_VERSION_MAJOR > (major) ||                                                                    \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

#include <epan/packet.h>
#include <epan/tap.h>
#include <epan/tfs.h> /* 4.6: no longer part of packet.h */

#if WS_AT_LEAST(4, 4)
#include <wsutil/array.h>
#include <wsutil/plugins.h>
/* Booleans whose address libwireshark takes, or that one of its callbacks returns. */
typedef bool compat_bool;
#else
typedef gboolean compat_bool;
#define WS_PLUGIN_DESC_DISSECTOR  1u
#define WS_PLUGIN_DESC_FILE_TYPE  2u
#define tvb_get_uint8             tvb_get_guint8
#define tvb_get_uint16            tvb_get_guint16
#define tvb_get_uint32            tvb_get_guint32
#define tvb_get_uint64            tvb_get_guint64
#define tvb_get_int8              tvb_get_gint8
#define tvb_get_int16             tvb_get_gint16
#define tvb_get_int32             tvb_get_gint32
#define tvb_get_int64             tvb_get_gint64
#define tvb_child_uncompress_zlib tvb_child_uncompress
#define UNS(unit)                 (unit)
#define STATS_TREE_MENU_SEPARATOR "/"
#endif

/* Whether an HTTP conversation has negotiated a protocol or extensions of its WebSocket; not known in 4.6. */
#if WS_AT_LEAST(4, 6)
#define compat_websocket_negotiated(http) (false)
#else
#include <epan/dissectors/packet-http.h>
#define compat_websocket_negotiated(http)                                                                    \
    (((const http_conv_t *)(http))->websocket_protocol || ((const http_conv_t *)(http))->websocket_extensions)
#endif

/* compat_val_to_str(scope, value, strings, format) */
#if WS_AT_LEAST(4, 6)
#define compat_val_to_str val_to_str
#else
#define compat_val_to_str               val_to_str_wmem
#define dissector_try_payload_with_data dissector_try_payload_new
#define dissector_try_uint_with_data    dissector_try_uint_new
#define dissector_try_string_with_data  dissector_try_string_new
#endif

/* compat_strbuf_new(scope, size): an empty text that grows from `size` bytes on. */
#if WS_AT_LEAST(4, 2)
#define compat_strbuf_new wmem_strbuf_new_sized
#else
#define compat_strbuf_new(scope, size) wmem_strbuf_sized_new(scope, size, 0)
#endif

/* Whether plugins can add entries to a packet's context menu: funnel_register_packet_menu(). */
#define COMPAT_PACKET_MENUS WS_AT_LEAST(4, 2)

/* What a stat_tap_init_cb returns. */
#if WS_AT_LEAST(4, 6)
typedef bool compat_stat_started;
#define COMPAT_STAT_STARTED true
#else
typedef void compat_stat_started;
#define COMPAT_STAT_STARTED
#endif

/* Flow graphs: the declarations needed from epan/sequence_analysis.h, which Debian does not install. The
 * structures are the beginnings of libwireshark's, which allocates them itself. */
typedef struct {
    uint32_t frame_number;
    address src_addr;
    uint16_t port_src;
    address dst_addr;
    uint16_t port_dst;
    char *frame_label; /* on the arrow; this and the next two from g_malloc() */
    char *time_str;
    char *comment; /* beside the graph */
    uint16_t conv_num;
    unsigned fg_color, bg_color;
    compat_bool has_color_filter, display;
} compat_seq_item;

typedef struct {
    const char *name;
    compat_bool any_addr;
    int nconv;
    GQueue *items; /* of compat_seq_item */
} compat_seq_info;

WS_DLL_PUBLIC void register_seq_analysis(const char *name, const char *ui_name, const int proto_id,
                                         const char *tap_listener, unsigned tap_flags,
                                         tap_packet_cb tap_func);
/* With the packet's time and copies of its addresses; NULL if it has none. */
WS_DLL_PUBLIC compat_seq_item *sequence_analysis_create_sai_with_addresses(packet_info *pinfo,
                                                                           compat_seq_info *info);
WS_DLL_PUBLIC void sequence_analysis_use_color_filter(packet_info *pinfo, compat_seq_item *item);

/* compat_register_follow_stream(proto, tap, conversation filter, index filter, address filter, port to
 * display, tap handler, stream count, sub-stream id): the last two came with 4.2. */
#if WS_AT_LEAST(4, 2)
#define compat_register_follow_stream register_follow_stream
#else
#define compat_register_follow_stream(proto, tap, conv, index, addr, port, handler, count, sub)              \
    register_follow_stream(proto, tap, conv, index, addr, port, handler)
#endif

/* compat_register_conversation_filter(protocol, text in the menu, is valid, filter); its callbacks get the
 * packet and, from 4.2 on, data: they end their parameters with COMPAT_CONVERSATION_FILTER_DATA. */
#if WS_AT_LEAST(4, 2)
#define COMPAT_CONVERSATION_FILTER_DATA , void *user_data _U_
#define compat_register_conversation_filter(proto, text, is_valid, filter)                                   \
    register_conversation_filter(proto, text, is_valid, filter, NULL)
#else
#define COMPAT_CONVERSATION_FILTER_DATA
#define compat_register_conversation_filter register_conversation_filter
#endif

/* Where Wireshark throws because a frame has a million items, it begins to count again, so that the exception
 * can be shown. Where it throws for 50,000 items that begin no later than one before (4.6), it does not. */
#if WS_AT_LEAST(4, 6)
static inline void compat_restart_item_count(proto_tree *tree)
{
    if (tree) {
        PTREE_DATA(tree)->start_idle_count = 0;
    }
}
#else
#define compat_restart_item_count(tree) ((void)(tree))
#endif

#endif
