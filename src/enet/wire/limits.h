/* limits.h
 *
 * Limits of ENet 1.3 (enet.h and protocol.h of the library); where a fork has others, Godot's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_LIMITS_H
#define ENET_LIMITS_H

#define ENET_MAX_DATAGRAM        4096u /* receive buffer; header and decompressed body together, too */
#define ENET_MAX_COMMANDS        32u   /* per datagram; senders only, a receiver takes more */
#define ENET_MIN_MTU             576u
#define ENET_MAX_MTU             4096u
#define ENET_MIN_WINDOW          4096u
#define ENET_MAX_WINDOW          65536u
#define ENET_MAX_CHANNELS        255u
#define ENET_CONNECTION_CHANNEL  0xffu  /* channel number of connection-level commands */
#define ENET_NO_PEER             0xfffu /* peer id of stock ENet: receiver's slot not known yet */
#define ENET_FRESH_SESSION       0xffu  /* session byte of CONNECT: slot never used */
#define ENET_MAX_FRAGMENTS       1048576u
#define ENET_MAX_MESSAGE         33554432u /* bytes of a message; default of a per-host setting */
#define ENET_SEQUENCE_WINDOW     4096u     /* numbers in one of the 16 windows of reliable numbers */
#define ENET_UNSEQUENCED_WINDOW  1024u     /* groups in one window */
#define ENET_LONGEST_HEADER      12u       /* bytes, of all dialects: word, sent time, 8 of checksum */
#define ENET_COMMAND_HEADER      4u        /* bytes common to all commands */
#define ENET_MIN_COMPRESSED_BODY 6u        /* no valid body is compressed to less */

#endif
