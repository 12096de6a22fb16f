#include "overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/spec/rules.h"
#include "model/spec/setting.h"
#include "platform_ladder.h"

/* The line through the last two sizes that were executed goes on so far, in ln N. */
static const double line_most = 2;
/* Longer terms are not written once more. B */
static const size_t terms_most = 12000;
/* Where T has less overhead than this by the formulas, a share, what is off is no part of it. */
static const double overhead_least = 0.05;

/* What is off by less than this, a share of T, is rounding. */
static const double rounding = 1e-12;

/* What programs differ from their formulas by before anything is known of it, as the standard
 * deviation of ln T: 0.11 on average where it was executed (bench/validate-programs), and more on
 * few. */
static const double usual_overlap = 0.3;

/* What is carried on from what was executed to other sizes: by what the overhead of the formulas is
 * multiplied, less 1; or, where they have hardly any, what is added for each second of W/C. */
static double carried(const campaign_overlap_point *k, bool overhead) {
    double off = k->executed - k->T;
    return fabs(off) > rounding * k->T ? off / (overhead ? k->T - k->T_c : k->ideal) : 0;
}

/* Its standard error, of W/C. */
static double error_of(const campaign_overlap_point *k) {
    return k->error * k->executed / k->ideal;
}

static void add_point(campaign_overlap_curve *c, double N, double value, double error) {
    c->N[c->count] = N;
    c->values[c->count] = c->overhead ? fmax(value, -1) : value;
    c->errors[c->count++] = error;
}

/* Beyond one end, a line goes on from `end` as it came from `before`. */
static double line_to(const campaign_overlap_point *end, const campaign_overlap_point *before,
                      bool overhead, double N) {
    double last = carried(end, overhead);
    double rise = last - carried(before, overhead);
    return last + rise * fmin(log(N / end->N) / log(end->N / before->N), 1);
}

void campaign_overlap_curve_make(const isocast_system *system, const campaign_overlap_point *points,
                                 size_t count, bool may_multiply, campaign_overlap_curve *out) {
    const campaign_overlap_point *last = &points[count - 1];
    *out = (campaign_overlap_curve){.system = system, .overhead = may_multiply};
    for (size_t i = 0; i < count; i++) {
        const campaign_overlap_point *k = &points[i];
        out->overhead =
            out->overhead && k->T - k->T_c > overhead_least * k->T && k->executed >= k->T_c;
    }
    if (count > 1) {
        double N = points[0].N * exp(-line_most);
        add_point(out, N, line_to(&points[0], &points[1], out->overhead, N), error_of(&points[0]));
    }
    for (size_t i = 0; i < count; i++) {
        add_point(out, points[i].N, carried(&points[i], out->overhead), error_of(&points[i]));
    }
    if (count > 1) {
        double N = last->N * exp(line_most);
        add_point(out, N, line_to(last, last - 1, out->overhead, N), error_of(last));
    }
}

/* What states a system in the algorithm's formulas, as far as these do not mean something else. */
static void put_condition(const isocast_algorithm *a, const isocast_system *system,
                          isocast_buffer *out) {
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"nodes", system->nodes}, {"p_node", system->p_node}, {"p_node_max", system->p_node_max}};
    isocast_buffer_printf(out, "if(p == %.0f", system->p);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (isocast_setting_kind_of(facts[i].name, a, NULL) != ISOCAST_SETTING_ALGORITHM) {
            isocast_buffer_printf(out, " and %s == %.0f", facts[i].name, facts[i].value);
        }
    }
    isocast_buffer_puts(out, ", ");
}

static void put_parameter(const isocast_system *system, isocast_buffer *parameters,
                          isocast_buffer *out) {
    char name[64];
    snprintf(name, sizeof name, CAMPAIGN_OVERLAP_PREFIX "p%.0f_nodes%.0f_%.0f", system->p,
             system->nodes, system->p_node);
    isocast_buffer_printf(parameters, "  %s: 0 ± 1\n", name);
    isocast_buffer_printf(out, "%s*", name);
}

static void put_values(const isocast_algorithm *a, const campaign_overlap_curve *c,
                       const double *values, isocast_buffer *out) {
    if (c->count == 1) {
        isocast_buffer_printf(out, "%.17g", values[0]);
        return;
    }
    isocast_buffer_printf(out, "interpolate(%s", a->sizes[0].name);
    for (size_t k = 0; k < c->count; k++) {
        isocast_buffer_printf(out, ", %.17g, %.17g", c->N[k], values[k]);
    }
    isocast_buffer_puts(out, ")");
}

