#include "study_plan.h"

#include <math.h>
#include <string.h>

/* s: what a run on the base takes at the largest size, of this share of the budget; and less than
 * this shows nothing but how a program begins and ends. */
static const double wanted_most = 2;
static const double wanted_share = 1.0 / 300;
static const double wanted_least = 0.1;
static const double short_most = 0.02;
static const double begin_and_end = 0.4; /* s of a run beside T */

/* Shares of the budget. */
static const double tries_share = 0.15;
static const double records_share = 0.35;
static const double run_share = 0.1; /* one record that could be left out */

/* Tries at most, and what one may take of the budget. */
enum { TRIES_MOST = 24 };
static const double try_share = 1.0 / 30;
static const double size_most = 1e9;
static const double small = 50; /* sizes below it may be levels, so that T doubles with each */

/* Where the tries begin: programs may want sizes that p divides, powers of 2, small ones, or
 * several processes. */
typedef struct first_point {
    double N;
    long p;
    campaign_study_sizes kind;
} first_point;
static const first_point firsts[] = {
    {131, 1, CAMPAIGN_STUDY_UNDIVIDED}, {144, 1, CAMPAIGN_STUDY_DIVIDED},
    {128, 1, CAMPAIGN_STUDY_POWERS},    {17, 1, CAMPAIGN_STUDY_UNDIVIDED},
    {16, 1, CAMPAIGN_STUDY_POWERS},     {131, 2, CAMPAIGN_STUDY_UNDIVIDED},
    {144, 2, CAMPAIGN_STUDY_DIVIDED},   {128, 2, CAMPAIGN_STUDY_POWERS},
    {16, 2, CAMPAIGN_STUDY_POWERS},     {144, 4, CAMPAIGN_STUDY_DIVIDED},
    {128, 4, CAMPAIGN_STUDY_POWERS},    {16, 4, CAMPAIGN_STUDY_POWERS}};
enum { FIRSTS = sizeof firsts / sizeof firsts[0] };

/* Numbers of processes: these, where fewer than ENOUGH of them work the next ones as well, and of
 * the last ones that which is held out. */
static const long usual_counts[] = {1, 2, 3, 4, 6, 8, 9, 12};
static const long further_counts[] = {16, 25, 5, 32, 36};
static const long held_counts[] = {16, 18, 24, 25, 32, 36, 48, 64};
enum { ENOUGH = 4, LEAST = 3, HELD_TRIES = 6, ALONE_RUNS = 3 };

/* The passes of the recording. */
enum {
    PASS_COUNTS, /* all p at the smallest size: which of them work */
    PASS_ALONE,  /* those that have a processor for each process, at the other sizes */
    PASS_HOLD,   /* a p that the formulas have not seen */
    PASS_SHARED, /* the other p at the other sizes */
    PASS_AGAIN,  /* repetitions where each process has a processor */
    PASS_ASKED   /* what the formulas ask for */
};

/* ---- sizes ---- */

static bool is_allowed(const campaign_study_plan *plan, double N) {
    if (plan->kind == CAMPAIGN_STUDY_POWERS) {
        return exp2(round(log2(N))) == N;
    }
    if (plan->kind == CAMPAIGN_STUDY_DIVIDED) {
        return fmod(N, plan->unit) == 0;
    }
    return N < small || (fmod(N, 2) != 0 && fmod(N, 3) != 0 && fmod(N, 5) != 0 && fmod(N, 7) != 0);
}

/* The largest size of the kind that is N at most, or below it; 0: there is none. */
static double size_down(const campaign_study_plan *plan, double N) {
    if (plan->kind == CAMPAIGN_STUDY_POWERS) {
        return N >= 1 ? exp2(floor(log2(N) + 1e-9)) : 0;
    }
    if (plan->kind == CAMPAIGN_STUDY_DIVIDED) {
        return plan->unit * floor(N / plan->unit);
    }
    for (N = floor(N); N > 0 && !is_allowed(plan, N);) {
        N--;
    }
    return N;
}

