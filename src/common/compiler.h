/* compiler.h
 *
 * What C has no words for: hints to the compiler that functions which take most of the time need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMPILER_H
#define COMPILER_H

/* ALWAYS_INLINE: faster without a call, though long or called from several places. NEVER_INLINE: not to take registers from
 * its caller. SELDOM: the same, and off the usual way. UNLIKELY(): a condition that hardly ever holds. */
#if defined(__GNUC__)
#define ALWAYS_INLINE   inline __attribute__((always_inline))
#define NEVER_INLINE    __attribute__((noinline))
#define SELDOM          __attribute__((noinline, cold))
#define UNLIKELY(holds) __builtin_expect(holds, 0)
#elif defined(_MSC_VER)
#define ALWAYS_INLINE   __forceinline
#define NEVER_INLINE    __declspec(noinline)
#define SELDOM          NEVER_INLINE
#define UNLIKELY(holds) (holds)
#else
#define ALWAYS_INLINE inline
#define SELDOM
#define UNLIKELY(holds) (holds)
#endif

#endif
