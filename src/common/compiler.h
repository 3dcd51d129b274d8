/* compiler.h
 *
 * What C has no words for: hints to the compiler that functions which take most of the time need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMPILER_H
#define COMPILER_H

/* ALWAYS_INLINE: faster without a call, though long or called from several places. SELDOM: a function off the usual way,
 * which is not to take registers from it. UNLIKELY(): a condition that hardly ever holds. */
#if defined(__GNUC__)
#define ALWAYS_INLINE   inline __attribute__((always_inline))
#define SELDOM          __attribute__((noinline, cold))
#define UNLIKELY(holds) __builtin_expect(holds, 0)
#elif defined(_MSC_VER)
#define ALWAYS_INLINE   __forceinline
#define SELDOM          __declspec(noinline)
#define UNLIKELY(holds) (holds)
#else
#define ALWAYS_INLINE inline
#define SELDOM
#define UNLIKELY(holds) (holds)
#endif

#endif
