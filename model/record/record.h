/* What one run of an MPI program sent and computed, as isocast record wrote it: call sites,
 * communicators, and how often which call was made with which sizes
 * (docs/reference/record-format.md). Reads files from anywhere; derives nothing. */
#ifndef ISOCAST_RECORD_H
#define ISOCAST_RECORD_H

#include <stdbool.h>

#include "model/base/source_read.h"
#include "record_operation.h"

enum {
    ISOCAST_RECORD_VERSION = 1,
    ISOCAST_RECORD_FILE_MAX = 16 * 1024 * 1024, /* bytes of a record */
    ISOCAST_RECORD_PROCESSES_MAX = 1 << 17,
    ISOCAST_RECORD_DIMENSIONS_MAX = 16 /* of a grid */
};

/* Ranks that are none, in place of a partner or source. */
enum {
    ISOCAST_RECORD_NO_PARTNER = -1,  /* the call has none */
    ISOCAST_RECORD_ANY = -2,         /* MPI_ANY_SOURCE, or a message that was not yet there */
    ISOCAST_RECORD_PROC_NULL = -3,   /* MPI_PROC_NULL: nothing is sent */
    ISOCAST_RECORD_OTHER_GROUP = -4, /* MPI_ROOT of an intercommunicator */
    ISOCAST_RECORD_SEVERAL = -5      /* of merged calls: not kept apart */
};

/* How a run, or one process of it, ended. */
typedef enum isocast_record_end {
    ISOCAST_RECORD_COMPLETE, /* MPI_Finalize was called */
    ISOCAST_RECORD_ABORTED,  /* MPI_Abort was called */
    ISOCAST_RECORD_EXITED,   /* the program ended without MPI_Finalize */
    ISOCAST_RECORD_KILLED    /* by a signal, or the launcher */
} isocast_record_end;
enum { ISOCAST_RECORD_ENDS = ISOCAST_RECORD_KILLED + 1 };
extern const char *const isocast_record_end_names[ISOCAST_RECORD_ENDS];

/* All times are in s. */
typedef struct isocast_record_process {
    bool known;     /* the file says something of it */
    char *node;     /* where it ran */
    double T;       /* from the end of MPI_Init to the begin of MPI_Finalize, or to what is known */
    double cpu;     /* processor time meanwhile of the thread that called MPI_Init */
    double others;  /* likewise of all its other threads; 0 where the file does not say */
    double mpi;     /* elapsed time inside of recorded calls */
    double region;  /* elapsed time between MPI_Pcontrol(1) and MPI_Pcontrol(0) */
    double regions; /* number of these */
    double estimated; /* calls whose time is the average of others at their site */
    double memory;    /* B that it allocated at most after MPI_Init; 0: unknown */
    double lost;      /* calls for which there was no row left; the rows are without them */
    isocast_record_end end;
} isocast_record_process;

typedef struct isocast_record_communicator {
    char *kind;    /* the call that made it: "MPI_Comm_split"; or "MPI_COMM_WORLD", "unknown" ... */
    size_t site;   /* that made it; SIZE_MAX: none */
    size_t parent; /* index of a communicator; SIZE_MAX: none */
    size_t *members; /* [size], ranks in MPI_COMM_WORLD by rank in the communicator */
    size_t size;
    size_t remote_size; /* of an intercommunicator's other group; 0: it is none */
    size_t *dimensions; /* [dimension_count] of a Cartesian grid; NULL: it is none */
    bool *periodic;     /* [dimension_count] */
    size_t dimension_count;
    bool is_graph; /* has the topology of a graph */
} isocast_record_communicator;

/* A place in the program that calls MPI; a frame is one that calls a function on the way there. */
typedef struct isocast_record_site {
    char *function; /* "" where not known, as the next one */
    char *file;
    size_t line;   /* 0 where not known */
    char *module;  /* program or library that it stands in */
    double offset; /* of the return address in it, B */
    size_t caller; /* the frame that called its function; SIZE_MAX: that is not known */
    /* Of a site: the places of its callers, from the innermost on, each with a line break behind
     * it ("a.c:12 in main\n"); "" where none is known. Of a frame: NULL. */
    char *path;
} isocast_record_site;

/* Calls of one process that are alike: one operation at one site with the same sizes and partners.
 * Merged calls are alike but for sizes and partners, which a site had too many of. */
typedef struct isocast_record_call {
    size_t process; /* rank in MPI_COMM_WORLD */
    size_t site;
    size_t communicator; /* SIZE_MAX: none, such as of a wait */
    isocast_record_operation operation;
    long partner;    /* rank in the communicator, or one of the above */
    double bytes;    /* of each call; of merged calls their mean */
    long source;     /* likewise of an exchange's second half */
    double received; /* B: of an exchange, or all that this process gets where sizes differ between
                      * processes; NAN where the row does not say */
    double neighbours; /* that a neighbourhood call sends to; 1 where the row does not say */
    double calls;
    double time;          /* inside of all of them */
    bool merged;          /* what follows is of merged calls alone */
    double bytes_squares; /* sum, B^2 */
    double bytes_least, bytes_most;
} isocast_record_call;

/* Computing of one process between two calls: of the time after `from` and before `to`. */
typedef struct isocast_record_compute {
    size_t process;
    size_t from, to; /* sites */
    double times;    /* how often */
    double time;     /* processor time of all */
    double squares;  /* sum of the squares of each, s^2 */
    double least, most;
} isocast_record_compute;

typedef struct isocast_record {
    isocast_source *source;
    char *isocast;    /* version that wrote it */
    char *date;       /* ISO 8601, UTC */
    char *program;    /* as it was called */
    char *hash;       /* of its file: "sha256:..."; "" where not known */
    char **arguments; /* [argument_count] */
    size_t argument_count;
    char *launcher;         /* command line before the program; "" where there was none */
    isocast_record_end end; /* COMPLETE where all processes are */
    isocast_record_process *processes; /* [process_count], by rank */
    size_t process_count;
    isocast_record_communicator *communicators; /* [communicator_count] */
    size_t communicator_count;
    isocast_record_site *frames; /* [frame_count]; a caller comes before what it calls */
    size_t frame_count;
    isocast_record_site *sites; /* [site_count] */
    size_t site_count;
    isocast_record_call *calls; /* [call_count] */
    size_t call_count;
    isocast_record_compute *computes; /* [compute_count] */
    size_t compute_count;
} isocast_record;

/* Reads a record. Errors, each with diagnostics: those of isocast_source_read(); INVALID, with all
 * problems of the file; NO_MEMORY. */
isocast_status isocast_record_load(const char *path, isocast_diagnostics *diagnostics,
                                   isocast_record **out);
/* The same from a source, which the record takes over in every case. */
isocast_status isocast_record_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                   isocast_record **out);
void isocast_record_free(isocast_record *record);

/* Rank of a process in a communicator, by its rank in MPI_COMM_WORLD; SIZE_MAX where it is not in
 * it. */
size_t isocast_record_rank(const isocast_record_communicator *communicator, size_t process);

#endif
