#include "steps_check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "derived_text.h"
#include "model/base/process_grid.h"
#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"
#include "sites.h"
#include "steps.h"
#include "steps_maker.h"

/* Actions of all processes that all records together are worth, and one of them. */
static const double actions_all = 2e7;
static const double actions_most = 3e6;
/* Numbers of a record are whole, or means with nine digits. */
static const double residual_most = 1e-8;

/* Steps of the file that is read, and those that it was written from, in one order. */
typedef struct pairs {
    const isocast_step **read; /* [count] */
    derive_step **own;         /* [own_count] */
    size_t count, own_count;
} pairs;

/* What a process does at a site. */
typedef struct tally {
    double calls, bytes;
} tally;

typedef struct comparison {
    const isocast_derived *d;
    const pairs *pairs;
    const isocast_record *record;
    tally *due, *found;             /* [site_count][process_count] */
    double *due_roots, *has_roots;  /* [site_count], the sum of all calls' roots */
    isocast_schedule_counts counts; /* of the record, as the rehearsal has them */
} comparison;

/* ---- both trees ---- */

static void count_own(const derive_steps *steps, pairs *out) {
    for (size_t i = 0; i < steps->count; i++) {
        if (out->own != NULL) {
            out->own[out->own_count] = &steps->items[i];
        }
        out->own_count++;
        count_own(&steps->items[i].body, out);
    }
}

/* Grids and conditions are of no step that was derived. */
static void count_read(const isocast_steps *steps, pairs *out) {
    for (size_t i = 0; i < steps->count; i++) {
        const isocast_step *step = &steps->items[i];
        isocast_step_role role = step->kind->role;
        if (role != ISOCAST_STEP_GRID && role != ISOCAST_STEP_AT && role != ISOCAST_STEP_IF) {
            if (out->read != NULL) {
                out->read[out->count] = step;
            }
            out->count++;
        }
        count_read(&step->body, out);
        count_read(&step->other, out);
    }
}