/* What multiplies the overhead, or W/C, on the place. */
static void put_curve(const isocast_algorithm *a, const campaign_overlap_curve *c, bool overhead,
                      isocast_buffer *parameters, isocast_buffer *out) {
    put_condition(a, c->system, out);
    if (c->overhead == overhead && c->count == 0) {
        put_parameter(c->system, parameters, out);
        isocast_buffer_printf(out, "%g", usual_overlap);
    } else if (c->overhead == overhead) {
        put_values(a, c, c->values, out);
    } else {
        isocast_buffer_puts(out, "0");
    }
    isocast_buffer_puts(out, ", ");
}

/* The errors of a place are one parameter, 0 in standard errors, as times of the same program on
 * the same system are off together. */
static void put_errors(const isocast_algorithm *a, const campaign_overlap_curve *c,
                       isocast_buffer *parameters, isocast_buffer *out) {
    double most = 0;
    for (size_t k = 0; k < c->count; k++) {
        most = fmax(most, c->errors[k]);
    }
    put_condition(a, c->system, out);
    if (most > 0) {
        put_parameter(c->system, parameters, out);
        put_values(a, c, c->errors, out);
    } else {
        isocast_buffer_puts(out, "0");
    }
    isocast_buffer_puts(out, ", ");
}

static void end_choices(size_t count, isocast_buffer *out) {
    isocast_buffer_puts(out, "0");
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_puts(out, ")");
    }
}

/* The overhead of the formulas, as a text; empty where it is too long. */
static void put_overhead(const isocast_algorithm *algorithm, isocast_buffer *out) {
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        isocast_buffer_puts(out, i > 0 ? " + (" : "(");
        isocast_formula_format(algorithm->overhead[i].formula, out);
        isocast_buffer_puts(out, ")");
    }
    if (out->length > terms_most) {
        isocast_buffer_free(out);
    }
}

void campaign_overlap_curves_write(const isocast_algorithm *a, const campaign_overlap_curve *curves,
                                   size_t count, isocast_buffer *parameters, isocast_buffer *out) {
    isocast_buffer overhead = {0};
    put_overhead(a, &overhead);
    for (int multiplies = 1; multiplies >= 0; multiplies--) {
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            any = any || curves[i].overhead == multiplies;
        }
        isocast_buffer_puts(out, any && out->length > 0 ? " + (" : any ? "(" : "");
        for (size_t i = 0; i < count && any; i++) {
            put_curve(a, &curves[i], multiplies, parameters, out);
        }
        if (any) {
            end_choices(count, out);
            isocast_buffer_printf(out, multiplies ? ")*(%s)" : ")*W/C", overhead.text);
        }
    }
    isocast_buffer_puts(out, " + (");
    for (size_t i = 0; i < count; i++) {
        put_errors(a, &curves[i], parameters, out);
    }
    end_choices(count, out);
    isocast_buffer_puts(out, ")*W/C");
    isocast_buffer_free(&overhead);
}

/* Whether the overhead of the formulas is short enough to be written once more. */
static bool campaign_overlap_can_multiply(const isocast_algorithm *algorithm) {
    isocast_buffer overhead = {0};
    put_overhead(algorithm, &overhead);
    bool can = overhead.length > 0;
    isocast_buffer_free(&overhead);
    return can;
}

enum { ROWS_MAX = 12, RUNGS = 3, REASON_MAX = 320 };

/* Standard error of T by counted messages beside the simulator's, relative: at least, and where no
 * smaller system reported how far they are off, by the programs that come along. */
static const double counted_least = 0.004;
static const double counted_unchecked = 0.02;
/* Where they are further off than this they say nothing of what overlaps: links of a network with
 * routes serve one message after the other there, which many at once do not. */
static const double counted_most = 0.03;
/* Of what T that goes on from smaller systems and T of the formulas differ by, in ln T. */
static const double grown_share = 0.5;
/* Where the simulator takes less than this part of the time that there is, it is asked. */
static const double simulated_share = 0.5;
/* What executes a program takes no larger N. */
static const double size_most = 2147483646;
/* A size that is too large may be tried so many times, each this part of the one before. */
enum { TRIES = 10 };
static const double try_smaller = 0.125;

/* T of the program at a size. */
typedef struct executed {
    double N;
    double T;     /* s; NAN: it was not executed */
    double error; /* relative */
    bool counted; /* not simulated */
    bool faulty;  /* its processes went on to an error, which others may not have */
} executed;

