/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/channel.h"

#include "base/array.h"
#include "enet/connection/holes.h"
#include "enet/wire/numbers.h"

#define MAX_RUNS    8u   /* maximum runs kept per channel */
#define MAX_WAITING 256u /* maximum messages of a run that may still be overtaken */

/* Unreliable messages between two reliable ones. */
struct enet_run {
    uint16_t after;     /* number of the reliable command before them */
    uint16_t highest;   /* unreliable number seen, 0: none */
    uint16_t delivered; /* highest unreliable number of a message that is complete, 0: none */
    uint32_t frame;     /* of `highest` */
    uint64_t seen;      /* bit n: highest - n was seen */
    uint32_t waiting_count, waiting_room;
    enet_command_record *
        *waiting; /* commands whose message waits for the reliable one; NULL if there is no room */
};

struct enet_traffic {
    enet_unsequenced_window *groups; /* NULL until the first unsequenced message */
    enet_channel *channels;
    uint32_t channel_count, channel_room;
    uint16_t last_group;  /* valid if `groups` is not NULL */
    uint32_t group_frame; /* of the last group; 0: none */
};

static enet_channel *add_channel(const memory_allocator *memory, enet_sender *sender, uint8_t number)
{
    struct enet_traffic *traffic = sender->traffic;

    array_grow(memory, &traffic->channels, traffic->channel_count, &traffic->channel_room, UINT32_MAX,
               sizeof *traffic->channels);
    enet_channel *added = &traffic->channels[traffic->channel_count++];
    *added = (enet_channel){.number = number,
                            .known = sender->connection->from_start,
                            .highest = ENET_FIRST_CYCLE,
                            .base = ENET_FIRST_CYCLE,
                            .noted = ENET_FIRST_CYCLE,
                            .delivered = ENET_FIRST_CYCLE,
                            .answered = ENET_FIRST_CYCLE};
    return added;
}

const enet_channel *enet_channel_find(const enet_sender *sender, uint8_t number)
{
    for (uint32_t i = 0; sender->traffic && i < sender->traffic->channel_count; i++) {
        if (sender->traffic->channels[i].number == number) {
            return &sender->traffic->channels[i];
        }
    }
    return NULL;
}

enet_channel *enet_channel_of(const memory_allocator *memory, enet_sender *sender, uint8_t number)
{
    if (!sender->traffic) {
        sender->traffic = allocate_zeroed(memory, sizeof *sender->traffic);
    }
    for (uint32_t i = 0; i < sender->traffic->channel_count; i++) {
        if (sender->traffic->channels[i].number == number) {
            return &sender->traffic->channels[i];
        }
    }
    return add_channel(memory, sender, number);
}

enet_transmission *enet_channel_find_sent(const enet_capture *capture, const enet_sender *sender,
                                          uint8_t channel, uint16_t sequence, uint32_t *index)
{
    *index = enet_sent_find(&sender->sent, channel, sequence);
    enet_transmission *first = *index ? paged_list_at(&capture->transmissions, *index) : NULL;

    return first && first->frame ? first : NULL;
}

/* --- reliable numbers ---------------------------------------------------------------------------- */

/* Numbers that are neither seen nor in a hole so far, up to this one, were sent before `frame`. */
static void note_hole(enet_capture *capture, enet_sender *sender, enet_channel *channel, uint32_t number,
                      uint32_t frame)
{
    if (number > channel->noted) {
        enet_holes_add(capture, sender,
                       &(enet_hole){.kind = ENET_HOLE_RELIABLE,
                                    .channel = channel->number,
                                    .number = channel->noted + 1,
                                    .count = number - channel->noted,
                                    .after = channel->newest,
                                    .before = frame});
        channel->noted = number;
    }
}

void enet_channel_reach(enet_capture *capture, enet_sender *sender, enet_channel *channel, uint32_t number,
                        uint32_t frame)
{
    if (number > channel->noted) {
        note_hole(capture, sender, channel, number - 1, frame);
        channel->noted = number;
    } else {
        enet_holes_fill(sender, ENET_HOLE_RELIABLE, channel->number, number);
    }
    channel->highest = number;
    channel->newest = frame;
}

