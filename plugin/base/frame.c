/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/frame.h"

#include <epan/frame_data.h>
#include <wiretap/wtap.h>

#include "base/allocators.h"

#define DROPPED 0x80000000u /* in `numbers`: the read filter has dropped the frame */

/* Up to this frame, order numbers are frame numbers, in most captures up to the end: nothing is stored. */
static uint32_t alike;
static paged_list numbers = {.size = sizeof(uint32_t)}; /* by order number: position and DROPPED */
static paged_list orders = {
    .size = sizeof(uint32_t)}; /* by frame number: the order number of the last frame with it */

/* The frame that is dissected. */
static struct {
    const frame_data *fd; /* compared only; NULL: none yet */
    int64_t offset;       /* offset in the file, different for each frame */
    uint32_t number;
    bool was_visited; /* from Wireshark */
    bool visited;     /* the state is not changed by it */
    uint32_t order;
} current;

/* The latest frame that was new. */
static struct {
    uint32_t order, number;
    int64_t offset;
    bool is_kept; /* for certain */
} latest;

static bool dropping; /* a frame was dropped */

/* Numbers of capture points that have a name; those of interfaces do not have this bit. */
#define NAMED_POINT      0x80000000u
#define MAX_COMMENTS     16u /* of a packet that are compared */
#define MAX_NAMED_POINTS 64  /* packets of further names have an unknown point */

static wmem_map_t *named_points; /* name: its number, without NAMED_POINT */

static void forget(void)
{
    numbers = orders = (paged_list){.size = sizeof(uint32_t)}; /* were in file scope */
    memset(&current, 0, sizeof current);
    memset(&latest, 0, sizeof latest);
    alike = 0;
    dropping = false;
}

static uint32_t number_at(const paged_list *array, uint32_t index)
{
    const uint32_t *value = paged_list_find(array, index);
    return value ? *value : 0;
}

static void put(paged_list *array, uint32_t index, uint32_t value)
{
    const memory_allocator memory = file_memory();
    *(uint32_t *)paged_list_make(&memory, array, index) = value;
}

/* Position and DROPPED. */
static uint32_t number_of(uint32_t order)
{
    return order <= alike ? order : number_at(&numbers, order);
}

static uint32_t order_of(uint32_t number)
{
    return number <= alike ? number : number_at(&orders, number);
}

/* Frames from this order number on are stored. */
static void store_from(uint32_t order)
{
    for (; alike >= order; alike--) {
        put(&numbers, alike, alike);
        put(&orders, alike, alike);
    }
}

/* `number` 0: it has none yet. */
static void set_number(uint32_t order, uint32_t number, uint32_t position)
{
    if (order == alike + 1 && number == order && position == order) {
        alike = order;
    } else if (number != order || position != order || order > alike) {
        store_from(MIN(order, number ? number : order));
        put(&numbers, order, position);
        if (number) {
            put(&orders, number, order);
        }
    }
}

/* --- the frame that is dissected ----------------------------------------------------------------- */

/* Wireshark dissects a frame for the read filter and immediately again if it is kept. tshark's taps are
 * called after the dissectors. */
static bool is_latest_again(const packet_info *pinfo)
{
    return latest.order && current.order == latest.order && pinfo->fd->file_off == latest.offset &&
           (latest.number == 0 || latest.number == pinfo->num) && pinfo->num != 0;
}

/* A new frame after the latest one, which was dropped if this has its number. */
static void settle_latest(uint32_t next_number)
{
    if (latest.order && !latest.is_kept && (latest.number == 0 || latest.number == next_number)) {
        store_from(latest.order);
        put(&numbers, latest.order, number_at(&numbers, latest.order) | DROPPED);
        dropping = true;
    }
}

static void keep_latest(uint32_t number)
{
    latest.number = number;
    latest.is_kept = true;
    set_number(latest.order, number, number);
}

static void begin_new(const packet_info *pinfo)
{
    uint32_t position = pinfo->num ? pinfo->num : frame_position(latest.order) + (latest.is_kept ? 1 : 0);

    settle_latest(pinfo->num);
    latest.order++;
    latest.number = pinfo->num;
    latest.offset = pinfo->fd->file_off;
    latest.is_kept = false;
    set_number(latest.order, pinfo->num, position);
}

static void begin(const packet_info *pinfo)
{
    bool visited = pinfo->fd->visited;

    if (is_latest_again(pinfo) || (visited && latest.order && pinfo->num == latest.number)) {
        keep_latest(pinfo->num);
        visited = true;
    } else if (!visited) {
        begin_new(pinfo);
    }
    current.order = visited ? order_of(pinfo->num) : latest.order;
    current.visited = visited;
    current.fd = pinfo->fd;
    current.offset = pinfo->fd->file_off;
    current.number = pinfo->num;
    current.was_visited = pinfo->fd->visited;
}

