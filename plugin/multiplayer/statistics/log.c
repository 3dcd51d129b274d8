/* log.c
 *
 * Statistics → Godot Log, and `-z godot,log[,FILTER]`: what all processes have said, in the order of time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include "multiplayer/reports/show.h"
#include "multiplayer/statistics/register.h"
#include "statistics/option.h"
#include "statistics/report.h"

/* Lines that are kept, and bytes of each. */
enum { MAX_LINES = 20000, MAX_TEXT = 300 };

typedef struct {
    nstime_t time; /* of day */
    double seconds;
    uint32_t frame, about; /* Wireshark's number; frame_order(), 0: about no packet */
    const engine_process *source;
    const char *text;
} log_line;

typedef struct {
    wmem_allocator_t *pool;
    GPtrArray *lines;
    unsigned more;   /* beyond MAX_LINES */
    GString *filter; /* of the line that was shown last */
} log_page;

static void *begin(wmem_allocator_t *pool)
{
    log_page *page = wmem_new0(pool, log_page);
    page->pool = pool;
    page->lines = report_list(pool);
    page->filter = report_text(pool);
    return page;
}

/* Words without a kind in them get it. With the line of the script that they come from, if known. */
static const char *text_of(wmem_allocator_t *pool, const godot_report *said)
{
    const char *line = godot_report_line(pool, said, MAX_TEXT), *script = godot_report_script(pool, said);
    bool printed = said->kind == REPORT_OUTPUT || said->kind == REPORT_OUTPUT_ERROR;
    return wmem_strdup_printf(pool, "%s%s%s%s%s", printed ? godot_report_kind_name(said->kind) : "",
                              printed ? " " : "", line, script ? ", at " : "", script ? script : "");
}

static tap_packet_status packet(void *state, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    log_page *page = state;
    const godot_report *said = data;
    if (page->lines->len >= MAX_LINES) {
        page->more++;
        return TAP_PACKET_REDRAW;
    }
    log_line *line = wmem_new(page->pool, log_line);
    *line = (log_line){pinfo->abs_ts, nstime_to_sec(&pinfo->rel_ts), pinfo->num, said->about,
                       said->source,  text_of(page->pool, said)};
    g_ptr_array_add(page->lines, line);
    return TAP_PACKET_REDRAW;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const log_line *first = *(const log_line *const *)a, *second = *(const log_line *const *)b;
    int order = nstime_cmp(&first->time, &second->time);
    return order ? order : (first->frame > second->frame) - (first->frame < second->frame);
}

/* The line, and the packet that it is about. */
static void append_filter(const log_line *line, GString *text)
{
    uint32_t about = frame_number(line->about);
    if (about) {
        g_string_append_printf(text, "frame.number in {%u, %u}", MIN(about, line->frame),
                               MAX(about, line->frame));
    } else {
        g_string_append_printf(text, "frame.number == %u", line->frame);
    }
}

static const char *line_filter(void *state, unsigned number)
{
    log_page *page = state;
    g_string_truncate(page->filter, 0);
    if (number < page->lines->len) {
        append_filter(page->lines->pdata[number], page->filter);
    }
    return number < page->lines->len ? page->filter->str : NULL;
}

/* In the window, its filter is behind the button. */
static void write_line(const log_line *line, GString *text)
{
    uint32_t about = frame_number(line->about);
    g_string_append_printf(text, "%12.6f s  frame %u, ", line->seconds, line->frame);
    godot_report_append_source(text, line->source);
    g_string_append_printf(text, ": %s", line->text);
    if (about) {
        g_string_append_printf(text, "; about the packet in frame %u", about);
    }
    if (stat_is_tshark()) {
        g_string_append(text, ", filter: ");
        append_filter(line, text);
    }
    g_string_append_c(text, '\n');
}

static void write_page(void *state, GString *text)
{
    log_page *page = state;
    g_string_append(text, "\n===================================================================\n"
                          "Godot Log: what the engines and games have said\n\n");
    g_ptr_array_sort(page->lines, by_time);
    for (unsigned i = 0; i < page->lines->len; i++) {
        write_line(page->lines->pdata[i], text);
    }
    if (page->more) {
        g_string_append_printf(text, "and %u more lines, filter: godot.engine.text\n", page->more);
    }
    if (!page->lines->len) {
        g_string_append(text, "Nothing: neither a recording of the add-on nor a connection of the remote "
                              "debugger has a message of a game.\n");
    }
    g_string_append(text, "===================================================================\n");
}

void godot_log_register(int proto _U_)
{
    static const report_source sources[] = {{"godot_report", packet}};
    static const report_button buttons[] = {{"Next line", line_filter}, {NULL, NULL}};
    static const report log_report = {.title = "Godot Log",
                                      .option = "godot,log",
                                      .sources = sources,
                                      .source_count = array_length(sources),
                                      .buttons = buttons,
                                      .begin = begin,
                                      .write = write_page};
    report_register(&log_report);
}