typedef struct overlap_place {
    isocast_system *system;
    executed rows[ROWS_MAX]; /* [count], rising in N */
    size_t count;
    double wanted[ROWS_MAX]; /* [wanted_count] */
    size_t wanted_count;
    double refused;           /* N at which it could not be executed; 0: none */
    size_t rungs[RUNGS];      /* [rung_count], places of smaller systems, falling in p, */
    double rung_sizes[RUNGS]; /* and what was executed there */
    size_t rung_count;
    bool is_asked;           /* the answer is about it */
    char reason[REASON_MAX]; /* why it was not executed; "": it was, or was not tried */
    char fault[REASON_MAX];  /* the error of the program at some N; "": none was found */
} overlap_place;

struct campaign_overlap {
    campaign_program program;
    double *other_sizes;     /* [size_count - 1] of the algorithm; NULL: none yet */
    bool other_sizes_differ; /* the answer is about several of them */
    overlap_place *places;   /* [place_count] */
    size_t place_count, place_room;
};

/* ---- begin and end ---- */

isocast_status campaign_overlap_create(const campaign_overlap_request *request,
                                       campaign_overlap **out) {
    campaign_overlap *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = o;
    return campaign_program_begin(request, &o->program);
}

void campaign_overlap_free(campaign_overlap *o) {
    if (o == NULL) {
        return;
    }
    for (size_t i = 0; i < o->place_count; i++) {
        isocast_system_free(o->places[i].system);
    }
    campaign_program_free(&o->program);
    free(o->places);
    free(o->other_sizes);
    free(o);
}

const campaign_program *campaign_overlap_program(const campaign_overlap *o) {
    return &o->program;
}

/* ---- what is wanted ---- */

static const isocast_algorithm *asked_of(const campaign_overlap *o) {
    return o->program.request.steps->algorithm;
}

