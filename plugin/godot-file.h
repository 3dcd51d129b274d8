/* godot-file.h
 *
 * What joins the file reader (file-godot-store.c, a wiretap module) and the dissector of its records
 * (packet-godot-file.c): the name of their encapsulation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FILE_H
#define GODOT_FILE_H

#define GODOT_FILE_ENCAPSULATION "godot-store"

#endif
