/* Where the parts of T come from: formulas alone, operations that were timed, or the program
 * itself, executed in simulation. */
#ifndef ISOCAST_SOURCES_H
#define ISOCAST_SOURCES_H

#include "model.h"

typedef enum isocast_source_of_time {
    ISOCAST_TIME_BY_FORMULAS, /* with numbers of files, such as marked speeds */
    ISOCAST_TIME_MEASURED,    /* with times of operations or computing, measured on a machine */
    ISOCAST_TIME_SIMULATED,   /* likewise, on a platform in simulation */
    ISOCAST_TIME_EXECUTED     /* the program was executed in simulation */
} isocast_source_of_time;

/* "formulas", "measured-operations", "simulated-operations", "simulated-schedule", NULL. */
extern const char *const isocast_source_words[];

/* Of a part: 0 the computation, k from 1 on the k-th overhead term. */
isocast_source_of_time isocast_source_of_part(const isocast_model *model, size_t part);

#endif
