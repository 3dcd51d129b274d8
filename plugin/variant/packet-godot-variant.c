/* packet-godot-variant.c
 *
 * Godot Variants as packets of their own: PacketPeerUDP.put_var(), WebSocketPeer, messages of ENet and DTLS.
 * One packet is one value. This file has the preferences, the choice of the generation of the engine, the
 * entry points of the transports, and the Info column.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/columns.h"
#include "base/frame.h"
#include "base/memory.h"
#include "base/preferences.h"
#include "base/registration.h"
#include "variant/api.h"
#include "variant/fields.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <epan/proto_data.h>

#define INFO_SIZE      200 /* bytes of a value's text in the Info column */
#define MAX_EXCEPTIONS 64  /* values in one frame whose dialect is remembered one by one */
#define AUTOMATIC      (-1)

unsigned godot_variant_max_elements = 1000;

static int hf_trailing;
static int ett_godot_variant = -1;
static expert_field ei_trailing;
static int preferred_dialect = AUTOMATIC;
static dissector_handle_t variant_handle;
static dissector_handle_t bound_handle;

/* --- which dialect ------------------------------------------------------------------------------- */

/* Values that fit a dialect, one after another that is not the same. */
typedef struct {
    unsigned count; /* up to MAX_COUNTED */
    uint64_t last;  /* hash of the last of them; valid if `count` is not 0 */
} dialect_count;

/* Dialects in a conversation. The dialect of a value is decided on the first pass. Later passes use the one
 * that is valid at the frame, unless the value is stored as an exception. */
typedef struct {
    variant_dialect latest; /* on the first pass; VARIANT_DIALECT_COUNT: not known yet */
    wmem_tree_t *by_frame;  /* what is known from this frame (frame_order()) on: by packed() */
    dialect_count fitting[VARIANT_DIALECT_COUNT];
    bool settled;      /* `latest` stays as it is */
    unsigned strong;   /* values accepted by heuristics with strong evidence, up to ENOUGH */
    uint32_t since;    /* frame of the last of them; valid if `strong` is ENOUGH */
    uint32_t bound_in; /* the first frame whose value the UDP heuristic accepted; 0: none */
} dialect_memory;

/* Where a value is in its frame. */
typedef struct {
    uint32_t layer, buffer, offset;
} value_place;

/* The values of a frame whose dialect is not the one in force there, in the order in which they were
 * found. */
typedef struct {
    unsigned count;
    struct {
        value_place place;
        variant_dialect dialect;
    } list[MAX_EXCEPTIONS];
} dialect_exceptions;

/* Keys of what is stored with a frame. */
enum { FRAME_DIALECT_EXCEPTIONS };

/* First pass. False: there are too many in the frame. `exceptions`: those of the frame so far, or NULL. */
static bool add_exception(packet_info *pinfo, dialect_exceptions *exceptions, const value_place *place,
                          variant_dialect dialect)
{
    if (!exceptions) {
        exceptions = wmem_new0(wmem_file_scope(), dialect_exceptions);
        p_add_proto_data(wmem_file_scope(), pinfo, proto_godot_variant, FRAME_DIALECT_EXCEPTIONS, exceptions);
    }
    if (exceptions->count == MAX_EXCEPTIONS) {
        return false;
    }
    exceptions->list[exceptions->count].place = *place;
    exceptions->list[exceptions->count++].dialect = dialect;
    return true;
}

static dialect_memory *memory_of_conversation(packet_info *pinfo)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    dialect_memory *memory = conversation_get_proto_data(conversation, proto_godot_variant);

    if (!memory) {
        memory = wmem_new0(wmem_file_scope(), dialect_memory);
        memory->latest = VARIANT_DIALECT_COUNT;
        memory->by_frame = wmem_tree_new(wmem_file_scope());
        conversation_add_proto_data(conversation, proto_godot_variant, memory);
    }
    return memory;
}

/* What is stored in `by_frame`: a dialect, and whether enough values have shown it. */
static void *packed(variant_dialect dialect, bool shown)
{
    return GUINT_TO_POINTER((dialect + 1u) << 1 | shown);
}

static variant_dialect dialect_at_frame(const dialect_memory *memory, uint32_t frame)
{
    void *stored = wmem_tree_lookup32_le(memory->by_frame, frame);
    return stored ? (variant_dialect)((GPOINTER_TO_UINT(stored) >> 1) - 1) : VARIANT_GODOT4;
}

static bool is_shown_at_frame(const dialect_memory *memory, uint32_t frame)
{
    return GPOINTER_TO_UINT(wmem_tree_lookup32_le(memory->by_frame, frame)) & 1;
}

/* Values of the types 0 to 5 are the same in all dialects, so they do not show the dialect. */
#define LAST_COMMON_TYPE 5