static isocast_status find_place(campaign_overlap *o, const char *name, size_t *out) {
    const isocast_machine *hardware = o->program.request.launches->places->platform->hardware;
    overlap_place new = {.rung_count = 0};
    isocast_status status =
        isocast_system_named(hardware, asked_of(o)->kernel, "system", name, NULL, &new.system);
    bool known = false;
    for (size_t i = 0; i < o->place_count && !known && status == ISOCAST_OK; i++) {
        status = isocast_system_is_placed_as(hardware, o->places[i].system, new.system, &known);
        *out = i;
    }
    bool added = false;
    if (!known && status == ISOCAST_OK) {
        *out = o->place_count;
        added = ISOCAST_ARRAY_ADD(o->places, o->place_count, o->place_room, new);
        status = added ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    if (!added) {
        isocast_system_free(new.system);
    }
    return status;
}

void campaign_overlap_begin(campaign_overlap *o) {
    for (size_t i = 0; i < o->place_count; i++) {
        o->places[i].wanted_count = 0;
    }
}

/* NULL: it was not executed there. */
static const executed *row_at(const overlap_place *at, double N) {
    for (size_t i = 0; i < at->count; i++) {
        if (campaign_size_is_near(at->rows[i].N, N)) {
            return &at->rows[i];
        }
    }
    return NULL;
}

/* A whole size that the file holds for, as near as there is one. NAN: there is none. */
static isocast_status round_size(const campaign_overlap *o, double p, double N, double *out) {
    const isocast_algorithm *a = asked_of(o);
    const isocast_rules_point point = {.N = N, .other_sizes = o->other_sizes, .p = p};
    isocast_valid_pair nearest = {NAN, NAN};
    const char *broken = NULL;
    isocast_status status = isocast_rules_broken(a, false, &point, &broken);
    if (status == ISOCAST_OK) {
        status = isocast_rules_nearest_N(a, &a->sizes[0].valid, &point, &nearest);
    }
    double found = isocast_valid_nearer(nearest, N);
    *out = broken != NULL ? NAN : isnan(found) ? fmax(round(N), ceil(a->sizes[0].min)) : found;
    return status;
}

static isocast_status keep_other_sizes(campaign_overlap *o, const double *other_sizes) {
    size_t count = asked_of(o)->size_count - 1;
    if (count == 0 || other_sizes == NULL) {
        return ISOCAST_OK;
    }
    if (o->other_sizes == NULL) {
        o->other_sizes = calloc(count, sizeof *o->other_sizes);
        if (o->other_sizes == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        memcpy(o->other_sizes, other_sizes, count * sizeof *other_sizes);
        o->program.other_sizes = o->other_sizes;
    }
    for (size_t i = 0; i < count; i++) {
        o->other_sizes_differ = o->other_sizes_differ || o->other_sizes[i] != other_sizes[i];
    }
    return ISOCAST_OK;
}

static isocast_status want_at(campaign_overlap *o, size_t place, double N) {
    double whole = NAN;
    overlap_place *at = &o->places[place];
    isocast_status status = round_size(o, at->system->p, fmin(N, size_most), &whole);
    bool known = !(whole > 0) || row_at(at, whole) != NULL || at->count == ROWS_MAX;
    for (size_t i = 0; i < at->wanted_count; i++) {
        known = known || campaign_size_is_near(at->wanted[i], whole);
    }
    if (status == ISOCAST_OK && !known && at->wanted_count < ROWS_MAX) {
        at->wanted[at->wanted_count++] = whole;
    }
    return status;
}

isocast_status campaign_overlap_want(campaign_overlap *o, const isocast_system *system, double N,
                                     const double *other_sizes, double working) {
    size_t at = 0;
    isocast_status status = keep_other_sizes(o, other_sizes);
    status = status == ISOCAST_OK ? find_place(o, system->name, &at) : status;
    if (status != ISOCAST_OK) {
        return status;
    }
    o->places[at].is_asked = true;
    if (working < system->p) {
        snprintf(o->places[at].reason, REASON_MAX, "only %.0f processes have work there", working);
        return ISOCAST_OK;
    }
    return want_at(o, at, N);
}

/* ---- executing ---- */

/* The size at which each process of a smaller system has as much to do. */
static isocast_status alike_size(const campaign_overlap *o, const isocast_model *model,
                                 const isocast_system *system, double N, double share,
                                 double *out) {
    double low = 0;
    double high = log(N);
    double wanted = NAN;
    isocast_status status = ISOCAST_OK;
    for (int i = 0; i < 48 && status == ISOCAST_OK; i++) {
        double size = i == 0 ? N : exp((low + high) / 2);
        double W = NAN;
        const isocast_model_points points = {
            .count = 1, .N = &size, .other_sizes = o->other_sizes, .systems = &system};
        isocast_model_results results = {.given_W = &W};
        status = isocast_model_evaluate(model, &points, &results);
        wanted = i == 0 ? share * W : wanted;
        *(W > wanted || i == 0 ? &high : &low) = log(size);
    }
    *out = exp(high);
    return status;
}

/* A system of so many processes at most, on nodes that are as full; "" where there is none. */
static isocast_status smaller_system(const campaign_overlap *o, const isocast_system *system,
                                     double processes, char name[48]) {
    const isocast_platform *platform = o->program.request.launches->places->platform;
    const isocast_rules_point point = {
        .N = NAN, .other_sizes = o->other_sizes, .p = floor(processes)};
    isocast_valid_pair allowed = {NAN, NAN};
    const char *broken = NULL;
    isocast_status status = isocast_rules_broken(asked_of(o), false, &point, &broken);
    if (status == ISOCAST_OK && broken != NULL) {
        status = isocast_rules_nearest_p(asked_of(o), &point, &allowed);
    }
    double p = broken == NULL ? point.p : allowed.below;
    double each = system->p_node;
    bool even = fmod(p, each) == 0 && system->p_node == system->p_node_max;
    name[0] = '\0';
    if (platform->hardware->class_count == 1 && p >= 2) {
        snprintf(name, 48, even ? "%.0fx%.0f" : "%.0f", even ? each : p, p / each);
    }
    return status;
}

/* The next smaller system of a place, of *most processes or fewer, which *most then has, and the
 * size on it at which each process has as much to do as at N; NAN: the file has none there. *found:
 * there is such a system. Other places move. */
static isocast_status find_smaller(campaign_overlap *o, const isocast_model *model, size_t place,
                                   double N, double *most, size_t *rung, double *size,
                                   bool *found) {
    const isocast_system *system = o->places[place].system;
    char name[48];
    *size = NAN;
    *found = false;
    isocast_status status = smaller_system(o, system, *most, name);
    if (status != ISOCAST_OK || name[0] == '\0') {
        return status;
    }
    status = find_place(o, name, rung);
    if (status != ISOCAST_OK) {
        return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
    }
    const isocast_system *smaller = o->places[*rung].system;
    *found = true;
    *most = smaller->p;
    status = alike_size(o, model, smaller, N, smaller->p / system->p, size);
    return status == ISOCAST_OK ? round_size(o, smaller->p, *size, size) : status;
}

/* Links inside other networks are shared by more and more on larger systems. */
static bool is_switched(const campaign_overlap *o) {
    return o->program.request.launches->places->platform->network.topology ==
           ISOCAST_TOPOLOGY_SWITCHED;
}

/* How far counted messages are off, by a smaller system that can be simulated. By how much it is
 * differs from system to system: T stays as it is, or is none. */
static isocast_status check_counted(campaign_overlap *o, const isocast_model *model, size_t asked,
                                    double seconds, executed *row) {
    isocast_rehearsal rehearsal = {0};
    double times[2] = {NAN, NAN};
    double N = NAN;
    size_t place = 0;
    bool found = false;
    bool is_there = true;
    double end = campaign_clock() + seconds;
    isocast_status status = ISOCAST_OK;
    for (double p = o->places[asked].system->p / 2;
         p >= 4 && is_there && !found && status == ISOCAST_OK; p /= 2) {
        status = find_smaller(o, model, asked, row->N, &p, &place, &N, &is_there);
        const isocast_system *smaller = o->places[place].system;
        double share = simulated_share * (end - campaign_clock());
        found =
            status == ISOCAST_OK && is_there && N > 0 &&
            campaign_program_rehearse(&o->program, smaller, N, share, &rehearsal) == ISOCAST_OK &&
            campaign_program_cost(&rehearsal, smaller, false) <= share;
    }
    for (int counted = 0; counted < 2 && found && status == ISOCAST_OK; counted++) {
        status = campaign_program_time(&o->program, o->places[place].system, N, counted,
                                       end - campaign_clock(), &times[counted]);
    }
    char ignored[REASON_MAX];
    campaign_program_take_reason(&o->program, ignored, sizeof ignored);
    double off = fabs(times[1] / times[0] - 1);
    row->error = off >= 0         ? fmax(off, counted_least)
                 : is_switched(o) ? counted_unchecked
                                  : INFINITY;
    bool known = row->error <= counted_most;
    if (off >= 0 && !is_switched(o)) {
        row->error *= o->places[asked].system->p / o->places[place].system->p;
    }
    if (!known) {
        row->T = NAN;
        snprintf(o->places[asked].reason, REASON_MAX,
                 off >= 0 ? "counted messages are off by %.2g %% on %s"
                          : "no smaller system showed how far counted messages are off",
                 100 * off, o->places[place].system->name);
    }
    return campaign_program_failed(status) ? ISOCAST_OK : status;
}

/* Executes the program, which is not in the cache. */
static isocast_status start(campaign_overlap *o, const isocast_system *system, double seconds,
                            executed *row) {
    double end = campaign_clock() + seconds;
    isocast_rehearsal r = {0};
    isocast_status status = campaign_program_rehearse(&o->program, system, row->N, seconds, &r);
    row->faulty = status == ISOCAST_INVALID && r.actions > 0;
    if (status != ISOCAST_OK) {
        return status;
    }
    double simulating = campaign_program_cost(&r, system, false);
    double counting = campaign_program_cost(&r, system, true);
    bool first = simulating <= simulated_share * seconds;
    row->counted = false;
    if (first) {
        status = campaign_program_time(&o->program, system, row->N, false,
                                       simulated_share * seconds, &row->T);
    }
    /* What the simulator takes longer for than it seemed is counted; */
    double left = end - campaign_clock();
    if ((!first || campaign_program_failed(status)) && counting <= left) {
        row->counted = true;
        status = campaign_program_time(&o->program, system, row->N, true, left, &row->T);
    }
    /* and what cannot be counted is simulated, as far as there is time. */
    left = end - campaign_clock();
    if (!first && campaign_program_failed(status) && simulating <= left) {
        row->counted = false;
        status = campaign_program_time(&o->program, system, row->N, false, left, &row->T);
    }
    return status;
}

/* T of the program; where the time is too short for it, or it fails, row->T stays NAN, and the
 * place gets the reason. */
static isocast_status execute(campaign_overlap *o, const isocast_model *model, size_t place,
                              double seconds, executed *row) {
    const isocast_system *system = o->places[place].system;
    char *reason = o->places[place].reason;
    double end = campaign_clock() + seconds;
    isocast_status status = ISOCAST_OK;
    row->T = NAN;
    for (int counted = 0; counted < 2 && isnan(row->T) && status == ISOCAST_OK; counted++) {
        row->counted = counted;
        status = campaign_program_time(&o->program, system, row->N, counted, 0, &row->T);
    }
    bool was_counted = row->counted && !isnan(row->T);
    if (status == ISOCAST_OK && isnan(row->T)) {
        status = start(o, system, seconds, row);
    }
    row->error = 0;
    if (status == ISOCAST_OK && isnan(row->T)) {
        snprintf(reason, REASON_MAX, "the time is too short for it");
        return ISOCAST_OK;
    }
    if (campaign_program_failed(status)) {
        campaign_program_take_reason(&o->program, reason, REASON_MAX);
        return ISOCAST_OK;
    }
    reason[0] = '\0';
    if (status == ISOCAST_OK && row->counted) {
        status = check_counted(o, model, place, end - campaign_clock(), row);
    }
    /* What was counted when there was less time may be simulated now. */
    if (status == ISOCAST_OK && isnan(row->T) && was_counted) {
        status = start(o, system, end - campaign_clock(), row);
        row->T = row->counted ? NAN : row->T;
        row->error = isnan(row->T) ? row->error : 0;
        reason[0] = isnan(row->T) ? reason[0] : '\0';
    }
    return campaign_program_failed(status) ? ISOCAST_OK : status;
}

static void keep_row(overlap_place *at, executed row) {
    size_t place = at->count;
    if (at->count < ROWS_MAX) {
        for (; place > 0 && at->rows[place - 1].N > row.N; place--) {
            at->rows[place] = at->rows[place - 1];
        }
        at->rows[place] = row;
        at->count++;
    }
}

/* ---- smaller systems ---- */

/* Has smaller systems speak of a place at N: the largest that there is time for, and two of half as
 * many processes each. */
static isocast_status ask_smaller(campaign_overlap *o, const isocast_model *model, size_t place,
                                  double N, double until, bool *news) {
    isocast_status status = ISOCAST_OK;
    double most = o->places[place].system->p / 2;
    size_t count = 0;
    bool is_there = true;
    for (; most >= 4 && count < RUNGS && is_there && status == ISOCAST_OK; most /= 2) {
        size_t rung = 0;
        executed row = {.T = NAN};
        status = find_smaller(o, model, place, N, &most, &rung, &row.N, &is_there);
        double seconds = (until - campaign_clock()) / 2;
        bool known = status == ISOCAST_OK && row.N > 0 && row_at(&o->places[rung], row.N) != NULL;
        if (status == ISOCAST_OK && row.N > 0 && !known && seconds > 0) {
            status = execute(o, model, rung, seconds, &row);
            if (status == ISOCAST_OK && row.T > 0) {
                keep_row(&o->places[rung], row);
                *news = true;
            }
            known = status == ISOCAST_OK && row_at(&o->places[rung], row.N) != NULL;
        }
        if (known) {
            o->places[place].rung_sizes[count] = row.N;
            o->places[place].rungs[count++] = rung;
        }
    }
    o->places[place].rung_count = count;
    return status;
}

/* Has smaller sizes speak of a place. */
static isocast_status ask_sizes(campaign_overlap *o, const isocast_model *model, size_t place,
                                double N, double until, bool *news) {
    isocast_status status = ISOCAST_OK;
    for (int k = 0; k < TRIES && status == ISOCAST_OK; k++) {
        executed row = {.T = NAN};
        double seconds = (until - campaign_clock()) / 2;
        N *= try_smaller;
        status = round_size(o, o->places[place].system->p, N, &row.N);
        if (!(row.N > asked_of(o)->sizes[0].min) || !(seconds > 0) ||
            row_at(&o->places[place], row.N) != NULL) {
            break;
        }
        status = status == ISOCAST_OK ? execute(o, model, place, seconds, &row) : status;
        if (status == ISOCAST_OK && row.T > 0) {
            keep_row(&o->places[place], row);
            *news = true;
            break;
        }
    }
    return status;
}

/* ---- all that is wanted ---- */

isocast_status campaign_overlap_execute(campaign_overlap *o, const isocast_model *model,
                                        double until, bool *news) {
    isocast_status status = ISOCAST_OK;
    size_t left = 0;
    *news = false;
    for (size_t i = 0; i < o->place_count; i++) {
        left += o->places[i].wanted_count;
    }
    /* More places come while smaller systems are asked. */
    size_t count = o->other_sizes_differ ? 0 : o->place_count;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        for (size_t k = 0; k < o->places[i].wanted_count && status == ISOCAST_OK; k++) {
            executed row = {.N = o->places[i].wanted[k], .T = NAN};
            double seconds = fmax(until - campaign_clock(), 0) / (double)left--;
            if (o->places[i].refused > 0 &&
                o->places[i].refused <= row.N * (1 + campaign_size_near)) {
                continue;
            }
            status = execute(o, model, i, seconds, &row);
            if (status == ISOCAST_OK && row.T > 0) {
                keep_row(&o->places[i], row);
                *news = true;
            } else if (status == ISOCAST_OK && row.faulty) {
                memcpy(o->places[i].fault, o->places[i].reason, REASON_MAX);
                continue;
            } else if (status == ISOCAST_OK) {
                o->places[i].refused = row.N;
                status = is_switched(o)
                             ? ask_smaller(o, model, i, row.N, campaign_clock() + seconds / 2, news)
                             : ISOCAST_OK;
            }
            if (status == ISOCAST_OK && isnan(row.T) && o->places[i].rung_count == 0) {
                status = ask_sizes(o, model, i, row.N, campaign_clock() + seconds / 2, news);
            }
        }
        o->places[i].wanted_count = 0;
    }
    return status;
}

/* ---- the term ---- */

/* What the formulas say at the point's N. */
static isocast_status evaluate_point(const campaign_overlap *o, const isocast_model *model,
                                     const isocast_system *system, campaign_overlap_point *point) {
    double W = NAN;
    const isocast_model_points at = {
        .count = 1, .N = &point->N, .other_sizes = o->other_sizes, .systems = &system};
    isocast_model_results results = {.W = &W, .T = &point->T, .T_c = &point->T_c};
    isocast_status status = isocast_model_evaluate(model, &at, &results);
    point->ideal = W / system->C;
    return status;
}

/* T of the program at the size that was refused, from those of smaller systems whose processes have
 * as much to do; NAN where there are none. */
static executed grown_from(const campaign_overlap *o, const overlap_place *at) {
    double p[RUNGS];
    double T[RUNGS];
    executed grown = {.N = at->refused, .T = NAN};
    double counted = 0;
    for (size_t i = 0; i < at->rung_count; i++) {
        const size_t k = at->rung_count - 1 - i;
        const overlap_place *rung = &o->places[at->rungs[k]];
        const executed *row = row_at(rung, at->rung_sizes[k]);
        p[i] = rung->system->p;
        T[i] = row->T;
        counted = row->error;
    }
    if (at->rung_count > 0) {
        grown.T = campaign_ladder_extend(p, T, at->rung_count, at->system->p, &grown.error);
        grown.error = hypot(grown.error, counted);
    }
    return grown;
}

/* What was executed of a place, and what follows from smaller systems; out: [ROWS_MAX + 1], rising
 * in N. */
static isocast_status points_of(const campaign_overlap *o, const isocast_model *model,
                                const overlap_place *at, campaign_overlap_point *out,
                                size_t *count) {
    size_t found = 0;
    for (; found < at->count; found++) {
        const executed *row = &at->rows[found];
        out[found] = (campaign_overlap_point){.N = row->N, .executed = row->T, .error = row->error};
    }
    executed grown = grown_from(o, at);
    if (grown.T > 0 && (found == 0 || out[found - 1].N < grown.N * (1 - campaign_size_near))) {
        out[found++] =
            (campaign_overlap_point){.N = grown.N, .executed = grown.T, .error = grown.error};
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < found && status == ISOCAST_OK; i++) {
        status = evaluate_point(o, model, at->system, &out[i]);
    }
    *count = 0;
    if (found > at->count && status == ISOCAST_OK) {
        /* Nothing shows which of both is nearer, where they differ: the less sure T is that goes
         * on, the less of it counts. */
        campaign_overlap_point *last = &out[found - 1];
        double sure = usual_overlap * usual_overlap /
                      (usual_overlap * usual_overlap + last->error * last->error);
        last->executed = last->T * pow(last->executed / last->T, sure);
        last->error *= sqrt(sure);
        last->error = hypot(last->error, grown_share * fabs(log(last->executed / last->T)));
    }
    for (size_t i = 0; i < found && status == ISOCAST_OK; i++) {
        if (out[i].executed > 0 && out[i].T > 0 && out[i].ideal > 0) {
            out[(*count)++] = out[i];
        }
    }
    return status;
}

isocast_status campaign_overlap_write(campaign_overlap *o, const isocast_model *model,
                                      isocast_buffer *parameters, isocast_buffer *formula) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    bool may_multiply = campaign_overlap_can_multiply(algorithm);
    size_t count = 0;
    campaign_overlap_curve *curves = calloc(o->place_count + 1, sizeof *curves);
    isocast_status status = curves == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < o->place_count && status == ISOCAST_OK; i++) {
        campaign_overlap_point points[ROWS_MAX + 1];
        size_t known = 0;
        const overlap_place *at = &o->places[i];
        status = at->is_asked ? points_of(o, model, at, points, &known) : ISOCAST_OK;
        if (known > 0) {
            campaign_overlap_curve_make(at->system, points, known, may_multiply, &curves[count++]);
        } else if (at->is_asked && may_multiply) {
            curves[count++] = (campaign_overlap_curve){.system = at->system, .overhead = true};
        }
    }
    if (status == ISOCAST_OK && count > 0) {
        campaign_overlap_curves_write(algorithm, curves, count, parameters, formula);
    }
    free(curves);
    return status == ISOCAST_OK && (parameters->failed || formula->failed) ? ISOCAST_NO_MEMORY
                                                                           : status;
}

