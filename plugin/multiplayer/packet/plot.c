/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/plot.h"

#include <math.h>

#include "base/allocators.h"
#include "base/array.h"
#include "base/preferences.h"
#include "multiplayer/packet/fields.h"
#include "multiplayer/peers/names.h"

enum { MAX_COMPONENTS = 4 };

static const char *wanted = "";

/* From one value of a node to the next, for the same receiver. */
typedef struct {
    uint32_t number; /* of the message with the later one, in its session */
    double change;
} change;

typedef struct {
    const godot_session *session;
    godot_party from;
    const char *node;
} track_key;

typedef struct {
    track_key key;
    uint32_t count; /* of `last` */
    double last[MAX_COMPONENTS];
    wmem_array_t *changes; /* in the order of their numbers */
} track;

static wmem_map_t *tracks; /* of the file */

/* "position", of whatever node, or of one, as pages or the engine write it: "Main/World/Unit1:position",
 * "Main/{client 1}:position", "/root/Main/Unit1:position". A property's name may have a colon itself. */
static bool is_wanted(wmem_allocator_t *pool, const char *node, const char *property)
{
    static const char root[] = "/root/";
    const char *path = wanted + (g_str_has_prefix(wanted, root) ? strlen(root) : 0);
    if (strcmp(path, property) == 0) {
        return true;
    }
    const char *shown = strchr(path, '{') ? godot_peer_names_in(pool, node) : node;
    size_t length = strlen(shown);
    return strncmp(path, shown, length) == 0 && path[length] == ':' &&
           strcmp(path + length + 1, property) == 0;
}

/* Numbers that a type consists of, 0: it cannot be plotted. */
static const uint8_t component_counts[VARIANT_TYPE_COUNT] = {
    [VARIANT_BOOL] = 1,     [VARIANT_INT] = 1,        [VARIANT_FLOAT] = 1,    [VARIANT_VECTOR2] = 2,
    [VARIANT_VECTOR2I] = 2, [VARIANT_VECTOR3] = 3,    [VARIANT_VECTOR3I] = 3, [VARIANT_VECTOR4] = 4,
    [VARIANT_VECTOR4I] = 4, [VARIANT_QUATERNION] = 4, [VARIANT_COLOR] = 4};

static double number_of(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (event->type) {
    case VARIANT_BOOL:
        return event->value.b ? 1 : 0;
    case VARIANT_INT:
        return (double)event->value.i;
    case VARIANT_FLOAT:
        return event->value.f;
    case VARIANT_VECTOR2I:
    case VARIANT_VECTOR3I:
    case VARIANT_VECTOR4I:
        return (double)variant_component_int(bytes, event, i);
    default:
        return variant_component(bytes, event, i);
    }
}

static unsigned hash_key(const void *data)
{
    const track_key *key = data;
    const uint32_t parts[] = {key->session->index, (uint32_t)key->from, wmem_str_hash(key->node)};
    return wmem_strong_hash((const uint8_t *)parts, sizeof parts);
}

static int equal_keys(const void *a, const void *b)
{
    const track_key *first = (const track_key *)a, *second = (const track_key *)b;
    return first->session == second->session && first->from == second->from &&
           strcmp(first->node, second->node) == 0;
}

static double distance(const double *a, const double *b, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* Of the message with the latest change, 0: there is none. */
static uint32_t last_number(const track *known)
{
    uint32_t count = wmem_array_get_count(known->changes);
    const change *changes = wmem_array_get_raw(known->changes);
    return count ? changes[count - 1].number : 0;
}

/* The first value after a spawn is compared with that of the spawn, which is that of a new node. */
static void learn(const godot_packet *packet, const track_key *key, bool spawned, const double *numbers,
                  uint32_t count)
{
    track *known = wmem_map_lookup(tracks, key);
    godot_store *store = godot_state_store();
    if (!known) {
        const char *node =
            godot_store_may_keep(store, sizeof(track)) ? godot_store_text(store, key->node) : NULL;
        if (!node) {
            return;
        }
        known = wmem_new0(wmem_file_scope(), track);
        known->key = *key;
        known->key.node = node;
        known->changes = wmem_array_new(wmem_file_scope(), sizeof(change));
        wmem_map_insert(tracks, &known->key, known);
    } else if (!spawned && known->count == count && last_number(known) != packet->message->number &&
               godot_store_may_keep(store, sizeof(change))) {
        change one = {packet->message->number, distance(numbers, known->last, count)};
        wmem_array_append_one(known->changes, one);
    }
    known->count = count;
    memcpy(known->last, numbers, count * sizeof *numbers);
}

static int compare_number(const void *element, const void *number)
{
    uint32_t found = ((const change *)element)->number, wanted_number = *(const uint32_t *)number;
    return found < wanted_number ? -1 : found > wanted_number;
}

/* NULL: the message has the first value, or was carried before. */
static const change *change_in(const track *known, uint32_t number)
{
    const change *changes = wmem_array_get_raw(known->changes);
    uint32_t count = wmem_array_get_count(known->changes);
    uint32_t at = lower_bound(&number, changes, count, sizeof *changes, compare_number);
    return at < count && changes[at].number == number ? &changes[at] : NULL;
}

static void add_number(proto_tree *tree, int hf, const godot_variant *value, double number)
{
    proto_item_set_generated(proto_tree_add_double(tree, hf, value->tvb, (int)value->offset,
                                                   (int)godot_variant_first(value)->length, number));
}

void godot_plot_add(const godot_packet *packet, proto_tree *tree, godot_plotted of,
                    const godot_variant *value)
{
    int *const fields[MAX_COMPONENTS] = {&hf_godot_plot_x, &hf_godot_plot_y, &hf_godot_plot_z,
                                         &hf_godot_plot_w};
    const variant_event *event = godot_variant_first(value);
    if (!*wanted || event->kind != VARIANT_VALUE || !is_wanted(packet->pinfo->pool, of.node, of.property)) {
        return;
    }
    uint32_t count = component_counts[event->type];
    double numbers[MAX_COMPONENTS];
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = number_of(value->bytes, event, i);
        add_number(tree, count == 1 ? hf_godot_plot : *fields[i], value, numbers[i]);
    }
    const track_key key = {packet->message->session, packet->from, of.node};
    if (!count || !*of.node) {
        return;
    }
    if (packet->learn) {
        learn(packet, &key, of.spawned, numbers, count);
    }
    const track *known = tree ? wmem_map_lookup(tracks, &key) : NULL;
    const change *here = known ? change_in(known, packet->message->number) : NULL;
    if (here) {
        add_number(tree, hf_godot_plot_change, value, here->change);
    }
}

void godot_plot_register(module_t *preferences)
{
    tracks = file_map(hash_key, (GEqualFunc)equal_keys);
    godot_preferences_add_heading("heading.plot", "I/O graphs");
    prefs_register_string_preference(
        preferences, "plot", "Property to plot",
        "A synchronized property, for I/O graphs and filters: position, or with its node "
        "Main/World/Unit1:position. Its numbers are in the fields godot.plot or, of "
        "vectors, godot.plot.x and so on; godot.plot.change is how far it has moved since "
        "the previous update",
        &wanted);
}
