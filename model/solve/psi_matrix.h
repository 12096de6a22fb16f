/* psi between all pairs of systems, and beside it what the theorems of [CSW 3.4] say where their
 * premises hold. Formats nothing. */
#ifndef ISOCAST_PSI_MATRIX_H
#define ISOCAST_PSI_MATRIX_H

#include "prediction.h"

enum { ISOCAST_MATRIX_SYSTEMS_MAX = 1000 };

/* From a system to another. NAN marks what is not known or does not apply. */
typedef struct isocast_psi_pair {
    size_t from, to; /* indices of the systems */
    double psi;
    double psi_low, psi_high; /* its interval, of a prediction; NAN where it is not known */
    double theorem_1;         /* (t_0 + T_o)/(t_0' + T_o'), t_0 = alpha W/C_j */
    double corollary_2;       /* T_o/T_o', alpha = 0 */
    double theorem_2;         /* (C beta W - C' beta W + C T_o)/(C T_o'), beta = alpha/C_j */
    const char *reason; /* why psi, or what a theorem says, is missing; NULL where nothing is */
} isocast_psi_pair;

typedef struct isocast_psi_matrix {
    const char **names; /* [count], of the systems; borrowed */
    size_t count;
    isocast_psi_pair
        *pairs; /* [pair_count], each ordered pair of two systems; by `from`, then `to` */
    size_t pair_count;
    bool has_theorems; /* they were looked at, and so were intervals */
    double level;      /* of intervals; NAN where no pair has one */
} isocast_psi_matrix;

/* psi of all pairs by a function of two indices; `context` is handed to it. Errors: ARGUMENT (more
 * than ISOCAST_MATRIX_SYSTEMS_MAX systems), NO_MEMORY. */
isocast_status isocast_psi_matrix_create(const char *const *names, size_t count,
                                         double (*psi)(const void *context, size_t from, size_t to),
                                         const void *context, isocast_psi_matrix **out);

/* The systems of a prediction that solved for N: the base, where it is not among the rows by its
 * name, and the rows. The prediction was made of the request; both must outlive the matrix. Its
 * rows may get draws for the intervals of psi, which come from the request's effort. Errors as
 * above. */
isocast_status isocast_psi_matrix_predict(isocast_prediction *prediction,
                                          const isocast_prediction_request *request,
                                          isocast_psi_matrix **out);
void isocast_psi_matrix_free(isocast_psi_matrix *matrix);

/* The pair of two systems, by their indices; they differ. */
const isocast_psi_pair *isocast_psi_matrix_at(const isocast_psi_matrix *matrix, size_t from,
                                              size_t to);

#endif