static double wanted_time(const campaign_study_plan *plan) {
    return fmax(wanted_least, fmin(wanted_most, plan->request.budget * wanted_share));
}

/* Powers of 2 from the largest size down; the second largest is held out. */
static void choose_powers(campaign_study_plan *plan) {
    static const double steep = 1.7;
    const size_t count = plan->slope > steep ? LEAST : CAMPAIGN_STUDY_RECORDED;
    plan->recorded_count = 0;
    for (size_t i = 0; i < count; i++) {
        double power = i + 1 < count ? (double)(count - i) : 0;
        double N = plan->good_N / exp2(power);
        if (N >= 1) {
            plan->recorded[plan->recorded_count++] = N;
        }
    }
    plan->held_N = plan->checked_N = plan->good_N / 2;
    plan->measured_count = plan->recorded_count;
    memcpy(plan->measured, plan->recorded, sizeof plan->recorded);
}

/* Takes sizes (shape [count], rising): one of them is held out, up to four are recorded, and up to
 * seven measured. */
static void share_out(campaign_study_plan *plan, const double *sizes, size_t count) {
    const size_t held = count > CAMPAIGN_STUDY_RECORDED ? count / 2 : count - 2;
    double others[CAMPAIGN_STUDY_MEASURED];
    size_t rest = 0;
    for (size_t i = 0; i < count; i++) {
        if (i != held && rest < CAMPAIGN_STUDY_MEASURED) {
            others[rest++] = sizes[i];
        }
    }
    plan->held_N = sizes[held];
    plan->measured_count = rest;
    memcpy(plan->measured, others, sizeof others);
    plan->recorded_count = rest < CAMPAIGN_STUDY_RECORDED ? rest : CAMPAIGN_STUDY_RECORDED;
    for (size_t i = 0; i < plan->recorded_count; i++) {
        double at = (double)(i * (rest - 1)) / (double)(plan->recorded_count - 1);
        plan->recorded[i] = others[(size_t)round(at)];
    }
    plan->checked_N = plan->held_N;
    for (size_t i = rest; i > 0; i--) {
        bool recorded = false;
        for (size_t k = 0; k < plan->recorded_count; k++) {
            recorded = recorded || plan->recorded[k] == others[i - 1];
        }
        plan->checked_N = recorded ? plan->checked_N : others[i - 1];
    }
}

/* Sizes up to the largest one that ran well, between whose times lies a factor of ten. */
static void choose_sizes(campaign_study_plan *plan) {
    enum { GRID = CAMPAIGN_STUDY_MEASURED + 1 };
    static const double units[] = {144, 48, 12, 4};
    double grid[GRID];
    size_t begin = GRID;
    double reach = fmax(1.3, fmin(8, pow(10, 1 / plan->slope)));
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        plan->unit = units[i];
        if (plan->good_N >= GRID * units[i]) {
            break;
        }
    }
    double above = INFINITY;
    for (size_t i = GRID; i > 0; i--) {
        double N = plan->good_N * pow(reach, (double)i / GRID - 1);
        N = size_down(plan, fmin(round(N), above - 1));
        if (N < 1) {
            break;
        }
        grid[--begin] = above = N;
    }
    if (GRID - begin >= CAMPAIGN_STUDY_RECORDED) {
        share_out(plan, grid + begin, GRID - begin);
    } else {
        plan->recorded_count = 0;
    }
}

static void find_sizes(campaign_study_plan *plan) {
    if (plan->kind == CAMPAIGN_STUDY_GIVEN) {
        share_out(plan, plan->request.sizes, plan->request.size_count);
    } else if (plan->kind == CAMPAIGN_STUDY_POWERS) {
        choose_powers(plan);
    } else {
        choose_sizes(plan);
    }
}

/* ---- steps ---- */

static void refuse(campaign_study_plan *plan, const char *why) {
    plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_REFUSE, .why = why};
}