static isocast_status pair_up(const derive_program *program, const isocast_schedule *schedule,
                              isocast_pool *pool, pairs *out) {
    *out = (pairs){0};
    count_own(&program->steps, out);
    count_read(&schedule->steps, out);
    out->read = isocast_pool_take(pool, out->count, sizeof *out->read);
    out->own = isocast_pool_take(pool, out->own_count, sizeof *out->own);
    out->count = out->own_count = 0;
    if (!pool->failed) {
        count_own(&program->steps, out);
        count_read(&schedule->steps, out);
    }
    return pool->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* The last step of the file that begins there or before; NULL: none does. */
static derive_step *step_at(const pairs *p, size_t place) {
    size_t low = 0;
    size_t high = p->count == p->own_count ? p->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->read[middle]->span.begin <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? p->own[low - 1] : NULL;
}

/* ---- what is counted ---- */

static void note(const comparison *c, tally *tallies, size_t site, size_t process, double calls,
                 double bytes) {
    if (site != SIZE_MAX) {
        tally *own = &tallies[site * c->record->process_count + process];
        own->calls += calls;
        own->bytes += calls * bytes;
    }
}

/* Messages of a process to itself are none. */
static void see(void *context, int process, const isocast_action *action) {
    comparison *c = context;
    const derive_step *own = step_at(c->pairs, action->step->span.begin);
    if (own == NULL) {
        return;
    }
    bool receives = own->kind == DERIVE_STEP_RECEIVE;
    size_t process_index = (size_t)process;
    if (action->kind == ISOCAST_ACTION_COLLECTIVE) {
        note(c, c->found, own->site, process_index, 1, action->bytes);
        if (own->site != SIZE_MAX) {
            c->has_roots[own->site] += own->root != NULL ? action->root : 0;
        }
        return;
    }
    if (action->to >= 0 && action->to != process) {
        note(c, c->found, own->site, process_index, 1, action->bytes);
    }
    if (action->from != ISOCAST_ACTION_NOBODY && action->from != process) {
        note(c, c->found, receives ? own->site : own->source, process_index, 1, action->bytes);
    }
}

/* Of a grid, those that are other processes. */
static double count_neighbours(const isocast_record *record, const isocast_record_call *call) {
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    double own = 0;
    for (size_t i = 0; c != NULL && i < c->dimension_count; i++) {
        own += c->periodic[i] && c->dimensions[i] == 1 ? 2 : 0;
    }
    return fmax(call->neighbours - own, 0);
}

/* Whether a partner is another process. */
static bool is_other(const isocast_record *record, const isocast_record_call *call, long partner) {
    size_t of = call->communicator;
    bool known = of != SIZE_MAX && record->communicators[of].remote_size == 0 && partner >= 0 &&
                 (size_t)partner < record->communicators[of].size;
    return partner == ISOCAST_RECORD_ANY ||
           (partner >= 0 && (known ? record->communicators[of].members[partner]
                                   : (size_t)partner) != call->process);
}

static void count_call(comparison *c, const isocast_record_call *call, size_t site) {
    isocast_record_class kind = isocast_record_operation_find(call->operation)->kind;
    isocast_schedule_counts *sum = &c->counts;
    double n = call->calls;
    if (isocast_derive_word_of(call->operation) != NULL) {
        sum->calls += n;
        note(c, c->due, site, call->process, n, isocast_call_message(c->record, call));
        if (site != SIZE_MAX && call->partner >= 0) {
            c->due_roots[site] += n * (double)call->partner;
        }
    } else if (kind == ISOCAST_RECORD_NEIGHBOUR) {
        double others = count_neighbours(c->record, call);
        double bytes = isocast_call_message(c->record, call);
        sum->messages += n * others;
        sum->bytes += n * others * bytes;
        note(c, c->due, site, call->process, n * others, bytes);
    } else if (isocast_derive_is_message(call->operation)) {
        bool receives = kind == ISOCAST_RECORD_RECEIVE;
        if (is_other(c->record, call, call->partner)) {
            note(c, c->due, site, call->process, n, call->bytes);
            sum->messages += receives ? 0 : n;
            sum->bytes += receives ? 0 : n * call->bytes;
        }
        if (kind == ISOCAST_RECORD_EXCHANGE && is_other(c->record, call, call->source)) {
            note(c, c->due, site, call->process, n, call->received);
        }
    }
}

static void count_record(comparison *c, isocast_pool *pool) {
    const isocast_record *record = c->record;
    size_t all = record->site_count * ISOCAST_RECORD_OPERATION_COUNT;
    size_t *sites = isocast_pool_take(pool, all, sizeof *sites); /* 1 + index; 0: not looked for */
    for (size_t i = 0; sites != NULL && i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t *at = &sites[call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation];
        for (size_t s = 0; *at == 0 && s < c->d->site_count; s++) {
            *at = isocast_site_key_has_call(&c->d->sites[s].key, record, call) ? s + 1 : 0;
        }
        *at = *at == 0 ? SIZE_MAX : *at;
        count_call(c, call, *at == SIZE_MAX ? SIZE_MAX : *at - 1);
    }
}

/* How far apart two numbers are, relative. */
static double apart(double a, double b) {
    double by = fabs(a - b) / fmax(fmax(a, b), 1);
    return by <= residual_most ? 0 : by;
}

/* The most calls, and the mean message of the process with most bytes. shape: [process_count]. */
static tally largest(const tally *tallies, size_t count) {
    tally most = {0};
    double bytes = -1;
    for (size_t i = 0; i < count; i++) {
        most.calls = fmax(most.calls, tallies[i].calls);
        if (tallies[i].calls > 0 && tallies[i].bytes > bytes) {
            bytes = tallies[i].bytes;
            most.bytes = bytes / tallies[i].calls;
        }
    }
    return most;
}

/* How far a number is from the one that is due, relative. */
static double off(double due, double found) {
    return apart(due, found) == 0 ? 0 : due > 0 ? fabs(found - due) / due : 1;
}

static void compare(const comparison *c, isocast_site_fit *fits) {
    size_t p = c->record->process_count;
    for (size_t s = 0; s < c->d->site_count; s++) {
        if (!isocast_derived_site_sends(&c->d->sites[s])) {
            continue;
        }
        isocast_site_fit *fit = &fits[s];
        tally due = largest(&c->due[s * p], p);
        tally found = largest(&c->found[s * p], p);
        fit->records++;
        fit->calls = fmax(fit->calls, off(due.calls, found.calls));
        if (due.calls > 0 && found.calls > 0) {
            fit->size = fmax(fit->size, off(due.bytes, found.bytes));
            fit->roots_differ = fit->roots_differ || apart(c->due_roots[s], c->has_roots[s]) > 0;
        }
    }
}

static void compare_all(const comparison *c, const isocast_rehearsal *rehearsal,
                        isocast_rehearsed *out) {
    double calls = apart(c->counts.calls, rehearsal->all.calls);
    double messages = apart(c->counts.messages, rehearsal->all.messages);
    double bytes = apart(c->counts.bytes, rehearsal->all.bytes);
    out->records++;
    out->same += calls == 0 && messages == 0 && bytes == 0;
    out->calls = fmax(out->calls, calls);
    out->messages = fmax(out->messages, messages);
    out->bytes = fmax(out->bytes, bytes);
}

/* ---- the rehearsal ---- */

/* A file that was read, with its steps. */
typedef struct reading {
    isocast_buffer text;
    isocast_algorithm *algorithm;
    pairs pairs;
    isocast_pool pool; /* of the pairs */
} reading;

static void end_reading(reading *r) {
    isocast_buffer_free(&r->text);
    isocast_algorithm_free(r->algorithm);
    isocast_pool_free(&r->pool);
    *r = (reading){0};
}

/* at: a point whose grid has sides that words gave; NULL: that of each p. */
static isocast_status begin_reading(const isocast_derived *d, const isocast_law_point *at,
                                    isocast_diagnostics *diagnostics, reading *out) {
    isocast_status status = isocast_derived_write_at(d, at, &out->text);
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_read_text("the derived file", out->text.text, out->text.length,
                                             diagnostics, &out->algorithm);
    }
    return status == ISOCAST_OK
               ? pair_up(d->program, out->algorithm->program, &out->pool, &out->pairs)
               : status;
}

