/* siblings.c
 *
 * Which synchronizers are one, as those of instances of a scene; and which are of the same node; see
 * savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/state/frame.h"
#include "multiplayer/statistics/values/key.h"
#include "statistics/report.h"

/* Paths of synchronizers; hostile traffic can have any number. */
#define MAX_PATHS 20000u

/* --- synchronizers of the same scene -------------------------------------------------------------- */

static void append_common_name(wmem_strbuf_t *key, const char *name, size_t length)
{
    while (length && g_ascii_isdigit(name[length - 1])) {
        length--;
    }
    wmem_strbuf_append_len(key, name, length);
    wmem_strbuf_append_c(key, '/');
}

static variant_type type_of(const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    variant_init(&decoder, value->bytes, value->length, value->options);
    return variant_next(&decoder, &event) && event.kind == VARIANT_VALUE ? event.type : VARIANT_INVALID;
}

/* Instances of a scene often have names that end with a number: what is the same of them is their path
 * without these, who writes it, and of states the properties, with the types of their values. */
static void set_common_key(const savings *all, const godot_tap *tap, const godot_tap_part *part,
                           const godot_tap_variant *values)
{
    bool states = tap->net_frame >= 0 && values;
    const char *name = part->node, *end;
    godot_key_begin(all->key, 'u');
    godot_key_number(all->key, tap->from > 1);
    godot_key_number(all->key, states ? part->value_count : 0);
    for (uint32_t i = 0; states && i < part->value_count; i++) {
        godot_key_text(all->key, part->values[i].name);
        godot_key_number(all->key, type_of(&values[i]));
    }
    while ((end = strchr(name, '/'))) {
        append_common_name(all->key, name, (size_t)(end - name));
        name = end + 1;
    }
    if (part->id & MULTIPLAYER_V4_PATH_FLAG) {
        godot_key_text(all->key, name); /* of the synchronizer, as "Input2" */
    } else {
        append_common_name(all->key, name, strlen(name));
    }
}

static synchronizer *new_synchronizer(savings *all, const char *scene, const char *node)
{
    bool is_new;
    synchronizer *one = savings_subject(all, all->synchronizers, sizeof(synchronizer), &is_new);
    if (is_new) {
        one->scene = scene ? wmem_strdup(all->pool, scene) : NULL;
        one->node = wmem_strdup(all->pool, node);
        one->properties = report_list(all->pool);
        one->changing = report_list(all->pool);
    }
    return one;
}

/* One of a scene that is not known. */
static synchronizer *synchronizer_by_path(savings *all, const godot_tap *tap, const godot_tap_part *part,
                                          const godot_tap_variant *values)
{
    synchronizer *one = wmem_map_lookup(all->by_path, part->node);
    if (!one) {
        set_common_key(all, tap, part, values);
        one = new_synchronizer(all, NULL, part->node);
        if (one && wmem_map_size(all->by_path) < MAX_PATHS) {
            wmem_map_insert(all->by_path, wmem_strdup(all->pool, part->node), one);
            one->nodes++;
        }
    }
    return one;
}

synchronizer *savings_synchronizer_at(savings *all, const godot_tap *tap, const godot_tap_part *part,
                                      const godot_tap_variant *values, synchronizer *guess)
{
    bool known = part->scene && part->synchronizer;
    const char *node = known ? part->synchronizer : part->node ? part->node : "(node not known)";
    const char *scene = known ? part->scene : "";
    if (guess && strcmp(guess->node, node) == 0 && strcmp(guess->scene ? guess->scene : "", scene) == 0) {
        return guess;
    }
    if (!known && part->node) {
        return synchronizer_by_path(all, tap, part, values);
    }
    godot_key_begin(all->key, 's');
    godot_key_text(all->key, scene);
    godot_key_text(all->key, node);
    return new_synchronizer(all, known ? scene : NULL, node);
}

/* --- synchronizers of the same node ---------------------------------------------------------------- */

/* Length of the path of the node that a synchronizer is in; `node` is that path or the synchronizer's own. */
static size_t parent_length(const godot_tap_part *part)
{
    size_t length = strlen(part->node), name = strlen(part->synchronizer);
    bool own = length > name && part->node[length - name - 1] == '/' &&
               strcmp(part->node + length - name, part->synchronizer) == 0;
    return own ? length - name - 1 : length;
}

/* Whether these are two synchronizers in the same node of a scene. */
static bool are_siblings(const godot_tap_part *one, const godot_tap_part *other)
{
    bool known =
        one->node && one->scene && one->synchronizer && other->node && other->scene && other->synchronizer;
    if (!known || strcmp(one->synchronizer, other->synchronizer) == 0 ||
        strcmp(one->scene, other->scene) != 0) {
        return false;
    }
    size_t length = parent_length(one);
    return length == parent_length(other) && strncmp(one->node, other->node, length) == 0;
}

/* The states of several synchronizers of a node come one after the other. */
void savings_count_siblings(savings *all, const godot_tap *tap)
{
    for (uint32_t i = 1; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of && are_siblings(&tap->parts[i - 1], &tap->parts[i])) {
            synchronizer *before = all->of_parts->pdata[i - 1];
            of->is_one_of_several = true;
            of->besides++;
            if (before) {
                before->is_one_of_several = true;
            }
            savings_add(all, &of->beside, SAVINGS_STATE_HEAD, false);
        }
    }
}
