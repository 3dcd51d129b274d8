/* register.h
 *
 * The statistics of `enet`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_REGISTER_H
#define ENET_REGISTER_H

void enet_stat_register(int proto); /* all but one: statistics.c */
void enet_overhead_register(void);  /* ENet Overhead, `-z enet,overhead`: overhead.c */

#endif
