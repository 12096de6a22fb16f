/* The isoefficiency function: how the work must grow with the number of processes p so that the
 * speed-efficiency stays the same, and which order of growth is proved for it. Source: A. Grama,
 * A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, section 5.4 [GGKK].
 *
 * A handle does not change after it was made, so any number of threads may use it at once. */
#ifndef ISOCAST_PUBLIC_GROWTH_H
#define ISOCAST_PUBLIC_GROWTH_H

#include <isocast/prediction.h>
#include <stdbool.h>

ISOCAST_BEGIN_C

/* The isoefficiency function of a model at an efficiency: on a list of systems, and its order. */
typedef struct isocast_isoefficiency isocast_isoefficiency;

/* Finds it. The request gives systems and efficiency, and no other metric than the
 * speed-efficiency; the order is that of systems like the last one. The model must outlive the
 * result; the request is copied. Free with isocast_isoefficiency_free(). Errors: as those of
 * isocast_model_predict(); ARGUMENT, with diagnostics, where no efficiency is given. */
ISOCAST_PUBLIC isocast_status isocast_model_isoefficiency(const isocast_model *model,
                                                          const isocast_request *request,
                                                          isocast_diagnostics *diagnostics,
                                                          isocast_isoefficiency **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_isoefficiency_free(isocast_isoefficiency *isoefficiency);
/* The prediction that holds the efficiency, a row for each system; belongs to the result. */
ISOCAST_PUBLIC const isocast_prediction *
isocast_isoefficiency_prediction(const isocast_isoefficiency *isoefficiency);
/* K = E/(1-E): the work must be K times the total overhead, both as times on one process. */
ISOCAST_PUBLIC double isocast_isoefficiency_K(const isocast_isoefficiency *isoefficiency);
/* What E tends to where N grows fast enough with p; NAN where it is not known. */
ISOCAST_PUBLIC double isocast_isoefficiency_limit(const isocast_isoefficiency *isoefficiency);

/* A number of a row, summed over all processes. NAN where the row has no solution. */
typedef enum isocast_isoefficiency_quantity {
    ISOCAST_ISOEFFICIENCY_IDEAL,    /* W/C_1, s, C_1 = C/p */
    ISOCAST_ISOEFFICIENCY_COST,     /* p T, s */
    ISOCAST_ISOEFFICIENCY_OVERHEAD, /* total overhead T_o = p T - W/C_1, s */
    ISOCAST_ISOEFFICIENCY_IDLE,     /* idle or excess computation p T_c - W/C_1, s */
    ISOCAST_ISOEFFICIENCY_EXPONENT  /* d ln W/d ln p where E is held, exact between jumps, 1 */
} isocast_isoefficiency_quantity;
ISOCAST_PUBLIC double isocast_isoefficiency_number(const isocast_isoefficiency *isoefficiency,
                                                   size_t row,
                                                   isocast_isoefficiency_quantity quantity);

/* What is known of the order of W. */
typedef enum isocast_growth_verdict {
    ISOCAST_GROWTH_PROVED,     /* W must grow at this rate, and that is enough: Theta(order) */
    ISOCAST_GROWTH_FREE,       /* any W that the bounds allow is enough: the part never rules */
    ISOCAST_GROWTH_CAPPED,     /* unreachable: E stays below a limit, however large N is */
    ISOCAST_GROWTH_UNSCALABLE, /* no polynomial W of p holds E */
    ISOCAST_GROWTH_FALLING,    /* E falls again as N grows: held on a finite range of p at most */
    ISOCAST_GROWTH_UNDECIDED   /* nothing is proved; the reason says why */
} isocast_growth_verdict;

/* In place of a part's index: all parts together. */
#define ISOCAST_PART_ALL ((size_t)-1)

/* The parts: the terms of the overhead in the order of the algorithm file, the computation, the
 * bound that each process has work, and the bound of concurrency where the algorithm gives one.
 * Index from 0 to isocast_isoefficiency_part_count() - 1, or ISOCAST_PART_ALL. Another one gives
 * NULL, NAN and UNDECIDED. Texts belong to the algorithm or to the library. */
ISOCAST_PUBLIC size_t isocast_isoefficiency_part_count(const isocast_isoefficiency *isoefficiency);
/* The name of the term; "computation", "processes", "concurrency", "all". */
ISOCAST_PUBLIC const char *
isocast_isoefficiency_part_name(const isocast_isoefficiency *isoefficiency, size_t part);
ISOCAST_PUBLIC isocast_growth_verdict
isocast_isoefficiency_verdict(const isocast_isoefficiency *isoefficiency, size_t part);
/* Why nothing is proved, as a clause; NULL where there is nothing to say. */
ISOCAST_PUBLIC const char *isocast_isoefficiency_reason(const isocast_isoefficiency *isoefficiency,
                                                        size_t part);

/* Factors of an order Theta(p^a log^b p (log log p)^c). */
typedef enum isocast_growth_factor {
    ISOCAST_GROWTH_P,        /* a */
    ISOCAST_GROWTH_LOG_P,    /* b */
    ISOCAST_GROWTH_LOG_LOG_P /* c */
} isocast_growth_factor;
/* The exponent of a factor in the order of W; NAN where none is proved. */
ISOCAST_PUBLIC double isocast_isoefficiency_order(const isocast_isoefficiency *isoefficiency,
                                                  size_t part, isocast_growth_factor factor);
/* Whether the exponents of the order change with E. */
ISOCAST_PUBLIC bool isocast_isoefficiency_depends_on_E(const isocast_isoefficiency *isoefficiency,
                                                       size_t part);
/* Whether the orders hold for p alone whose process grids are squares or cubes, or that x divides
 * in each divisor(p, x). */
ISOCAST_PUBLIC bool isocast_isoefficiency_needs_squares(const isocast_isoefficiency *isoefficiency);

ISOCAST_END_C

#endif
