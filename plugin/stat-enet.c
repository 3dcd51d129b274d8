/* stat-enet.c
 *
 * Views of ENet traffic: statistics tree, follow stream, conversations and endpoints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet-tap.h"

#include <epan/conversation_table.h>
#include <epan/follow.h>
#include <epan/stats_tree.h>

void enet_stat_register(int proto _U_)
{
}
