/* Dimensions in words, for messages. */
#ifndef ISOCAST_DESCRIBE_H
#define ISOCAST_DESCRIBE_H

#include "dimension.h"

typedef struct isocast_description {
    char text[96];
} isocast_description;

/* "a time (s)", "a size (B)", "a plain number"; "a value in s/B" where there is no word. */
isocast_description isocast_describe(isocast_dimension dimension);

/* How a formula of one dimension may become one of the dimension that is due; NULL where no usual
 * slip is known. */
const char *isocast_describe_remedy(isocast_dimension wanted, isocast_dimension is);

#endif
