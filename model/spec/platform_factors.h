/* What a network has by the size of a message: factors of latency and bandwidth, and what a message
 * takes of its receiver. */
#ifndef ISOCAST_PLATFORM_FACTORS_H
#define ISOCAST_PLATFORM_FACTORS_H

#include "model/yaml/schema.h"
#include "platform.h"

/* Reads a value, or a mapping of sizes to values, under a key that need not be there. Values are
 * above 0. `example`: of such a mapping, for hints. */
typedef struct isocast_factors_words {
    const char *key;
    isocast_dimension dimension;
    const char *example;
} isocast_factors_words;

void isocast_platform_read_factors(isocast_reader *reader, const isocast_tree_node *network,
                                   const isocast_factors_words *words, isocast_factors *out);

/* Warns where the factors let a message take less time than a shorter one, by more than 1 %: of the
 * size at which most is lost. */
void isocast_platform_warn_falling(const isocast_platform *platform,
                                   isocast_diagnostics *diagnostics);

#endif
