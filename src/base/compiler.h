/* compiler.h
 *
 * Hints to the compiler, for functions that take most of the time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMPILER_H
#define COMPILER_H

/* ALWAYS_INLINE: inlined although it is long or called from several places. NEVER_INLINE: not inlined, so
 * that its caller has more registers. COLD: the same, and rarely called. UNLIKELY(): a condition that is
 * rarely true. */
#if defined(__GNUC__)
#define ALWAYS_INLINE   inline __attribute__((always_inline))
#define NEVER_INLINE    __attribute__((noinline))
#define COLD            __attribute__((noinline, cold))
#define UNLIKELY(holds) __builtin_expect(holds, 0)
#elif defined(_MSC_VER)
#define ALWAYS_INLINE   __forceinline
#define NEVER_INLINE    __declspec(noinline)
#define COLD            NEVER_INLINE
#define UNLIKELY(holds) (holds)
#else
#define ALWAYS_INLINE inline
#define NEVER_INLINE
#define COLD
#define UNLIKELY(holds) (holds)
#endif

/* Whether the functions of <emmintrin.h> may be used: on every x86-64 processor. */
#if defined(__SSE2__) || defined(_M_X64)
#define HAVE_SSE2 1
#endif

#endif
