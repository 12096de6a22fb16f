/* Functions whose loops run over many numbers, compiled for the wider vectors of x86 processors,
 * too. The results are the same to the bit, as nothing is contracted. */
#ifndef ISOCAST_WIDE_H
#define ISOCAST_WIDE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ISOCAST_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ISOCAST_WIDE
#endif

#endif
