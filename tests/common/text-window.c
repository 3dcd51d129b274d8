/* text-window.c
 *
 * A plugin for tests that makes tshark act as Wireshark and prints the text windows. After every 50th frame
 * it draws the listeners with new packets, as Wireshark does every few seconds during a capture; `-z
 * text-window,FRAME` presses the window's button after that frame, and again when the file is closed and its
 * memory is freed. The other buttons are then pressed PRESSES times each and print the filter that
 * they apply after "# filter" and their label. Each text is printed after a line "# window" with the number of the latest frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "base/wireshark-compat.h"

#include <stdlib.h>

#include <epan/funnel.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "test-plugin.h"

enum { FRAMES_BETWEEN = 50 };

static uint32_t latest, pressed_after;
static funnel_bt_t *button; /* Update */
static GPtrArray *others, *labels;

enum { PRESSES = 12 };

static funnel_text_window_t *new_window(funnel_ops_id_t *id _U_, const char *label _U_)
{
    return (funnel_text_window_t *)&latest;
}

static void set_text(funnel_text_window_t *window _U_, const char *text)
{
    printf("# window %u\n%s", latest, text);
}

static void set_close(funnel_text_window_t *window _U_, text_win_close_cb_t callback _U_, void *data _U_)
{
}

static void add_button(funnel_text_window_t *window _U_, funnel_bt_t *added, const char *label)
{
    printf("# button %s\n", label);
    if (!button) {
        button = added;
        return;
    }
    others = others ? others : g_ptr_array_new();
    labels = labels ? labels : g_ptr_array_new();
    g_ptr_array_add(others, added);
    g_ptr_array_add(labels, (void *)label);
}

static const char *pressed_label;

static void set_filter(funnel_ops_id_t *id _U_, const char *filter)
{
    printf("# filter %s\t%s\n", pressed_label, filter);
}

static void apply_filter(funnel_ops_id_t *id _U_)
{
}

static void press_others(void)
{
    for (unsigned i = 0; others && i < others->len; i++) {
        funnel_bt_t *one = others->pdata[i];
        pressed_label = labels->pdata[i];
        for (unsigned k = 0; k < PRESSES; k++) {
            one->func(one->tw, one->data);
        }
    }
}

static void retap(funnel_ops_id_t *id _U_)
{
}

/* The data that a dissector keeps for the file is freed, or will be next. */
static void press_after_closing(void)
{
    if (latest && button) {
        printf("# closed\n");
        button->func(button->tw, button->data);
    }
}

/* Other listeners may not have had the frame yet, which does not matter here. */
static tap_packet_status frame(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                               const void *tap _U_, tap_flags_t flags _U_)
{
    latest = pinfo->num;
    if (latest % FRAMES_BETWEEN == 0) {
        draw_tap_listeners(FALSE);
    }
    if (latest == pressed_after) {
        button->func(button->tw, button->data);
        press_others();
    }
    return TAP_PACKET_DONT_REDRAW;
}

static compat_stat_started start(const char *options, void *data _U_)
{
    const char *number = strchr(options, ',');
    pressed_after = number ? (uint32_t)atoi(number + 1) : 0;
    GString *error = register_tap_listener("frame", &latest, NULL, 0, NULL, frame, NULL, NULL);
    g_assert(!error);
    return COMPAT_STAT_STARTED;
}

static void register_protocol(void)
{
}

static void register_handoff(void)
{
    static const funnel_ops_t windows = {.new_text_window = new_window,
                                         .set_text = set_text,
                                         .set_close_cb = set_close,
                                         .add_button = add_button,
                                         .set_filter = set_filter,
                                         .apply_filter = apply_filter,
                                         .retap_packets = retap};
    static stat_tap_ui ui = {REGISTER_STAT_GROUP_GENERIC, NULL, "text-window", start, 0, NULL};
    funnel_set_funnel_ops(&windows);
    register_stat_tap_ui(&ui, NULL);
    register_shutdown_routine(press_after_closing);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocol, register_handoff};
    g_set_prgname("wireshark");
    proto_register_plugin(&plugin);
}
