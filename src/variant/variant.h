/* variant.h
 *
 * Pull decoder for Godot's binary Variant encoding ("Binary serialization API", core/io/marshalls.cpp),
 * in every generation: Godot 4, Godot 3, Godot 2.1 and the type table printed in the Godot 4 manual.
 *
 * One decoder reads one value. It is an iterator: variant_next() returns one event after another, in the
 * order of the bytes, until it returns false. No recursion, no allocation, no global state; every event
 * points back into the bytes by offset. The tree builder, the text writer, the detector, the fuzzer and the
 * benchmark are small loops over it.
 *
 * All offsets are relative to the `bytes` given to variant_init(). All lengths are in bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_H
#define VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/findings.h"

/* The engine refuses more than 1024 nested levels below the first (marshalls.cpp, MAX_RECURSION_DEPTH), so
 * 1025 levels are accepted and the decoder has to keep that many. */
#define VARIANT_MAX_DEPTH 1025

/* No transport of the engine carries a value of 2 GiB or more: lengths are signed 32-bit there. */
#define VARIANT_MAX_LENGTH 0x7fffffffu

typedef enum {
    VARIANT_GODOT4,        /* engine 4.0 and later: 39 types (docs/engine-versions.md) */
    VARIANT_GODOT4_MANUAL, /* the table of the 4.x manual page, which no engine sends: 29 types */
    VARIANT_GODOT3,        /* engine 3.0 - 3.6: 27 types */
    VARIANT_GODOT2,        /* engine 2.1: 29 types */
    VARIANT_DIALECT_COUNT
} variant_dialect;

/* Types by meaning, one number for all generations (ids on the wire differ, see variant_type_of_id()). */
typedef enum {
    VARIANT_NIL,
    VARIANT_BOOL,
    VARIANT_INT,
    VARIANT_FLOAT,
    VARIANT_STRING,
    VARIANT_VECTOR2,
    VARIANT_VECTOR2I,
    VARIANT_RECT2,
    VARIANT_RECT2I,
    VARIANT_VECTOR3,
    VARIANT_VECTOR3I,
    VARIANT_TRANSFORM2D,
    VARIANT_VECTOR4,
    VARIANT_VECTOR4I,
    VARIANT_PLANE,
    VARIANT_QUATERNION,
    VARIANT_AABB,
    VARIANT_BASIS,
    VARIANT_TRANSFORM3D,
    VARIANT_PROJECTION,
    VARIANT_COLOR,
    VARIANT_STRING_NAME,
    VARIANT_NODE_PATH,
    VARIANT_RID,
    VARIANT_OBJECT,
    VARIANT_CALLABLE,
    VARIANT_SIGNAL,
    VARIANT_DICTIONARY,
    VARIANT_ARRAY,
    VARIANT_PACKED_BYTE_ARRAY,
    VARIANT_PACKED_INT32_ARRAY,
    VARIANT_PACKED_INT64_ARRAY,
    VARIANT_PACKED_FLOAT32_ARRAY,
    VARIANT_PACKED_FLOAT64_ARRAY,
    VARIANT_PACKED_STRING_ARRAY,
    VARIANT_PACKED_VECTOR2_ARRAY,
    VARIANT_PACKED_VECTOR3_ARRAY,
    VARIANT_PACKED_COLOR_ARRAY,
    VARIANT_PACKED_VECTOR4_ARRAY,
    VARIANT_IMAGE,       /* Godot 2.1 only */
    VARIANT_INPUT_EVENT, /* Godot 2.1 only */
    VARIANT_TYPE_COUNT,
    VARIANT_INVALID = VARIANT_TYPE_COUNT /* an id outside the dialect's table */
} variant_type;

/* What the decoder of an engine of the generation does about a problem. The names are those of the engine's
 * core/error/error_list.h. */
typedef enum {
    VARIANT_IGNORED,   /* it does not check this */
    VARIANT_TOLERATED, /* it detects the problem and continues */
    VARIANT_ERR_UNAUTHORIZED,
    VARIANT_ERR_OUT_OF_MEMORY,
    VARIANT_ERR_FILE_EOF,
    VARIANT_ERR_INVALID_DATA,
    VARIANT_ERR_UNAVAILABLE,
} variant_verdict;

#define VARIANT_REJECTS(verdict) ((verdict) >= VARIANT_ERR_UNAUTHORIZED)

