#include "comparison.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/algorithm.h"
#include "validation_result.h"

/* How the parts of a prediction and the phases of runs fall into groups that can be compared. Knows
 * no run. */

/* Start from {.algorithm = ...}. */
typedef struct phase_groups {
    const isocast_algorithm *algorithm;
    size_t *of_phase; /* [phase_count]: group */
    size_t count;     /* groups, without the rest of T, which is number `count` */
} phase_groups;

/* Parts of T: the computation and the overhead terms. */
static size_t part_count(const phase_groups *g) {
    return g->algorithm->overhead_count + 1;
}

static bool names_part(const isocast_phase *phase, size_t part, double *share) {
    for (size_t i = 0; i < phase->part_count; i++) {
        if (phase->parts[i].part == part) {
            *share = phase->parts[i].share;
            return true;
        }
    }
    return false;
}

/* Two phases with a part in common whose shares are not reported can only be compared together. */
static bool are_inseparable(const phase_groups *g, const isocast_phase *a, const isocast_phase *b) {
    for (size_t part = 0; part < part_count(g); part++) {
        double share_a;
        double share_b;
        if (names_part(a, part, &share_a) && names_part(b, part, &share_b) && isnan(share_a)) {
            return true;
        }
    }
    return false;
}

static void join(phase_groups *g, size_t kept, size_t dropped) {
    for (size_t i = 0; i < g->algorithm->phase_count; i++) {
        g->of_phase[i] = g->of_phase[i] == dropped ? kept : g->of_phase[i];
    }
}

/* Numbers the groups in the order of the phases. */
static void number_groups(phase_groups *g) {
    size_t phases = g->algorithm->phase_count;
    for (size_t i = 0; i < phases; i++) {
        g->of_phase[i] += phases; /* apart from the new numbers */
    }
    for (size_t i = 0; i < phases; i++) {
        if (g->of_phase[i] >= phases) {
            join(g, g->count, g->of_phase[i]);
            g->count++;
        }
    }
}

/* Groups the phases: those with a part in common whose shares are not reported go together. Free
 * of_phase in either case. Errors: NO_MEMORY. */
static isocast_status make_groups(phase_groups *g) {
    const isocast_algorithm *algorithm = g->algorithm;
    size_t phases = algorithm->phase_count;
    g->of_phase = malloc((phases + 1) * sizeof *g->of_phase);
    if (g->of_phase == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < phases; i++) {
        g->of_phase[i] = i;
    }
    for (size_t i = 0; i < phases; i++) {
        for (size_t k = i + 1; k < phases; k++) {
            if (are_inseparable(g, &algorithm->phases[i], &algorithm->phases[k])) {
                join(g, g->of_phase[i], g->of_phase[k]);
            }
        }
    }
    number_groups(g);
    return ISOCAST_OK;
}

/* Shares of a part in each group, shape [count + 1]; what no phase names is in the rest. */
static void share_out(const phase_groups *g, size_t part, double *shares) {
    bool named = false;
    for (size_t group = 0; group <= g->count; group++) {
        shares[group] = 0;
    }
    for (size_t i = 0; i < g->algorithm->phase_count; i++) {
        double share;
        if (names_part(&g->algorithm->phases[i], part, &share)) {
            double *here = &shares[g->of_phase[i]];
            *here = isnan(share) ? 1 : *here + share;
            named = true;
        }
    }
    shares[g->count] = named ? 0 : 1;
}

/* A rest of T below this share is rounding, unless a part belongs to it. */
static const double rest_least = 1e-3;

/* What a comparison is made from. */
typedef struct grouping {
    phase_groups groups;
    size_t *columns; /* [phase_count]: index into the runs' other columns */
    bool rest_has_part;
} grouping;

static const isocast_algorithm *algorithm_of(const grouping *g) {
    return g->groups.algorithm;
}

static void append(isocast_buffer *text, const char *name) {
    isocast_buffer_printf(text, "%s%s", text->length > 0 ? " + " : "", name);
}

static isocast_status name_groups(grouping *g, isocast_comparison *c) {
    double *shares = malloc((g->groups.count + 1) * sizeof *shares);
    isocast_status status = shares != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t group = 0; status == ISOCAST_OK && group <= g->groups.count; group++) {
        isocast_buffer parts = {0};
        isocast_buffer phases = {0};
        for (size_t part = 0; part < part_count(&g->groups); part++) {
            share_out(&g->groups, part, shares);
            if (shares[group] > 0) {
                append(&parts, isocast_algorithm_part_name(algorithm_of(g), part));
            }
        }
        for (size_t i = 0; i < algorithm_of(g)->phase_count; i++) {
            if (g->groups.of_phase[i] == group) {
                append(&phases, algorithm_of(g)->phases[i].column);
            }
        }
        g->rest_has_part = parts.length > 0; /* the rest is the last */
        if (parts.length == 0) {
            isocast_buffer_puts(&parts, "-");
        }
        c->groups[group].parts = isocast_buffer_take(&parts);
        c->groups[group].phases = group < g->groups.count ? isocast_buffer_take(&phases) : NULL;
        c->group_count = group + 1;
        if (c->groups[group].parts == NULL ||
            (group < g->groups.count && c->groups[group].phases == NULL)) {
            status = ISOCAST_NO_MEMORY;
        }
    }
    free(shares);
    return status;
}

