/* The plan of a study: which runs of a program are recorded and measured, in which order, and what
 * of the budget each step may take. It is given what each step came to, and states the next one, so
 * that the same results give the same plan. Runs nothing, reads no clock. */
#ifndef CAMPAIGN_STUDY_PLAN_H
#define CAMPAIGN_STUDY_PLAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum campaign_study_kind {
    CAMPAIGN_STUDY_TRY,       /* record a run, to find the sizes */
    CAMPAIGN_STUDY_RECORD,    /* record a run for the formulas */
    CAMPAIGN_STUDY_HOLD,      /* record a run that the formulas are only checked with */
    CAMPAIGN_STUDY_DERIVE,    /* formulas from the records */
    CAMPAIGN_STUDY_CALIBRATE, /* what the formulas call, in `limit` s */
    CAMPAIGN_STUDY_COMPARE,   /* formulas again, with T on the machine */
    CAMPAIGN_STUDY_MEASURE,   /* runs at `sizes` and at the size that is held out */
    CAMPAIGN_STUDY_TIME,      /* the time per flop from those at `sizes` */
    CAMPAIGN_STUDY_END,       /* all is known that an answer needs */
    CAMPAIGN_STUDY_REFUSE     /* `why` says why there is none */
} campaign_study_kind;

/* Which sizes are taken. Programs refuse sizes that p does not divide, or that are no powers of 2.
 */
typedef enum campaign_study_sizes {
    CAMPAIGN_STUDY_UNDIVIDED, /* no p divides them, which states N/p from its ceiling */
    CAMPAIGN_STUDY_DIVIDED,   /* most p divide them */
    CAMPAIGN_STUDY_POWERS,    /* powers of 2 */
    CAMPAIGN_STUDY_GIVEN      /* those of the request */
} campaign_study_sizes;

enum {
    CAMPAIGN_STUDY_RECORDED = 4, /* sizes that are recorded at most */
    CAMPAIGN_STUDY_MEASURED = 7, /* sizes that the time per flop is measured at, at most */
    CAMPAIGN_STUDY_COUNTS = 24,  /* numbers of processes at most */
    CAMPAIGN_STUDY_ASKED = 4,    /* of these, that the formulas ask for at most */
    CAMPAIGN_STUDY_SYSTEMS = 4   /* of these, that are measured on at most */
};

typedef struct campaign_study_request {
    double budget;       /* s, of the whole study */
    long processors;     /* that there are for processes */
    double memory;       /* B of this machine; INFINITY: not known */
    const double *sizes; /* [size_count], rising, in place of those that are found */
    size_t size_count;   /* 0: they are found; else CAMPAIGN_STUDY_RECORDED or more */
} campaign_study_request;

/* One step. */
typedef struct campaign_study_step {
    campaign_study_kind kind;
    double N;            /* TRY, RECORD, HOLD; of MEASURE the size that is held out */
    long p;              /* TRY, RECORD, HOLD */
    size_t run;          /* RECORD: the repetition, from 1 on */
    double limit;        /* s: longer than this it must not take */
    const double *sizes; /* MEASURE, TIME: [size_count] */
    size_t size_count;
    const long *counts; /* MEASURE: [count_count], numbers of processes */
    size_t count_count;
    size_t repetitions; /* MEASURE, TIME: of each; 0: until enough of them are calm */
    const char *why;    /* REFUSE */
} campaign_study_step;

/* What a step came to. Start from {0}. */
typedef struct campaign_study_result {
    bool failed;                      /* the program, or what the step calls, did */
    double seconds;                   /* that the step took */
    double T;                         /* s, of the run; TRY, RECORD and HOLD, as the next two */
    double busy;                      /* s, processor time of all processes */
    double memory;                    /* B of the process that takes most; 0: not known */
    long asked[CAMPAIGN_STUDY_ASKED]; /* DERIVE: numbers of processes to record, then 0 */
} campaign_study_result;

/* A number of processes, and what is known of it. */
typedef struct campaign_study_count {
    long p;
    enum { STUDY_UNTRIED, STUDY_WORKS, STUDY_REFUSED } state;
    double seconds; /* of a step at the smallest size */
    double busy;    /* s likewise */
    double memory;  /* B likewise */
} campaign_study_count;

typedef struct campaign_study_plan {
    campaign_study_request request;
    campaign_study_step step; /* the next one */
    campaign_study_sizes kind;
    double unit;                        /* of sizes that are DIVIDED */
    double spent;                       /* s, of all steps */
    double begun;                       /* s of these that were spent before the recording */
    size_t tries;                       /* that were made */
    size_t first;                       /* which of the points to begin with is tried */
    long base;                          /* the fewest processes that the program runs on */
    double good_N, good_T, good_memory; /* the largest size that ran well; 0: none did */
    double seen_N, seen_T;              /* the first one whose computing shows how T grows */
    double bad_N; /* the smallest size that was too long, or failed; INFINITY: none was */
    double slope; /* T grows as N to this */
    double recorded[CAMPAIGN_STUDY_RECORDED]; /* [recorded_count], rising */
    size_t recorded_count;
    double measured[CAMPAIGN_STUDY_MEASURED]; /* [measured_count], rising */
    size_t measured_count;
    double held_N;                                      /* at which nothing is fitted */
    double checked_N;                                   /* of the record that is held out */
    campaign_study_count counts[CAMPAIGN_STUDY_COUNTS]; /* [count_count] */
    size_t count_count;
    size_t pass, at;    /* how far the recording is */
    size_t asked_first; /* the first of the counts that the formulas asked for; 0: none yet */
    size_t held_tries;  /* numbers of processes that were tried to be held out */
    long held_p;        /* that is held out; 0: none */
    long systems[CAMPAIGN_STUDY_SYSTEMS]; /* [system_count], that are measured on */
    size_t system_count;
    bool timed; /* the time per flop is known */
} campaign_study_plan;

/* The request's sizes must outlive the plan. */
void campaign_study_begin(const campaign_study_request *request, campaign_study_plan *out);

/* What plan->step came to, which becomes the next one. What that points to lives as long as the
 * plan. */
void campaign_study_take(campaign_study_plan *plan, const campaign_study_result *result);

/* Whether each process has the size by itself, so that the work grows with p: 1; or shares it with
 * the others: 0; -1 where the records do not show it. */
int campaign_study_is_weak(const campaign_study_plan *plan);

#endif