bool campaign_overlap_is_known(const campaign_overlap *o, const isocast_system *system) {
    for (size_t i = 0; i < o->place_count; i++) {
        const overlap_place *at = &o->places[i];
        if (at->is_asked && strcmp(at->system->name, system->name) == 0) {
            return at->count > 0 && at->rung_count == 0 && at->reason[0] == '\0';
        }
    }
    return false;
}

/* ---- what is said ---- */

/* "4x16 (N = 100, 120), 8 (N = 50)": where the program was simulated, or counted. */
static void put_executed(const campaign_overlap *o, bool counted, isocast_buffer *out) {
    for (size_t i = 0; i < o->place_count; i++) {
        const overlap_place *at = &o->places[i];
        size_t sizes = 0;
        for (size_t k = 0; k < at->count; k++) {
            if (at->rows[k].counted != counted) {
                continue;
            }
            const char *comma = out->length > 0 ? ", " : "";
            if (sizes++ == 0) {
                isocast_buffer_printf(out, "%s%s (%s = ", comma, at->system->name,
                                      asked_of(o)->sizes[0].name);
            }
            isocast_buffer_printf(out, "%s%.0f", sizes > 1 ? ", " : "", at->rows[k].N);
        }
        isocast_buffer_puts(out, sizes > 0 ? ")" : "");
    }
}