typedef enum {
    VARIANT_PROBLEM_TRUNCATED,      /* fewer bytes than the value needs */
    VARIANT_PROBLEM_UNKNOWN_TYPE,   /* type id outside the table */
    VARIANT_PROBLEM_RESERVED_BITS,  /* header bits no engine writes */
    VARIANT_PROBLEM_STRING_OVERRUN, /* string length or padding beyond the end, or negative */
    VARIANT_PROBLEM_INVALID_UTF8,
    VARIANT_PROBLEM_EMBEDDED_NUL,    /* text is cut there by the reader */
    VARIANT_PROBLEM_PADDING_MISSING, /* tail padding cut off at the end of the buffer */
    VARIANT_PROBLEM_PADDING_NOT_ZERO,
    VARIANT_PROBLEM_BAD_COUNT,           /* negative element count, or more elements than bytes left */
    VARIANT_PROBLEM_BAD_BOOL,            /* a bool other than 0 and 1 */
    VARIANT_PROBLEM_OLD_NODE_PATH,       /* pre-3.0 NodePath: a plain string */
    VARIANT_PROBLEM_NODE_PATH_COUNTS,    /* name and sub-name counts wrap around 32 bits */
    VARIANT_PROBLEM_NODE_PATH_FLAGS,     /* flag bits no engine writes */
    VARIANT_PROBLEM_CONTAINER_TYPE,      /* element, key or value type info invalid */
    VARIANT_PROBLEM_ELEMENT_TYPE,        /* element of another type than the container announces */
    VARIANT_PROBLEM_SHARED_FLAG,         /* bit 31 of a container's count, written by 2.x only */
    VARIANT_PROBLEM_FULL_OBJECT,         /* full object although objects are not allowed */
    VARIANT_PROBLEM_OBJECT_CLASS,        /* class name that is not an identifier */
    VARIANT_PROBLEM_OBJECT_SCRIPT,       /* `script` property that the reader would refuse */
    VARIANT_PROBLEM_COMPACT_NULL_OBJECT, /* compact form of a null Object: the engine's own encoder bug */
    VARIANT_PROBLEM_COMPACT_MODE,        /* mode bits on a type that has no short form */
    VARIANT_PROBLEM_NOT_MINIMAL,         /* longer form of a number than its value needs */
    VARIANT_PROBLEM_INPUT_EVENT_LENGTH,  /* Godot 2: the length word disagrees with the event's type */
    VARIANT_PROBLEM_TOO_DEEP,            /* more than 1025 levels */
    VARIANT_PROBLEM_COUNT
} variant_problem;

typedef enum {
    VARIANT_VALUE,   /* a value without children; packed arrays, strings and null Objects included */
    VARIANT_BEGIN,   /* Dictionary, Array or full Object: children follow */
    VARIANT_END,     /* its end; comes for every VARIANT_BEGIN, after a fatal problem too */
    VARIANT_FINDING, /* a problem. It follows the VALUE or BEGIN it is about, unless it is `fatal`: then that
                      * value could not be read, no VALUE or BEGIN comes for it, and only VARIANT_END events
                      * follow. One value has at most one finding of each kind: the first, or the first that
                      * rejects. */
} variant_event_kind;

/* Role of a value in its container. */
typedef enum {
    VARIANT_ROOT,
    VARIANT_ELEMENT,     /* of an Array */
    VARIANT_KEY,         /* of a Dictionary entry */
    VARIANT_ENTRY_VALUE, /* of a Dictionary entry */
    VARIANT_PROPERTY,    /* of an Object; `name` is the property's name */
} variant_role;

/* A padded string ("pstr"): u32 length, text, zero to three bytes of padding. */
typedef struct {
    uint32_t offset;         /* of the length word */
    uint32_t length;         /* of the whole pstr: length word, text and the padding that is present */
    uint32_t text_offset;    /* of the text as the engine reads it: after a byte order mark */
    uint32_t text_length;    /* up to, not including, the first NUL */
    uint32_t wire_length;    /* the length word */
    uint32_t padding_offset; /* after the bytes counted by the length word */
    uint8_t padding;         /* bytes of padding that are present, 0 - 3 */
} variant_string;

typedef enum {
    VARIANT_UNTYPED,
    VARIANT_TYPED_BUILTIN, /* by `type` and `type_id` */
    VARIANT_TYPED_CLASS,   /* `name` is the class, EncodedObjectAsID unless full objects are sent */
    VARIANT_TYPED_SCRIPT,  /* `name` is the script's res:// path */
} variant_container_kind;

