/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/rpc_replies.h"

#include <string.h>

const rpc_reply_pattern rpc_reply_conventions[] = {
    {"ping", "pong"},
    {"request_*", "receive_*"},
    {"request_*", "respond_*"},
    {"request_*", "return_*"},
    {"request_*", "update_*"},
    {"request_*", "confirm_*"},
    {"ask_*", "answer_*"},
    {"fetch_*", "return_*"},
    {"get_*", "return_*"},
    {"*_request", "*_response"},
    {"*_request", "*_reply"},
    {"*_request", "*_answer"},
    {"*_request", "*_result"},
    {"Ping", "Pong"},
    {"Request*", "Receive*"},
    {"Request*", "Respond*"},
    {"Request*", "Return*"},
    {"Request*", "Update*"},
    {"Request*", "Confirm*"},
    {"Ask*", "Answer*"},
    {"Fetch*", "Return*"},
    {"Get*", "Return*"},
    {"*Request", "*Response"},
    {"*Request", "*Reply"},
    {"*Request", "*Answer"},
    {"*Request", "*Result"},
    {NULL, NULL},
};

const char *rpc_reply_bare_name(const char *method)
{
    return method + strspn(method, "_");
}

/* The parts of a name before and after its '*'. */
typedef struct {
    const char *before, *after;
    size_t before_length, after_length;
    bool star;
} pattern_parts;

static pattern_parts split(const char *pattern)
{
    const char *star = strchr(pattern, '*');
    pattern_parts parts = {.before = pattern, .before_length = strlen(pattern), .star = star != NULL};
    if (star) {
        parts.before_length = (size_t)(star - pattern);
        parts.after = star + 1;
        parts.after_length = strlen(parts.after);
    }
    return parts;
}

bool rpc_reply_name(const rpc_reply_pattern *pattern, const char *method, char *name, size_t room)
{
    const char *bare = rpc_reply_bare_name(method);
    size_t length = strlen(bare);
    pattern_parts from = split(rpc_reply_bare_name(pattern->request)),
                  to = split(rpc_reply_bare_name(pattern->reply));
    size_t fixed = from.before_length + from.after_length;
    if (length < fixed + (from.star ? 1 : 0) || (!from.star && length > fixed)) {
        return false;
    }
    if (memcmp(bare, from.before, from.before_length) != 0 ||
        (from.after_length &&
         memcmp(bare + length - from.after_length, from.after, from.after_length) != 0)) {
        return false;
    }
    size_t middle = to.star ? length - fixed : 0;
    if (to.before_length + middle + to.after_length >= room) {
        return false;
    }
    memcpy(name, to.before, to.before_length);
    memcpy(name + to.before_length, bare + from.before_length, middle);
    if (to.after_length) {
        memcpy(name + to.before_length + middle, to.after, to.after_length);
    }
    name[to.before_length + middle + to.after_length] = '\0';
    return true;
}

const char *rpc_reply_check(const rpc_reply_pattern *pattern)
{
    const char *request = pattern->request, *reply = pattern->reply;
    if (!request || !*request || !reply || !*reply) {
        return "Both names are needed";
    }
    const char *first = strchr(request, '*'), *second = strchr(reply, '*');
    if ((first && strchr(first + 1, '*')) || (second && strchr(second + 1, '*'))) {
        return "There can be one * in a name";
    }
    if (second && !first) {
        return "The * of the reply stands for what the * of the request has, which has none";
    }
    return NULL;
}
