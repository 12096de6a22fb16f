/* The numbers of a platform file that may take other values: "network.link_latency", "node.speed".
 * What counts nodes or processors is none of them, as systems and the shape depend on it. */
#ifndef ISOCAST_PLATFORM_NUMBER_H
#define ISOCAST_PLATFORM_NUMBER_H

#include "model/yaml/schema.h"
#include "platform.h"

typedef struct isocast_platform_number {
    bool of_class;
    size_t index; /* of the class, or of the number among those of a network */
    isocast_dimension dimension;
} isocast_platform_number;

/* What a name stands for; false where it is none of them, or the network cannot have it. */
bool isocast_platform_number_find(const isocast_platform *platform, const char *name,
                                  isocast_platform_number *out);

/* Puts a value there, SI, above 0. */
void isocast_platform_number_put(isocast_platform *platform, const isocast_platform_number *number,
                                 double value);

/* Refuses a name that is none, with the names that there are. */
void isocast_platform_number_refuse(isocast_reader *reader, isocast_span span, const char *name,
                                    const isocast_platform *platform);

#endif
