/* The parts of a prediction against the phases of measured runs: which term is off, and by how much
 * of T. Formats nothing. */
#ifndef ISOCAST_COMPARISON_H
#define ISOCAST_COMPARISON_H

#include "validation.h"

/* Parts of T and the columns that measure them, as far as they can be distinguished. Parts that no
 * phase names are the last group, which is measured by what the columns leave of T. */
typedef struct isocast_comparison_group {
    char *parts;  /* "pivot-rounds + imbalance"; "-" where no part is left for the rest of T */
    char *phases; /* "T_exchange"; NULL: the rest of T */
    /* Over the points, relative: differences are predicted less measured. */
    double mean_error; /* mean of |difference|/measured */
    double mean_of_T;  /* mean of |difference|/T measured */
    double bias_of_T;  /* mean of difference/T measured */
} isocast_comparison_group;

typedef struct isocast_comparison {
    const isocast_validation *validation; /* whose points and systems these are */
    const bool *chosen;                   /* [point_count]: which are compared; NULL: all */
    isocast_comparison_group *groups;     /* [group_count] */
    size_t group_count;
    double *predicted; /* [point_count][group_count], s */
    double *measured;  /* likewise, of the run with the median T; NAN where it does not say */
    size_t most_off;   /* group with the largest mean_of_T; group_count: nothing is measured */
    size_t worst;      /* point where that group is off by the largest part of T */
    size_t compared;   /* points */
} isocast_comparison;

/* Compares; the validation, its runs and `chosen` must outlive it. Errors: INVALID with diagnostics
 * (the algorithm says nothing of phases, the runs lack a column), NO_MEMORY. */
isocast_status isocast_compare(const isocast_validation *validation, const isocast_runs *runs,
                               const bool *chosen, isocast_diagnostics *diagnostics,
                               isocast_comparison **out);
void isocast_comparison_free(isocast_comparison *comparison);

#endif
