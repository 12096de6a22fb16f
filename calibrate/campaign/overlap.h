/* What overlap makes of a prediction for a platform: the program of the algorithm file is executed
 * there, at the systems and sizes that the answer needs, and what its T is beside that of the
 * formulas becomes a term of T_o, in N, for each system. Where that takes too long, T goes on from
 * smaller systems. Asks and solves nothing. */
#ifndef CAMPAIGN_OVERLAP_H
#define CAMPAIGN_OVERLAP_H

#include "model/solve/model.h"
#include "program_times.h"

typedef campaign_program_request campaign_overlap_request;
typedef struct campaign_overlap campaign_overlap;

/* Free with campaign_overlap_free(). Errors: NO_MEMORY; IO where a program cannot be read, which is
 * told. */
isocast_status campaign_overlap_create(const campaign_overlap_request *request,
                                       campaign_overlap **out);
void campaign_overlap_free(campaign_overlap *overlap);

/* Forgets what was wanted and is not executed yet. */
void campaign_overlap_begin(campaign_overlap *overlap);

/* Wants T of the program on a system at a size, which is rounded to one that the file holds for.
 * Errors: NO_MEMORY. */
isocast_status campaign_overlap_want(campaign_overlap *overlap, const isocast_system *system,
                                     double N, const double *other_sizes);

/* Executes what is wanted, or takes it from the cache; `model` without the term or with it; `until`
 * in s of campaign_clock(). *news: there was some. Errors: INTERRUPTED, NO_MEMORY, IO; what cannot
 * be executed is none. */
isocast_status campaign_overlap_execute(campaign_overlap *overlap, const isocast_model *model,
                                        double until, bool *news);

/* The term, beside T of a model without it: parameters of the machine file, and the formula. Both
 * stay empty where nothing was executed. Errors: NO_MEMORY. */
isocast_status campaign_overlap_write(campaign_overlap *overlap, const isocast_model *model,
                                      isocast_buffer *parameters, isocast_buffer *formula);

/* What was executed, and why not: sentences for people, without the last full stop. */
void campaign_overlap_describe(const campaign_overlap *overlap, isocast_buffer *out);

/* What executes it. */
const campaign_program *campaign_overlap_program(const campaign_overlap *overlap);

#endif
