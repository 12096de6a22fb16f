/* Raw samples of a calibration: the only link from measuring to fitting. Rows of SAMPLES_HEADER,
 * with what they were measured on as "# key: value" lines before them. Fits nothing, writes
 * nothing.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "environment.h"
#include "isocast/status.h"

#define SAMPLES_HEADER "launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node"

enum { SAMPLES_NAME_MAX = 32, SAMPLES_OPERATIONS_MAX = 64, SAMPLES_LINE_MAX = 64 * 1024 };

/* Bytes of the lines that start with #, each counted once. */
enum { SAMPLES_ENVIRONMENT_MAX = 64 * 1024 };

typedef struct sample {
    unsigned operation; /* index of its name */
    unsigned launch;
    double p;
    double m;       /* B; for a kernel the working set of one process */
    double seconds; /* of one call; for a kernel of one flop */
    double nodes;   /* that the processes are on */
    double p_node;  /* processes on the node of process 0 */
} sample;

/* Start from {0}. */
typedef struct samples {
    sample *rows; /* [count] */
    size_t count;
    size_t capacity;
    char operations[SAMPLES_OPERATIONS_MAX][SAMPLES_NAME_MAX]; /* [operation_count] */
    size_t operation_count;
    char *environment;       /* the "# key: value" lines, NUL-terminated; NULL for none */
    environment_facts facts; /* what these say of launches */
} samples;

/* What a line is. */
typedef enum samples_line {
    SAMPLES_LINE_ROW,         /* a sample, which was added */
    SAMPLES_LINE_ENVIRONMENT, /* an environment line, which was added */
    SAMPLES_LINE_REPEATED,    /* an environment line that was there already */
    SAMPLES_LINE_HEADER       /* the column names, or an empty line */
} samples_line;

/* Adds one line without its newline; *kind shows what it is. A row must be whole. Errors: INVALID
 * where it is none of these, NO_MEMORY. */
isocast_status samples_add_line(samples *s, const char *line, samples_line *kind);
void samples_free(samples *s);

#endif
