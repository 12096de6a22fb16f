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
#define ENVIRONMENT_PLAN "plan"                     /* what is to be measured */
#define ENVIRONMENT_CLOCK_JUMPED "clock_jumped"     /* when, and by how much */
#define ENVIRONMENT_NODES_TOGETHER "nodes_together" /* nodes that count as one */
#define ENVIRONMENT_MPI "mpi"                       /* what the library calls itself */
#define ENVIRONMENT_COLLECTIVES "collectives"       /* the library of a simulated platform */
#define ENVIRONMENT_UPLINKS "uplinks"               /* links up that these share */
#define ENVIRONMENT_REFINED "refined"               /* message sizes that were added */

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

/* Where the processes of a simulated launch are, entry after entry: so many of them, how many of
 * these are on a node, and the class of its nodes, from 1 on; 0 where earlier versions did not tell
 * it. */
enum { ENVIRONMENT_ENTRIES_MAX = 32 };
typedef struct environment_placement {
    double processes[ENVIRONMENT_ENTRIES_MAX];  /* [count] */
    double each[ENVIRONMENT_ENTRIES_MAX];       /* [count] */
    double node_class[ENVIRONMENT_ENTRIES_MAX]; /* [count] */
    size_t count;
} environment_placement;

/* The network of a simulated platform, as its file gives it. Nodes of several classes are on a
 * switch: their numbers are a list of its shape, the processors of a node of each another, and
 * their speeds, in millionths of the fastest one's, the third. */
typedef struct environment_network {
    char topology[16]; /* "torus" */
    char shape[160];
    double nodes;
    double processors;     /* of a node */
    double together;       /* nodes in a row that are nearer to each other than to others */
    double link_bandwidth; /* B/s */
    double link_latency;   /* s */
    double node_bandwidth; /* B/s, within a node */
    double node_latency;   /* s, likewise */
    double eager_limit;    /* B */
    double speed;          /* flop/s of a processor; NAN where nodes are not alike */
} environment_network;

/* The end of a launch. */
typedef struct environment_end {
    long launch;
    double processes;
    double seconds; /* that all of it took */
} environment_end;

/* What the lines say of the launches, read once as the lines come. Start from {0}. */
typedef struct environment_facts {
    bool is_simulated; /* the library is SimGrid's */
    bool has_network;  /* `network` is set: the first one that was told */
    environment_network network;
    environment_node *nodes;           /* [node_count], of a host one in each launch */
    environment_speed *speeds;         /* [speed_count] */
    environment_end *ends;             /* [end_count] */
    environment_placement *placements; /* [placement_count] */
    size_t node_count, speed_count, end_count, placement_count;
    size_t node_capacity, speed_capacity, end_capacity, placement_capacity;
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

/* "# network torus 4,4 of 16 nodes of 2, 4 together; link 1.25e+09 B/s 1e-05 s; node 6e+09 B/s
 * 5e-07 s; eager 65536 B". */
void environment_write_network(const environment_network *network, char *line);

/* "# placement 3/1 6/2": 3 processes, each on a node, and 6 on nodes of two. */
void environment_write_placement(const environment_placement *placement, char *line);

/* "# marked speeds took 0.52 s": how long the launch measured members of the suite. */
void environment_write_suite(double seconds, char *line);
bool environment_read_suite(const char *line, double *seconds);

#endif
