/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/report.h"

#include <math.h>
#include <time.h>

#include <epan/funnel.h>
#include <epan/stat_tap_ui.h>

#include "statistics/option.h"

/* Lines of a page that a window shows without scrolling. A longer page is not written again while frames are
 * captured, because that would change the scroll position. */
enum { SHORT_PAGE = 20 };

/* Seconds: a frame that is older comes from a file. */
enum { CAPTURED_NOW = 60 };

/* Characters of a line that a window shows as it opens, 620 pixels wide. */
enum { LINE_WIDTH = 66, MORE_INDENTED = 2, CELL_INDENTED = 8 };

enum { MAX_BUTTONS = 3 };

typedef struct report_run report_run;

/* A button of a window, and which filter it applies next. */
typedef struct {
    funnel_bt_t pressed;
    const report_button *button;
    report_run *run;
    unsigned next;
} filter_button;

/* Wireshark identifies listeners by their address. */
typedef struct {
    report_run *run;
    const report_source *source;
} listener;

/* A report while it is made: a window, or an option of tshark. */
struct report_run {
    const report *report;
    wmem_allocator_t *pool; /* of `state` */
    void *state;
    funnel_text_window_t *window; /* NULL: tshark */
    funnel_bt_t update;           /* its button */
    filter_button filters[MAX_BUTTONS];
    listener *listeners; /* report->source_count; the first one also resets */
    unsigned listening;  /* how many of them are registered */
    bool closed;         /* the file, whose memory `state` may refer to */
    bool changed;        /* since it was written */
    bool is_long;        /* what the window shows */
    time_t captured;     /* when, the latest frame */
};

static GPtrArray *runs; /* NULL: none yet */

/* Before the memory of the file is freed. */
static void close_file(void)
{
    for (unsigned i = 0; runs && i < runs->len; i++) {
        ((report_run *)runs->pdata[i])->closed = true;
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                tap_flags_t flags)
{
    const listener *one = tap_data;
    tap_packet_status status = one->source->packet(one->run->state, pinfo, edt, data, flags);
    one->run->changed |= status == TAP_PACKET_REDRAW;
    return status;
}

static void begin_state(report_run *run)
{
    run->pool = wmem_allocator_new(WMEM_ALLOCATOR_BLOCK);
    run->state = run->report->begin(run->pool);
}

static void end_state(report_run *run)
{
    if (run->report->end) {
        run->report->end(run->state);
    }
    wmem_destroy_allocator(run->pool);
}

static void reset(void *tap_data)
{
    report_run *run = ((const listener *)tap_data)->run;
    end_state(run);
    begin_state(run);
    run->closed = false;
    run->changed = true;
}

static size_t begin_line(GString *page, size_t indentation)
{
    g_string_append_printf(page, "\n%*s", (int)indentation, "");
    return indentation;
}

/* Adds words, from a column on; in several lines if they are longer than the window is wide, but for a
 * filter, which is at their end and is copied. Returns the column behind them. */
static size_t append_words(GString *page, const char *words, const char *end, size_t column,
                           size_t indentation)
{
    const char *filter = g_strstr_len(words, end - words, "filter: ");
    for (const char *word = words; word < end;) {
        const char *blank = word == filter ? NULL : memchr(word, ' ', (size_t)(end - word));
        const char *after = blank ? blank : end;
        size_t width = (size_t)g_utf8_strlen(word, after - word);
        if (column > indentation && column + 1 + width > LINE_WIDTH) {
            column = begin_line(page, indentation);
        } else if (word > words) {
            g_string_append_c(page, ' ');
            column++;
        }
        g_string_append_len(page, word, after - word);
        column += width;
        word = blank ? blank + 1 : end;
    }
    return column;
}

/* Adds a line without its end. In a table several blanks are between two cells: a cell that does not fit
 * begins a line of its own. */
static void append_wrapped(GString *page, const char *line, const char *end)
{
    size_t column = strspn(line, " "), more = column + MORE_INDENTED;
    size_t blanks = column;
    column = 0;
    for (const char *cell = line + blanks; cell < end;) {
        const char *gap = g_strstr_len(cell, end - cell, "  "), *after = gap ? gap : end;
        if (column > 0 && column + blanks + (size_t)g_utf8_strlen(cell, after - cell) > LINE_WIDTH) {
            column = begin_line(page, CELL_INDENTED);
            more = CELL_INDENTED + MORE_INDENTED;
        } else {
            g_string_append_printf(page, "%*s", (int)blanks, "");
            column += blanks;
        }
        column = append_words(page, cell, after, column, more);
        blanks = strspn(after, " ");
        cell = after + blanks;
    }
}

/* The page as the window shows it. */
static GString *wrap_lines(const char *text)
{
    GString *page = g_string_new(NULL);
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchr(text, '\n');
        end = end ? end : text + strlen(text);
        append_wrapped(page, text, end);
        g_string_append(page, *end ? "\n" : "");
    }
    return page;
}

