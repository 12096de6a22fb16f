/* Measured runs as series: the points that differ in p alone, or in p and a size that grows with
 * it. What keeps series apart, what was held constant, and how far runs scatter is read off the
 * file itself. Forecasts nothing. */
#ifndef ISOCAST_SERIES_H
#define ISOCAST_SERIES_H

#include "curve_fit.h"
#include "model/base/csv.h"

/* What the runs of a series hold constant. SCALING(name, word). */
#define ISOCAST_SERIES_SCALINGS(SCALING)                                                           \
    SCALING(STRONG, "strong") /* the problem: ideally T goes as 1/p */                             \
    SCALING(WEAK, "weak")     /* the work of each process: ideally T stays */                      \
    SCALING(MIXED, "mixed")   /* neither */

typedef enum isocast_series_scaling {
#define ISOCAST_SERIES_ENUM(name, word) ISOCAST_SERIES_##name,
    ISOCAST_SERIES_SCALINGS(ISOCAST_SERIES_ENUM)
#undef ISOCAST_SERIES_ENUM
        ISOCAST_SERIES_SCALING_COUNT
} isocast_series_scaling;

extern const char *const isocast_series_scaling_words[ISOCAST_SERIES_SCALING_COUNT + 1];

/* Where that is known from. */
typedef enum isocast_series_evidence {
    ISOCAST_SERIES_GIVEN,
    ISOCAST_SERIES_BY_N,     /* N, N/p, N^2/p or N^3/p is the same at each p */
    ISOCAST_SERIES_BY_N_OWN, /* N is the same and T does not fall: N is that of each process */
    ISOCAST_SERIES_BY_TIMES  /* guessed, by how T changes over the first three p */
} isocast_series_evidence;

typedef struct isocast_series {
    const char *const *keys; /* [key_count of the list], what keeps it apart; belongs to the list */
    size_t group;            /* number of those keys, the same for series that differ in N alone */
    double N;                /* of all its points; NAN: they have several, or none */
    isocast_point *points;   /* [count], rising p; T: median over launches of their medians */
    double *sizes;           /* [count], N of each; NAN: none */
    size_t count;
    size_t runs;           /* rows of the file */
    size_t inside;         /* p that were left out, as they do not fill a node */
    double sd_launches;    /* of ln T between launches at one p, over all p; NAN: not known */
    double sd_repetitions; /* likewise within a launch */
    isocast_series_scaling scaling;
    isocast_series_evidence evidence;
    double power; /* N^power/p is constant; 0: N is; NAN: neither, or N is not known */
} isocast_series;

/* A row of the file. */
typedef struct isocast_series_run {
    size_t group, launch, row; /* row: of the table */
    double p, N, T, nodes;     /* N and nodes: NAN where there is no such column */
} isocast_series_run;

typedef struct isocast_series_list {
    char **key_names; /* [key_count], columns that keep series apart and differ among them */
    size_t key_count;
    isocast_series *series; /* [count], in the order of the file */
    size_t count;
    bool has_N;
    char *count_name;   /* of the column of p */
    const char ***keys; /* [group_count][key_count] */
    size_t group_count;
    isocast_series_run *runs; /* [run_count], by group, p and N */
    size_t run_count;
    char **texts; /* [text_count], of the keys */
    size_t text_count;
} isocast_series_list;

typedef struct isocast_series_only {
    const char *column, *value;
} isocast_series_only;

typedef struct isocast_series_request {
    const isocast_source *source;
    const char *count;     /* the column of p; NULL: p, or nodes, or the names of systems */
    const char *time;      /* the column of T; NULL: T */
    const char *const *by; /* [by_count], columns that keep series apart; NULL: found */
    size_t by_count;
    const isocast_series_only *only; /* [only_count]; rows count that are all of this */
    size_t only_count;
    const isocast_series_scaling *scaling; /* NULL: found */
} isocast_series_request;

enum { ISOCAST_SERIES_MAX = 500 }; /* of a file */

/* Reads CSV, or a format of another program (run_files.h). A column that the request does not name
 * keeps series apart where most rows have a value of it that several p have. Columns launch and
 * repetition are levels of noise. Errors, with diagnostics: INVALID (no such column, numbers that
 * are none or not above 0, times in mixed units, one p alone, too many series), NO_MEMORY. */
isocast_status isocast_series_read(const isocast_series_request *request,
                                   isocast_diagnostics *diagnostics, isocast_series_list **out);
void isocast_series_list_free(isocast_series_list *list);

/* N/p of a series that holds it; NAN. */
double isocast_series_share(const isocast_series *series);
/* The exponent of p in ideal scaling; NAN of mixed scaling. */
double isocast_series_ideal(const isocast_series *series);
/* Efficiency of a T, s, at p against the smallest p that was run; NAN of mixed scaling. */
double isocast_series_efficiency(const isocast_series *series, double p, double T);

#endif
