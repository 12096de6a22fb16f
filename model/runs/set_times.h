/* Times of one program on processor sets [HE], and the performance reference factors of sets: R_f
 * as a file gives it, or n T_ref(1)/T_ref(set) from the times of a reference program whose work is
 * proportional to n. Formats nothing. */
#ifndef ISOCAST_SET_TIMES_H
#define ISOCAST_SET_TIMES_H

#include "model/base/diagnostic.h"
#include "model/base/metric.h"

/* One processor set. NAN marks what is not known. */
typedef struct isocast_set_row {
    char *set;            /* "4x2", "1x2+2x1", or any other name */
    double n;             /* processors, reported by the name */
    double R_f;           /* as the reference file has it, else from its times */
    double R_f_given;     /* the file's column R_f */
    double R_f_from_time; /* n T_ref(1)/T_ref(set) */
    double T_ref;         /* s, of the reference program */
    double T;             /* s; NAN in a file of reference times alone */
    double W;             /* flop; where the file has a column W */
    double psi;           /* to this row from the row before */
    double psi_from_base; /* to this row from the first */
} isocast_set_row;

typedef struct isocast_set_table {
    isocast_metric metric;
    char *times_name;      /* of the file of times; NULL where there is none */
    char *reference_name;  /* of the file of reference times; NULL where there is none */
    isocast_set_row *rows; /* [count], in the order of the file */
    size_t count;
    bool has_W;
    bool without_R_f; /* some row has none, which no psi here needs */
} isocast_set_table;

/* The processors of a set's name: k m for "kxm" (k on each of m nodes), the sum for "1x2+2x1", the
 * number itself for "8"; a node class and a colon may stand before each. NAN for other names. */
double isocast_set_processors(const char *name);

/* Whether the first line of a CSV text names a column `set`, and a column `T_s` or no `T_ref_s` and
 * no `R_f`: a file of times. Errors: NO_MEMORY; INVALID, with diagnostics. */
isocast_status isocast_set_times_recognise(const isocast_source *source,
                                           isocast_diagnostics *diagnostics, bool *is_sets,
                                           bool *has_times);

/* Reads times (columns set and T_s, and W in flop where it is known) and reference times (columns
 * set, and T_ref_s or R_f or both), and computes psi of the metric. The times are those at which
 * the metric holds what it holds, so psi is T/T' for each; where W is known, it is R_f'W/(R_f W')
 * for isospeed. Either source may be NULL: without reference times no R_f is known; without times
 * the rows are the reference's. `program`: the rows of times that count, where the file has a
 * column program; NULL: all. The sources must outlive the call only. Errors: INVALID with
 * diagnostics, NO_MEMORY, ARGUMENT (both NULL, a metric without psi). */
isocast_status isocast_set_table_read(const isocast_source *times, const isocast_source *reference,
                                      const char *program, isocast_metric metric,
                                      isocast_diagnostics *diagnostics, isocast_set_table **out);
void isocast_set_table_free(isocast_set_table *table);

/* The row of a set's name; NULL where there is none. */
const isocast_set_row *isocast_set_table_find(const isocast_set_table *table, const char *name);

/* psi from a row to another. */
double isocast_set_psi(const isocast_set_table *table, size_t from, size_t to);

#endif