/* Type of a typed container's elements, keys or values (Godot 4.3+ Array, 4.4+ Dictionary). */
typedef struct {
    variant_container_kind kind;
    variant_type type; /* VARIANT_NIL: any */
    uint32_t type_id;
    uint32_t offset, length; /* bytes of the type info; length 0 if untyped */
    variant_string name;
} variant_container_type;

/* Godot 2 only. The pixels are the last `data_length` - 20 bytes of the payload. */
typedef struct {
    uint32_t format, mipmaps, width, height;
} variant_image;

/* Godot 2 only. `fields` of the numbers after the three header words are present (0 - 2): key: modifiers,
 * scancode; mouse button, joystick button, screen touch: index; joystick motion: axis, axis value (an f32).
 */
typedef struct {
    uint32_t type, device, length; /* `length` as on the wire */
    uint32_t fields;
    uint32_t number[2];
    float axis_value; /* joystick motion: number[1] as an f32 */
} variant_input_event;

/* The decoder sets only the members that an event needs: a member is valid for the kinds and types in its
 * comment and undefined otherwise. */
typedef struct {
    /* Valid in every event. END repeats those of its BEGIN; a FINDING has those of the value it is about. */
    variant_event_kind kind;
    variant_role role;
    variant_type type;     /* VARIANT_INVALID: unknown id, or the header is cut off (FINDING) */
    uint8_t type_id;       /* on the wire */
    bool wide;             /* FLAG_64: 64-bit int or float, double-precision components */
    bool compact;          /* this is a top-level value in the compact form */
    uint16_t depth;        /* 0 for the top-level value */
    uint8_t header_length; /* 4, or 1 for a short compact int or bool */
    uint32_t header;       /* the header word; for a short compact int or bool its first byte */
    uint32_t index;        /* among the siblings; a Dictionary entry's key and value have the same */
    uint32_t offset;       /* of the header; in a FINDING of the bytes the problem is about */
    uint32_t length;       /* VALUE and END: whole value with header and padding. BEGIN: 0, not known yet.
                            * FINDING: of the bytes the problem is about, may be 0 */

    /* VALUE and BEGIN. */
    uint32_t data_offset; /* after header, type infos, count and string length: first byte of the payload */
    uint32_t data_length; /* of the payload without tail padding; in BEGIN 0 */
    uint32_t padding; /* bytes of tail padding (String, StringName, byte array, Image); they end the value */
    uint32_t count;   /* packed arrays and containers: elements; full Objects: properties; others: 0 */

    /* Packed arrays, Dictionary, Array, Image (bytes of pixels) and full Objects. */
    uint32_t count_offset; /* of the count word */
    uint32_t element_size; /* packed arrays: bytes of one element; 0 for strings */

    union {
        bool b;                          /* bool */
        int64_t i;                       /* int */
        double f;                        /* float */
        uint64_t id;                     /* Object without children (0: null), RID, Signal: its object */
        variant_image image;             /* Image */
        variant_input_event input_event; /* InputEvent */
        struct {
            uint32_t names, subnames; /* as the reader counts them; their strings begin at `data_offset` */
            uint32_t flags;  /* bit 0 absolute, bit 1: a property name from Godot 2 is the last one */
            bool old_format; /* before 3.0: no names, `text` is the path */
        } path;              /* NodePath */
    } value;
    variant_string text; /* String, StringName: the value. Signal: its name. full Object (BEGIN): its class.
                          * NodePath in the old format: the path */
    variant_string name; /* role VARIANT_PROPERTY, but not in END: the property's name, before the header */

    variant_container_type key_type;     /* BEGIN of a Dictionary */
    variant_container_type element_type; /* BEGIN of an Array: elements, of a Dictionary: values */

    /* FINDING. */
    variant_problem problem;
    variant_verdict verdict;
    bool fatal;            /* the rest of the value cannot be read */
    uint32_t value_offset; /* of the header of the value concerned */
} variant_event;

typedef struct {
    variant_dialect dialect;
    bool compact;         /* read the compact form of RPC arguments and replication (Godot 4) */
    bool objects_allowed; /* the receiver decodes full objects: do not report VARIANT_PROBLEM_FULL_OBJECT */
} variant_options;

struct variant_dialect_facts;

