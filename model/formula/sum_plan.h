/* What a sum's term does that a few of its values do not show: steps of floor(), ceil() and round()
 * that come again and again, and places where a comparison switches. Where their arguments are
 * linear in the running variable all of them are known. Where
 * borders are known only piece by piece, as of a table over what ranges of a size make of it, the
 * pieces are cut as they are seen. Private to the evaluator (sum.c). */
#ifndef ISOCAST_SUM_PLAN_H
#define ISOCAST_SUM_PLAN_H

#include "block.h"

enum {
    ISOCAST_SUM_STEPS_MAX = 1024, /* single steps that a range is cut at */
    ISOCAST_SUM_CUTS_MAX = ISOCAST_SUM_STEPS_MAX + 64,
    ISOCAST_SUM_PERIOD_MAX = 4096
};

typedef struct isocast_sum_plan {
    /* Terms whose numbers differ by a multiple of this lie on pieces without steps. */
    double period;
    bool is_hidden; /* there are steps that neither the period nor the cuts account for */
    /* Between two cuts the term is a polynomial of the running variable, of this degree at most;
     * below 0 where that is not known. */
    int degree;
    size_t cut_count;
    double
        cuts[ISOCAST_SUM_CUTS_MAX]; /* rising: from term number ceil(cut) on it is another piece */
} isocast_sum_plan;

/* Plans the sum of `count` terms. `registers` are those of the block at the first term. Errors:
 * NO_MEMORY. */
isocast_status isocast_sum_plan_make(const isocast_program *program, const isocast_block *block,
                                     const double *registers, double count, isocast_sum_plan *plan);

/* What the registers of a sum's block are between two borders. Start from {0}. */
typedef struct isocast_sum_pieces {
    const isocast_block *block;
    bool *linear; /* [register_count]: a straight line of the running variable */
    int *degree;  /* [register_count], of a polynomial; below 0 where it is none */
} isocast_sum_pieces;

/* Errors: NO_MEMORY. */
isocast_status isocast_sum_pieces_create(const isocast_block *block, isocast_sum_pieces *out);
void isocast_sum_pieces_free(isocast_sum_pieces *pieces);

/* The term's degree, once no piece has a border inside; below 0 where it has none. */
int isocast_sum_pieces_degree(const isocast_sum_pieces *pieces);

/* Adds the borders that are seen inside a piece of `length` terms from number `begin` on to `cuts`,
 * which has room for ISOCAST_SUM_CUTS_MAX; false where there is no room left. `registers` are those
 * at its first and its last term: register r at registers[r * stride] and registers[r * stride +
 * 1].
 */
bool isocast_sum_pieces_cut(const isocast_sum_pieces *pieces, double begin, double length,
                            const double *registers, size_t stride, double *cuts, size_t *count);

#endif
