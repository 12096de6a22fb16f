#include "overlap_term.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The line through the last two sizes that were executed goes on so far, in ln N. */
static const double line_most = 2;
/* Longer terms are not written once more. B */
static const size_t terms_most = 12000;
/* Where T has less overhead than this by the formulas, a share, what is off is no part of it. */
static const double overhead_least = 0.05;

/* What is carried on from what was executed to other sizes: by what the overhead of the formulas is
 * multiplied, less 1; or, where they have hardly any, what is added for each second of W/C. */
static double carried(const campaign_overlap_point *k, bool overhead) {
    return (k->executed - k->T) / (overhead ? k->T - k->T_c : k->ideal);
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
static void put_condition(const isocast_algorithm *a, const isocast_system *system,
                          isocast_buffer *out) {
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"nodes", system->nodes}, {"p_node", system->p_node}, {"p_node_max", system->p_node_max}};
    isocast_buffer_printf(out, "if(p == %.0f", system->p);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (!has_own_name(a, facts[i].name)) {
            isocast_buffer_printf(out, " and %s == %.0f", facts[i].name, facts[i].value);
        }
    }
    isocast_buffer_puts(out, ", ");
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
                      isocast_buffer *out) {
    put_condition(a, c->system, out);
    if (c->overhead == overhead) {
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
        char name[64];
        snprintf(name, sizeof name, CAMPAIGN_OVERLAP_PREFIX "p%.0f_nodes%.0f_%.0f", c->system->p,
                 c->system->nodes, c->system->p_node);
        isocast_buffer_printf(parameters, "  %s: 0 ± 1\n", name);
        isocast_buffer_printf(out, "%s*", name);
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
            put_curve(a, &curves[i], multiplies, out);
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

bool campaign_overlap_can_multiply(const isocast_algorithm *algorithm) {
    isocast_buffer overhead = {0};
    put_overhead(algorithm, &overhead);
    bool can = overhead.length > 0;
    isocast_buffer_free(&overhead);
    return can;
}
