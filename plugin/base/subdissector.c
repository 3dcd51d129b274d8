/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/subdissector.h"

#include <epan/exceptions.h>
#include <epan/show_exception.h>

static void remove_layers(const subdissector_call *call, unsigned layers, uint8_t layer)
{
    packet_info *pinfo = call->pinfo;
    while (wmem_list_count(pinfo->layers) > layers) {
        wmem_list_remove_frame(pinfo->layers, wmem_list_tail(pinfo->layers));
    }
    pinfo->curr_layer_num = layer;
}

subdissector_result subdissector_run(const subdissector_call *call)
{
    packet_info *pinfo = call->pinfo;
    volatile subdissector_result result = SUBDISSECTOR_DECLINED;
    const char *protocol = pinfo->current_proto;
    uint8_t layer = pinfo->curr_layer_num;
    unsigned layers = wmem_list_count(pinfo->layers);
    TRY
    {
        result = call->offer(call->data) ? SUBDISSECTOR_TOOK_IT : SUBDISSECTOR_DECLINED;
    }
    CATCH_BOUNDS_AND_DISSECTOR_ERRORS
    {
        bool stopped = EXCEPT_CODE == DissectorError, beyond = EXCEPT_CODE == BoundsError;
        if (stopped && !call->survives_bugs) {
            RETHROW;
        }
        compat_restart_item_count(call->tree);
        result = stopped ? SUBDISSECTOR_STOPPED : SUBDISSECTOR_FAILED;
        if (call->failed) {
            call->failed(call->data, layers);
        }
        if (!beyond || tvb_captured_length(call->tvb) == tvb_reported_length(call->tvb)) {
            show_exception(call->tvb, pinfo, call->tree, EXCEPT_CODE, GET_MESSAGE);
        }
        pinfo->curr_layer_num = layer;
    }
    ENDTRY;
    if (!call->layered) {
        remove_layers(call, layers, layer);
    }
    pinfo->current_proto = protocol;
    return result;
}