/* Goes through a record. *left: actions that may still be taken. */
static isocast_status rehearse(const isocast_derived *d, const reading *read,
                               const isocast_record *record, double *left, isocast_site_fit *fits,
                               isocast_diagnostics *diagnostics, isocast_rehearsed *out) {
    size_t p = record->process_count;
    isocast_law_point point;
    isocast_size_words_point(&d->sizes, record, &point);
    isocast_effort effort = {.left = ISOCAST_EFFORT_MAX};
    const isocast_algorithm_run_request request = {
        .algorithm = read->algorithm, .sizes = point.sizes, .processes = (int)p, .effort = &effort};
    isocast_pool pool = {0};
    size_t sites = d->site_count;
    comparison c = {.d = d,
                    .pairs = &read->pairs,
                    .record = record,
                    .due = isocast_pool_take(&pool, sites * p, sizeof *c.due),
                    .found = isocast_pool_take(&pool, sites * p, sizeof *c.found),
                    .due_roots = isocast_pool_take(&pool, sites, sizeof *c.due_roots),
                    .has_roots = isocast_pool_take(&pool, sites, sizeof *c.has_roots)};
    if (!pool.failed) {
        count_record(&c, &pool);
    }
    isocast_algorithm_run *run = NULL;
    isocast_rehearsal rehearsal = {0};
    isocast_status status = pool.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_run_create(&request, diagnostics, &run);
    }
    if (status == ISOCAST_OK) {
        const isocast_rehearsal_watch watch = {see, &c};
        status = isocast_algorithm_run_rehearse(run, fmin(*left, actions_most), &watch, diagnostics,
                                                &rehearsal);
        *left = fmax(*left - rehearsal.actions, 0);
    }
    isocast_algorithm_run_free(run);
    if (status == ISOCAST_OK && rehearsal.is_complete) {
        compare(&c, fits);
        compare_all(&c, &rehearsal, out);
    }
    isocast_pool_free(&pool);
    return status;
}

