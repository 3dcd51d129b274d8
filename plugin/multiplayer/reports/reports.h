/* reports.h
 *
 * What engines and games have said themselves: errors, warnings and output, with the packets that they are
 * about. They come from records of the add-on (plugin/recorder), which name the packet, and from the remote
 * debugger's stream (plugin/debugger), where search.h finds it.
 *
 * A report is read from its bytes on each pass. What is kept, on the first pass, is which packet it belongs
 * to. A packet is captured before its report: it shows the report on later passes only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPORTS_H
#define GODOT_REPORTS_H

#include "base/frame.h"

typedef enum {
    REPORT_ERROR, /* of the engine */
    REPORT_WARNING,
    REPORT_SCRIPT_ERROR,
    REPORT_SHADER_ERROR,
    REPORT_LAST_ERROR = REPORT_SHADER_ERROR,
    REPORT_OUTPUT,       /* print() */
    REPORT_OUTPUT_ERROR, /* printerr() */
    REPORT_LAST_WORD = REPORT_OUTPUT_ERROR,
    REPORT_LEFT_OUT, /* that there were more than are recorded */
    REPORT_NODE,     /* a change of a node */
    REPORT_PAUSE,    /* the game has made no frame for a long time */
    REPORT_KINDS
} report_kind;

/* A packet, by its frame and its place in it (godot_message). */
typedef struct {
    uint32_t frame, place;
} report_packet;

/* Who says it. */
typedef struct {
    int32_t peer;        /* its peer id, 0: not known (yet) */
    int64_t process;     /* its process id, 0: likewise */
    uint32_t process_in; /* a debugger: frame_order() of the message with it */
    bool debugger;       /* over the remote debugger's connection */
    /* First pass, for search.c. */
    report_packet about;          /* packet of its latest report; valid if `certain` or `pending` */
    bool certain;                 /* it is known */
    struct report_group *pending; /* it will be known when this is; NULL: it will not */
} engine_process;

/* A line in a script or in the engine's sources. */
typedef struct {
    const char *function, *file; /* NULL: not known */
    int64_t line;                /* 0: not known */
} report_place;

/* Most lines of a stack that are kept. */
enum { MAX_REPORT_STACK = 32 };

typedef struct godot_report {
    report_kind kind;
    const engine_process *source; /* NULL: not known */
    const char *text;             /* one line; not NULL */
    const char *code;             /* the condition that failed, if it is not the text; NULL: none */
    report_place place;
    const report_place *stack; /* of the script, the innermost first */
    uint32_t stack_count;
    bool thread;                     /* not the main one */
    uint32_t frame;                  /* frame_order() of the report */
    uint32_t about;                  /* that of the packet; 0: about none, or not known (yet) */
    const struct godot_report *next; /* about the same packet */
} godot_report;

void godot_reports_init(int proto);

/* Number of the tap: its data is a godot_report with the innermost level of its stack. */
extern int godot_report_tap;

/* The source with this key, created on first use. Keys of recordings are numbers of processes
 * (recorder_record), those of debuggers pointers to their connections. Its members are set on the first pass,
 * and statistics see the final ones. NULL: there are too many. */
engine_process *godot_report_source(uint64_t key);

/* A copy in file scope. NULL: too much is kept already. */
godot_report *godot_report_keep(const godot_report *report);
/* Appends what the source is called: "client 2 (process 811)", as far as known. */
void godot_report_append_source(GString *text, const engine_process *source);

/* First pass: the report with this number in its frame belongs to the packet. */
void godot_report_attach(godot_report *kept, uint32_t number, report_packet packet);

/* Reports about a packet so far, in their order; NULL: none. The first MAX_OF_PACKET are kept. */
enum { MAX_OF_PACKET = 16 };
const godot_report *godot_reports_of(report_packet packet);
/* Whether there are any about a packet. */
bool godot_reports_are_any(void);
/* How many there are about this one. */
uint32_t godot_reports_count(report_packet packet);

/* To be called once for each report of a frame, in their order, on each pass: numbers them. */
uint32_t godot_report_number(packet_info *pinfo);
/* frame_order() of the packet that it is about; 0: of none, or not known (yet). */
uint32_t godot_report_packet_of(uint32_t frame, uint32_t number);

/* --- recordings ---------------------------------------------------------------------------------- */

/* First pass: this packet is the one with this number in the recording. */
void godot_reports_learn_packet(uint32_t recording, uint32_t number, bool received, report_packet packet);
/* The packet with this number among the last ones that the recording's process received; false: there is
 * none. */
bool godot_reports_find_packet(uint32_t recording, uint32_t number, report_packet *packet);

/* First pass: the process `game` that has made the recording reports its errors, from this frame on. */
void godot_reports_learn_reporter(const packet_info *pinfo, uint32_t recording, uint32_t game,
                                  int32_t own_id);
/* First pass: records of the process are missing, so silence proves nothing. 0: of an unknown one. */
void godot_reports_learn_incomplete(uint32_t game);
/* Whether the recording contains all errors of its process about its packets, as far as known. */
bool godot_reports_are_complete(const packet_info *pinfo, uint32_t recording);
/* Whether there is a recording of a process that reports its errors, and whether none of these lacks any. */
bool godot_reports_are_recorded(void);
bool godot_reports_lack_nothing(void);
/* Whether such a recording by this peer has begun before this frame. */
bool godot_reports_are_of_peer(const packet_info *pinfo, int32_t peer);

/* --- the script line that has sent a packet ------------------------------------------------------ */

typedef struct {
    uint32_t frame; /* frame_order() of its record */
    const report_place *stack;
    uint32_t count;
} report_origin;

/* First pass: of the next packet with this number; copied. */
void godot_reports_learn_origin(uint32_t recording, uint32_t number, const report_origin *origin);
/* NULL: not known. */
const report_origin *godot_reports_origin_of(report_packet packet);

#endif
