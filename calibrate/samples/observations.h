/* Timings of operations, from any benchmark: what a launch measured at each (p, m), as its median
 * and spread. Single timings are kept only until then. Reads no file, fits nothing. */
#ifndef OBSERVATIONS_H
#define OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text_index.h"

/* Bytes of a file of timings or samples, and how much of each one it may hold: a few hundred MB of
 * memory. */
enum {
    IMPORT_FILE_MAX = 128 * 1024 * 1024,
    IMPORT_OPERATIONS_MAX = 1000,
    IMPORT_LAUNCHES_MAX = 1000000,
    IMPORT_PLACES_MAX = 1000000 /* of operation, launch, p and m */
};

/* The end of the name of an operation whose processes were all on one node, where those of other
 * timings were not: it is fitted apart. */
#define OBSERVATIONS_ON_ONE_NODE "_on_one_node"

/* What one launch measured of one operation at one (p, m). */
typedef struct observation {
    uint32_t operation; /* index of its name */
    uint32_t launch;    /* index of its name */
    double p;
    double m;         /* B */
    double seconds;   /* median of the launch's timings */
    double deviation; /* sd of ln(seconds) within the launch, by the quartiles; NAN unknown */
    double count;     /* timings behind it */
} observation;

/* Start from {0}. */
typedef struct observations {
    isocast_text_index operations; /* names: "T_bcast" */
    isocast_text_index launches;
    double *per_node; /* [per_node_count], of the operations by their index: see
                         observations_note_per_node(); 0: nothing was noted */
    size_t per_node_count;
    size_t files;       /* that were read into it */
    size_t passed_line; /* the first line with a time per flop, which is no operation; 0: none */
    size_t passed_file; /* which of the files has it */
    observation *items; /* [count]; once finished sorted by operation, p, m, launch */
    size_t count, capacity;

    /* Until finished: single timings with the item that each belongs to. */
    double *values;   /* [value_count], s */
    uint32_t *owners; /* [value_count] */
    size_t value_count, value_capacity;
    uint32_t *slots; /* [slot_count], index of an item + 1, by the hash of its place; 0: free */
    size_t slot_count;
    size_t last; /* the item that the last timing went to */
} observations;

/* Adds one timing. False where memory is short. Places are p in 1 to 1e9, m in 0 to 1e18 B. */
bool observations_add(observations *o, uint32_t operation, uint32_t launch, double p, double m,
                      double seconds);

/* Adds what is known only as a median of `count` timings and their spread (NAN: unknown). Of
 * several with the same place and launch the last one counts. */
bool observations_add_median(observations *o, uint32_t operation, uint32_t launch, double p,
                             double m, double seconds, double deviation, double count);

/* Notes how many processes of an operation share a node; NAN where that is not known, and once two
 * numbers were noted. False where memory is short. */
bool observations_note_per_node(observations *o, uint32_t operation, double processes);

/* Makes medians of the single timings, frees these, and sorts. False where memory is short. */
bool observations_finish(observations *o);
void observations_free(observations *o);

#endif