/* After so many values a conversation does not change its dialect: a value that does not fit is broken. */
#define SETTLED 3

/* So many times more values fit it than fit another one only: broken values may do that by chance. */
#define MOSTLY 4

#define MAX_COUNTED 1000 /* of a dialect; from then on all counts are half of what they were */

static void count_value(dialect_memory *memory, variant_dialect dialect, uint64_t hash)
{
    dialect_count *one = &memory->fitting[dialect];

    if (one->count > 0 && hash == one->last) {
        return;
    }
    one->last = hash;
    if (++one->count == MAX_COUNTED) {
        for (size_t i = 0; i < VARIANT_DIALECT_COUNT; i++) {
            memory->fitting[i].count /= 2;
        }
    }
}

static bool is_shown(const dialect_memory *memory, variant_dialect dialect)
{
    unsigned own = memory->fitting[dialect].count, others = 0;

    for (size_t i = 0; i < VARIANT_DIALECT_COUNT; i++) {
        others += i == dialect ? 0 : memory->fitting[i].count;
    }
    return own >= SETTLED && own >= MOSTLY * others;
}

/* A value that fits `dialect`, of `hash`: until enough agree, the latest one counts. */
static void note_dialect(dialect_memory *memory, uint32_t frame, variant_dialect dialect, uint64_t hash)
{
    count_value(memory, dialect, hash);
    if (!memory->settled) {
        memory->latest = dialect;
        memory->settled = memory->fitting[dialect].count >= SETTLED;
    }
    void *known = packed(memory->latest, is_shown(memory, memory->latest));
    if (known != wmem_tree_lookup32_le(memory->by_frame, frame + 1)) {
        wmem_tree_insert32(memory->by_frame, frame + 1, known);
    }
}

static variant_dialect judge_dialect(dialect_memory *memory, uint32_t frame, const uint8_t *bytes,
                                     unsigned length)
{
    variant_dialect latest = memory->latest < VARIANT_DIALECT_COUNT ? memory->latest : VARIANT_GODOT4;
    variant_dialect order[] = {latest, VARIANT_GODOT4, VARIANT_GODOT3, VARIANT_GODOT2};

    if (bytes[0] <= LAST_COMMON_TYPE) {
        return latest;
    }
    variant_guess guess = variant_detect(bytes, length, memory->latest);
    if (guess.score > 0 && guess.ambiguous) {
        return memory->settled ? latest : guess.dialect; /* it shows nothing of those after it */
    }
    if (guess.score > 0) {
        note_dialect(memory, frame, guess.dialect, hash_bytes(bytes, length));
        return memory->latest;
    }
    /* No dialect fits all bytes: an invalid value, or one with other bytes after it. */
    for (size_t i = 0; i < array_length(order) && !memory->settled; i++) {
        if (variant_skip(bytes, length, (variant_options){.dialect = order[i]}, NULL) > length / 2) {
            return order[i];
        }
    }
    return latest;
}

/* The dialect of the value at `offset`, `length` bytes: they decide on the first pass. */
static variant_dialect dialect_of_value(dialect_memory *memory, packet_info *pinfo, tvbuff_t *tvb,
                                        unsigned offset, unsigned length)
{
    const value_place place = {pinfo->curr_layer_num, (uint32_t)tvb_raw_offset(tvb), offset};
    dialect_exceptions *exceptions =
        p_get_proto_data(wmem_file_scope(), pinfo, proto_godot_variant, FRAME_DIALECT_EXCEPTIONS);
    for (unsigned i = 0; exceptions && i < exceptions->count; i++) {
        if (memcmp(&exceptions->list[i].place, &place, sizeof place) == 0) {
            return exceptions->list[i].dialect;
        }
    }
    variant_dialect rule = dialect_at_frame(memory, frame_order(pinfo));
    if (frame_visited(pinfo)) {
        return rule;
    }
    const uint8_t *bytes = tvb_get_ptr(tvb, (int)offset, (int)length);
    variant_dialect dialect = judge_dialect(memory, frame_order(pinfo), bytes, length);
    return dialect == rule || !add_exception(pinfo, exceptions, &place, dialect) ? rule : dialect;
}

godot_variant_generation godot_variant_choose_dialect(packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                                                      unsigned length, variant_dialect session)
{
    godot_variant_generation chosen = {
        .dialect = preferred_dialect != AUTOMATIC ? (variant_dialect)preferred_dialect : session};
    int captured = tvb_captured_length_remaining(tvb, (int)offset);

    length = MIN(length, (unsigned)MAX(captured, 0));
    if (chosen.dialect < VARIANT_DIALECT_COUNT) {
        return chosen;
    }
    dialect_memory *memory = memory_of_conversation(pinfo);
    chosen.dialect = length > 0 ? dialect_of_value(memory, pinfo, tvb, offset, length)
                                : dialect_at_frame(memory, frame_order(pinfo));
    chosen.guessed = !is_shown_at_frame(memory, frame_order(pinfo));
    return chosen;
}