static double left(const campaign_study_plan *plan) {
    return plan->request.budget - plan->spent;
}

static void try_next(campaign_study_plan *plan, double N, long p) {
    const double least = 5;
    const double most = 30;
    double limit = fmax(least, fmin(most, plan->request.budget * try_share));
    plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_TRY, .N = N, .p = p, .limit = limit};
}

static campaign_study_count *count_of(campaign_study_plan *plan, long p) {
    for (size_t i = 0; i < plan->count_count; i++) {
        if (plan->counts[i].p == p) {
            return &plan->counts[i];
        }
    }
    return NULL;
}

static void add_count(campaign_study_plan *plan, long p) {
    if (p >= plan->base && plan->count_count < CAMPAIGN_STUDY_COUNTS && count_of(plan, p) == NULL) {
        plan->counts[plan->count_count++] = (campaign_study_count){.p = p};
    }
}

static size_t counts_that_work(const campaign_study_plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count_count; i++) {
        count += plan->counts[i].state == STUDY_WORKS;
    }
    return count;
}

/* T at N on the base over that at the smallest size. */
static double growth(const campaign_study_plan *plan, double N) {
    return pow(N / plan->recorded[0], plan->slope);
}

/* s of a run, estimated; of p that were not run as if each process had the size by itself. */
static double cost(const campaign_study_plan *plan, double N, long p) {
    double least = 0;
    for (size_t i = 0; i < plan->count_count; i++) {
        const campaign_study_count *c = &plan->counts[i];
        if (c->state == STUDY_WORKS && c->p <= p) {
            double shared = (double)p / (double)c->p;
            least = fmax(0, c->seconds - begin_and_end) * shared;
        }
    }
    return begin_and_end + least * growth(plan, N);
}

static void record_next(campaign_study_plan *plan, campaign_study_kind kind, double N, long p,
                        size_t run) {
    const double least = 20;
    plan->step = (campaign_study_step){
        .kind = kind, .N = N, .p = p, .run = run, .limit = fmax(least, 10 * cost(plan, N, p))};
    plan->step.limit = fmin(plan->step.limit, fmax(least, left(plan)));
}

static bool is_alone(const campaign_study_plan *plan, long p) {
    return p <= plan->request.processors;
}

/* Whether there is time for a record that could be left out. */
static bool affords(const campaign_study_plan *plan, double N, long p) {
    double due = cost(plan, N, p);
    return due < run_share * plan->request.budget &&
           plan->spent - plan->begun + due < records_share * plan->request.budget;
}

static void begin_records(campaign_study_plan *plan) {
    find_sizes(plan);
    if (plan->recorded_count < LEAST) {
        refuse(plan, "between a size at which a run is too short, and one at which it fails or is "
                     "too long, are fewer than four sizes: --sizes gives others");
        return;
    }
    plan->count_count = plan->pass = plan->at = 0;
    for (size_t i = 0; i < sizeof usual_counts / sizeof usual_counts[0]; i++) {
        add_count(plan, usual_counts[i]);
    }
    add_count(plan, plan->base);
    long most = plan->request.processors < 64 ? plan->request.processors : 64;
    for (long p = 16; p <= most; p *= 2) {
        add_count(plan, p);
    }
    add_count(plan, most);
}

/* After the smallest size: whether other kinds of sizes, or more p, are to be tried. False: all is
 * well, or the step is a refusal. */
static bool look_further(campaign_study_plan *plan) {
    size_t works = counts_that_work(plan);
    bool more = false;
    for (size_t i = 0; works < ENOUGH && i < sizeof further_counts / sizeof further_counts[0];
         i++) {
        more = more || count_of(plan, further_counts[i]) == NULL;
        add_count(plan, further_counts[i]);
    }
    if (!more && works < LEAST) {
        refuse(plan, "formulas in p need three numbers of processes, and the program ran well on "
                     "fewer");
    }
    return more;
}