static inline void look(const packet_info *pinfo)
{
    const frame_data *fd = pinfo->fd;

    if (fd != current.fd || fd->file_off != current.offset || pinfo->num != current.number ||
        fd->visited != current.was_visited) {
        begin(pinfo);
    }
}

uint32_t frame_order(const packet_info *pinfo)
{
    look(pinfo);
    return current.order;
}

bool frame_visited(const packet_info *pinfo)
{
    look(pinfo);
    return current.visited;
}

#define NO_PROTOCOL (-1) /* not added to the frame's layers, which would cost five times as much */

static void (*look_at_new)(packet_info *pinfo);

void frame_look_at_new(void (*function)(packet_info *pinfo))
{
    look_at_new = function;
}

/* Called for each frame, to find out whether the one before was dropped. */
static int see_frame(tvbuff_t *tvb _U_, packet_info *pinfo, proto_tree *tree _U_, void *data _U_)
{
    look(pinfo);
    if (look_at_new && !current.visited) {
        look_at_new(pinfo);
    }
    return 0;
}

void frame_register(void)
{
    register_postdissector(create_dissector_handle(see_frame, NO_PROTOCOL));
    register_cleanup_routine(forget);
    named_points = file_map(wmem_str_hash, g_str_equal);
}

/* --- what is shown ------------------------------------------------------------------------------- */

uint32_t frame_number(uint32_t order)
{
    uint32_t number = number_of(order);
    bool is_last = order == latest.order && !latest.is_kept && current.order != order;

    return number & DROPPED || (is_last && dropping) ? 0 : number;
}

uint32_t frame_position(uint32_t order)
{
    return number_of(order) & ~DROPPED;
}

proto_item *frame_add_reference(proto_tree *tree, int hf, tvbuff_t *tvb, uint32_t order)
{
    uint32_t number = frame_number(order);
    proto_item *item = number ? proto_tree_add_uint(tree, hf, tvb, 0, 0, number) : NULL;

    proto_item_set_generated(item);
    return item;
}

char *frame_text(wmem_allocator_t *scope, uint32_t order)
{
    uint32_t number = frame_number(order);
    return number ? wmem_strdup_printf(scope, "frame %u", number) : wmem_strdup(scope, "a dropped frame");
}

bool frame_seems_from_client(const packet_info *pinfo)
{
    if (pinfo->srcport != pinfo->destport) {
        return pinfo->srcport > pinfo->destport;
    }
    return cmp_address(&pinfo->src, &pinfo->dst) > 0;
}

/* --- capture points ------------------------------------------------------------------------------ */

/* A packet comment that names the capture point: "capture point: server". */
#define POINT_COMMENT "capture point:"

/* A different number for each name; 0: there are too many. */
static uint32_t number_of_point(const char *name)
{
    uint32_t number = GPOINTER_TO_UINT(wmem_map_lookup(named_points, name));
    if (number == 0 && wmem_map_size(named_points) < MAX_NAMED_POINTS) {
        number = wmem_map_size(named_points) + 1;
        wmem_map_insert(named_points, wmem_strdup(wmem_file_scope(), name), GUINT_TO_POINTER(number));
    }
    return number ? number | NAMED_POINT : 0;
}

/* Number of the point that a comment of the packet names; 0: none does. */
static uint32_t point_in_comments(const wtap_rec *rec)
{
    char *comment;

    for (unsigned i = 0;
         rec->block && i < MAX_COMMENTS &&
         wtap_block_get_nth_string_option_value(rec->block, OPT_COMMENT, i, &comment) == WTAP_OPTTYPE_SUCCESS;
         i++) {
        if (g_ascii_strncasecmp(comment, POINT_COMMENT, strlen(POINT_COMMENT)) == 0) {
            return number_of_point(comment + strlen(POINT_COMMENT));
        }
    }
    return 0;
}

/* Each section of a file numbers its interfaces from 0. */
uint32_t frame_capture_point(const packet_info *pinfo)
{
    const wtap_rec *rec = pinfo->rec;
    uint32_t named = rec ? point_in_comments(rec) : 0;

    if (named || !rec || !(rec->presence_flags & WTAP_HAS_INTERFACE_ID)) {
        return named;
    }
    uint32_t section = rec->presence_flags & WTAP_HAS_SECTION_NUMBER ? rec->section_number : 0;
    return (((section & 0x7fffu) << 16 | (rec->rec_header.packet_header.interface_id & 0xffffu)) + 1) &
           ~NAMED_POINT;
}