static bool is_long(const char *text)
{
    unsigned lines = 0;
    for (const char *at = strchr(text, '\n'); at && lines <= SHORT_PAGE; at = strchr(at + 1, '\n')) {
        lines++;
    }
    return lines > SHORT_PAGE;
}

/* Whether frames are being captured. A file is read within seconds, but Wireshark does not signal its end, so
 * its page is written each time. */
static bool captures(const report_run *run)
{
    /* The time of a frame can be any number. */
    return fabs((double)time(NULL) - (double)run->captured) < CAPTURED_NOW;
}

/* tshark: when everything was read. Wireshark: once then, or after the first few seconds of it. The text of a
 * closed file remains. */
static void write_text(void *tap_data)
{
    report_run *run = tap_data;
    if (run->closed) {
        return;
    }
    GString *text = g_string_new(NULL);
    run->report->write(run->state, text);
    run->changed = false;
    if (!run->window) {
        fputs(text->str, stdout);
        g_string_free(text, TRUE);
        return;
    }
    GString *page = wrap_lines(text->str);
    run->is_long = is_long(page->str);
    if (run->is_long && captures(run)) {
        g_string_append(page, "While frames arrive this page keeps its place: Update writes it again.\n");
    }
    funnel_get_funnel_ops()->set_text(run->window, page->str);
    g_string_free(page, TRUE);
    g_string_free(text, TRUE);
}

/* A source has new packets: called every few seconds while frames arrive, and once after that. */
static void draw(void *tap_data)
{
    report_run *run = ((const listener *)tap_data)->run;
    if (run->window && run->changed && !(run->is_long && captures(run))) {
        write_text(run);
    }
}

/* For a listener that never has new packets. */
static tap_packet_status nothing_new(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *tap _U_, tap_flags_t flags _U_)
{
    report_run *run = data;
    run->closed = false; /* tshark closes files before a live capture */
    run->captured = pinfo->abs_ts.secs;
    return TAP_PACKET_DONT_REDRAW;
}

static compat_bool update(funnel_text_window_t *window _U_, void *run)
{
    write_text(run);
    return TRUE;
}

static compat_bool apply_next(funnel_text_window_t *window _U_, void *of_button)
{
    filter_button *button = of_button;
    if (button->run->closed) {
        return TRUE;
    }
    const funnel_ops_t *window_system = funnel_get_funnel_ops();
    void *state = button->run->state;
    const char *filter = button->button->filter(state, button->next++);
    if (!filter) {
        button->next = 1;
        filter = button->button->filter(state, 0);
    }
    if (filter) {
        window_system->set_filter(window_system->ops_id, filter);
        window_system->apply_filter(window_system->ops_id);
    }
    return TRUE;
}

static void end_run(void *of_window)
{
    report_run *run = of_window;
    for (unsigned i = 0; i < run->listening; i++) {
        remove_tap_listener(&run->listeners[i]);
    }
    remove_tap_listener(run);
    g_ptr_array_remove_fast(runs, run);
    end_state(run);
    g_free(run->listeners);
    g_free(run);
}