/* Where the program refuses the first p behind the base, it may want other sizes. */
static bool wants_other_sizes(campaign_study_plan *plan) {
    enum { REFUSALS = 3 };
    return plan->kind < CAMPAIGN_STUDY_POWERS && plan->at == REFUSALS + 1 &&
           counts_that_work(plan) <= 1;
}

/* The next record of a pass over sizes (from `from` on) and counts. False: the pass is over. */
static bool record_in_pass(campaign_study_plan *plan, size_t from, size_t runs, bool alone) {
    const size_t sizes = plan->recorded_count - from;
    for (; plan->at < sizes * plan->count_count * runs; plan->at++) {
        const campaign_study_count *c = &plan->counts[plan->at % plan->count_count];
        double N = plan->recorded[from + plan->at / plan->count_count % sizes];
        size_t run = plan->at / plan->count_count / sizes;
        bool least = plan->pass == PASS_ALONE && run == 0;
        if (c->state == STUDY_WORKS && is_alone(plan, c->p) == alone &&
            (least || affords(plan, N, c->p))) {
            record_next(plan, CAMPAIGN_STUDY_RECORD, N, c->p,
                        plan->pass == PASS_AGAIN ? run + 2 : 1);
            plan->at++;
            return true;
        }
    }
    return false;
}

static bool record_counts(campaign_study_plan *plan) {
    if (wants_other_sizes(plan)) {
        plan->kind++;
        plan->good_N =
            plan->kind == CAMPAIGN_STUDY_POWERS ? exp2(round(log2(plan->good_N))) : plan->good_N;
        begin_records(plan);
        if (plan->step.kind == CAMPAIGN_STUDY_REFUSE) {
            return true;
        }
    }
    for (;;) {
        for (; plan->at < plan->count_count; plan->at++) {
            const campaign_study_count *c = &plan->counts[plan->at];
            if (c->state == STUDY_UNTRIED &&
                (plan->at < ENOUGH || affords(plan, plan->recorded[0], c->p))) {
                record_next(plan, CAMPAIGN_STUDY_RECORD, plan->recorded[0], c->p, 1);
                plan->at++;
                return true;
            }
        }
        if (!look_further(plan)) {
            return plan->step.kind == CAMPAIGN_STUDY_REFUSE;
        }
    }
}

static bool record_held(campaign_study_plan *plan) {
    long most = 0;
    for (size_t i = 0; i < plan->count_count; i++) {
        bool works = plan->counts[i].state == STUDY_WORKS;
        most = works && plan->counts[i].p > most ? plan->counts[i].p : most;
    }
    const size_t all = sizeof held_counts / sizeof held_counts[0];
    while (plan->held_p == 0 && plan->at < all && plan->held_tries < HELD_TRIES) {
        long p = held_counts[plan->at++];
        if (p > most && affords(plan, plan->checked_N, p)) {
            plan->held_tries++;
            record_next(plan, CAMPAIGN_STUDY_HOLD, plan->checked_N, p, 1);
            return true;
        }
    }
    return false;
}

static bool record_asked(campaign_study_plan *plan) {
    const size_t sizes = LEAST;
    for (; plan->at < (plan->count_count - plan->asked_first) * sizes; plan->at++) {
        const campaign_study_count *c = &plan->counts[plan->asked_first + plan->at / sizes];
        double N = plan->recorded[plan->at % sizes];
        if (c->state != STUDY_REFUSED && affords(plan, N, c->p)) {
            record_next(plan, CAMPAIGN_STUDY_RECORD, N, c->p, 1);
            plan->at++;
            return true;
        }
    }
    return false;
}

static bool record_of_pass(campaign_study_plan *plan) {
    switch (plan->pass) {
    case PASS_COUNTS:
        return record_counts(plan);
    case PASS_ALONE:
        return record_in_pass(plan, 1, 1, true);
    case PASS_HOLD:
        return record_held(plan);
    case PASS_SHARED:
        return record_in_pass(plan, 1, 1, false);
    case PASS_AGAIN:
        return record_in_pass(plan, 0, ALONE_RUNS - 1, true);
    default:
        return record_asked(plan);
    }
}

