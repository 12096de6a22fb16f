/* A fit written as a machine file that people can read and isocast loads. */
#ifndef MACHINE_FILE_H
#define MACHINE_FILE_H

#include <stdbool.h>

#include "fit_model.h"
#include "fit_states.h"
#include "kernels/speed_suite.h"
#include "model/spec/platform.h"

/* A larger share of the processors used by others is noted. */
#define MACHINE_FILE_QUIET 0.05

enum { MACHINE_FILE_CLASSES_MAX = 16 };

/* How fast one processor is at a member of the suite. */
typedef struct machine_file_speed {
    speed_suite_member member;
    double value;    /* flop/s */
    double error;    /* flop/s, standard error; NAN where there was one launch */
    size_t launches; /* that it was measured in, on all nodes of the class */
    double bytes;    /* that it worked on */
} machine_file_speed;

/* Nodes that are alike. */
typedef struct machine_file_class {
    char name[32];
    long count;          /* of nodes */
    long processors;     /* of one; 0: as the file says of the node, and so the memory */
    double marked_speed; /* flop/s of one processor, where the suite was not measured; NAN: that of
                            the benchmark on the first node */
    double memory;       /* B of one; 0 where not known */
    machine_file_speed speeds[SPEED_SUITE_MAX]; /* [speed_count], the same members in all classes */
    size_t speed_count;
} machine_file_class;

/* The mean of the speeds of a class that the default is the mean of, flop/s; all of them, where it
 * has none of those. NAN where it has no speeds. */
double machine_file_mean_speed(const machine_file_class *class);

/* What the file says besides the fit; texts are written as YAML scalars, so they may hold anything.
 */
typedef struct machine_file {
    const char *name;
    const char *date;      /* ISO 8601, UTC */
    const char *version;   /* of isocast */
    const char *command;   /* the command line */
    const char *benchmark; /* what the marked speed was measured with, without the suite */
    const char *left_out;  /* kernels whose marked speed there was no time for; NULL: none */
    const isocast_platform *platform; /* that it was simulated on, whose nodes it has; NULL: real */
    const machine_file_class *classes; /* [class_count]; where there is none, one node */
    size_t class_count;
    long processors;         /* of the node */
    double marked_speed;     /* flop/s of one processor */
    double memory;           /* B of the node; 0 where not known */
    double t_c;              /* s/flop at the default marked speed; NAN for none */
    double memory_bandwidth; /* B/s of one process; NAN for none */
    double node_bandwidth;   /* B/s of all processors of a node together; NAN for none, and left out
                                where there are several classes */
    unsigned long seed;
    bool oversubscribed;      /* more processes than processors were used */
    double others;            /* share of the processors that others used meanwhile; NAN unknown */
    fit_states states;        /* of messages, from launch to launch */
    const char *samples_file; /* beside the machine file */
    const char *samples_sha256;
    const char *environment; /* "# key: value" lines */
} machine_file;

/* A sentence on how the speed of the processors changed; text: room for `size` bytes. */
void machine_file_speed_note(const fit_speed *speed, char *text, size_t size);

/* A sentence on launches in which messages were slow. */
void machine_file_states_note(const fit_states *states, char *text, size_t size);

/* The nodes and systems of a platform: the speed that simulated processors have is their marked
 * speed. */
void machine_file_put_hardware(const isocast_machine *hardware, isocast_buffer *out);

void machine_file_write(const machine_file *file, const fit *f, isocast_buffer *out);

#endif