static isocast_status find_columns(grouping *g, const isocast_runs *runs,
                                   isocast_diagnostics *diagnostics) {
    size_t phases = algorithm_of(g)->phase_count;
    g->columns = malloc((phases + 1) * sizeof *g->columns);
    if (g->columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_buffer missing = {0};
    for (size_t i = 0; i < phases; i++) {
        const char *name = algorithm_of(g)->phases[i].column;
        size_t k = 0;
        while (k < runs->other_count && strcmp(runs->other_names[k], name) != 0) {
            k++;
        }
        g->columns[i] = k;
        if (k == runs->other_count) {
            isocast_buffer_printf(&missing, "%s%s", missing.length > 0 ? ", " : "", name);
        }
    }
    isocast_status status = missing.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && missing.length > 0) {
        isocast_diagnostics_add(
            diagnostics, ISOCAST_ERROR, runs->source,
            isocast_source_line(runs->source, runs->header_begin),
            "the project's kernels write them; for runs of another program, name its columns "
            "under 'phases' in the algorithm file",
            "there is no column for phases of %s: %s", algorithm_of(g)->name, missing.text);
        status = ISOCAST_INVALID;
    }
    isocast_buffer_free(&missing);
    return status;
}

/* The runs of a point whose T is in the middle: one, or two of an even number of repetitions, so
 * that their phases add up to the median of T. Gives their number; `rows` has room for two. `times`
 * and `order` are scratch of [point->repetitions] each. */
static size_t middle_runs(const isocast_validation *v, const isocast_validation_point *point,
                          double *times, size_t *order, const isocast_run *rows[2]) {
    size_t count = point->repetitions;
    const isocast_run *const *runs = v->sizes.order + point->first_run;
    for (size_t k = 0; k < count; k++) {
        times[k] = runs[k]->T;
    }
    gsl_sort_index(order, times, 1, count);
    rows[0] = runs[order[count / 2]];
    rows[1] = runs[order[(count - 1) / 2]];
    return rows[0] == rows[1] ? 1 : 2;
}

static void measure_point(const grouping *g, const isocast_comparison *c, size_t index,
                          double *times, size_t *order) {
    const isocast_validation_point *point = &c->validation->points[index];
    const isocast_run *middle[2];
    size_t count = middle_runs(c->validation, point, times, order, middle);
    double *measured = &c->measured[index * (g->groups.count + 1)];
    for (size_t group = 0; group < g->groups.count; group++) {
        measured[group] = 0;
    }
    for (size_t i = 0; i < algorithm_of(g)->phase_count; i++) {
        for (size_t k = 0; k < count; k++) {
            measured[g->groups.of_phase[i]] += middle[k]->others[g->columns[i]] / (double)count;
        }
    }
    measured[g->groups.count] = point->T;
    for (size_t group = 0; group < g->groups.count; group++) {
        measured[g->groups.count] -= measured[group];
    }
}

static isocast_status predict_point(const grouping *g, const isocast_comparison *c, size_t index,
                                    double *parts, double **places, double *shares) {
    const isocast_validation_point *point = &c->validation->points[index];
    const isocast_validation_system *of = &c->validation->systems[point->system];
    for (size_t part = 1; part < part_count(&g->groups); part++) {
        places[part - 1] = &parts[part];
    }
    isocast_effort *effort = c->validation->effort;
    isocast_effort lent =
        isocast_effort_lend(effort, 1 / (double)(c->validation->point_count - index + 1));
    isocast_model_results results = {.T_c = &parts[0], .terms = places};
    isocast_status status =
        isocast_validation_times(c->validation, of, point->N, &lent, &results, NULL);
    isocast_effort_return(effort, &lent);
    double *predicted = &c->predicted[index * (g->groups.count + 1)];
    for (size_t group = 0; group <= g->groups.count; group++) {
        predicted[group] = 0;
    }
    for (size_t part = 0; part < part_count(&g->groups); part++) {
        share_out(&g->groups, part, shares);
        for (size_t group = 0; group <= g->groups.count; group++) {
            predicted[group] += shares[group] > 0 ? shares[group] * parts[part] : 0;
        }
    }
    return status;
}

static isocast_status fill_points(const grouping *g, isocast_comparison *c) {
    size_t points = c->validation->point_count;
    size_t runs = c->validation->sizes.run_count;
    size_t groups = g->groups.count + 1;
    c->predicted = malloc((points * groups + 1) * sizeof *c->predicted);
    c->measured = malloc((points * groups + 1) * sizeof *c->measured);
    double *scratch = malloc((runs + part_count(&g->groups) + groups) * sizeof *scratch);
    double **places = calloc(part_count(&g->groups), sizeof *places);
    size_t *order = malloc((runs + 1) * sizeof *order);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (c->predicted != NULL && c->measured != NULL && scratch != NULL && places != NULL &&
        order != NULL) {
        status = ISOCAST_OK;
    }
    for (size_t i = 0; status == ISOCAST_OK && i < points; i++) {
        measure_point(g, c, i, scratch, order);
        status = predict_point(g, c, i, scratch, places, scratch + part_count(&g->groups));
    }
    free(scratch);
    free(places);
    free(order);
    return status;
}