/* The next record, or the formulas. */
static void go_on_recording(campaign_study_plan *plan) {
    while (!record_of_pass(plan)) {
        plan->at = 0;
        plan->pass++;
        if (plan->pass >= PASS_ASKED) {
            plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_DERIVE, .limit = left(plan)};
            return;
        }
    }
}

/* ---- what steps came to ---- */

/* The size to try next; 0: the largest one is found. */
static double grow(const campaign_study_plan *plan) {
    const double near = 0.5; /* of the time that is wanted */
    const double T = plan->good_T;
    const double wanted = wanted_time(plan);
    if (T >= near * wanted || plan->tries >= TRIES_MOST ||
        (T >= short_most && plan->spent > tries_share * plan->request.budget)) {
        return 0;
    }
    double factor = T < short_most / 10 ? 4
                    : T < short_most    ? 2
                                        : pow(0.9 * wanted / T, 1 / plan->slope);
    factor = fmax(1.15, fmin(plan->good_N < small ? 1.3 : 4, factor));
    if (plan->good_memory > 0) { /* it may grow as the cube of N */
        factor = fmin(factor, cbrt(plan->request.memory / 4 / plan->good_memory));
    }
    double N = size_down(plan, round(plan->good_N * factor));
    if (N >= plan->bad_N) {
        N = size_down(plan, round(sqrt(plan->good_N * plan->bad_N)));
    }
    return N > 1.05 * plan->good_N && N < plan->bad_N && N < size_most ? N : 0;
}

/* s that a run computes, which other programs beside it do not make longer as they do T. */
static double computing(const campaign_study_plan *plan, const campaign_study_result *r) {
    double own = r->busy / (double)plan->step.p;
    return own > 0 ? fmin(own, r->T) : r->T;
}

/* The slope from the first size that shows it to another one. */
static void learn_slope(campaign_study_plan *plan, double N, double T) {
    const double seen = short_most / 4;
    if (T > seen && plan->seen_N == 0) {
        plan->seen_N = N;
        plan->seen_T = T;
    } else if (T > seen && N != plan->seen_N) {
        double slope = log(T / plan->seen_T) / log(N / plan->seen_N);
        plan->slope = fmax(0.3, fmin(8, slope));
    }
}

/* What was too long on one p may be short on more, where the program waits for another process. */
static void try_first(campaign_study_plan *plan) {
    for (; plan->first < FIRSTS; plan->first++) {
        const first_point *first = &firsts[plan->first];
        if (first->p != plan->base) {
            plan->bad_N = INFINITY;
        }
        plan->base = first->p;
        if (first->N <= plan->bad_N / 2) {
            plan->kind = first->kind;
            try_next(plan, first->N, first->p);
            return;
        }
    }
    refuse(plan, "no run of the program came to its end: --sizes names sizes that it takes");
}

/* The largest size is found, or there is none. */
static void end_tries(campaign_study_plan *plan) {
    if (plan->good_T < short_most) {
        refuse(plan, "runs are too short: at the largest size that was tried one takes less than "
                     "0.02 s, which shows nothing of its computing. Give the program more "
                     "iterations, or name larger sizes by --sizes");
        return;
    }
    plan->begun = plan->spent;
    begin_records(plan);
    if (plan->step.kind != CAMPAIGN_STUDY_REFUSE) {
        go_on_recording(plan);
    }
}

static void note_good(campaign_study_plan *plan, const campaign_study_result *r) {
    plan->good_N = plan->step.N;
    plan->good_T = computing(plan, r);
    plan->good_memory = r->memory;
}

