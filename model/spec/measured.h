/* What range of p and m an operation was measured in. */
#ifndef ISOCAST_MEASURED_H
#define ISOCAST_MEASURED_H

#include "model/yaml/schema.h"

/* NAN where the file does not say. */
typedef struct isocast_measured {
    double p_min, p_max; /* processes */
    double m_min, m_max; /* B */
} isocast_measured;

/* {p: [2, 16], m: [8 B, 1 MiB]}, either of them left out where it is not known. */
void isocast_read_measured(isocast_reader *reader, const isocast_tree_node *node,
                           isocast_measured *out);

#endif