/* State of one open container. For the decoder only. */
typedef struct {
    uint32_t offset;
    uint32_t header;
    uint32_t total; /* values in it; a Dictionary entry counts two */
    uint32_t taken; /* values so far */
    uint8_t type;
    uint8_t role;    /* of its values, or of the first of each pair */
    uint8_t shift;   /* 1 if values come in pairs, else 0 */
    bool compact;    /* its value is in the compact form: the outermost only */
    bool plain;      /* nothing to check in it: not typed, compact, an Object or too deep */
    uint8_t want[2]; /* types that a typed container announces: of elements or keys, and of entry values */
} variant_level;

/* About 25 KiB, meant for the stack. variant_init() touches little of it. */
typedef struct {
    const uint8_t *bytes;
    uint32_t length;
    uint32_t position; /* of the next byte to read. After the last event: how much the value took; after a
                        * fatal problem: the end of the bytes it is about */
    variant_options options;
    bool rejected;         /* a finding with an ERR_ verdict was returned */
    variant_verdict error; /* the first of them: what the engine's decoder returns; else VARIANT_IGNORED */

    /* For the decoder only. */
    const struct variant_dialect_facts *facts;
    uint32_t depth; /* open containers */
    bool failed;
    uint8_t findings, findings_returned;
    uint32_t problems_seen;                      /* bit per variant_problem: reported for the current value */
    finding queue[VARIANT_PROBLEM_COUNT + 1];    /* at most one of each kind, and a fatal one */
    variant_event about;                         /* the value that the waiting findings are about */
    variant_level levels[VARIANT_MAX_DEPTH + 1]; /* the top-level value is the only value of the first */
} variant_decoder;

/* Prepares `decoder` to read one value from `bytes`. `length` is at most VARIANT_MAX_LENGTH; bytes after the
 * value are ignored. `bytes` must stay valid while the decoder is in use. */
void variant_init(variant_decoder *decoder, const uint8_t *bytes, size_t length, variant_options options);

/* Returns the next event in `event`, or false when the value (or what could be read of it) is complete.
 * Each call does work bounded by the bytes it passes. */
bool variant_next(variant_decoder *decoder, variant_event *event);

/* Copies a decoder with its position. */
void variant_copy(variant_decoder *copy, const variant_decoder *decoder);

/* Reads the strings of a PackedStringArray or NodePath one after another: start with *position =
 * event->data_offset, call event->count (or names + subnames) times. `bytes` as given to variant_init().
 * The event must come from the decoder: bounds were checked there. */
variant_string variant_next_string(const uint8_t *bytes, const variant_event *event, uint32_t *position);

/* Component `i` of a math type or Color (VALUE event), or number `i` of a packed array of numbers counted
 * flat (PackedVector2Array: i = 2 * element + component), as a double. Integer types: exact up to 2^53; use
 * variant_component_int() for them. */
double variant_component(const uint8_t *bytes, const variant_event *event, uint32_t i);
int64_t variant_component_int(const uint8_t *bytes, const variant_event *event, uint32_t i);

/* Static facts about a type, the same in all generations. */
typedef enum {
    VARIANT_NO_COMPONENTS,
    VARIANT_REAL,
    VARIANT_FLOAT32,
    VARIANT_FLOAT64,
    VARIANT_INT8U,
    VARIANT_INT32,
    VARIANT_INT64
} variant_component_kind;

typedef struct {
    const char *name; /* Godot 4's: "Vector3", "PackedByteArray" */
    variant_component_kind component_kind;
    uint8_t component_count;            /* numbers in one value, or in one element of a packed array */
    const char *const *component_names; /* "x", "position.x", … in wire order; NULL if it has none */
    bool packed;                        /* a packed array (strings included) */
    bool container;                     /* Dictionary or Array */
} variant_type_info;

const variant_type_info *variant_type_facts(variant_type type); /* never NULL, "?" for VARIANT_INVALID */
const char *variant_type_name(variant_type type);
variant_type variant_type_of_id(variant_dialect dialect, uint32_t type_id); /* VARIANT_INVALID if unknown */
int variant_id_of_type(variant_dialect dialect, variant_type type);         /* -1 if the dialect lacks it */
uint32_t variant_type_count(variant_dialect dialect);                       /* VARIANT_MAX of the engine */
const char *variant_dialect_key(variant_dialect dialect);  /* "godot4", … for preferences and fields */
const char *variant_dialect_name(variant_dialect dialect); /* "Godot 4", … for people */
const char *variant_verdict_name(variant_verdict verdict); /* "ERR_INVALID_DATA", "tolerated", "ignored" */
/* By variant_problem; the verdict, a variant_verdict, is that of Godot 4 and of Godot 3 since 3.1. */
extern const problem_facts variant_problems[VARIANT_PROBLEM_COUNT];