/* Sizes that are given are tried at both ends, on as few processes as the program bears. */
static void take_given(campaign_study_plan *plan, const campaign_study_result *r) {
    const long base_most = 4;
    const double last = plan->request.sizes[plan->request.size_count - 1];
    if (r->failed && plan->good_N == 0 && plan->base < base_most) {
        plan->base *= 2;
        try_next(plan, plan->step.N, plan->base);
    } else if (r->failed) {
        refuse(plan, "no run of the program at a size of --sizes came to its end");
    } else {
        learn_slope(plan, plan->step.N, computing(plan, r));
        note_good(plan, r);
        if (plan->step.N != last) {
            try_next(plan, last, plan->base);
        } else {
            end_tries(plan);
        }
    }
}

static void take_try(campaign_study_plan *plan, const campaign_study_result *r) {
    bool slow = !r->failed && computing(plan, r) > 2 * wanted_time(plan);
    plan->tries++;
    if (!r->failed) {
        learn_slope(plan, plan->step.N, computing(plan, r));
    }
    if (!r->failed && !slow) {
        note_good(plan, r);
    } else if (plan->good_N > 0 || slow || r->seconds >= 0.9 * plan->step.limit) {
        plan->bad_N = fmin(plan->bad_N, plan->step.N);
    }
    if (plan->good_N == 0) {
        plan->first++;
        try_first(plan);
        return;
    }
    double next = grow(plan);
    if (next > 0) {
        try_next(plan, next, plan->base);
    } else {
        end_tries(plan);
    }
}

/* A program that does not like p may say so, and end well. */
static bool did_nothing(campaign_study_plan *plan, const campaign_study_result *r) {
    const double least = 0.02;
    const campaign_study_count *base = count_of(plan, plan->base);
    return base->state == STUDY_WORKS && base->p != plan->step.p && r->busy < least * base->busy;
}

static void take_record(campaign_study_plan *plan, const campaign_study_result *r) {
    campaign_study_count *c = count_of(plan, plan->step.p);
    if (plan->step.kind == CAMPAIGN_STUDY_HOLD) {
        plan->held_p = r->failed || did_nothing(plan, r) ? 0 : plan->step.p;
    } else if (c != NULL && c->state == STUDY_UNTRIED) {
        c->state = r->failed || did_nothing(plan, r) ? STUDY_REFUSED : STUDY_WORKS;
        c->seconds = r->seconds;
        c->busy = r->busy;
        c->memory = r->memory;
    }
    go_on_recording(plan);
}

static void take_derive(campaign_study_plan *plan, const campaign_study_result *r) {
    if (r->failed) {
        refuse(plan, "the records do not come to formulas");
        return;
    }
    const long most = 64;
    if (plan->asked_first == 0) {
        plan->asked_first = plan->count_count;
        for (size_t i = 0; i < CAMPAIGN_STUDY_ASKED && r->asked[i] > 0 && r->asked[i] <= most;
             i++) {
            add_count(plan, r->asked[i]);
        }
        plan->pass = PASS_ASKED;
        plan->at = 0;
        if (record_asked(plan)) {
            return;
        }
    }
    double share = plan->request.budget / 10;
    plan->step =
        (campaign_study_step){.kind = CAMPAIGN_STUDY_CALIBRATE, .limit = fmax(3, fmin(60, share))};
}

/* The numbers of processes that have a processor each: the fewest, the most, and between. */
static void choose_systems(campaign_study_plan *plan) {
    long most = 0;
    for (size_t i = 0; i < plan->count_count; i++) {
        const campaign_study_count *c = &plan->counts[i];
        if (c->state == STUDY_WORKS && is_alone(plan, c->p) && c->p > most) {
            most = c->p;
        }
    }
    plan->system_count = 0;
    for (long p = plan->base; p < most && plan->system_count + 1 < CAMPAIGN_STUDY_SYSTEMS; p *= 2) {
        const campaign_study_count *c = count_of(plan, p);
        if (c != NULL && c->state == STUDY_WORKS) {
            plan->systems[plan->system_count++] = p;
        }
    }
    if (most > 0) {
        plan->systems[plan->system_count++] = most;
    }
}

