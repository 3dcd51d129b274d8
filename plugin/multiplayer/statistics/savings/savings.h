/* savings.h
 *
 * Statistics → Godot Savings, and `-z godot,savings[,FILTER]`: changes of a game by which it sends less,
 * and the bytes that each would save in this capture.
 *
 * Saved bytes are counted frame by frame, for each possible change. A datagram that would not be sent at all
 * is counted with all its headers, else only the bytes that it would not contain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_H
#define GODOT_SAVINGS_H

#include "multiplayer/statistics/savings/forms/forms.h"
#include "multiplayer/statistics/savings/peers/peers.h"

/* What changes together: advice-states.c. Notes that a property has changed in a part of the message, or that
 * another part begins; and that the message is complete. */
void savings_note_changed(const savings *all, synchronizer *of, sent_kind kind, unsigned index,
                          property_track *track);
void savings_end_part(synchronizer *of, sent_kind kind, uint32_t message);
void savings_end_states(const savings *all, sent_kind kind);
/* Parts and messages in which any of these properties, bits, has changed; and their bytes without the values,
 * as reliable messages in datagrams of their own. */
typedef struct {
    uint64_t parts;
    double messages;
    double more; /* changes for each one that was seen in states: what ends to change comes once more */
} set_count;
#define SAVINGS_ANY (SETS - 1)
set_count savings_changed_ones(const synchronizer *of, sent_kind kind, unsigned properties);
double savings_changes_cost(const savings *all, set_count count);

/* Calls: calls.c */
void savings_calls_begin(savings *all);
void savings_count_call(savings *all, const godot_tap *tap, const godot_update *call);
/* Share of a method's calls in the same frame as another call, from which both can be one. */
#define SAVINGS_JOINED 0.25
/* Whether no call is known to be unreliable; calls in one frame are about different things; or most come
 * several times, with the same arguments: advice-calls.c */
bool savings_is_reliable(const called_method *of);
bool savings_is_keyed(const called_method *of);
bool savings_is_looped(const called_method *of);

/* Several calls in one frame: joined.c */
typedef struct {
    bool again;     /* the call came in the same frame as the one before of the method and node, */
    uint32_t cycle; /* which was in this one: joined.c */
} same_frame;
void savings_joined_begin(savings *all);
/* Bytes of arguments as elements of an Array. */
uint32_t savings_length_in_array(const godot_update *call);
void savings_count_joined(savings *all, called_method *one, same_frame *own, const godot_tap *tap,
                          const godot_update *call);
void savings_advise_joined(const savings *all, GPtrArray *rows);

/* Arguments: arguments.c. `track`: NULL at first. */
/* `before`: for some of the calls of a method, the track of all, if each follows the one before it there.
 * Returns the hash of the argument of which it is the course (called_method.courses); 0: none yet. */
uint32_t savings_count_arguments(savings *all, called_method *of, argument_track **track,
                                 const argument_track *before, const godot_update *call);
double savings_argument_bytes(const called_method *of); /* of all its calls */
/* Whether calls are about things that take turns, as units by their number: then each is compared with the
 * one before with the same first argument. */
bool savings_takes_turns(const called_method *of);
void savings_advise_arguments(const savings *all, GPtrArray *rows, const called_method *of);
/* The same with the latest call about the same. `track`: NULL at first. */
void savings_compare_about(savings *all, called_method *of, about_track **track, const godot_update *call);
/* Containers of which little changes between calls that differ. `omitted`: so many need not be made. */
void savings_advise_containers(const savings *all, GPtrArray *rows, const called_method *of,
                               uint64_t omitted);
/* Whether what its calls tell has nothing in common with what those before have told, as pieces of a voice:
 * then it is no state, of which the latest one is enough. */
bool savings_tells_pieces(const called_method *of);
/* "Call it once": whether receivers can count by themselves what it tells. */
bool savings_advise_course(const savings *all, GPtrArray *rows, const called_method *of);

/* Containers of which little changes: arguments.c */
/* Compares the value with the one before, if it is a container of `least` bytes. `same`: it is the same. */
void savings_compare(savings *all, compared_containers *of, kept_container *before,
                     const godot_tap_variant *value, bool same, uint32_t least);
