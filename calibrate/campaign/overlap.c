#include "overlap.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_run.h"
#include "model/base/array.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/rules.h"
#include "platform_ladder.h"
#include "simgrid.h"
#include "simulation.h"

enum {
    ROWS_MAX = 12,
    RUNGS = 3,
    KNOTS_MAX = ROWS_MAX + 3, /* with what smaller systems say, and both ends */
    REASON_MAX = 320
};

/* Sizes as near as this to one that was executed, in ln N, are as good as executed. */
static const double size_near = 2e-3;
/* Standard error of T by counted messages beside the simulator's, relative: at least, and where no
 * smaller system told how far they are off, by the programs that come along. */
static const double counted_least = 0.004;
static const double counted_unchecked = 0.02;
/* s of a message, of an action, and of a start: what simulating one takes, and counting it. */
static const double simulated_message = 1e-4;
static const double simulated_start = 0.5;
static const double counted_message = 5e-6;
static const double action_seconds = 1e-6;
/* Where the simulator takes less than this part of the time that there is, it is asked. */
static const double simulated_share = 0.5;
static const double simulated_most = 512; /* processes */
/* What executes a program takes no larger N. */
static const double size_most = 2147483646;
/* A size that is too large may be tried so many times, each this part of the one before. */
enum { TRIES = 10 };
static const double try_smaller = 0.125;
/* The line through the last two sizes that were executed goes on so far, in ln N. */
static const double line_most = 2;
/* Longer terms are not written once more. B */
static const size_t terms_most = 12000;
/* Where T has less overhead than this by the formulas, a share, what is off is no part of it. */
static const double overhead_least = 0.05;
/* T of the program at a size. */
typedef struct executed {
    double N;
    double T;     /* s; NAN: it was not executed */
    double error; /* relative */
    bool counted; /* not simulated */
} executed;

typedef struct overlap_place {
    isocast_system **system; /* [1] */
    size_t system_count;
    executed rows[ROWS_MAX]; /* [count], rising in N */
    size_t count;
    double wanted[ROWS_MAX]; /* [wanted_count] */
    size_t wanted_count;
    double refused;           /* N at which it could not be executed; 0: none */
    size_t rungs[RUNGS];      /* [rung_count], places of smaller systems, rising in p, */
    double rung_sizes[RUNGS]; /* and what was executed there */
    size_t rung_count;
    bool is_asked;           /* the answer is about it */
    char reason[REASON_MAX]; /* why it was not executed; "": it was, or was not tried */
} overlap_place;

struct campaign_overlap {
    campaign_overlap_request request;
    campaign_steps steps;            /* of this one's own algorithm, which has further sizes set */
    isocast_algorithm *algorithm;    /* NULL: not yet loaded */
    double *other_sizes;             /* [size_count - 1] of the request's algorithm */
    bool other_sizes_differ;         /* the answer is about several of them */
    isocast_diagnostics diagnostics; /* of the steps */
    isocast_buffer told;             /* by the listener of launches */
    campaign_listener listener;
    campaign_simulation simulations[2]; /* that simulates, and that counts */
    char sha256[2][SHA256_DIGEST_STRING_LENGTH];
    overlap_place *places; /* [place_count] */
    size_t place_count, place_room;
    size_t launches, cached;
};

/* ---- begin and end ---- */

static void take_told(const campaign_event *event, void *context) {
    campaign_overlap *o = context;
    if (event->kind == CAMPAIGN_PROBLEM || event->kind == CAMPAIGN_WARNING) {
        isocast_buffer_free(&o->told);
        isocast_buffer_puts(&o->told, event->text);
    }
}

static bool asks_to_stop(void *context) {
    const campaign_overlap *o = context;
    return campaign_must_stop(o->request.launches->listener);
}

isocast_status campaign_overlap_create(const campaign_overlap_request *request,
                                       campaign_overlap **out) {
    campaign_overlap *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    o->request = *request;
    o->listener = (campaign_listener){take_told, asks_to_stop, o};
    const char *const programs[] = {request->simulated, request->quick};
    for (int k = 0; k < 2; k++) {
        o->simulations[k] =
            (campaign_simulation){.platform = request->launches->places->platform, .quick = k == 1};
        if (SHA256File(programs[k], o->sha256[k]) == NULL) {
            isocast_status status =
                campaign_fail(request->launches->listener, ISOCAST_IO, "cannot read %s: %s",
                              programs[k], strerror(errno));
            campaign_overlap_free(o);
            return status;
        }
    }
    *out = o;
    return ISOCAST_OK;
}