/* Points of sizes that the formulas do not hold for are shown, and count for nothing. */
static bool counts(const isocast_comparison *c, size_t point) {
    return c->validation->points[point].valid && (c->chosen == NULL || c->chosen[point]);
}

/* Relative to T; NAN where the point is not compared. */
static double off(const isocast_comparison *c, size_t point, size_t group) {
    size_t cell = point * c->group_count + group;
    return counts(c, point)
               ? (c->predicted[cell] - c->measured[cell]) / c->validation->points[point].T
               : NAN;
}

static void summarise_group(isocast_comparison *c, size_t index) {
    isocast_comparison_group *group = &c->groups[index];
    double errors = 0;
    size_t with_error = 0;
    size_t count = 0;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        double difference = off(c, i, index);
        if (isnan(difference)) {
            continue;
        }
        count++;
        group->mean_of_T += fabs(difference);
        group->bias_of_T += difference;
        size_t cell = i * c->group_count + index;
        if (c->measured[cell] > 0) {
            errors += fabs(c->predicted[cell] / c->measured[cell] - 1);
            with_error++;
        }
    }
    group->mean_of_T = count > 0 ? group->mean_of_T / (double)count : NAN;
    group->bias_of_T = count > 0 ? group->bias_of_T / (double)count : NAN;
    group->mean_error = with_error > 0 ? errors / (double)with_error : NAN;
}

static void find_most_off(isocast_comparison *c) {
    c->most_off = c->group_count;
    for (size_t k = 0; k < c->group_count; k++) {
        summarise_group(c, k);
        if (c->groups[k].mean_of_T >= 0 &&
            (c->most_off == c->group_count ||
             c->groups[k].mean_of_T > c->groups[c->most_off].mean_of_T)) {
            c->most_off = k;
        }
    }
    double largest = -1;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        c->compared += counts(c, i);
        double here = c->most_off < c->group_count ? fabs(off(c, i, c->most_off)) : NAN;
        if (here > largest) {
            largest = here;
            c->worst = i;
        }
    }
}

/* Whether the rest of T is to be shown: it has a part, or is more than rounding somewhere. */
static bool rest_counts(const grouping *g, const isocast_comparison *c) {
    bool counted = g->rest_has_part;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        double rest = c->measured[i * (g->groups.count + 1) + g->groups.count];
        counted = counted || fabs(rest) > rest_least * c->validation->points[i].T;
    }
    return counted;
}

/* Leaves the last column of both tables out. */
static void drop_rest(isocast_comparison *c) {
    size_t groups = c->group_count;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        for (size_t k = 0; k + 1 < groups; k++) {
            c->predicted[i * (groups - 1) + k] = c->predicted[i * groups + k];
            c->measured[i * (groups - 1) + k] = c->measured[i * groups + k];
        }
    }
    free(c->groups[groups - 1].parts);
    c->group_count--;
}

static isocast_status fill(grouping *g, isocast_comparison *c, const isocast_runs *runs,
                           isocast_diagnostics *diagnostics) {
    isocast_status status = find_columns(g, runs, diagnostics);
    if (status == ISOCAST_OK) {
        status = make_groups(&g->groups);
    }
    if (status == ISOCAST_OK) {
        c->groups = calloc(g->groups.count + 1, sizeof *c->groups);
        status = c->groups != NULL ? name_groups(g, c) : ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        status = fill_points(g, c);
    }
    if (status == ISOCAST_OK) {
        if (!rest_counts(g, c)) {
            drop_rest(c);
        }
        find_most_off(c);
    }
    return status;
}

isocast_status isocast_compare(const isocast_validation *validation, const isocast_runs *runs,
                               const bool *chosen, isocast_diagnostics *diagnostics,
                               isocast_comparison **out) {
    grouping g = {.groups.algorithm = isocast_model_algorithm(validation->model)};
    if (algorithm_of(&g)->phase_count == 0) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, algorithm_of(&g)->tree->source->name,
            "write phases: {T_exchange: [pivot-rounds, imbalance], ...}: columns of the runs, and "
            "the terms that show in them",
            "does not say which phases of a run show which terms");
        return ISOCAST_INVALID;
    }
    isocast_comparison *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    c->validation = validation;
    c->chosen = chosen;
    isocast_status status = fill(&g, c, runs, diagnostics);
    free(g.groups.of_phase);
    free(g.columns);
    if (status != ISOCAST_OK) {
        isocast_comparison_free(c);
        return status;
    }
    *out = c;
    return ISOCAST_OK;
}

void isocast_comparison_free(isocast_comparison *comparison) {
    if (comparison == NULL) {
        return;
    }
    for (size_t i = 0; i < comparison->group_count; i++) {
        free(comparison->groups[i].parts);
        free(comparison->groups[i].phases);
    }
    free(comparison->groups);
    free(comparison->predicted);
    free(comparison->measured);
    free(comparison);
}