/* --- a packet ------------------------------------------------------------------------------------ */

void godot_variant_dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, variant_dialect session,
                           bool info)
{
    unsigned length = tvb_reported_length(tvb);
    godot_variant_generation chosen = godot_variant_choose_dialect(pinfo, tvb, 0, length, session);
    proto_item *item = proto_tree_add_item(tree, proto_godot_variant, tvb, 0, (int)length, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, ett_godot_variant);
    godot_variant value;

    godot_variant_read(&value, tvb, pinfo, 0, length, (variant_options){.dialect = chosen.dialect});
    godot_variant_note_guess(&value, chosen);
    godot_variant_add(&value, subtree, NULL);
    if (info && col_get_writable(pinfo->cinfo, COL_INFO)) {
        info_column_separate(pinfo);
        col_append_str(pinfo->cinfo, COL_INFO, godot_variant_text(&value, INFO_SIZE));
    }
    if (value.consumed > 0 && value.consumed < length) {
        item = proto_tree_add_item(subtree, hf_trailing, tvb, (int)value.consumed,
                                   (int)(length - value.consumed), ENC_NA);
        expert_add_info_format(pinfo, item, &ei_trailing, "Bytes after the value: the engine ignores them%s",
                               godot_variant_doubt(&value));
    }
}

static int dissect_variant(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Variant");
    col_clear(pinfo->cinfo, COL_INFO);
    /* Of a datagram of its own: a connection of ENet tells more. */
    if (pinfo->ptype == PT_UDP && ends_wanted(tree) && !proto_is_frame_protocol(pinfo->layers, "enet")) {
        ends_add(pinfo, tree, tvb, NULL, NULL);
    }
    godot_variant_dissect(tvb, pinfo, tree, VARIANT_DIALECT_COUNT, true);
    return (int)tvb_captured_length(tvb);
}

/* For dissectors that know the generation, as scripts for the bytes of a game. */
static int dissect_variant_godot4(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    col_clear(pinfo->cinfo, COL_INFO);
    godot_variant_dissect(tvb, pinfo, tree, VARIANT_GODOT4, true);
    return (int)tvb_captured_length(tvb);
}

static int dissect_variant_godot3(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    col_clear(pinfo->cinfo, COL_INFO);
    godot_variant_dissect(tvb, pinfo, tree, VARIANT_GODOT3, true);
    return (int)tvb_captured_length(tvb);
}

/* --- heuristics ----------------------------------------------------------------------------------- */

static variant_guess guess_packet(tvbuff_t *tvb)
{
    unsigned length = tvb_captured_length(tvb);
    variant_guess nothing = {.dialect = VARIANT_DIALECT_COUNT};

    if (length < 4 || length < tvb_reported_length(tvb)) {
        return nothing;
    }
    return variant_detect(tvb_get_ptr(tvb, 0, (int)length), length,
                          preferred_dialect != AUTOMATIC ? (variant_dialect)preferred_dialect
                                                         : VARIANT_DIALECT_COUNT);
}

/* A conversation with a value of strong evidence: short values are accepted, too, but only values. */
static int dissect_bound(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    bool taken = frame_order(pinfo) >= memory_of_conversation(pinfo)->bound_in && guess_packet(tvb).score > 0;
    return taken ? dissect_variant(tvb, pinfo, tree, data) : 0;
}

/* After the second value with strong evidence, any value is accepted in later frames: a single number proves
 * nothing, nor does one message of another protocol that looks like a value. */
#define ENOUGH 2

static bool is_known_to_be_variants(packet_info *pinfo, bool strong)
{
    dialect_memory *memory = memory_of_conversation(pinfo);

    if (memory->strong == ENOUGH && frame_order(pinfo) > memory->since) {
        return true;
    }
    if (strong && memory->strong < ENOUGH && !frame_visited(pinfo)) {
        memory->since = frame_order(pinfo);
        memory->strong++;
    }
    return false;
}

/* One value takes the whole packet, and it is a container, a text or of a plausible size and content; or
 * those before it were. */
static compat_bool dissect_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    variant_guess guess = guess_packet(tvb);

    if (guess.score <= 0 || (!is_known_to_be_variants(pinfo, guess.strong) && !guess.strong)) {
        return false;
    }
    dissect_variant(tvb, pinfo, tree, data);
    return true;
}

static compat_bool dissect_websocket_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                                                   void *data)
{
    return !websocket_is_claimed(tvb, pinfo) && dissect_heuristically(tvb, pinfo, tree, data);
}