static void put_grown(const campaign_overlap *o, const overlap_place *at, isocast_buffer *out) {
    isocast_buffer_printf(out, "%son %s, %s = %.0f, it follows from ", out->length > 0 ? "; " : "",
                          at->system->name, asked_of(o)->sizes[0].name, at->refused);
    for (size_t i = at->rung_count; i > 0; i--) {
        isocast_buffer_printf(out, "%s%s", i < at->rung_count ? ", " : "",
                              o->places[at->rungs[i - 1]].system->name);
    }
}

void campaign_overlap_describe(const campaign_overlap *o, isocast_buffer *out) {
    for (int counted = 0; counted < 2; counted++) {
        isocast_buffer where = {0};
        put_executed(o, counted, &where);
        if (where.length > 0) {
            isocast_buffer_printf(out, "%sthe program was %s on %s", out->length > 0 ? "; " : "",
                                  counted ? "executed with messages counted on links" : "simulated",
                                  where.text);
        }
        isocast_buffer_free(&where);
    }
    for (size_t i = 0; i < o->place_count; i++) {
        const overlap_place *at = &o->places[i];
        const char *semicolon = out->length > 0 ? "; " : "";
        if (at->fault[0] != '\0') {
            isocast_buffer_printf(out, "%sthe program cannot run on %s: %s", semicolon,
                                  at->system->name, at->fault);
        } else if (at->rung_count > 0) {
            put_grown(o, at, out);
        } else if (at->reason[0] != '\0' && at->count == 0 && at->is_asked) {
            isocast_buffer_printf(out, "%sno schedule was executed on %s: %s", semicolon,
                                  at->system->name, at->reason);
        }
    }
    if (o->other_sizes_differ) {
        isocast_buffer_printf(out,
                              "%sno schedule was executed: the answer is about several values "
                              "of further sizes",
                              out->length > 0 ? "; " : "");
    }
}
