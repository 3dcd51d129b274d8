/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/numbers.h"

#include "base/array.h"

static void add_hole(const memory_allocator *memory, recorder_numbers *numbers, recorder_hole hole)
{
    if (array_grow(memory, &numbers->holes, numbers->count, &numbers->room, RECORDER_MAX_HOLES,
                   sizeof *numbers->holes)) {
        numbers->holes[numbers->count++] = hole;
    } else if (numbers->full_from == 0) {
        numbers->full_from = hole.before;
    }
}

static int compare_first(const void *element, const void *key)
{
    const recorder_hole *hole = element;
    const uint32_t *number = key;
    return hole->first + hole->count <= *number ? -1 : 0;
}

/* The hole that the number is in; NULL: none. */
static recorder_hole *hole_of(const recorder_numbers *numbers, uint32_t number)
{
    uint32_t place =
        lower_bound(&number, numbers->holes, numbers->count, sizeof *numbers->holes, compare_first);
    recorder_hole *hole = place < numbers->count ? &numbers->holes[place] : NULL;
    return hole && hole->first <= number ? hole : NULL;
}

bool recorder_numbers_learn(const memory_allocator *memory, recorder_numbers *numbers, uint32_t number,
                            uint32_t frame)
{
    bool again = false;
    if (number == 0) {
        numbers->unnumbered = true;
    } else if (number > numbers->newest) {
        uint32_t expected = numbers->newest + 1;
        if (number > expected) {
            add_hole(memory, numbers,
                     (recorder_hole){expected, number - expected, numbers->last_frame, frame});
        }
        numbers->newest = number;
    } else {
        recorder_hole *hole = hole_of(numbers, number);
        again = !hole && numbers->full_from == 0;
        if (hole) {
            hole->before = frame; /* until then it was missing, or was recorded in another order */
        }
    }
    numbers->last_frame = frame;
    return again;
}

bool recorder_numbers_whole(const recorder_numbers *numbers, uint32_t from, uint32_t to)
{
    if (numbers->unnumbered || (numbers->full_from && (to == 0 || to >= numbers->full_from))) {
        return false;
    }
    for (uint32_t i = numbers->count; i > 0; i--) {
        const recorder_hole *hole = &numbers->holes[i - 1];
        if (hole->before > from && (to == 0 || hole->after < to)) {
            return false;
        }
    }
    return true;
}