static compat_bool dissect_udp_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!dissect_heuristically(tvb, pinfo, tree, data)) {
        return false;
    }
    if (!frame_visited(pinfo)) {
        dialect_memory *memory = memory_of_conversation(pinfo);
        memory->bound_in = memory->bound_in ? memory->bound_in : frame_order(pinfo);
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num,
                                                     bound_handle);
    }
    return true;
}

/* --- registration -------------------------------------------------------------------------------- */

void proto_register_godot_variant(void);
void proto_reg_handoff_godot_variant(void);

void proto_register_godot_variant(void)
{
    static hf_register_info hf[] = {
        {&hf_trailing,
         {"Trailing Bytes", "godot.variant.trailing", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    };
    static int *ett[] = {&ett_godot_variant};
    static ei_register_info ei[] = {
        {&ei_trailing,
         {"godot.variant.trailing.ignored", PI_UNDECODED, PI_WARN,
          "Bytes after the value: the engine ignores them", EXPFILL}},
    };
    proto_godot_variant = proto_register_protocol("Godot Variant", "Godot Variant", "godot.variant");
    godot_variant_register_fields(proto_godot_variant);
    proto_register_field_array(proto_godot_variant, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto_godot_variant), ei, array_length(ei));

    variant_handle = register_dissector("godot.variant", dissect_variant, proto_godot_variant);
    register_dissector("godot.variant.godot4", dissect_variant_godot4, proto_godot_variant);
    register_dissector("godot.variant.godot3", dissect_variant_godot3, proto_godot_variant);
    bound_handle = create_dissector_handle(dissect_bound, proto_godot_variant);
}

static void register_preferences(void)
{
    static enum_val_t dialects[VARIANT_DIALECT_COUNT + 2]; /* the last one: no name */

    dialects[0] = (enum_val_t){"auto", "Auto-detect", AUTOMATIC};
    for (unsigned i = 0; i < VARIANT_DIALECT_COUNT; i++) {
        dialects[i + 1] = (enum_val_t){variant_dialect_key(i), variant_dialect_name(i), (int)i};
    }
    module_t *module = godot_preferences();

    godot_preferences_add_heading("heading.variant", "Values (Variants)");
    prefs_register_enum_preference(
        module, "variant.dialect", "Generation of the engine",
        "Type IDs differ between the generations of the engine. Auto-detect: by the "
        "session or the values themselves, kept for the conversation.",
        &preferred_dialect, dialects, false);
    prefs_register_uint_preference(
        module, "variant.max_elements", "Elements shown",
        "How many elements of an array, entries of a dictionary or names of a path are "
        "shown one by one. The rest is one item.",
        10, &godot_variant_max_elements);
}

void proto_reg_handoff_godot_variant(void)
{
    /* The evidence of one packet is sufficient only if the transport is known to be a game's; on bare UDP and
     * DTLS the user has to enable the heuristic. */
    static const struct {
        const char *list, *display_name, *name;
        heur_dissector_t function;
        heuristic_enable_e enable;
    } heuristics[] = {
        {"udp", "Godot Variant over UDP", "godot_variant_udp", dissect_udp_heuristically, HEURISTIC_DISABLE},
        {"dtls", "Godot Variant over DTLS", "godot_variant_dtls", dissect_heuristically, HEURISTIC_DISABLE},
        {"enet", "Godot Variant over ENet", "godot_variant_enet", dissect_heuristically, HEURISTIC_ENABLE},
        {"sctp", "Godot Variant on a WebRTC data channel", "godot_variant_sctp", dissect_heuristically,
         HEURISTIC_DISABLE},
        {"ws", "Godot Variant over WebSocket", "godot_variant_ws", dissect_websocket_heuristically,
         HEURISTIC_ENABLE},
    };
    /* Tables in which users choose the dissector by hand. */
    static const char *const tables[] = {
        "dtls.port", "enet.channel", "enet.payload", "sctp.port", "sctp.ppi", "ws.protocol", NULL};

    register_preferences();
    godot_preferences_add_ports("variant.udp.port", "UDP ports of values", "udp.port", "", variant_handle);
    /* This is also called for text messages: only values are accepted. */
    godot_preferences_add_ports("variant.ws.port", "WebSocket ports of values", "ws.port", "", bound_handle);
    for (size_t i = 0; i < array_length(heuristics); i++) {
        if (has_heur_dissector_list(heuristics[i].list)) {
            heur_dissector_add(heuristics[i].list, heuristics[i].function, heuristics[i].display_name,
                               heuristics[i].name, proto_godot_variant, heuristics[i].enable);
        }
    }
    offer_decode_as(variant_handle, tables);
}
