/* The file that each process of a recorded run keeps while it runs: fixed-size tables in one mapped
 * file, so that whatever ends the process leaves what it had counted. Private to one version of
 * isocast on one machine; the join of all parts is the record (docs/reference/record-format.md). */
#ifndef RECORD_PART_H
#define RECORD_PART_H

#include <stdint.h>

/* What the library is reported by its environment. */
#define RECORD_PART_FOLDER                                                                         \
    "ISOCAST_RECORD_FOLDER"                    /* where the parts go; not set: record nothing      \
                                                */
#define RECORD_PART_MODE "ISOCAST_RECORD_MODE" /* "time": T and regions alone */
#define RECORD_PART_ROWS "ISOCAST_RECORD_ROWS" /* rows that a site may have before it merges */
#define RECORD_PART_NAME "part-"               /* and the rank in six digits or more */

#define RECORD_PART_MAGIC "isocast part 4\n"

enum {
    RECORD_PART_MODULES = 256,
    RECORD_PART_SITES = 8192,
    RECORD_PART_FRAMES = 8192,
    RECORD_PART_COMMUNICATORS = 4096,
    RECORD_PART_MEMBERS = 1 << 22,
    RECORD_PART_CALLS = 1 << 18,
    RECORD_PART_COMPUTES = 1 << 17,
    RECORD_PART_DIMENSIONS = 16,
    RECORD_PART_ROWS_USUAL = 4096
};

#define RECORD_PART_NONE UINT32_MAX    /* no site, frame, communicator or parent */
#define RECORD_PART_NO_SIZE UINT64_MAX /* the row says nothing of what is received */

/* Kinds of communicators beside the operations that make one. */
enum { RECORD_PART_WORLD = 10000, RECORD_PART_SELF, RECORD_PART_UNKNOWN };

typedef enum record_part_state {
    RECORD_PART_RUNNING, /* or killed */
    RECORD_PART_COMPLETE,
    RECORD_PART_ABORTED,
    RECORD_PART_EXITED
} record_part_state;

typedef struct record_part_head {
    char magic[16];
    uint32_t state;
    int32_t process_id;
    uint32_t rank, size; /* in MPI_COMM_WORLD */
    uint32_t module_count, frame_count, site_count, communicator_count, member_count;
    uint32_t call_count, compute_count;
    uint64_t lost; /* calls without a row */
    /* Two readings of the counter of ticks and of a clock in ns show how long a tick is. */
    uint64_t first_ticks, first_clock, last_ticks, last_clock;
    uint64_t begin, now;               /* ticks: the end of MPI_Init; the end of the last call */
    uint64_t cpu_begin, cpu_now;       /* ns of processor time of the thread of MPI_Init */
    uint64_t others_begin, others_now; /* the same of all other threads of the process */
    uint64_t region, regions;          /* ticks in regions, and how many ended */
    /* B that the program had allocated: at the end of MPI_Init, and the most that was seen. */
    uint64_t memory_begin, memory_most;
    char node[256];
    char command[4096]; /* the process's words, each with its NUL; one more NUL at the end */
} record_part_head;

typedef struct record_part_module {
    char path[1024];
} record_part_module;

/* A place in the program that was called by another one. */
typedef struct record_part_frame {
    uint32_t module;
    uint32_t caller; /* the frame that called its function; NONE: that is not known */
    uint64_t offset; /* of the return address */
} record_part_frame;

typedef struct record_part_site {
    record_part_frame frame;
    uint64_t estimated; /* calls whose time was not read: they count as the average of others */
} record_part_site;

typedef struct record_part_communicator {
    uint32_t
        kind; /* number of an operation (model/record/record_operation.h) or one of the above */
    uint32_t site, parent;
    uint32_t size, remote_size;
    uint32_t members;         /* index of the first */
    uint32_t dimension_count; /* of a grid */
    uint32_t is_graph;
    uint32_t dimensions[RECORD_PART_DIMENSIONS];
    uint32_t periodic[RECORD_PART_DIMENSIONS];
} record_part_communicator;

/* What calls have in common that share a row; no padding, as it is compared as bytes. */
typedef struct record_part_key {
    uint32_t site, communicator, operation, merged;
    int32_t partner, source; /* as of isocast_record_call */
    uint64_t bytes, received;
} record_part_key;

typedef struct record_part_call {
    record_part_key key;
    uint64_t calls, ticks;
    double sum, squares;  /* of bytes, for merged rows */
    uint64_t least, most; /* likewise */
} record_part_call;

typedef struct record_part_compute {
    uint32_t from, to; /* sites */
    uint64_t times;
    double time, squares, least, most; /* ns of processor time */
} record_part_compute;

/* The whole file. Rows that are not used take no room on the disk. */
typedef struct record_part {
    record_part_head head;
    record_part_module modules[RECORD_PART_MODULES];
    record_part_frame frames[RECORD_PART_FRAMES]; /* callers come first */
    record_part_site sites[RECORD_PART_SITES];
    record_part_communicator communicators[RECORD_PART_COMMUNICATORS];
    uint32_t members[RECORD_PART_MEMBERS]; /* ranks in MPI_COMM_WORLD */
    record_part_call calls[RECORD_PART_CALLS];
    record_part_compute computes[RECORD_PART_COMPUTES];
} record_part;

#endif
