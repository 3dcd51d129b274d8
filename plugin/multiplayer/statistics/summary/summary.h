/* summary.h
 *
 * Statistics → Godot Summary: count.c collects the data, summary.c writes the text, connections.c that about
 * ends and losses of connections.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SUMMARY_H
#define GODOT_SUMMARY_H

#include "statistics/report.h"

#include "enet/api/tap.h"
#include "multiplayer/reports/show.h"
#include "multiplayer/state/session.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/values/bursts.h"

/* Most rows that are listed. */
enum {
    MAX_PLAYERS_SHOWN = 8,
    MAX_EXPENSES_SHOWN = 5,
    MAX_SAID_SHOWN = 20,
    MAX_SOURCES_SHOWN = 4,
    MAX_TEXTS_SHOWN = 4
};

/* A connection: over ENet, or a session over another transport. */
typedef struct {
    bool over_enet;
    uint32_t number; /* enet.stream, or godot.session */
    godot_transport transport;
    int api;             /* 0: no message of Godot's */
    int32_t peer, other; /* the other end; 0: the server, or not known */
    uint32_t gone_frame; /* of the record that it has disconnected; 0: none */
    char *address;       /* NULL: not known */
    uint32_t first_frame, last_frame;
    double first, last;                /* seconds since the capture began */
    const struct tcp_analysis *tcp;    /* over WebSocket; else NULL */
    const enet_connection *connection; /* over ENet; NULL: none was seen */
    enet_side client;                  /* of it: whose the peer is */
    bool client_known;                 /* that is more than an assumption */
    double begun;                      /* of its first datagram: seconds since the capture began */
    bool begun_before;                 /* ENet: the capture does not have its beginning */
    uint32_t not_given;                /* frame of its sockets that another dissector took before; 0: none */
    uint32_t reliable;                 /* transmissions of reliable commands */
    bool repeated;                     /* some are retransmissions */
    uint32_t again, first_again;       /* of these did not arrive; frame of the first retransmission */
    uint32_t needless, first_needless; /* retransmissions of what had arrived; likewise */
    uint32_t missing, first_missing;   /* unreliable messages that are missing; frame of the first gap */
    uint32_t late, first_late;         /* unreliable messages that the receiver drops as late; likewise */
    uint32_t dropped, first_dropped;   /* by the sender's throttle; likewise, at the sender's capture point */
    uint32_t lost, first_lost;         /* datagrams, between two capture points; frame of the first */
    struct {
        uint32_t count;
        double sum, longest; /* milliseconds */
    } transits[2];           /* of datagrams, between two capture points: to the peer, from it */
} player;

/* A method, or another kind of message. */
typedef struct {
    char *name, *filter;
    uint64_t messages, wire_bytes;
    uint32_t first_frame;
} expense;

/* Expert infos with the same text. */
typedef struct {
    char *text;
    uint32_t count, frame; /* of the first one */
} problem_text;

/* All expert infos of a kind. A message that both ends have recorded has them twice. */
typedef struct {
    const char *filter, *name;
    problem_text texts[MAX_TEXTS_SHOWN]; /* the first ones */
    uint32_t text_count, other_texts;    /* of `texts`; expert infos with others */
    bool godot3;                         /* of a message of Godot 3 */
    char *node;                          /* that it is about; "": about none; NULL: several */
    int severity;
    uint32_t counts[2]; /* [1]: in records of the other end; [0]: all others */
    uint32_t
        relayed[2]; /* of `counts`: in packets on their way to the server that is to relay them; behind it
                          */
    uint32_t first_frame;
} problem;

/* An error or a warning that engines have printed. */
typedef struct {
    report_kind kind;
    char *key, *text, *filter;
    char *script;       /* line of the script that the first comes from; NULL: none */
    bool refusal;       /* of a packet */
    uint32_t counts[2]; /* [1]: over debuggers' connections, [0]: in recordings */
    uint32_t first_frame;
    uint32_t first_packet; /* frame_order() of the first packet that it is about; 0: none is known */
    const engine_process *sources[MAX_SOURCES_SHOWN];
    uint32_t source_count; /* of `sources`; one more: there are others */
} said;

typedef struct {
    wmem_allocator_t *pool;
    GPtrArray *players, *expenses, *problems;
    GPtrArray *filters;                              /* of what was said, and problems, as on the page */
    GString *filter;                                 /* the latest of a button */
    wmem_map_t *player_of, *expense_of, *problem_of; /* keys are theirs */
    GPtrArray *said;
    wmem_map_t *said_of; /* likewise */
    godot_bursts *bursts;
    uint32_t last_frame, cut_frames; /* cut: by the snap length */
    uint32_t cut_records;            /* by the recorder, which cuts what Wireshark does not read */
    uint32_t not_judged;             /* messages */
    const char *not_judged_why;      /* of the first of them */
    bool lacks_segments;             /* some of them, of TCP */
    bool has_names;                  /* of a method that is called with a number */
    double last;
    uint64_t frame_bytes, message_bytes; /* of ENet: frames; messages in them */
    uint64_t server_bytes;               /* frames that the server has sent */
    uint64_t acknowledgements;           /* of ENet, commands */
    uint64_t header_bytes;               /* of frames, before their ENet datagrams */
    enet_coding coding;                  /* of datagrams sent uncompressed */
    uint64_t compressed_datagrams, datagrams;
    uint32_t datagram_frames[2]; /* first and last */
    uint32_t first_compressed;   /* frame */
    bool points_known;           /* there are two capture points */
    bool beyond_loopback;        /* datagrams of ENet between other addresses than those of the loopback */
    uint64_t wire_bytes;         /* of messages over every transport */
} summary;

void summary_heading(GString *text, const char *title);
/* "client 5 (127.0.0.1:4711)", as far as known. */
void summary_append_who(const summary *all, GString *text, const player *one);
/* How its connection ends. */
void summary_append_end(GString *text, const summary *all, const player *one);
/* How long datagrams are in transit, if two capture points show it. */
void summary_append_transit(GString *text, const player *one);
void summary_last_of(const player *one, double *last, uint32_t *frame);
/* What of ENet was sent and is not in the capture. */
void summary_write_lacking(const summary *all, GString *text);
/* The same of TCP, and which preference helps. */
void summary_write_lacking_segments(const summary *all, GString *text);
/* Connections that the capture has twice, as it does not say which place a frame is from. */
void summary_write_twice(const summary *all, GString *text);
void summary_write_losses(const summary *all, GString *text);
/* Whether something was lost between the peers: neither by the capture nor by a process that paused or is
 * gone. */
bool summary_has_network_losses(const summary *all);
/* Whether so many retransmissions are all known to be of what had arrived. */
bool summary_all_had_arrived(const summary *all, uint32_t retransmissions);

/* The frame is part of what the page is about. */
void summary_see(summary *all, const packet_info *pinfo);

/* Errors and warnings of engines: engines.c. */
void summary_begin_said(summary *all);
tap_packet_status summary_count_said(void *state, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                     tap_flags_t flags);
void summary_write_said(summary *all, GString *text);
/* Whether this is the filter of an expert info of theirs. */
bool summary_is_said(const char *filter);

/* Filters of the page's buttons: see report_button. */
const char *summary_problem_filter(void *state, unsigned number);
const char *summary_expense_filter(void *state, unsigned number);
const char *summary_player_filter(void *state, unsigned number);

/* Writes the page. */
void summary_write(void *state, GString *text);

void godot_summary_register(int proto); /* `-z godot,summary` */

#endif
