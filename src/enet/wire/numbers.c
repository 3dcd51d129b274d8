/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/wire/numbers.h"

bool enet_serial_before(uint16_t a, uint16_t b)
{
    return (uint16_t)(a - b) >= 0x8000;
}

enet_number_verdict enet_judge_number(uint16_t current, uint16_t sequence)
{
    unsigned window_of_current = current / ENET_SEQUENCE_WINDOW;
    unsigned window = sequence / ENET_SEQUENCE_WINDOW + (sequence < current ? 16 : 0);
    unsigned ahead = window - window_of_current;

    if (sequence == current || ahead > 8) {
        return ENET_NUMBER_DELIVERED;
    }
    return ahead <= 6 ? ENET_NUMBER_ACCEPTED : ENET_NUMBER_TOO_FAR;
}

enet_group_verdict enet_receive_group(enet_unsequenced_window *window, uint16_t group)
{
    uint16_t index = group % ENET_UNSEQUENCED_WINDOW, base = (uint16_t)(group - index);
    uint32_t bit = UINT32_C(1) << index % 32;

    if ((uint16_t)(group - window->base) >= 32 * ENET_UNSEQUENCED_WINDOW) {
        return ENET_GROUP_TOO_FAR;
    }
    if (base != window->base) {
        *window = (enet_unsequenced_window){.base = base};
    } else if (window->seen[index / 32] & bit) {
        return ENET_GROUP_DUPLICATE;
    }
    window->seen[index / 32] |= bit;
    return ENET_GROUP_NEW;
}

static uint32_t clamp(uint32_t value, uint32_t lowest, uint32_t highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

uint32_t enet_clamp_mtu(uint32_t mtu)
{
    return clamp(mtu, ENET_MIN_MTU, ENET_MAX_MTU);
}

uint32_t enet_clamp_window(uint32_t window_size)
{
    return clamp(window_size, ENET_MIN_WINDOW, ENET_MAX_WINDOW);
}
