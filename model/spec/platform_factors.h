/* What a network's latency and bandwidth are multiplied by for messages of a size. */
#ifndef ISOCAST_PLATFORM_FACTORS_H
#define ISOCAST_PLATFORM_FACTORS_H

#include "platform.h"
#include "schema.h"

/* Reads a factor, or a mapping of sizes to factors, under a key that need not be there. */
void isocast_platform_read_factors(isocast_reader *reader, const isocast_tree_node *network,
                                   const char *key, isocast_factors *out);

#endif
