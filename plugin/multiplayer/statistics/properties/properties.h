/* properties.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PROPERTIES_H
#define GODOT_PROPERTIES_H

void godot_properties_register(int proto); /* `-z godot,properties` */

#endif
