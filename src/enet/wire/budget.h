/* budget.h
 *
 * Limits for compressed datagrams. A thousand commands, or 4,000 bytes of values, fit into twenty compressed
 * bytes, so a capture of a megabyte could take gigabytes of memory and minutes of time. Unpacked bytes and
 * commands are subtracted from two budgets, of the conversation and of the file; every captured byte adds to
 * both. Real senders, with at most 32 commands in a datagram, stay far below these limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_BUDGET_H
#define ENET_BUDGET_H

#include <stdint.h>

/* Initial budgets. */
#define ENET_CONVERSATION_BYTES    (UINT64_C(4) << 20)
#define ENET_CONVERSATION_COMMANDS UINT64_C(16384)
#define ENET_FILE_BYTES            (UINT64_C(32) << 20)
#define ENET_FILE_COMMANDS         UINT64_C(131072)

/* Added to a budget for captured bytes. Without compression no command is shorter than four bytes. */
#define ENET_BYTES_PER_BYTE    16u /* unpacked */
#define ENET_BYTES_PER_COMMAND 2u  /* captured */

/* What is left of a budget. */
typedef struct {
    uint64_t bytes;    /* unpacked */
    uint64_t captured; /* ENET_BYTES_PER_COMMAND times the number of commands */
} enet_budget;

#define ENET_BUDGET(bytes_of, commands_of)                                                                   \
    (enet_budget)                                                                                            \
    {                                                                                                        \
        .bytes = (bytes_of), .captured = (commands_of)*ENET_BYTES_PER_COMMAND                                \
    }

static inline void enet_budget_add(enet_budget *budget, uint32_t captured)
{
    budget->bytes += (uint64_t)captured * ENET_BYTES_PER_BYTE;
    budget->captured += captured;
}

/* Commands that a datagram of so many unpacked bytes may have; 0: the budget has not enough bytes. */
static inline uint32_t enet_budget_commands(const enet_budget *budget, uint32_t bytes)
{
    uint64_t commands = bytes <= budget->bytes ? budget->captured / ENET_BYTES_PER_COMMAND : 0;

    return commands < UINT32_MAX ? (uint32_t)commands : UINT32_MAX;
}

/* Subtracts a datagram; the budget must be sufficient. */
static inline void enet_budget_use(enet_budget *budget, uint32_t bytes, uint32_t commands)
{
    budget->bytes -= bytes;
    budget->captured -= (uint64_t)commands * ENET_BYTES_PER_COMMAND;
}

#endif
