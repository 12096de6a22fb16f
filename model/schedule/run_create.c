#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/distribution.h"
#include "run_state.h"

static const double items_most = 1e8;

/* Values of names while a run is made: of those of the program only look-ups and lets count, which
 * grids and shares do not have. */
typedef struct maker {
    isocast_schedule_run *run;
    isocast_diagnostics *diagnostics;
    isocast_column *columns; /* [input_count + local_count] */
    double nothing;
    isocast_status status;
} maker;

static void refuse(maker *m, isocast_span span, const char *hint, const char *message) {
    isocast_diagnostics_add(m->diagnostics, ISOCAST_ERROR, m->run->request.schedule->source, span,
                            hint, "%s", message);
    m->status = ISOCAST_INVALID;
}

isocast_status isocast_schedule_run_evaluate(const isocast_schedule_run *run, size_t formula,
                                             const isocast_column *columns, double *value,
                                             bool *is_over) {
    isocast_effort *effort = run->request.effort;
    isocast_program_points point = {.count = 1, .inputs = columns, .effort = effort};
    isocast_status status =
        isocast_program_evaluate(run->names.programs[formula], &point, &value, NULL);
    *is_over = *is_over || (effort != NULL && isocast_effort_is_spent(effort));
    return status;
}

/* A whole number from `least` to `most`, NaN with a diagnostic else. */
static double whole(maker *m, size_t formula, double least, double most) {
    const isocast_schedule_formula *f = &m->run->request.schedule->formulas[formula];
    double value = NAN;
    isocast_status status =
        isocast_schedule_run_evaluate(m->run, formula, m->columns, &value, &m->run->is_over);
    if (status != ISOCAST_OK) {
        m->status = status;
        return NAN;
    }
    if (m->run->is_over) {
        return least;
    }
    double rounded = round(value);
    /* A quotient that is whole may be off by a rounding. */
    if (fabs(value - rounded) <= 1e-9 * fabs(rounded) && rounded >= least && rounded <= most) {
        return rounded;
    }
    char message[160];
    snprintf(message, sizeof message,
             "%s must be a whole number from %g to %g; with %d processes "
             "it is %.10g",
             f->what, least, most, m->run->request.processes, value);
    refuse(m, f->formula->span, "say under valid: which p and sizes the program is for", message);
    return NAN;
}

static void make_grid(maker *m, const isocast_grid *grid) {
    isocast_schedule_run *run = m->run;
    const isocast_schedule *s = run->request.schedule;
    double places = 1;
    for (size_t i = grid->first_axis + grid->axis_count; i-- > grid->first_axis;) {
        double extent = whole(m, s->axes[i].extent, 1, run->request.processes);
        if (m->status != ISOCAST_OK) {
            return;
        }
        run->extents[i] = (int)extent;
        run->strides[i] = (int)places;
        places = fmin(places * extent, 2e9);
    }
    if (places != run->request.processes && !run->is_over) {
        char message[160];
        snprintf(message, sizeof message, "the grid has %g places for %d processes", places,
                 run->request.processes);
        refuse(m, grid->span, "make the product of the axes p, or say under valid: which p it is",
               message);
    }
}

/* Parts of one speed have items by a formula; others need tables. */
static isocast_status deal(const isocast_schedule_run *run, const isocast_share *share,
                           isocast_dealt *dealt) {
    const double *speeds =
        share->axis == ISOCAST_SCHEDULE_NONE ? run->request.speeds : (const double *)NULL;
    size_t parts = (size_t)dealt->parts;
    bool alike = true;
    for (size_t i = 1; speeds != NULL && i < parts; i++) {
        alike = alike && speeds[i] == speeds[0];
    }
    dealt->counts = malloc(parts * sizeof *dealt->counts);
    dealt->firsts = malloc(parts * sizeof *dealt->firsts);
    dealt->owner = alike ? NULL : malloc((dealt->items + 1) * sizeof *dealt->owner);
    if (dealt->counts == NULL || dealt->firsts == NULL || (!alike && dealt->owner == NULL)) {
        return ISOCAST_NO_MEMORY;
    }
    if (!alike && !isocast_distribution_cyclic(dealt->items, speeds, dealt->parts, dealt->counts,
                                               dealt->owner)) {
        return ISOCAST_NO_MEMORY;
    }
    double first = 0;
    for (size_t i = 0; i < parts; i++) {
        if (alike) {
            size_t count = dealt->items / parts + (i < dealt->items % parts);
            dealt->counts[i] = (double)count;
        }
        dealt->firsts[i] = share->in_turns && alike ? (double)i : first;
        first += dealt->counts[i];
    }
    for (size_t i = dealt->items; share->in_turns && !alike && i-- > 0;) {
        dealt->firsts[dealt->owner[i]] = (double)i;
    }
    return ISOCAST_OK;
}

