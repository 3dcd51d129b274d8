/* packet-godot-variant.c
 *
 * Godot Variants: the values a game puts on the network with put_var(), as RPC arguments, in replicated
 * state and in the debugger's messages. src/variant.h reads them, this file shows them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "godot-variant.h"

static int proto_godot_variant = -1;

void proto_register_godot_variant(void);
void proto_reg_handoff_godot_variant(void);

void proto_register_godot_variant(void)
{
    proto_godot_variant = proto_register_protocol("Godot Variant", "Godot Variant", "godot.variant");
}

void proto_reg_handoff_godot_variant(void)
{
}