/* Whether a value that has changed is a number, or a container in which only one has. */
bool savings_changed_number(const kept_container *before, const godot_tap_variant *value, double *number,
                            uint32_t *place);
/* `found`: bytes, what and where. `subtracted`: what the change costs; NULL: nothing. */
void savings_advise_differences(const savings *all, GPtrArray *rows, const compared_containers *of,
                                savings_row found, const char *subtracted);

/* What others tell: derived.c */
void savings_count_related(const savings *all, synchronizer *of, synchronized_property *one,
                           property_track *own, const godot_tap *tap, const godot_update *update,
                           uint32_t index, double now);
/* `before`: of the latest call about the same, one for each argument; NULL at first. */
void savings_count_headings(const savings *all, called_method *of, heading_before **before,
                            const godot_update *call, double now);
void savings_advise_related_arguments(const savings *all, GPtrArray *rows, const called_method *of);
void savings_count_round(counted_round *of, kept_number *before, const godot_update *update);
/* What has changed in a container: numbers by even steps, or others. */
void savings_count_steps(counting_course *of, const container_change *change, bool same, double now);
void savings_advise_derived(const savings *all, GPtrArray *rows, const synchronizer *of);

/* Changes that receivers do not need: changes.c. `index`: of the value in its part. */
void savings_count_needless(const savings *all, synchronizer *of, synchronized_property *one,
                            property_track *own, const godot_update *update, uint32_t index);
/* After the values of a message. */
void savings_end_needless(savings *all, const godot_tap *tap);
/* Returns the bytes of the largest row; 0: there is none. */
double savings_advise_needless(const savings *all, GPtrArray *rows, const synchronizer *of);

/* Synchronized properties that tell nothing new: motion.c */
/* `same`: the value is that of the update before, or the first one. */
void savings_count_motion(synchronized_property *one, property_track *track, const godot_update *update,
                          bool same, double now);
/* `pause`: the game has paused before it. */
void savings_count_swing(const savings *all, property_track *track, const godot_update *update, bool pause,
                         double now);
/* Notes the vector of a call, if there is one, else its float, if it has one. `course`: of what the call is
 * about. Returns a hash of all other arguments; 0: nothing was noted. */
uint32_t savings_count_way(called_method *of, straight_course *course, const godot_update *call, double now);
/* "Call it once, with the velocity", or with the pace of a number. */
void savings_advise_way(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_motion(const savings *all, GPtrArray *rows, const synchronizer *of);
/* Calls that tell what synchronizers tell: synced.c. `update`: with a value. True: it replaces others. */
void savings_synced_begin(savings *all);
void savings_count_synced_call(savings *all, called_method *of, const godot_tap *tap,
                               const godot_update *call);
void savings_count_synced_state(savings *all, const synchronizer *of, const godot_tap *tap,
                                const godot_update *update);
bool savings_advise_synced(const savings *all, GPtrArray *rows, const called_method *of);
/* Which synchronizers are one: siblings.c */
/* The synchronizer of a part, which has these values (NULL: not known). `guess`: the one at this place of the
 * message before, which often is the same. NULL: there are too many. */
synchronizer *savings_synchronizer_at(savings *all, const godot_tap *tap, const godot_tap_part *part,
                                      const godot_tap_variant *values, synchronizer *guess);
/* The states of several synchronizers of a node come one after the other. */
void savings_count_siblings(savings *all, const godot_tap *tap);

/* Paths, and nodes that are spawned and despawned: short-lived.c */
void savings_nodes_begin(savings *all);
void savings_count_nodes(savings *all, const godot_tap *tap, double time);

/* Rows: advice-states.c, advice-calls.c, advice.c */
void savings_advise_states(const savings *all, GPtrArray *rows);
void savings_advise_calls(const savings *all, GPtrArray *rows);
void savings_advise_others(const savings *all, GPtrArray *rows);

/* The page: savings.c */
void savings_write(const savings *all, GString *text);
/* Filter of the row with this number on the page, as it was written last; NULL: there are no more. */
const char *savings_shown_filter(void *state, unsigned number);

void godot_savings_register(int proto);

#endif