/* Where a line of a text begins. */
static size_t place_of(const char *text, size_t line) {
    const char *at = text;
    for (size_t i = 1; i < line && at != NULL; i++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL ? (size_t)(at - text) : 0;
}

/* What a diagnostic is about. */
static isocast_status find_culprit(const isocast_diagnostics *diagnostics, const reading *read,
                                   isocast_rehearsed *out, derive_step **culprit) {
    const isocast_diagnostic *first = diagnostics->count > 0 ? &diagnostics->items[0] : NULL;
    *culprit =
        first != NULL && first->line > 0
            ? step_at(&read->pairs, place_of(read->text.text, first->line) + first->column - 1)
            : NULL;
    free(out->problem);
    out->problem = strdup(first != NULL ? first->message : "they cannot be read");
    return out->problem != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* fits: [site_count], of the sites that send. *culprit gets the step by which processes do not go
 * together; NULL where they do, or where it is not known: then out->problem says what is wrong, if
 * anything is. */
static isocast_status compare_with(const isocast_derived *derived, isocast_record *const *records,
                                   size_t count, isocast_site_fit *fits, isocast_rehearsed *out,
                                   derive_step **culprit) {
    isocast_diagnostics diagnostics = {0};
    reading r = {0};
    bool sided = derived->sizes.sides.count > 0;
    double left = actions_all;
    *out = (isocast_rehearsed){0};
    *culprit = NULL;
    memset(fits, 0, derived->site_count * sizeof *fits);
    isocast_status status = begin_reading(derived, NULL, &diagnostics, &r);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        if (sided) {
            isocast_law_point point;
            isocast_size_words_point(&derived->sizes, records[i], &point);
            end_reading(&r);
            status = begin_reading(derived, &point, &diagnostics, &r);
        }
        if (status == ISOCAST_OK) {
            status = rehearse(derived, &r, records[i], &left, fits, &diagnostics, out);
        }
    }
    if (status == ISOCAST_OK && sided) {
        /* On other numbers of processes the sides are those of the file, and no record's. */
        end_reading(&r);
        status = begin_reading(derived, NULL, &diagnostics, &r);
    }
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_rehearse(r.algorithm, &diagnostics);
    }
    if (status == ISOCAST_INVALID) {
        status = find_culprit(&diagnostics, &r, out, culprit);
    }
    end_reading(&r);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

isocast_status isocast_derive_steps_check(isocast_derived *derived) {
    enum { LEFT_OUT_MOST = 100 };
    isocast_site_fit *fits = calloc(derived->site_count + 1, sizeof *fits);
    isocast_status status = fits != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool goes = false;
    for (int i = 0; i <= LEFT_OUT_MOST && !goes && status == ISOCAST_OK; i++) {
        derive_step *culprit;
        free(derived->rehearsed.problem);
        status = compare_with(derived, derived->records, derived->record_count, fits,
                              &derived->rehearsed, &culprit);
        bool left_out = false;
        if (status == ISOCAST_OK && culprit != NULL && i < LEFT_OUT_MOST) {
            status = isocast_derive_step_leave_out(derived, culprit, &left_out);
        }
        goes = !left_out;
    }
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        derived->sites[s].here = fits[s];
    }
    free(fits);
    return status;
}

/* ---- records that were held out ---- */

static isocast_status count_unknown(const isocast_derived *laws, isocast_record *const *records,
                                    size_t count, size_t *unknown) {
    isocast_site_key *keys = NULL;
    size_t key_count = 0;
    size_t capacity = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        status = isocast_site_keys_add(records[r], &keys, &key_count, &capacity);
    }
    for (size_t k = 0; k < key_count && status == ISOCAST_OK; k++) {
        const isocast_derived_site there = {.key = keys[k]};
        bool known = !isocast_derived_site_sends(&there);
        for (size_t s = 0; s < laws->site_count; s++) {
            known = known || isocast_site_key_same(&keys[k], &laws->sites[s].key);
        }
        *unknown += !known;
    }
    free(keys);
    return status;
}

/* Rehearses the steps there, and counts the sites that are exact. */
static isocast_status compare_held_out(isocast_derived *laws, isocast_record *const *records,
                                       size_t count, isocast_held_out *h) {
    isocast_site_fit *fits = calloc(laws->site_count + 1, sizeof *fits);
    isocast_rehearsed rehearsed = {0};
    derive_step *culprit;
    isocast_status status = fits == NULL ? ISOCAST_NO_MEMORY
                            : laws->program != NULL
                                ? compare_with(laws, records, count, fits, &rehearsed, &culprit)
                                : ISOCAST_OK;
    for (size_t s = 0; s < laws->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &laws->sites[s];
        site->there = fits[s];
        bool sends = isocast_derived_site_sends(site);
        double error = fmax(site->there.calls, site->there.size);
        h->sites += sends;
        h->exact += sends && site->there.records > 0 && !isocast_derived_site_is_off_there(site);
        h->worst_site = error > h->worst ? s : h->worst_site;
        h->worst = fmax(h->worst, error);
    }
    free(rehearsed.problem);
    free(fits);
    return status;
}

isocast_status isocast_derive_held_out_check(isocast_derived *laws, isocast_record *const *records,
                                             size_t count, isocast_held_out *out) {
    isocast_held_out h = {.records = count, .p_least = INFINITY, .worst_site = SIZE_MAX};
    for (size_t r = 0; r < count; r++) {
        double p = (double)records[r]->process_count;
        h.p_least = fmin(h.p_least, p);
        h.p_most = fmax(h.p_most, p);
        bool more = isocast_grid_count(p, 3) + isocast_grid_count(p, 2) >
                    isocast_grid_count(h.p_grids, 3) + isocast_grid_count(h.p_grids, 2);
        h.p_grids = more ? p : h.p_grids;
    }
    isocast_status status = compare_held_out(laws, records, count, &h);
    if (status == ISOCAST_OK) {
        status = count_unknown(laws, records, count, &h.unknown);
    }
    if (status == ISOCAST_OK) {
        h.sites += h.unknown;
        *out = h;
    }
    return status;
}