static double cost_of_round(campaign_study_plan *plan) {
    double round = 0;
    for (size_t i = 0; i < plan->system_count; i++) {
        for (size_t k = 0; k < plan->measured_count; k++) {
            round += cost(plan, plan->measured[k], plan->systems[i]);
        }
        round += cost(plan, plan->held_N, plan->systems[i]);
    }
    return round;
}

static void measure_next(campaign_study_plan *plan) {
    const double further = 150; /* s that rounds until enough runs are calm take at most */
    const double kept = 0.05;   /* of the budget, for the answers */
    choose_systems(plan);
    if (plan->system_count == 0) {
        plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_END};
        return;
    }
    double room = left(plan) - kept * plan->request.budget;
    double round = cost_of_round(plan);
    bool calm = room > 5 * round + further;
    double fits = floor(0.8 * room / round);
    plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_MEASURE,
                                       .N = plan->held_N,
                                       .limit = fmax(room, 3 * round),
                                       .sizes = plan->measured,
                                       .size_count = plan->measured_count,
                                       .counts = plan->systems,
                                       .count_count = plan->system_count,
                                       .repetitions = calm ? 0 : (size_t)fmax(2, fmin(15, fits))};
}

/* The runs are there, also where measuring took too long. */
static void take_measure(campaign_study_plan *plan, const campaign_study_result *r) {
    bool late = r->seconds >= 0.9 * plan->step.limit;
    if (r->failed && !late) {
        plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_END};
        return;
    }
    plan->step.kind = CAMPAIGN_STUDY_TIME;
    plan->step.limit = fmax(30, left(plan));
    plan->step.repetitions = 1;
}

/* ---- the plan ---- */

void campaign_study_begin(const campaign_study_request *request, campaign_study_plan *out) {
    *out = (campaign_study_plan){
        .request = *request, .bad_N = INFINITY, .base = 1, .unit = 16, .slope = 2};
    if (request->size_count > 0) {
        out->kind = CAMPAIGN_STUDY_GIVEN;
        try_next(out, request->sizes[0], 1);
    } else {
        try_first(out);
    }
}

void campaign_study_take(campaign_study_plan *plan, const campaign_study_result *result) {
    plan->spent += result->seconds;
    switch (plan->step.kind) {
    case CAMPAIGN_STUDY_TRY:
        (plan->kind == CAMPAIGN_STUDY_GIVEN ? take_given : take_try)(plan, result);
        break;
    case CAMPAIGN_STUDY_RECORD:
    case CAMPAIGN_STUDY_HOLD:
        take_record(plan, result);
        break;
    case CAMPAIGN_STUDY_DERIVE:
        take_derive(plan, result);
        break;
    case CAMPAIGN_STUDY_CALIBRATE:
        if (result->failed) {
            refuse(plan, "what the formulas call could not be measured here");
        } else {
            plan->step = (campaign_study_step){.kind = CAMPAIGN_STUDY_COMPARE, .limit = left(plan)};
        }
        break;
    case CAMPAIGN_STUDY_COMPARE:
        measure_next(plan);
        break;
    case CAMPAIGN_STUDY_MEASURE:
        take_measure(plan, result);
        break;
    case CAMPAIGN_STUDY_TIME:
        plan->timed = !result->failed;
        plan->step.kind = CAMPAIGN_STUDY_END;
        break;
    default:
        break;
    }
}

int campaign_study_is_weak(const campaign_study_plan *plan) {
    const double by_itself = 0.75; /* of what the base has */
    const campaign_study_count *base = NULL;
    for (size_t i = 0; i < plan->count_count; i++) {
        const campaign_study_count *c = &plan->counts[i];
        if (c->state != STUDY_WORKS) {
            continue;
        }
        if (c->p == plan->base) {
            base = c;
        } else if (base != NULL && c->p >= 2 * base->p) {
            double times = (double)c->p / (double)base->p;
            bool memory = base->memory > 0 && c->memory > 0;
            return c->busy > by_itself * times * base->busy &&
                   (!memory || c->memory > by_itself * base->memory);
        }
    }
    return -1;
}