void enet_channel_acknowledge_unseen(enet_capture *capture, enet_sender *sender, enet_channel *channel,
                                     uint32_t number, uint32_t frame)
{
    if (number <= channel->base || number > channel->highest + ENET_MAX_AHEAD) {
        return;
    }
    note_hole(capture, sender, channel, number, frame);
    enet_holes_acknowledge(capture, sender, channel->number, number);
}

/* --- unreliable and unsequenced messages --------------------------------------------------------- */

/* The messages after the same reliable command; a new run replaces the oldest one. NULL if it is older than
 * all runs that are kept. */
static enet_run *run_of(const memory_allocator *memory, enet_channel *channel, uint16_t after)
{
    if (!channel->runs) {
        channel->runs = allocate_zeroed(memory, MAX_RUNS * sizeof *channel->runs);
    }
    enet_run *oldest = &channel->runs[0];
    for (unsigned i = 0; i < channel->run_count; i++) {
        if (channel->runs[i].after == after) {
            return &channel->runs[i];
        }
        oldest = enet_serial_before(channel->runs[i].after, oldest->after) ? &channel->runs[i] : oldest;
    }
    if (channel->run_count < MAX_RUNS) {
        oldest = &channel->runs[channel->run_count++];
    } else if (enet_serial_before(after, oldest->after)) {
        return NULL;
    }
    *oldest = (enet_run){.after = after, .waiting = oldest->waiting, .waiting_room = oldest->waiting_room};
    return oldest;
}

void enet_channel_overtake(enet_channel *channel, uint32_t from, uint32_t to)
{
    for (unsigned i = 0; i < channel->run_count; i++) {
        enet_run *run = &channel->runs[i];
        uint32_t after = enet_channel_unwrap(channel, run->after);
        if (after > to) {
            continue;
        }
        for (unsigned k = 0; after > from && after < to && k < run->waiting_count; k++) {
            run->waiting[k]->notes |= ENET_NOTE(ENET_NOTE_OVERTAKEN);
        }
        run->waiting_count = 0;
    }
}

/* Marks a number that is not above the highest of its run as seen; true if it was seen before. */
static bool seen_in_run(enet_run *run, int32_t below)
{
    bool seen = below < 64 && run->seen >> below & 1u;

    run->seen |= below < 64 ? UINT64_C(1) << below : 0;
    return seen;
}

/* Counts from 1 after each reliable command; all fragments of a message have the same one. */
static uint16_t unreliable_number(const enet_command *command)
{
    return command->type == ENET_SEND_UNRELIABLE ? command->fields.unreliable.sequence
                                                 : command->fields.fragment.start_sequence;
}

/* While a receiver still waits for a reliable command before them, it puts messages in order. */
bool enet_channel_is_late(const memory_allocator *memory, enet_sender *sender, const enet_command *command)
{
    enet_channel *channel = enet_channel_of(memory, sender, command->channel);
    uint16_t delivered = (uint16_t)channel->delivered;

    if (channel->known && command->sequence != delivered) {
        return enet_serial_before(command->sequence, delivered);
    }
    const enet_run *run = run_of(memory, channel, command->sequence);
    return run && unreliable_number(command) < run->delivered;
}

void enet_channel_await(const memory_allocator *memory, enet_channel *channel, const enet_command *command,
                        enet_command_record *record)
{
    enet_run *run = run_of(memory, channel, command->sequence);

    if (!run || !channel->known || !enet_serial_before((uint16_t)channel->delivered, command->sequence) ||
        run->waiting_count == MAX_WAITING) {
        return;
    }
    array_grow(memory, &run->waiting, run->waiting_count, &run->waiting_room, MAX_WAITING,
               sizeof(enet_command_record *));
    run->waiting[run->waiting_count++] = record;
}

