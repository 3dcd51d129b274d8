/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/summary/summary.h"

#include <wsutil/str_util.h>

#include "base/columns.h"
#include "multiplayer/statistics/values/filters.h"
#include "statistics/option.h"

/* Different texts that are counted, and bytes of one that are shown. */
enum { MAX_SAID = 4000, MAX_TEXT = 300 };

void summary_begin_said(summary *all)
{
    all->said = report_list(all->pool);
    all->said_of = wmem_map_new(all->pool, wmem_str_hash, g_str_equal);
}

bool summary_is_said(const char *filter)
{
    return g_str_has_prefix(filter, "godot.engine.") || strcmp(filter, "godot.debugger.error") == 0 ||
           strcmp(filter, "godot.debugger.warning") == 0;
}

/* NULL: there are too many. */
static said *said_of(summary *all, const packet_info *pinfo, const godot_report *heard)
{
    char *key = wmem_strdup_printf(NULL, "%d %s", (int)heard->kind, heard->text);
    said *one = wmem_map_lookup(all->said_of, key);
    if (!one && all->said->len < MAX_SAID) {
        one = wmem_new0(all->pool, said);
        one->kind = heard->kind;
        one->key = wmem_strdup(all->pool, key);
        one->text = wmem_strdup(all->pool, godot_report_line(pinfo->pool, heard, MAX_TEXT));
        const char *filter = strlen(heard->text) > MAX_TEXT
                                 ? wmem_strdup_printf(pinfo->pool, "frame.number == %u", pinfo->num)
                                 : godot_filter_text(pinfo->pool, "godot.engine.text", heard->text);
        one->filter = wmem_strdup(all->pool, filter);
        const char *script = godot_report_script(pinfo->pool, heard);
        one->script = script ? wmem_strdup(all->pool, script) : NULL;
        one->refusal = godot_report_is_refusal(heard);
        one->first_frame = pinfo->num;
        g_ptr_array_add(all->said, one);
        wmem_map_insert(all->said_of, one->key, one);
    }
    wmem_free(NULL, key);
    return one;
}

static void add_source(said *one, const engine_process *source)
{
    for (uint32_t i = 0; i < MIN(one->source_count, MAX_SOURCES_SHOWN); i++) {
        if (one->sources[i] == source) {
            return;
        }
    }
    if (one->source_count < MAX_SOURCES_SHOWN) {
        one->sources[one->source_count++] = source;
    } else {
        one->source_count = MAX_SOURCES_SHOWN + 1;
    }
}

tap_packet_status summary_count_said(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *data, tap_flags_t flags _U_)
{
    summary *all = state;
    const godot_report *heard = data;
    said *one = heard->kind <= REPORT_LAST_ERROR ? said_of(all, pinfo, heard) : NULL;
    summary_see(all, pinfo);
    if (!one) {
        return TAP_PACKET_DONT_REDRAW;
    }
    one->counts[heard->source && heard->source->debugger]++;
    one->first_packet = one->first_packet ? one->first_packet : heard->about;
    add_source(one, heard->source);
    return TAP_PACKET_REDRAW;
}

/* A process that both records and has a debugger says everything twice. */
static bool is_twice(const said *one)
{
    for (uint32_t i = 0; i < MIN(one->source_count, MAX_SOURCES_SHOWN); i++) {
        for (uint32_t j = 0; j < i; j++) {
            const engine_process *a = one->sources[i], *b = one->sources[j];
            if (a && b && a->process && a->process == b->process && a->debugger != b->debugger) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_of(const said *one)
{
    return is_twice(one) ? MAX(one->counts[0], one->counts[1]) : one->counts[0] + one->counts[1];
}

/* Errors before warnings, the most frequent first. */
static int by_kind(gconstpointer a, gconstpointer b)
{
    const said *first = *(const said *const *)a, *second = *(const said *const *)b;
    bool warnings[] = {first->kind == REPORT_WARNING, second->kind == REPORT_WARNING};
    if (warnings[0] != warnings[1]) {
        return warnings[0] ? 1 : -1;
    }
    if (count_of(first) != count_of(second)) {
        return count_of(first) > count_of(second) ? -1 : 1;
    }
    return first->first_frame < second->first_frame ? -1 : first->first_frame > second->first_frame;
}

static void append_sources(GString *text, const said *one)
{
    uint32_t shown = MIN(one->source_count, MAX_SOURCES_SHOWN), written = 0;
    for (uint32_t i = 0; i < shown; i++) {
        bool again = is_twice(one) && one->sources[i] && one->sources[i]->debugger;
        if (!again) {
            g_string_append(text, written++ ? ", " : "");
            godot_report_append_source(text, one->sources[i]);
        }
    }
    g_string_append(text, one->source_count > MAX_SOURCES_SHOWN ? " and others" : "");
}

static void write_one(const said *one, GString *text)
{
    g_string_append_printf(text, "  %u × %s\n    ", count_of(one), one->text);
    append_sources(text, one);
    if (one->script) {
        g_string_append_printf(text, ", at %s", one->script);
    }
    g_string_append_printf(text, ", first in frame %u", one->first_frame);
    uint32_t packet = frame_number(one->first_packet);
    if (packet) {
        g_string_append_printf(text, ", about the packet in frame %u", packet);
    } else if (!one->first_packet && one->refusal) {
        g_string_append(text, ", about no packet that is known");
    }
    if (stat_is_tshark()) { /* else it is behind the button */
        g_string_append_printf(text, ", filter: %s", one->filter);
    }
    g_string_append_c(text, '\n');
}

void summary_write_said(summary *all, GString *text)
{
    if (!all->said->len && !godot_reports_are_recorded()) {
        return;
    }
    summary_heading(text, "What the engines have said");
    g_ptr_array_sort(all->said, by_kind);
    for (unsigned i = 0; i < MIN(all->said->len, MAX_SAID_SHOWN); i++) {
        said *one = all->said->pdata[i];
        write_one(one, text);
        g_ptr_array_add(all->filters, (char *)one->filter);
    }
    if (all->said->len > MAX_SAID_SHOWN) {
        g_string_append_printf(text, "  and %u other texts: Godot Log, -z godot,log\n",
                               all->said->len - MAX_SAID_SHOWN);
    }
    if (!all->said->len) {
        g_string_append(text, "  No error, no warning.\n");
    }
    if (!godot_reports_lack_nothing()) {
        g_string_append(text, "  Not all was recorded, filter: godot.recorder.reports_left_out || "
                              "godot.recorder.records_left_out\n");
    }
}
