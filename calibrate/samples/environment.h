/* The lines of a sample file that start with '#': what was measured on what, "# key: value", and
 * what a launch says of itself. Each kind of line is written and read here, and nowhere else.
 * Prints nothing, knows no sample. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a line, with its end; what is longer is cut off. */
enum { ENVIRONMENT_LINE_MAX = 1024 };

/* Keys that one program writes and another one looks for. */
#define ENVIRONMENT_PLAN "plan"                 /* what is to be measured */
#define ENVIRONMENT_CLOCK_JUMPED "clock_jumped" /* when, and by how much */
#define ENVIRONMENT_MPI "mpi"                   /* what the library calls itself */
#define ENVIRONMENT_COLLECTIVES "collectives"   /* the library of a simulated platform */
#define ENVIRONMENT_REFINED "refined"           /* message sizes that were added */

/* A node in one launch. */
typedef struct environment_node {
    char host[128];
    char model[128]; /* of the processor */
    long cores;
    double memory; /* B */
    double speed;  /* flop/s of one processor; NAN where it was not measured */
} environment_node;

/* How fast a node was in one launch at a member of the suite (kernels/speed_suite.h), on one
 * process by itself. */
typedef struct environment_speed {
    char program[32];
    char host[128];
    long launch;
    double value; /* flop/s */
    double bytes; /* that it worked on */
} environment_speed;

/* The end of a launch. */
typedef struct environment_end {
    long launch;
    double processes;
    double seconds; /* that all of it took */
} environment_end;

/* What the lines say of the launches, read once as the lines come. Start from {0}. */
typedef struct environment_facts {
    bool is_simulated;         /* the library is SimGrid's */
    environment_node *nodes;   /* [node_count], of a host one in each launch */
    environment_speed *speeds; /* [speed_count] */
    environment_end *ends;     /* [end_count] */
    size_t node_count, speed_count, end_count;
    size_t node_capacity, speed_capacity, end_capacity;
} environment_facts;

/* Adds what a line says; others are left aside. False where memory is short. */
bool environment_facts_take(environment_facts *facts, const char *line);
void environment_facts_free(environment_facts *facts);

/* "# key: value". line: shape [ENVIRONMENT_LINE_MAX], as for the next ones. */
void environment_write(const char *key, const char *value, char *line);

/* The value of a line that has this key, up to the line's end, whose length in bytes *length gets;
 * NULL for any other line. */
const char *environment_value(const char *line, const char *key, size_t *length);

/* The same for the first line of the key in a text of lines, which may be NULL. */
const char *environment_find(const char *text, const char *key, size_t *length);

/* "# processor_share: 0.97": the least share of a processor that a process of the launch had. */
void environment_write_share(double share, char *line);
bool environment_read_share(const char *line, double *share);

/* "# planned for 2.9 s": how long the launch planned transforms. No colon: it is no fact of the
 * machine. */
void environment_write_planned(double seconds, char *line);
bool environment_read_planned(const char *line, double *seconds);

/* "# end of launch 3 on 2 processes after 2.532 s": it was measured to its end. */
void environment_write_end(const environment_end *end, char *line);

/* "# node cn017: a processor; 8 cores; 16000000000 B; 2e+09 flop/s"; without the speed where it is
 * NAN. */
void environment_write_node(const environment_node *node, char *line);

/* "# marked speed for mm on cn017 in launch 3 5.1e+10 flop/s with 64000000 B". */
void environment_write_speed(const environment_speed *speed, char *line);

/* "# marked speeds took 0.52 s": how long the launch measured members of the suite. */
void environment_write_suite(double seconds, char *line);
bool environment_read_suite(const char *line, double *seconds);

#endif