/* `window` NULL: tshark. `filter` NULL: none. Returns why not, NULL: it listens. */
static GString *begin_run(const report *of, funnel_text_window_t *window, const char *filter,
                          report_run **started)
{
    report_run *run = g_new0(report_run, 1);
    run->report = of;
    run->window = window;
    begin_state(run);
    run->listeners = g_new0(listener, of->source_count);
    g_ptr_array_add(runs, run);
    GString *problem =
        register_tap_listener("frame", run, NULL, TL_REQUIRES_NOTHING, NULL, nothing_new, write_text, NULL);
    for (unsigned i = 0; i < of->source_count && !problem; i++) {
        run->listeners[i] = (listener){run, &of->sources[i]};
        problem = register_tap_listener(of->sources[i].tap, &run->listeners[i], filter, TL_REQUIRES_NOTHING,
                                        i ? NULL : reset, packet, draw, NULL);
        run->listening += !problem;
    }
    if (problem) {
        end_run(run);
        return problem;
    }
    *started = run;
    return NULL;
}

/* --- memory -------------------------------------------------------------------------------------- */

typedef struct {
    void *thing;
    GDestroyNotify free_thing;
} kept_thing;

static compat_bool free_kept(wmem_allocator_t *pool _U_, wmem_cb_event_t event _U_, void *data)
{
    const kept_thing *kept = data;
    kept->free_thing(kept->thing);
    return FALSE;
}

void *report_keep(wmem_allocator_t *pool, void *thing, GDestroyNotify free_thing)
{
    kept_thing *kept = wmem_new(pool, kept_thing);
    *kept = (kept_thing){thing, free_thing};
    wmem_register_callback(pool, free_kept, kept);
    return thing;
}

GPtrArray *report_list(wmem_allocator_t *pool)
{
    return report_keep(pool, g_ptr_array_new(), (GDestroyNotify)g_ptr_array_unref);
}

static void free_text(void *text)
{
    g_string_free(text, TRUE);
}

GString *report_text(wmem_allocator_t *pool)
{
    return report_keep(pool, g_string_new(NULL), free_text);
}

/* --- window -------------------------------------------------------------------------------------- */

static void add_buttons(report_run *run)
{
    const funnel_ops_t *window_system = funnel_get_funnel_ops();
    const report_button *buttons = run->report->buttons;
    run->update = (funnel_bt_t){.tw = run->window, .func = update, .data = run};
    window_system->add_button(run->window, &run->update, "Update");
    for (unsigned i = 0; buttons && i < MAX_BUTTONS && buttons[i].label; i++) {
        filter_button *one = &run->filters[i];
        *one = (filter_button){.button = &buttons[i], .run = run};
        one->pressed = (funnel_bt_t){.tw = run->window, .func = apply_next, .data = one};
        window_system->add_button(run->window, &one->pressed, buttons[i].label);
    }
}

/* `filter` NULL: none. */
static void show(const report *of, const char *filter)
{
    const funnel_ops_t *window_system = funnel_get_funnel_ops();
    if (!window_system || !window_system->new_text_window) {
        return;
    }
    funnel_text_window_t *window = window_system->new_text_window(window_system->ops_id, of->title);
    report_run *run;
    GString *problem = begin_run(of, window, filter, &run);
    if (problem) {
        window_system->set_text(window, problem->str);
        g_string_free(problem, TRUE);
        return;
    }
    window_system->set_close_cb(window, end_run, run);
    if (window_system->add_button) {
        add_buttons(run);
    }
    window_system->retap_packets(window_system->ops_id);
}

static void chosen_in_menu(void *registered)
{
    show((const report *)registered, NULL);
}

/* --- option -------------------------------------------------------------------------------------- */

static compat_stat_started start(const char *argument, void *registered)
{
    const report *of = (const report *)registered;
    const char *filter = stat_option_rest(argument, of->option);
    report_run *run;
    if (!stat_is_tshark()) {
        show(of, filter);
        return COMPAT_STAT_STARTED;
    }
    GString *problem = begin_run(of, NULL, filter, &run);
    if (problem) {
        stat_refuse(argument, problem->str);
    }
    return COMPAT_STAT_STARTED;
}

void report_register(const report *registered)
{
    if (!runs) {
        runs = g_ptr_array_new();
        register_cleanup_routine(close_file);
    }
    stat_option_register(registered->title, registered->option, start, (void *)registered);
    if (!stat_is_tshark()) {
        funnel_register_menu(registered->title, REGISTER_PACKET_STAT_GROUP_UNSORTED, chosen_in_menu,
                             (void *)registered, NULL, FALSE);
    }
}
