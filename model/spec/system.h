/* A system: how many processes run on which class of nodes. Kept as one entry per class, so a
 * million nodes cost what two do. */
#ifndef ISOCAST_SYSTEM_H
#define ISOCAST_SYSTEM_H

#include "machine.h"

typedef struct isocast_system {
    char *name;      /* as it was asked for: "C8", "64", "server:2+sunblade:7", "4x16" */
    size_t count;    /* classes present */
    size_t *classes; /* [count], indices into the machine's classes; the first holds process 0 */
    double *rows;    /* [ISOCAST_CLASS_ROWS][count], what `table` points into */
    isocast_class_table table;
    double p;            /* processes */
    double C;            /* flop/s, sum of the marked speeds of all processes */
    double C_j;          /* flop/s, of process 0's processor */
    double nodes;        /* nodes that are used */
    double p_node;       /* processes on the node of process 0 */
    bool beyond_machine; /* more processors or nodes than the machine file has */
} isocast_system;

/* Reads one system of a source's span: a name from the machine file, a process count where the
 * machine has one class, a mix "class:processes+...", or "kxm", k processes on each of m nodes,
 * where it has one class. Errors, with a diagnostic: INVALID, NO_MEMORY. */
isocast_status isocast_system_parse(const isocast_machine *machine, const isocast_source *source,
                                    isocast_span where, isocast_diagnostics *diagnostics,
                                    isocast_system **out);
void isocast_system_free(isocast_system *system);

/* The same without looking up names: what a machine file itself may say of a named system. */
isocast_status isocast_system_parse_mix(const isocast_machine *machine,
                                        const isocast_source *source, isocast_span where,
                                        isocast_diagnostics *diagnostics, isocast_system **out);

/* A comma-separated list of systems; "2..4096*2" is the counts 2, 4, ..., 4096 and "1..8" or
 * "10..50+10" run in steps. `label` names the text in diagnostics ("--to"). Errors like
 * isocast_system_parse. Free each and the array (shape [*count]). */
isocast_status isocast_systems_parse(const isocast_machine *machine, const char *label,
                                     const char *text, isocast_diagnostics *diagnostics,
                                     isocast_system ***out, size_t *count);
void isocast_systems_free(isocast_system **systems, size_t count);

/* A comma-separated list of numbers with the same ranges ("100,200", "200..1600*2",
 * "100..500+100"). Errors like above. Free the array with free(). */
isocast_status isocast_numbers_parse(const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, double **out, size_t *count);

/* R_f, the performance reference factor that stands for p where processors are not all equal [HE];
 * p where nothing else is known. */
double isocast_system_reference_factor(const isocast_system *system);

/* Bytes that one process of the system may hold: the least over its classes; NAN where unknown. */
double isocast_system_memory(const isocast_system *system);

#endif