static void make_share(maker *m, size_t index) {
    isocast_schedule_run *run = m->run;
    const isocast_share *share = &run->request.schedule->shares[index];
    isocast_dealt *dealt = &run->dealt[index];
    double items = whole(m, share->items, 0, items_most);
    if (m->status != ISOCAST_OK) {
        return;
    }
    dealt->items = (size_t)items;
    dealt->parts =
        share->axis == ISOCAST_SCHEDULE_NONE ? run->request.processes : run->extents[share->axis];
    isocast_status status = deal(run, share, dealt);
    m->status = status != ISOCAST_OK ? status : m->status;
}

static isocast_status fill(isocast_schedule_run *run, isocast_diagnostics *diagnostics) {
    const isocast_schedule_request *request = &run->request;
    const isocast_schedule *s = request->schedule;
    isocast_status status = isocast_schedule_names_bind(s, request->scope, request->input_count,
                                                        true, diagnostics, &run->names);
    size_t count = request->input_count + s->local_count;
    maker m = {.run = run,
               .diagnostics = diagnostics,
               .nothing = NAN,
               .columns = calloc(count + 1, sizeof *m.columns)};
    run->extents = calloc(s->axis_count + 1, sizeof *run->extents);
    run->strides = calloc(s->axis_count + 1, sizeof *run->strides);
    run->dealt = calloc(s->share_count + 1, sizeof *run->dealt);
    if (m.columns == NULL || run->extents == NULL || run->strides == NULL || run->dealt == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; m.columns != NULL && i < count; i++) {
        m.columns[i] =
            (isocast_column){i < request->input_count ? &request->inputs[i] : &m.nothing, 0};
    }
    m.status = status;
    for (size_t i = 0; m.status == ISOCAST_OK && i < s->grid_count; i++) {
        make_grid(&m, &s->grids[i]);
    }
    for (size_t i = 0; m.status == ISOCAST_OK && i < s->share_count; i++) {
        make_share(&m, i);
    }
    free(m.columns);
    return m.status;
}

isocast_status isocast_schedule_run_create(const isocast_schedule_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_schedule_run **out) {
    isocast_schedule_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    run->request = *request;
    isocast_status status = fill(run, diagnostics);
    if (status != ISOCAST_OK) {
        isocast_schedule_run_free(run);
        return status;
    }
    *out = run;
    return ISOCAST_OK;
}

void isocast_schedule_run_free(isocast_schedule_run *run) {
    if (run == NULL) {
        return;
    }
    for (size_t i = 0; run->dealt != NULL && i < run->request.schedule->share_count; i++) {
        free(run->dealt[i].owner);
        free(run->dealt[i].counts);
        free(run->dealt[i].firsts);
    }
    isocast_schedule_names_free(&run->names);
    free(run->dealt);
    free(run->extents);
    free(run->strides);
    free(run);
}

int isocast_schedule_run_coordinate(const isocast_schedule_run *run, size_t axis, int rank) {
    return rank / run->strides[axis] % run->extents[axis];
}

isocast_group_place isocast_schedule_run_place(const isocast_schedule_run *run, size_t group,
                                               int rank) {
    const isocast_schedule *s = run->request.schedule;
    const isocast_group *g = &s->groups[group];
    if (g->along == NULL) {
        return (isocast_group_place){0, rank, run->request.processes};
    }
    isocast_group_place place = {0, 0, 1};
    const isocast_grid *grid = &s->grids[g->grid];
    for (size_t i = grid->first_axis; i < grid->first_axis + grid->axis_count; i++) {
        int coordinate = isocast_schedule_run_coordinate(run, i, rank);
        if (g->along[i]) {
            place.place = place.place * run->extents[i] + coordinate;
            place.size *= run->extents[i];
        } else {
            place.colour = place.colour * run->extents[i] + coordinate;
        }
    }
    return place;
}

int isocast_schedule_run_member(const isocast_schedule_run *run, size_t group, int rank,
                                int place) {
    const isocast_schedule *s = run->request.schedule;
    const isocast_group *g = &s->groups[group];
    if (g->along == NULL) {
        return place;
    }
    const isocast_grid *grid = &s->grids[g->grid];
    for (size_t i = grid->first_axis + grid->axis_count; i-- > grid->first_axis;) {
        if (g->along[i]) {
            int coordinate = isocast_schedule_run_coordinate(run, i, rank);
            rank += (place % run->extents[i] - coordinate) * run->strides[i];
            place /= run->extents[i];
        }
    }
    return rank;
}
