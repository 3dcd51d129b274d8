/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/registration.h"

const char *filter_name(const char *prefix, const char *name, const char *component)
{
    wmem_strbuf_t *field = wmem_strbuf_new(wmem_epan_scope(), prefix);

    for (const char *c = name; *c; c++) {
        if (c > name && g_ascii_isupper(c[0]) && g_ascii_islower(c[1]) && g_ascii_isalnum(c[-1])) {
            wmem_strbuf_append_c(field, '_');
        }
        wmem_strbuf_append_c(field, g_ascii_isalnum(*c) ? g_ascii_tolower(*c) : '_');
    }
    if (component) {
        wmem_strbuf_append_printf(field, ".%s", component);
    }
    return wmem_strbuf_get_str(field);
}

void register_problems(expert_module_t *module, const char *prefix, const problem_facts *facts,
                       expert_field *fields, unsigned count)
{
    static const struct {
        int group, severity;
    } classes[] = {
        [PROBLEM_NOTE] = {PI_PROTOCOL, PI_NOTE},       [PROBLEM_WARNING] = {PI_PROTOCOL, PI_WARN},
        [PROBLEM_UNDECODED] = {PI_UNDECODED, PI_WARN}, [PROBLEM_SECURITY] = {PI_SECURITY, PI_WARN},
        [PROBLEM_ERROR] = {PI_MALFORMED, PI_ERROR},
    };
    ei_register_info *infos = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, count);

    for (unsigned i = 0; i < count; i++) {
        infos[i].ids = &fields[i];
        infos[i].eiinfo.name = filter_name(prefix, facts[i].name, NULL);
        infos[i].eiinfo.group = classes[facts[i].severity].group;
        infos[i].eiinfo.severity = classes[facts[i].severity].severity;
        infos[i].eiinfo.summary = facts[i].text;
    }
    expert_register_field_array(module, infos, (int)count);
}

static bool (*websocket_claims)(tvbuff_t *tvb, packet_info *pinfo);

void claim_websocket(bool (*claims)(tvbuff_t *tvb, packet_info *pinfo))
{
    websocket_claims = claims;
}

bool websocket_is_claimed(tvbuff_t *tvb, packet_info *pinfo)
{
    return websocket_claims && websocket_claims(tvb, pinfo);
}

void offer_decode_as(dissector_handle_t handle, const char *const *tables)
{
    for (; *tables; tables++) {
        dissector_table_t table = find_dissector_table(*tables);
        if (table && dissector_table_supports_decode_as(table)) {
            dissector_add_for_decode_as(*tables, handle);
        }
    }
}