void campaign_overlap_free(campaign_overlap *o) {
    if (o == NULL) {
        return;
    }
    for (size_t i = 0; i < o->place_count; i++) {
        isocast_systems_free(o->places[i].system, o->places[i].system_count);
    }
    for (int k = 0; k < 2; k++) {
        campaign_simulation_free(&o->simulations[k]);
    }
    free(o->places);
    free(o->other_sizes);
    campaign_steps_free(&o->steps);
    isocast_algorithm_free(o->algorithm);
    isocast_diagnostics_clear(&o->diagnostics);
    isocast_buffer_free(&o->told);
    free(o);
}

size_t campaign_overlap_launches(const campaign_overlap *o) {
    return o->launches;
}

size_t campaign_overlap_cached(const campaign_overlap *o) {
    return o->cached;
}

/* ---- what is wanted ---- */

static const isocast_algorithm *asked_of(const campaign_overlap *o) {
    return o->request.steps->algorithm;
}

static const isocast_system *system_of(const overlap_place *at) {
    return at->system[0];
}

/* Whether both are the same processes on the same nodes. */
static bool is_same(const isocast_machine *hardware, const isocast_system *a,
                    const isocast_system *b) {
    char *first = isocast_system_placement(hardware, a);
    char *second = isocast_system_placement(hardware, b);
    bool same = first != NULL && second != NULL && strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

static isocast_status find_place(campaign_overlap *o, const char *name, size_t *out) {
    const isocast_machine *hardware = o->request.launches->places->platform->hardware;
    overlap_place new = {.rung_count = 0};
    isocast_diagnostics none = {0};
    isocast_status status = isocast_systems_parse(hardware, asked_of(o)->kernel, "system", name,
                                                  &none, &new.system, &new.system_count);
    isocast_diagnostics_clear(&none);
    for (*out = 0; status == ISOCAST_OK && *out < o->place_count; ++*out) {
        if (is_same(hardware, system_of(&o->places[*out]), new.system[0])) {
            isocast_systems_free(new.system, new.system_count);
            return ISOCAST_OK;
        }
    }
    if (status == ISOCAST_OK && !isocast_array_grow((void **)&o->places, o->place_count,
                                                    &o->place_room, sizeof *o->places)) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status != ISOCAST_OK) {
        isocast_systems_free(new.system, new.system_count);
        return status;
    }
    o->places[o->place_count++] = new;
    return ISOCAST_OK;
}

void campaign_overlap_begin(campaign_overlap *o) {
    for (size_t i = 0; i < o->place_count; i++) {
        o->places[i].wanted_count = 0;
    }
}

static bool is_near(double N, double other) {
    return fabs(log(N / other)) <= size_near;
}

