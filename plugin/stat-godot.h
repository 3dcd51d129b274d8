/* stat-godot.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_H
#define STAT_GODOT_H

void godot_statistics_register(void);

#endif