/* A number after the highest one; those between are a hole. */
static void skip_numbers(enet_capture *capture, enet_sender *sender, const enet_hole *hole,
                         enet_command_detail *detail)
{
    detail->number = hole->count;
    enet_holes_add(capture, sender, hole);
}

uint32_t enet_channel_unreliable(enet_capture *capture, enet_sender *sender, const enet_command *command,
                                 uint32_t frame, enet_command_detail *detail)
{
    const memory_allocator *memory = &capture->memory;
    enet_channel *channel = enet_channel_of(memory, sender, command->channel);
    uint16_t unreliable = unreliable_number(command);
    bool first = !channel->known && channel->run_count == 0; /* of a capture that begins in the middle */
    enet_run *run = run_of(memory, channel, command->sequence);
    int32_t step = run ? unreliable - run->highest : 0;
    bool late = enet_channel_is_late(memory, sender, command);
    uint32_t notes = late ? ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) : 0;

    channel->has_unreliable = true;
    if (step > 0) {
        if (step > 1 && !first && !late) {
            const enet_hole hole = {.kind = ENET_HOLE_UNRELIABLE,
                                    .channel = channel->number,
                                    .number = run->highest + 1u,
                                    .count = (uint32_t)step - 1u,
                                    .after = run->frame ? run->frame : channel->newest,
                                    .before = frame};
            skip_numbers(capture, sender, &hole, detail);
            notes |= ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
        }
        run->seen = step < 64 ? run->seen << step | 1u : 1u;
        run->highest = unreliable;
        run->frame = frame;
        return notes;
    }
    if (run && seen_in_run(run, -step)) {
        return ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED);
    }
    detail->number = enet_holes_fill(sender, ENET_HOLE_UNRELIABLE, channel->number, unreliable);
    return notes;
}

void enet_channel_deliver(const memory_allocator *memory, enet_sender *sender, const enet_command *command)
{
    enet_channel *channel = enet_channel_of(memory, sender, command->channel);
    enet_run *run = run_of(memory, channel, command->sequence);
    uint16_t unreliable = unreliable_number(command);

    if (run && run->delivered < unreliable) {
        run->delivered = unreliable;
    }
}

uint32_t enet_channel_unsequenced(enet_capture *capture, enet_sender *sender, const enet_command *command,
                                  uint32_t frame, enet_command_detail *detail)
{
    enet_channel_of(&capture->memory, sender, command->channel)->has_unreliable = true;

    struct enet_traffic *traffic = sender->traffic;
    uint16_t group = command->fields.unsequenced.group;
    bool from_start = sender->connection->from_start;
    if (!traffic->groups) {
        traffic->groups = allocate_zeroed(&capture->memory, sizeof *traffic->groups);
        traffic->groups->base = from_start ? 0 : (uint16_t)(group & ~(ENET_UNSEQUENCED_WINDOW - 1u));
        traffic->last_group = from_start ? 0 : (uint16_t)(group - 1u);
    }
    enet_group_verdict verdict = enet_receive_group(traffic->groups, group);
    if (verdict != ENET_GROUP_NEW) {
        return ENET_NOTE(verdict == ENET_GROUP_DUPLICATE ? ENET_NOTE_GROUP_REPEATED
                                                         : ENET_NOTE_GROUP_TOO_FAR);
    }
    int16_t step = (int16_t)(group - traffic->last_group);
    enet_hole hole = {.kind = ENET_HOLE_GROUPS,
                      .number = (uint16_t)(traffic->last_group + 1u),
                      .count = (uint32_t)step - 1u,
                      .after = traffic->group_frame,
                      .before = frame};
    if (step <= 0) {
        detail->number = enet_holes_fill(sender, ENET_HOLE_GROUPS, 0, group);
        return 0;
    }
    traffic->last_group = group;
    traffic->group_frame = frame;
    if (step == 1) {
        return 0;
    }
    skip_numbers(capture, sender, &hole, detail);
    return ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
}
