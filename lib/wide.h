/*
 * lib/wide.h - the few functions in which most of the time goes, compiled twice.
 */
#ifndef LIB_WIDE_H
#define LIB_WIDE_H

#include <stdint.h>		/* of glibc, __GLIBC__ */

/*
 * WIDE_TOO - before a function: compile it for CPUs with AVX2, too; which of the two runs
 * is chosen when the program starts.  That takes glibc's loader; ThreadSanitizer would
 * have to be ready before it; and clang (14) names such a function so that other files
 * do not find it.
 * WIDE_BYTES - of a vector that is worth a loop in such a function.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute) && \
    !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#if __has_attribute(target_clones)
#define WIDE_TOO __attribute__((target_clones("avx2", "default")))
#define WIDE_BYTES 32
#endif
#endif
#ifndef WIDE_TOO
#define WIDE_TOO
#define WIDE_BYTES 16
#endif

/* Doubles in memory as vectors of WIDE_DOUBLES; what a comparison of them is: all bits of
 * those set for which it holds. */
#define WIDE_DOUBLES (WIDE_BYTES / sizeof(double))
typedef double wide_doubles
    __attribute__((vector_size(WIDE_BYTES), aligned(8), may_alias));
typedef int64_t wide_bits __attribute__((vector_size(WIDE_BYTES)));

#endif