/* Skips one value. Returns the bytes it takes (0 if it cannot be read to
 * its end); *error (may be NULL) is the engine's verdict: VARIANT_IGNORED if it accepts the value. */
uint32_t variant_skip(const uint8_t *bytes, size_t length, variant_options options, variant_verdict *error);

/* --- text (variant/text.c) ----------------------------------------------------------------------- */

/* Writes the value as Godot 4's var_to_str() does, for every dialect, with these differences: no line breaks
 * are added (those in Strings stay), dictionaries are in wire order as `{key: value, …}`. What the engine
 * would have to look up is written from what is on the wire: an Object sent as id is
 * `<Object#-9223372036854775157>` (the id as scripts see it, `null` for 0), the class of a typed container is
 * the one sent (usually EncodedObjectAsID). Types of Godot 2: `Image(width, height, format, mipmaps, bytes)`,
 * `InputEvent(type, device, …)`. At most `size` bytes, always NUL-terminated (size > 0), cut on a character
 * boundary and ended by "…" if there is more. What cannot be read is shown as `<name of the problem>`.
 * Returns the length written without the NUL. `consumed` (may be NULL): bytes of the value, as
 * variant_skip(). */
size_t variant_text(const uint8_t *bytes, size_t length, variant_options options, char *text, size_t size,
                    uint32_t *consumed);

/* The same event by event, for callers that need the events as well: variant_writer_init(), then
 * variant_writer_add() for every event of the value (or of a value inside of it, from its VALUE or BEGIN to
 * its END), then variant_writer_end(), which returns the length written without the NUL. */
typedef struct {
    char *text;
    size_t room; /* bytes without the NUL */
    size_t length;
    size_t readable;               /* bytes that may be read where events point into; 0: not known */
    bool cut;                      /* something did not fit: further events change nothing */
    bool begun;                    /* there has been an event */
    bool typed[VARIANT_MAX_DEPTH]; /* of the open containers, by depth */
} variant_writer;

/* `readable`: bytes from `bytes` of variant_writer_add() on that may be read; 0: not known. */
void variant_writer_init(variant_writer *writer, char *text, size_t size, size_t readable);
void variant_writer_add(variant_writer *writer, const uint8_t *bytes, const variant_event *event);
size_t variant_writer_end(variant_writer *writer);

/* Shortens `full`, a result of variant_text(), to what that would have written into `size` bytes. */
size_t variant_text_cut(const char *full, char *text, size_t size);

/* The text of a single VALUE event (for a tree item). Containers are not descended into. */
size_t variant_event_text(const uint8_t *bytes, const variant_event *event, char *text, size_t size);

/* The number as the engine prints a component (`1`, not `1.0`): the fewest digits that identify it, among f32
 * if it is exactly an f32. At most VARIANT_NUMBER_SIZE bytes with the NUL; returns the length without it. */
#define VARIANT_NUMBER_SIZE 32
size_t variant_number_text(double value, char text[VARIANT_NUMBER_SIZE]);

/* Digits that give the same double again, with a point or an exponent: `1.0`, `0.10000000149011612`. The
 * value is finite. At most VARIANT_NUMBER_SIZE bytes with the NUL; returns the length without it. */
size_t variant_double_text(double value, char text[VARIANT_NUMBER_SIZE]);

/* --- detection (variant/detect.c) ---------------------------------------------------------------- */

typedef struct {
    variant_dialect dialect;
    int score; /* the higher, the more the values look like a game's; 0: no dialect fits */
    uint32_t consumed;
    bool strong;    /* enough evidence to claim an unknown datagram */
    bool ambiguous; /* it fits Godot 4 and an earlier generation */
} variant_guess;

/* Judges which dialect `bytes` are in. A dialect fits if exactly all bytes are one value and nothing in it is
 * what engines of that generation never write. `preferred`: the dialect the conversation used before, chosen
 * whenever it fits; VARIANT_DIALECT_COUNT if there is none. Otherwise the best score wins. */
variant_guess variant_detect(const uint8_t *bytes, size_t length, variant_dialect preferred);

#endif
