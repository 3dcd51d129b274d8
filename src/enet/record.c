/* enet/record.c
 *
 * See enet/record.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/record.h"

/* Whether the reference of a record without detail is what the command is about. */
static bool is_about(unsigned type)
{
    return type == ENET_ACKNOWLEDGE || enet_command_facts(type)->fragment;
}

enet_command_detail enet_detail_of(const enet_capture *capture, const enet_command_record *record,
                                   unsigned type)
{
    if (record->has_detail) {
        return *(const enet_command_detail *)enet_list_at(&capture->details, record->reference);
    }
    if (is_about(type)) {
        return (enet_command_detail){.about = record->reference};
    }
    return (enet_command_detail){.transmission = record->reference};
}

void enet_detail_keep(enet_capture *capture, enet_command_record *record, unsigned type,
                      const enet_command_detail *detail)
{
    bool about = is_about(type);

    if (detail->earlier_frame || detail->number || (about ? detail->transmission : detail->about)) {
        record->has_detail = 1;
        record->reference = enet_list_add(&capture->memory, &capture->details);
        *(enet_command_detail *)enet_list_at(&capture->details, record->reference) = *detail;
    } else {
        record->reference = about ? detail->about : detail->transmission;
    }
}

const enet_transmission *enet_round_trip(const enet_capture *capture, const enet_command_detail *detail,
                                         unsigned type)
{
    if (type == ENET_ACKNOWLEDGE || (type == ENET_VERIFY_CONNECT && detail->number == 1)) {
        return enet_transmission_at(capture, detail->about);
    }
    return NULL;
}
