/* time.h
 *
 * Statistics with a row for each part of the time: an interval, or a frame of the game.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_TIME_H
#define STAT_GODOT_TIME_H

void godot_timeline_register(int proto); /* `-z godot,timeline` */
void godot_frames_register(int proto);   /* `-z godot,frames` */

#endif
