/* Dimensions in words, for messages. */
#ifndef ISOCAST_DESCRIBE_H
#define ISOCAST_DESCRIBE_H

#include "dimension.h"

typedef struct isocast_description {
    char text[96];
} isocast_description;

/* "a time (s)", "a size (B)", "a plain number"; "a value in s/B" where there is no word. */
isocast_description isocast_describe(isocast_dimension dimension);

#endif
