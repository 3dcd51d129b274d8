/* judge_v4.h
 *
 * Whether bytes are a packet of SceneMultiplayer: a complete parse, then a judgement.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MULTIPLAYER_JUDGE_V4_H
#define MULTIPLAYER_JUDGE_V4_H

#include "multiplayer/scene_v4.h"

/* Judges whether bytes are a SceneMultiplayer packet as an engine writes it: structure, values consumed to
 * the last byte, and the invariants of every released engine. */
multiplayer_confidence multiplayer_v4_judge(const uint8_t *bytes, size_t length);

#endif
