/* Scalability measured directly [CSW 3.5]: on each system N is scaled until the run itself shows
 * the wanted speed-efficiency, or what else a metric holds. Renders nothing. */
#ifndef CAMPAIGN_EFFICIENCY_SEARCH_H
#define CAMPAIGN_EFFICIENCY_SEARCH_H

#include "kernel_run.h"
#include "model/base/metric.h"
#include "model/solve/size_search.h"
#include "model/spec/work.h"

typedef struct campaign_search_request {
    const campaign_kernel_setup *setup;
    long repetitions; /* at each size */
    /* Runs of a size until as many as `repetitions` are calm (model/runs/calm.h), of which T is the
     * median, and there are `least` or more; 0: all count. */
    size_t most;
    size_t least;
    /* s; a real run that would take longer, as the largest size before it shows, is not begun,
     * which is reported. The search then ends below its size. 0 or less: none is too long. */
    double longest;
    isocast_size_search search; /* `nearest` is set by the rules */
    /* Whose rules of N each size keeps on its system; NULL: none are looked at. */
    const isocast_algorithm *rules;
    const isocast_work *work;
    isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    isocast_metric metric; /* what search.target is */
    /* [system_count], each system's process 0 as a system of one process, where the metric holds
     * T(W,1)/(R_f T); else NULL. */
    isocast_system *const *alone;
} campaign_search_request;

/* One system. NAN marks what is not known. */
typedef struct campaign_search_row {
    const isocast_system *system;
    isocast_size_search_state state; /* FOUND, ABOVE, BELOW or JUMP */
    double N;
    double W;             /* flop */
    double T;             /* s, median of the repetitions that count */
    double E;             /* what the metric holds, such as W/(T C) */
    double T_alone;       /* s, T(W,1): median of the runs on one process; where the metric asks */
    double psi;           /* to this row from the row before */
    double psi_from_base; /* from the first row */
    size_t steps;         /* sizes tried, also those that the file had already */
    size_t runs, calm;    /* at these sizes; as many are calm */
    double nearest_N;     /* whose E came nearest to the target */
    double nearest_E;
    isocast_size_search_point under, over; /* the sizes round the target */
    double refused_N;                      /* the smallest that was not measured */
    bool limited; /* that one took, or would take, longer than is allowed; else its memory */
} campaign_search_row;

/* Fills rows, shape [system_count]. Steps that the runs file has are not run again. Errors: INVALID
 * where the work has no value, which is reported, and those of campaign_kernel_run(). */
isocast_status campaign_search(const campaign_search_request *request, campaign_run_file *runs,
                               campaign_search_row *rows);

/* Makes more runs of each size that the file held of these systems when it was opened, until there
 * are as many as a search asks for. Errors: as above. */
isocast_status campaign_search_repeat(const campaign_search_request *request,
                                      campaign_run_file *runs);

/* "ok", "above", "below" or "jump". */
const char *campaign_search_status_word(isocast_size_search_state state);

/* What a row without an N, or with an E that is farther off than the tolerance, has to say. */
void campaign_search_note(const campaign_search_row *row, isocast_metric metric,
                          const isocast_size_search *search, isocast_buffer *out);

#endif
