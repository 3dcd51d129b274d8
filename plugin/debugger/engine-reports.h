/* engine-reports.h
 *
 * What the game reports over the debugger's connection, for statistics and for the packets that it is about.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEBUGGER_ENGINE_REPORTS_H
#define DEBUGGER_ENGINE_REPORTS_H

#include "debugger/message.h"

/* To be called when a message of Godot 4 was shown. */
void debugger_report(const message_view *view);

/* Godot 3: an error or a warning; the texts of its arguments are in view->wanted. */
void debugger_report_error(const message_view *view);

/* A line that a game of Godot 3 has printed: a String, or an Array with it and its kind. */
void debugger_report_v3_output(const message_view *view, const godot_variant *value);

#endif
