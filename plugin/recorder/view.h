/* view.h
 *
 * The record that is being dissected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RECORDER_VIEW_H
#define RECORDER_VIEW_H

#include "base/wireshark-compat.h"

#include <epan/expert.h>

#include "recorder/record-json.h"
#include "recorder/record.h"

typedef struct {
    packet_info *pinfo;
    proto_tree *tree, *top; /* of the record; of the frame */
    proto_item *item;       /* of the record */
    tvbuff_t *tvb;
    recorder_record head;
} record_state;

/* Adds the payload as text; false: it is not read. */
bool recorder_open_text(const record_state *state, recorder_json *json);
/* Adds a text that was read from it; NULL: nothing. */
void recorder_add_text(const record_state *state, int hf, const char *text);

extern int recorder_hf_path, recorder_hf_scene;
extern expert_field ei_recorder_text; /* a text that cannot be read */

#endif
