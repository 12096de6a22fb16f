/* A system: how many processes run on which nodes. Kept as one entry for each class and number of
 * processes on a node, so a million nodes cost what two do. */
#ifndef ISOCAST_SYSTEM_H
#define ISOCAST_SYSTEM_H

#include <isocast/prediction.h>

#include "machine.h"

/* Where R_f of a system comes from. */
typedef enum isocast_reference_origin {
    ISOCAST_REFERENCE_UNKNOWN,    /* the machine file does not give this set: C/C_j stands in */
    ISOCAST_REFERENCE_DEFINITION, /* one process: 1 */
    ISOCAST_REFERENCE_GIVEN,      /* the machine file gives R_f of this very set */
    ISOCAST_REFERENCE_MEASURED    /* it gives the times of the reference program on this very set */
} isocast_reference_origin;

typedef struct isocast_system {
    char *name;      /* as it was asked for: "C8", "64", "server:2+sunblade:7", "1x2+2x1" */
    size_t count;    /* entries */
    size_t *classes; /* [count], indices into the machine's classes; the first holds process 0 */
    double *each;    /* [count], processes on a node; its last node may have fewer */
    bool *placed;    /* [count], given as kxm; else a number of processes, on full nodes */
    double *rows;    /* [ISOCAST_CLASS_ROWS][count], what `table` points into */
    isocast_class_table table;
    double p;            /* processes */
    double C;            /* flop/s, sum of the marked speeds of all processes */
    double C_j;          /* flop/s, of process 0's processor */
    double nodes;        /* nodes that are used */
    double p_node;       /* processes on the node of process 0 */
    double p_node_max;   /* processes on the node that has most of them */
    bool beyond_machine; /* more processors or nodes than the machine file has */
    /* R_f, 1: how many times as fast the reference program is here as on one processor like that of
     * process 0 [HE]; what stands for n in the metrics of homogeneous machines, with R_f C_j as the
     * system's size. Where the machine file does not give this set, it is C/C_j, so that R_f C_j is
     * C: this is p exactly where all processors are alike, and counts a processor by its marked
     * speed where they are not (p would count a slow one as a fast one). It takes no loss by shared
     * memory or network into account then. */
    double reference_factor;
    double reference_error; /* standard error of R_f, 1; NAN where not known */
    size_t reference_set;   /* its place among the machine's sets, from 1 on; 0: it is none */
    isocast_reference_origin reference_origin;
    double size; /* flop/s, C or R_f C_j as `measure` says */
    isocast_system_measure measure;
} isocast_system;

/* Reads one system of a source's span: a name from the machine file, a process count, or a mix of
 * parts joined by "+". A part is "class:processes", "class:kxm", k processes on each of m nodes, or
 * on a machine of one class "kxm". A class may come several times, with another k each time.
 * Its marked speeds are those of `program`, an algorithm's kernel (marked_speed.h); NULL: none in
 * particular. Errors, with a diagnostic: INVALID, NO_MEMORY. */
isocast_status isocast_system_parse(const isocast_machine *machine, const char *program,
                                    const isocast_source *source, isocast_span where,
                                    isocast_diagnostics *diagnostics, isocast_system **out);
void isocast_system_free(isocast_system *system);

/* The same without looking up names: what a machine file itself may say of a named system. */
isocast_status isocast_system_parse_mix(const isocast_machine *machine, const char *program,
                                        const isocast_source *source, isocast_span where,
                                        isocast_diagnostics *diagnostics, isocast_system **out);

/* A comma-separated list of systems. In each of them a number, or a set, may be a range:
 * "2..4096*2", "10..50+10", "1..8", "2x4..2x16*2", "a:8..32*2+b:4x2". Several ranges of a mix step
 * together and need equally many values. `label` names the text in diagnostics ("--to"). Errors
 * like isocast_system_parse. Free each and the array (shape [*count]). */
isocast_status isocast_systems_parse(const isocast_machine *machine, const char *program,
                                     const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, isocast_system ***out,
                                     size_t *count);
void isocast_systems_free(isocast_system **systems, size_t count);

/* The first system of such a list, for texts that name one. diagnostics: NULL where nobody hears
 * what is wrong. Free with isocast_system_free(). */
isocast_status isocast_system_named(const isocast_machine *machine, const char *program,
                                    const char *label, const char *text,
                                    isocast_diagnostics *diagnostics, isocast_system **out);

/* A comma-separated list of numbers with the same ranges ("100,200", "200..1600*2",
 * "100..500+100"). Errors like above. Free the array with free(). */
isocast_status isocast_numbers_parse(const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, double **out, size_t *count);

/* Which processors are used, as one text for all ways to write it: two systems of a machine with
 * the same text are one processor set, with process 0 on a node of the same class. NULL where
 * memory is short; free it with free(). */
char *isocast_system_placement(const isocast_machine *machine, const isocast_system *system);
/* Whether both are one such set. Errors: NO_MEMORY. */
isocast_status isocast_system_is_placed_as(const isocast_machine *machine, const isocast_system *a,
                                           const isocast_system *b, bool *out);

/* Sets R_f from the machine file, or from p, C and C_j, and the size by it; for who changes these.
 * Errors: NO_MEMORY. */
isocast_status isocast_system_refer(const isocast_machine *machine, isocast_system *system);

/* Makes the size of a system C, as it is at first, or R_f C_j. */
void isocast_system_size_by(isocast_system *system, isocast_system_measure measure);

/* Bytes that one process of the system may hold: the least over its classes; NAN where unknown. */
double isocast_system_memory(const isocast_system *system);

#endif
