/* A fit written as a machine file that people can read and isocast loads. */
#ifndef MACHINE_FILE_H
#define MACHINE_FILE_H

#include <stdbool.h>

#include "fit_model.h"
#include "model/spec/platform.h"

/* A larger share of the processors used by others is noted. */
#define MACHINE_FILE_QUIET 0.05

enum { MACHINE_FILE_CLASSES_MAX = 16 };

/* Nodes that are alike. */
typedef struct machine_file_class {
    char name[32];
    long count;          /* of nodes */
    long processors;     /* of one */
    double marked_speed; /* flop/s of one processor; NAN: that of the benchmark on the first node */
    double memory;       /* B of one; 0 where not known */
} machine_file_class;

/* What the file says besides the fit; texts are written as YAML scalars, so they may hold anything.
 */
typedef struct machine_file {
    const char *name;
    const char *date;                 /* ISO 8601, UTC */
    const char *version;              /* of isocast */
    const char *command;              /* the command line */
    const char *benchmark;            /* what the marked speed was measured with */
    const isocast_platform *platform; /* that it was simulated on, whose nodes it has; NULL: real */
    const machine_file_class *classes; /* [class_count]; where there is none, one node */
    size_t class_count;
    long processors;         /* of the node */
    double marked_speed;     /* flop/s of one processor */
    double memory;           /* B of the node; 0 where not known */
    double t_c;              /* s/flop at the benchmark; NAN for none */
    double memory_bandwidth; /* B/s of one process; NAN for none */
    unsigned long seed;
    bool oversubscribed;      /* more processes than processors were used */
    double others;            /* share of the processors that others used meanwhile; NAN unknown */
    const char *samples_file; /* beside the machine file */
    const char *samples_sha256;
    const char *environment; /* "# key: value" lines */
} machine_file;

/* A sentence on how the speed of the processors changed; text: room for `size` bytes. */
void machine_file_speed_note(const fit_speed *speed, char *text, size_t size);

void machine_file_write(const machine_file *file, const fit *f, isocast_buffer *out);

#endif
