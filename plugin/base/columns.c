/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/columns.h"

#include <epan/to_str.h>

#include "base/registration.h"

static int hf_from = -1, hf_to = -1;

void ends_register(int proto)
{
    static hf_register_info fields[] = {
        {&hf_from,
         {"From", "godot.from", FT_STRING, BASE_NONE, NULL, 0x0,
          "Name of the peer, or its address and port, that the frame comes from; of a relayed "
          "packet, who called",
          HFILL}},
        {&hf_to,
         {"To", "godot.to", FT_STRING, BASE_NONE, NULL, 0x0,
          "Name of the peer, or its address and port, that the frame goes to; of a relayed packet, "
          "whom it is for",
          HFILL}},
    };
    proto_register_field_array(proto, fields, array_length(fields));
}

bool ends_wanted(proto_tree *tree)
{
    return tree && hf_from > 0 &&
           (proto_field_is_referenced(tree, hf_from) || proto_field_is_referenced(tree, hf_to));
}

static void add(proto_tree *tree, tvbuff_t *tvb, int field, const char *text)
{
    if (text) {
        proto_item *item = proto_tree_add_string(tree, field, tvb, 0, 0, text);
        proto_item_set_generated(item);
        proto_item_set_hidden(item);
    }
}

char *ends_socket_text(wmem_allocator_t *pool, const address *of, uint32_t port)
{
    const char *host = address_to_str(pool, of);
    return wmem_strdup_printf(pool, of->type == AT_IPv6 ? "[%s]:%u" : "%s:%u", host, port);
}

void ends_add(const packet_info *pinfo, proto_tree *tree, tvbuff_t *tvb, const char *from, const char *to)
{
    if (pinfo && (!from || !to) && ends_wanted(tree)) {
        bool quoted = pinfo->flags.in_error_pkt; /* in ICMP, by whom it was sent to */
        const char *source = ends_socket_text(pinfo->pool, quoted ? &pinfo->dst : &pinfo->src,
                                              quoted ? pinfo->destport : pinfo->srcport),
                   *destination = ends_socket_text(pinfo->pool, quoted ? &pinfo->src : &pinfo->dst,
                                                   quoted ? pinfo->srcport : pinfo->destport);
        from = from ? from : source;
        to = to ? to : destination;
    }
    add(tree, tvb, hf_from, from);
    add(tree, tvb, hf_to, to);
}