/* NULL: it was not executed there. */
static const executed *row_at(const overlap_place *at, double N) {
    for (size_t i = 0; i < at->count; i++) {
        if (is_near(at->rows[i].N, N)) {
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
    }
    for (size_t i = 0; i < count; i++) {
        o->other_sizes_differ = o->other_sizes_differ || o->other_sizes[i] != other_sizes[i];
    }
    return ISOCAST_OK;
}

static isocast_status want_at(campaign_overlap *o, size_t place, double N) {
    double whole = NAN;
    overlap_place *at = &o->places[place];
    isocast_status status = round_size(o, system_of(at)->p, fmin(N, size_most), &whole);
    bool known = !(whole > 0) || row_at(at, whole) != NULL;
    for (size_t i = 0; i < at->wanted_count; i++) {
        known = known || is_near(at->wanted[i], whole);
    }
    if (status == ISOCAST_OK && !known && at->wanted_count < ROWS_MAX) {
        at->wanted[at->wanted_count++] = whole;
    }
    return status;
}

isocast_status campaign_overlap_want(campaign_overlap *o, const isocast_system *system, double N,
                                     const double *other_sizes) {
    size_t at = 0;
    isocast_status status = keep_other_sizes(o, other_sizes);
    status = status == ISOCAST_OK ? find_place(o, system->name, &at) : status;
    if (status == ISOCAST_OK) {
        o->places[at].is_asked = true;
        status = want_at(o, at, N);
    }
    return status;
}

/* ---- executing ---- */

/* The program with all sizes but the first, as whoever executes it takes it. */
static isocast_status load_steps(campaign_overlap *o) {
    const campaign_steps *given = o->request.steps;
    if (o->algorithm != NULL) {
        return ISOCAST_OK;
    }
    isocast_status status = isocast_algorithm_load(given->path, &o->diagnostics, &o->algorithm);
    size_t further = asked_of(o)->size_count - 1;
    for (size_t i = 0; i < given->setting_count + further && status == ISOCAST_OK; i++) {
        isocast_buffer text = {0};
        isocast_setting set = {0};
        if (i < given->setting_count) {
            isocast_buffer_puts(&text, given->words[i]);
        } else {
            size_t k = i - given->setting_count;
            isocast_buffer_printf(&text, "%s=%.17g", asked_of(o)->sizes[k + 1].name,
                                  o->other_sizes != NULL ? o->other_sizes[k] : NAN);
        }
        status = text.failed ? ISOCAST_NO_MEMORY
                             : isocast_setting_apply("--set", text.text, o->algorithm, NULL,
                                                     &o->diagnostics, &set);
        if (status == ISOCAST_OK && !campaign_steps_set(&o->steps, &set)) {
            status = ISOCAST_NO_MEMORY;
        }
        free(set.name);
        isocast_buffer_free(&text);
    }
    o->steps.path = status == ISOCAST_OK ? strdup(given->path) : NULL;
    status = status == ISOCAST_OK && o->steps.path == NULL ? ISOCAST_NO_MEMORY : status;
    o->steps.algorithm = o->algorithm;
    o->steps.diagnostics = &o->diagnostics;
    return status;
}

/* Notes why nothing was executed: the first line of what was told. */
static void give_reason(campaign_overlap *o, overlap_place *at, const char *reason) {
    isocast_buffer rendered = {0};
    if (reason == NULL && o->diagnostics.count > 0) {
        isocast_diagnostics_render(&o->diagnostics, &rendered);
    }
    const char *text = reason != NULL          ? reason
                       : rendered.text != NULL ? rendered.text
                       : o->told.text != NULL  ? o->told.text
                                               : "it failed";
    snprintf(at->reason, sizeof at->reason, "%.*s", (int)strcspn(text, "\n"), text);
    isocast_buffer_free(&rendered);
    isocast_diagnostics_clear(&o->diagnostics);
    isocast_buffer_free(&o->told);
}

/* All that T depends on. */
static isocast_status name_run(const campaign_overlap *o, const isocast_system *system, double N,
                               bool counted, isocast_buffer *key) {
    const isocast_platform *platform = o->request.launches->places->platform;
    const isocast_source *source = o->algorithm->tree->source;
    campaign_launches_put_origin(o->request.launches, o->request.launches->places->version, key);
    double stretch = 1;
    if (campaign_steps_stretch(o->algorithm, platform->hardware, system, N, &stretch) !=
        ISOCAST_OK) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_buffer_printf(key, "schedule %s N %.0f stretch %.9g\n", o->sha256[counted], N, stretch);
    for (size_t i = 0; i < o->steps.setting_count; i++) {
        isocast_buffer_printf(key, "%s\n", o->steps.words[i]);
    }
    isocast_buffer_append(key, source->text, source->length);
    if (counted) {
        simgrid_write_quick(platform, system, key);
    } else {
        simgrid_write_platform(platform, system, key);
        simgrid_write_hosts(platform, system, 0, key);
    }
    return key->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

static isocast_status launch(campaign_overlap *o, const isocast_system *system, double N,
                             bool counted, double seconds, double *T) {
    const isocast_platform *platform = o->request.launches->places->platform;
    campaign_kernel_setup setup = {.listener = &o->listener,
                                   .program = counted ? o->request.quick : o->request.simulated,
                                   .seed = 1,
                                   .machine = platform->hardware,
                                   .steps = &o->steps,
                                   .algorithm = o->algorithm,
                                   .simulation = &o->simulations[counted],
                                   .timeout = seconds};
    snprintf(setup.kernel.name, sizeof setup.kernel.name, "%s", o->algorithm->name);
    snprintf(setup.kernel.algorithm, sizeof setup.kernel.algorithm, "%s", o->algorithm->name);
    campaign_kernel_row row;
    isocast_status status =
        campaign_simulation_prepare(&o->simulations[counted], system, 0, &o->listener);
    if (status == ISOCAST_OK) {
        o->launches++;
        status = campaign_kernel_launch(&setup, NULL, system, N, 1, &row);
    }
    *T = status == ISOCAST_OK ? campaign_kernel_value(&row, "T") : NAN;
    return status;
}

/* T from the cache, or by a launch that takes at most some seconds. */
static isocast_status time_run(campaign_overlap *o, const isocast_system *system, double N,
                               bool counted, double seconds, double *T) {
    const campaign_point_cache *cache = o->request.launches->cache;
    campaign_size_times known = {0};
    isocast_buffer key = {0};
    isocast_status status = name_run(o, system, N, counted, &key);
    status = status == ISOCAST_OK ? campaign_point_cache_find(cache, key.text, &known) : status;
    if (status == ISOCAST_OK && known.count > 0) {
        *T = known.rows[0].seconds;
        o->cached++;
    } else if (status == ISOCAST_OK && seconds > 0) {
        status = launch(o, system, N, counted, seconds, T);
        if (status == ISOCAST_OK && *T > 0 && campaign_size_times_add(&known, N, *T)) {
            campaign_point_cache_keep(cache, key.text, &known);
        }
    }
    campaign_size_times_free(&known);
    isocast_buffer_free(&key);
    return status;
}

static bool is_of_program(isocast_status status) {
    return status != ISOCAST_OK && status != ISOCAST_NO_MEMORY && status != ISOCAST_INTERRUPTED;
}

/* Messages of a run, about: a collective operation takes a process some rounds. */
static double messages_of(const isocast_rehearsal *r, double p) {
    return r->all.messages + r->all.calls * (1 + log2(p));
}

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
    const isocast_platform *platform = o->request.launches->places->platform;
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

/* Whether the simulator can execute what was rehearsed in some seconds. */
static bool is_simulated(const isocast_rehearsal *r, const isocast_system *system, double seconds) {
    double takes =
        simulated_start + 0.001 * system->p + simulated_message * messages_of(r, system->p);
    return system->p <= simulated_most && takes <= seconds;
}

static isocast_status rehearse(campaign_overlap *o, const isocast_system *system, double N,
                               double seconds, isocast_rehearsal *out) {
    double longest = 0;
    o->steps.actions_most = fmax(seconds, 0) / (2 * action_seconds + counted_message);
    return campaign_steps_rehearse(&o->steps, &o->listener, system, N, 0, out, &longest);
}

/* How far counted messages are off, by a smaller system that can be simulated. Where they are off
 * they are so by other shares on other systems: T stays as it is. */
static isocast_status check_counted(campaign_overlap *o, const isocast_model *model,
                                    const isocast_system *system, double seconds, executed *row) {
    isocast_rehearsal rehearsal = {0};
    double times[2] = {NAN, NAN};
    double N = NAN;
    size_t place = 0;
    char name[48];
    bool found = false;
    double end = campaign_clock() + seconds;
    isocast_status status = ISOCAST_OK;
    for (double p = fmin(system->p / 2, simulated_most); p >= 4 && !found && status == ISOCAST_OK;
         p /= 2) {
        status = smaller_system(o, system, p, name);
        if (status != ISOCAST_OK || name[0] == '\0' || find_place(o, name, &place) != ISOCAST_OK) {
            break;
        }
        const isocast_system *smaller = system_of(&o->places[place]);
        p = smaller->p;
        status = alike_size(o, model, smaller, row->N, p / system->p, &N);
        status = status == ISOCAST_OK ? round_size(o, p, N, &N) : status;
        double share = simulated_share * (end - campaign_clock());
        found = status == ISOCAST_OK && N > 0 &&
                rehearse(o, smaller, N, share, &rehearsal) == ISOCAST_OK &&
                is_simulated(&rehearsal, smaller, share);
    }
    for (int counted = 0; counted < 2 && found && status == ISOCAST_OK; counted++) {
        status = time_run(o, system_of(&o->places[place]), N, counted, end - campaign_clock(),
                          &times[counted]);
    }
    isocast_diagnostics_clear(&o->diagnostics);
    double off = fabs(times[1] / times[0] - 1);
    row->error = off >= 0 ? fmax(off, counted_least) : counted_unchecked;
    return is_of_program(status) ? ISOCAST_OK : status;
}

/* Executes the program; where the time is too short for it, or it fails, row->T stays NAN, and the
 * place gets the reason. */
static isocast_status execute(campaign_overlap *o, const isocast_model *model, size_t place,
                              double seconds, executed *row) {
    const isocast_system *system = system_of(&o->places[place]);
    isocast_rehearsal rehearsal = {0};
    double end = campaign_clock() + seconds;
    bool simulates = false;
    row->T = NAN;
    isocast_buffer_free(&o->told);
    isocast_status status = load_steps(o);
    /* What was executed once needs no rehearsal. */
    for (int counted = 0; counted < 2 && isnan(row->T) && status == ISOCAST_OK; counted++) {
        status = time_run(o, system, row->N, counted, 0, &row->T);
        row->counted = counted;
    }
    bool known = row->T > 0;
    status =
        status == ISOCAST_OK && !known ? rehearse(o, system, row->N, seconds, &rehearsal) : status;
    if (status == ISOCAST_OK && !known) {
        simulates = is_simulated(&rehearsal, system, simulated_share * seconds);
        row->counted = !simulates;
        if (row->counted && counted_message * messages_of(&rehearsal, system->p) > seconds) {
            give_reason(o, &o->places[place], "the time is too short for its messages");
            return ISOCAST_OK;
        }
        status = time_run(o, system, row->N, row->counted, seconds, &row->T);
        /* What cannot be counted may be simulated, as far as there is time. */
        if (is_of_program(status) && row->counted && is_simulated(&rehearsal, system, seconds)) {
            row->counted = false;
            status = time_run(o, system, row->N, false, end - campaign_clock(), &row->T);
        }
    }
    row->error = 0;
    if (is_of_program(status) || (status == ISOCAST_OK && isnan(row->T))) {
        give_reason(o, &o->places[place], NULL);
        return ISOCAST_OK;
    }
    o->places[place].reason[0] = '\0';
    return status == ISOCAST_OK && row->counted
               ? check_counted(o, model, system, end - campaign_clock(), row)
               : status;
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

/* Has smaller systems tell of a place at N: the largest that there is time for, and two of half as
 * many processes each. */
static isocast_status ask_smaller(campaign_overlap *o, const isocast_model *model, size_t place,
                                  double N, double until, bool *news) {
    isocast_status status = ISOCAST_OK;
    size_t found[RUNGS];
    double sizes[RUNGS];
    size_t count = 0;
    double most = system_of(&o->places[place])->p / 2;
    for (; most >= 4 && count < RUNGS && status == ISOCAST_OK; most /= 2) {
        const isocast_system *system = system_of(&o->places[place]);
        char name[48];
        size_t rung = 0;
        executed row = {.T = NAN};
        double p = system->p;
        status = smaller_system(o, system, most, name);
        if (status == ISOCAST_OK && name[0] == '\0') {
            break;
        }
        status = status == ISOCAST_OK ? find_place(o, name, &rung) : status;
        if (status != ISOCAST_OK) {
            return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
        }
        overlap_place *at = &o->places[rung];
        most = system_of(at)->p;
        status = alike_size(o, model, system_of(at), N, most / p, &row.N);
        status = status == ISOCAST_OK ? round_size(o, most, row.N, &row.N) : status;
        double seconds = (until - campaign_clock()) / 2;
        if (status == ISOCAST_OK && row.N > 0 && row_at(at, row.N) == NULL && seconds > 0) {
            status = execute(o, model, rung, seconds, &row);
            at = &o->places[rung];
            if (status == ISOCAST_OK && row.T > 0) {
                keep_row(at, row);
                *news = true;
            }
        }
        if (row.N > 0 && row_at(at, row.N) != NULL) {
            sizes[count] = row.N;
            found[count++] = rung;
        }
    }
    overlap_place *at = &o->places[place];
    for (size_t i = 0; i < count; i++) {
        at->rungs[i] = found[count - 1 - i];
        at->rung_sizes[i] = sizes[count - 1 - i];
    }
    at->rung_count = count;
    return status;
}

/* Has smaller sizes tell of a place. */
static isocast_status ask_sizes(campaign_overlap *o, const isocast_model *model, size_t place,
                                double N, double until, bool *news) {
    isocast_status status = ISOCAST_OK;
    for (int k = 0; k < TRIES && status == ISOCAST_OK; k++) {
        executed row = {.T = NAN};
        double seconds = (until - campaign_clock()) / 2;
        N *= try_smaller;
        status = round_size(o, system_of(&o->places[place])->p, N, &row.N);
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
            if (o->places[i].refused > 0 && o->places[i].refused <= row.N * (1 + size_near)) {
                continue;
            }
            status = execute(o, model, i, seconds, &row);
            if (status == ISOCAST_OK && row.T > 0) {
                keep_row(&o->places[i], row);
                *news = true;
            } else if (status == ISOCAST_OK) {
                o->places[i].refused = row.N;
                status = ask_smaller(o, model, i, row.N, campaign_clock() + seconds / 2, news);
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

/* A point of the term in N. */
typedef struct knot {
    double N;
    double T, T_c, ideal; /* of the formulas without the term, and W/C, s */
    double executed;      /* T of the program, s */
    double error;         /* relative, of that */
} knot;

/* What the formulas say at the knots' N. */
static isocast_status evaluate_knots(const campaign_overlap *o, const isocast_model *model,
                                     const isocast_system *system, knot *knots, size_t count) {
    double N[KNOTS_MAX];
    double W[KNOTS_MAX];
    double T[KNOTS_MAX];
    double T_c[KNOTS_MAX];
    for (size_t i = 0; i < count; i++) {
        N[i] = knots[i].N;
    }
    const isocast_model_points points = {
        .count = count, .N = N, .other_sizes = o->other_sizes, .systems = &system};
    isocast_model_results results = {.W = W, .T = T, .T_c = T_c};
    isocast_status status = isocast_model_evaluate(model, &points, &results);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        knots[i].T = T[i];
        knots[i].T_c = T_c[i];
        knots[i].ideal = W[i] / system->C;
    }
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
        const overlap_place *rung = &o->places[at->rungs[i]];
        const executed *row = row_at(rung, at->rung_sizes[i]);
        p[i] = system_of(rung)->p;
        T[i] = row->T;
        counted = row->error;
    }
    if (at->rung_count > 0) {
        grown.T = campaign_ladder_extend(p, T, at->rung_count, system_of(at)->p, &grown.error);
        grown.error = hypot(grown.error, counted);
    }
    return grown;
}

/* What was executed of a place, and what follows from smaller systems; out: [ROWS_MAX + 1], rising
 * in N. */
static isocast_status anchors_of(const campaign_overlap *o, const isocast_model *model,
                                 const overlap_place *at, knot *out, size_t *count) {
    size_t found = 0;
    for (; found < at->count; found++) {
        const executed *row = &at->rows[found];
        out[found] = (knot){.N = row->N, .executed = row->T, .error = row->error};
    }
    executed grown = grown_from(o, at);
    if (grown.T > 0 && (found == 0 || out[found - 1].N < grown.N * (1 - size_near))) {
        out[found++] = (knot){.N = grown.N, .executed = grown.T, .error = grown.error};
    }
    isocast_status status = evaluate_knots(o, model, system_of(at), out, found);
    *count = 0;
    for (size_t i = 0; i < found && status == ISOCAST_OK; i++) {
        if (out[i].executed > 0 && out[i].T > 0 && out[i].ideal > 0) {
            out[(*count)++] = out[i];
        }
    }
    return status;
}

/* What is carried on from what was executed to other sizes: by what the overhead of the formulas is
 * multiplied, less 1; or, where they have hardly any, what is added for each second of W/C. */
static double carried(const knot *k, bool overhead) {
    return (k->executed - k->T) / (overhead ? k->T - k->T_c : k->ideal);
}

/* A place whose program was executed. */
typedef struct curve {
    const isocast_system *system;
    bool overhead;                          /* its values are as carried() gives them */
    double N[KNOTS_MAX], values[KNOTS_MAX]; /* [count], rising in N */
    double errors[KNOTS_MAX];               /* standard ones, of W/C */
    size_t count;
} curve;

static void add_point(curve *c, double N, double value, double error) {
    c->N[c->count] = N;
    c->values[c->count] = c->overhead ? fmax(value, -1) : value;
    c->errors[c->count++] = error;
}

/* Beyond one end, a line goes on from `end` as it came from `before`. */
static double line_to(const knot *end, const knot *before, bool overhead, double N) {
    double last = carried(end, overhead);
    double rise = last - carried(before, overhead);
    return last + rise * fmin(log(N / end->N) / log(end->N / before->N), 1);
}

static isocast_status curve_of(const campaign_overlap *o, const isocast_model *model,
                               const overlap_place *at, bool may_multiply, curve *out) {
    knot knots[ROWS_MAX + 1];
    size_t known = 0;
    isocast_status status = anchors_of(o, model, at, knots, &known);
    *out = (curve){.system = system_of(at), .overhead = may_multiply};
    for (size_t i = 0; i < known; i++) {
        const knot *k = &knots[i];
        out->overhead =
            out->overhead && k->T - k->T_c > overhead_least * k->T && k->executed >= k->T_c;
    }
    const knot *last = &knots[known - 1];
    if (known > 1) {
        double N = knots[0].N * exp(-line_most);
        add_point(out, N, line_to(&knots[0], &knots[1], out->overhead, N),
                  knots[0].error * knots[0].executed / knots[0].ideal);
    }
    for (size_t i = 0; i < known; i++) {
        add_point(out, knots[i].N, carried(&knots[i], out->overhead),
                  knots[i].error * knots[i].executed / knots[i].ideal);
    }
    if (known > 1) {
        double N = last->N * exp(line_most);
        add_point(out, N, line_to(last, last - 1, out->overhead, N),
                  last->error * last->executed / last->ideal);
    }
    return status;
}

static bool has_own_name(const isocast_algorithm *a, const char *name) {
    bool own = false;
    for (size_t i = 0; i < a->definition_count; i++) {
        own = own || strcmp(a->definitions[i].name, name) == 0;
    }
    for (size_t i = 0; i < a->size_count; i++) {
        own = own || strcmp(a->sizes[i].name, name) == 0;
    }
    for (size_t i = 0; i < a->requirement_count; i++) {
        own = own || strcmp(a->requirements[i].name, name) == 0;
    }
    return own;
}

/* What tells a system in the algorithm's formulas, as far as these do not mean something else. */
static void put_condition(const campaign_overlap *o, const isocast_system *system,
                          isocast_buffer *out) {
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"nodes", system->nodes}, {"p_node", system->p_node}, {"p_node_max", system->p_node_max}};
    isocast_buffer_printf(out, "if(p == %.0f", system->p);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (!has_own_name(asked_of(o), facts[i].name)) {
            isocast_buffer_printf(out, " and %s == %.0f", facts[i].name, facts[i].value);
        }
    }
    isocast_buffer_puts(out, ", ");
}

static void put_values(const campaign_overlap *o, const curve *c, const double *values,
                       isocast_buffer *out) {
    if (c->count == 1) {
        isocast_buffer_printf(out, "%.17g", values[0]);
        return;
    }
    isocast_buffer_printf(out, "interpolate(%s", asked_of(o)->sizes[0].name);
    for (size_t k = 0; k < c->count; k++) {
        isocast_buffer_printf(out, ", %.17g, %.17g", c->N[k], values[k]);
    }
    isocast_buffer_puts(out, ")");
}

/* What multiplies the overhead, or W/C, on the place. */
static void put_curve(const campaign_overlap *o, const curve *c, bool overhead,
                      isocast_buffer *out) {
    put_condition(o, c->system, out);
    if (c->overhead == overhead) {
        put_values(o, c, c->values, out);
    } else {
        isocast_buffer_puts(out, "0");
    }
    isocast_buffer_puts(out, ", ");
}

/* The errors of a place are one parameter, 0 in standard errors, as times of the same program on
 * the same system are off together. */
static void put_errors(const campaign_overlap *o, const curve *c, isocast_buffer *parameters,
                       isocast_buffer *out) {
    double most = 0;
    for (size_t k = 0; k < c->count; k++) {
        most = fmax(most, c->errors[k]);
    }
    put_condition(o, c->system, out);
    if (most > 0) {
        char name[64];
        snprintf(name, sizeof name, CAMPAIGN_OVERLAP_PREFIX "p%.0f_nodes%.0f_%.0f", c->system->p,
                 c->system->nodes, c->system->p_node);
        isocast_buffer_printf(parameters, "  %s: 0 ± 1\n", name);
        isocast_buffer_printf(out, "%s*", name);
        put_values(o, c, c->errors, out);
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

static void put_formula(const campaign_overlap *o, const curve *curves, size_t count,
                        const char *overhead, isocast_buffer *parameters, isocast_buffer *out) {
    for (int multiplies = 1; multiplies >= 0; multiplies--) {
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            any = any || curves[i].overhead == multiplies;
        }
        isocast_buffer_puts(out, any && out->length > 0 ? " + (" : any ? "(" : "");
        for (size_t i = 0; i < count && any; i++) {
            put_curve(o, &curves[i], multiplies, out);
        }
        if (any) {
            end_choices(count, out);
            isocast_buffer_printf(out, multiplies ? ")*(%s)" : ")*W/C", overhead);
        }
    }
    isocast_buffer_puts(out, " + (");
    for (size_t i = 0; i < count; i++) {
        put_errors(o, &curves[i], parameters, out);
    }
    end_choices(count, out);
    isocast_buffer_puts(out, ")*W/C");
}

isocast_status campaign_overlap_write(campaign_overlap *o, const isocast_model *model,
                                      isocast_buffer *parameters, isocast_buffer *formula) {
    isocast_status status = ISOCAST_OK;
    isocast_buffer overhead = {0};
    size_t count = 0;
    curve *curves = calloc(o->place_count + 1, sizeof *curves);
    put_overhead(isocast_model_algorithm(model), &overhead);
    status = curves == NULL ? ISOCAST_NO_MEMORY : status;
    for (size_t i = 0; i < o->place_count && status == ISOCAST_OK; i++) {
        if (o->places[i].is_asked) {
            status = curve_of(o, model, &o->places[i], overhead.length > 0, &curves[count]);
            count += curves[count].count > 0;
        }
    }
    if (status == ISOCAST_OK && count > 0) {
        put_formula(o, curves, count, overhead.text, parameters, formula);
    }
    free(curves);
    isocast_buffer_free(&overhead);
    return status == ISOCAST_OK && (parameters->failed || formula->failed) ? ISOCAST_NO_MEMORY
                                                                           : status;
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
                isocast_buffer_printf(out, "%s%s (%s = ", comma, system_of(at)->name,
                                      asked_of(o)->sizes[0].name);
            }
            isocast_buffer_printf(out, "%s%.0f", sizes > 1 ? ", " : "", at->rows[k].N);
        }
        isocast_buffer_puts(out, sizes > 0 ? ")" : "");
    }
}

static void put_grown(const campaign_overlap *o, const overlap_place *at, isocast_buffer *out) {
    isocast_buffer_printf(out, "%son %s, %s = %.0f, it follows from ", out->length > 0 ? "; " : "",
                          system_of(at)->name, asked_of(o)->sizes[0].name, at->refused);
    for (size_t i = 0; i < at->rung_count; i++) {
        isocast_buffer_printf(out, "%s%s", i > 0 ? ", " : "",
                              system_of(&o->places[at->rungs[i]])->name);
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
        if (at->rung_count > 0) {
            put_grown(o, at, out);
        } else if (at->reason[0] != '\0' && at->count == 0 && at->is_asked) {
            isocast_buffer_printf(out, "%sno schedule was executed on %s: %s",
                                  out->length > 0 ? "; " : "", system_of(at)->name, at->reason);
        }
    }
    if (o->other_sizes_differ) {
        isocast_buffer_printf(out,
                              "%sno schedule was executed: the answer is about several values "
                              "of further sizes",
                              out->length > 0 ? "; " : "");
    }
}
