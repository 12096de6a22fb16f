#include "fit_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine_text.h"
#include "model/spec/range_name.h"

void fit_coefficient_name(const fit_ranges *f, const char *prefix, const fit_place *place,
                          char *out, size_t most) {
    const fit_range *range = &f->items[place->range];
    double to = place->range + 1 < f->count ? range[1].from : INFINITY;
    isocast_range_name(prefix, nearbyint(range->from), nearbyint(to), out, most);
    size_t length = strlen(out);
    snprintf(out + length, most - length, "_%s", fit_law_term(f->law, place->term)->key);
}

/* A ratio has four decimals. */
static double rounded(double ratio) {
    return nearbyint(1e4 * ratio) / 1e4;
}

/* Whether the ratio is what the line from its neighbours gives, as all three are the same. */
static bool is_idle(const fit_correction *correction, size_t k) {
    double ratio = rounded(correction->ratio[k]);
    return k > 0 && k + 1 < correction->counts && ratio == rounded(correction->ratio[k - 1]) &&
           ratio == rounded(correction->ratio[k + 1]);
}

static void put_correction(isocast_buffer *out, const fit_correction *correction, size_t indent) {
    machine_flow flow = machine_flow_begin(out, '{', indent);
    for (size_t k = 0; k < correction->counts; k++) {
        if (!is_idle(correction, k)) {
            isocast_buffer_printf(&flow.item, "%g: %.10g", correction->count_measured[k],
                                  rounded(correction->ratio[k]));
            if (correction->variance > 0) {
                isocast_buffer_printf(&flow.item, " \xC2\xB1 %.3g %%",
                                      100 * sqrt(correction->variance));
            }
            machine_flow_next(&flow);
        }
    }
    isocast_buffer_printf(&flow.item, "%g: 1",
                          2 * correction->count_measured[correction->counts - 1]);
    machine_flow_next(&flow);
    machine_flow_end(&flow);
}

/* The keys of a range in its list of ranges, or of an operation that has one range. */
typedef struct range_keys {
    isocast_buffer *out;
    machine_flow *flow; /* NULL: each key has a line of its own */
    size_t indent;
} range_keys;

static isocast_buffer *begin_key(const range_keys *keys_of, const char *key) {
    isocast_buffer *out = keys_of->flow != NULL ? &keys_of->flow->item : keys_of->out;
    isocast_buffer_printf(out, "%*s%s: ", keys_of->flow != NULL ? 0 : (int)keys_of->indent, "",
                          key);
    return out;
}

static void end_key(const range_keys *keys_of) {
    if (keys_of->flow != NULL) {
        machine_flow_next(keys_of->flow);
    } else {
        isocast_buffer_puts(keys_of->out, "\n");
    }
}

/* The terms of a range; `values` gets their coefficients, whose covariances begin at `index`. */
static void put_terms(const range_keys *own, const fit_ranges_text *text, size_t r, size_t index,
                      double *values) {
    const fit_ranges *f = text->ranges;
    size_t all = fit_ranges_coefficients(f);
    bool alone = !text->all_correlated && __builtin_popcount(f->items[r].terms) == 1;
    for (size_t t = 0; t < f->law->count; t++) {
        if ((f->items[r].terms >> t & 1U) != 0) {
            const isocast_law_term *term = fit_law_term(f->law, t);
            machine_number number = {f->items[r].coefficient[t],
                                     sqrt(text->covariance[index * all + index]), term->unit,
                                     alone};
            machine_text_number(begin_key(own, term->key), &number,
                                machine_text_step(number.value, number.unit));
            end_key(own);
            *values++ = number.value;
            index++;
        }
    }
}

static void put_corrections(const range_keys *own, const fit_correction corrections[2]) {
    static const char *const ratios[2] = {"ratio", "ratio_shared"};
    for (size_t k = 0; k < 2; k++) {
        if (corrections[k].counts > 0) {
            put_correction(begin_key(own, ratios[k]), &corrections[k], own->indent + 2);
            end_key(own);
        }
    }
}

static void put_correlation(const range_keys *own, const fit_ranges_text *text, size_t index,
                            size_t count, const double *values) {
    size_t all = fit_ranges_coefficients(text->ranges);
    machine_errors errors = {values, &text->covariance[index * all + index], count, all};
    if (count > 1) {
        machine_text_correlation(begin_key(own, "correlation"), &errors, own->indent + 2);
        end_key(own);
    }
}

static void put_range(const range_keys *own, const fit_ranges_text *text, size_t r, size_t index,
                      double *values) {
    put_terms(own, text, r, index, values);
    if (text->corrections != NULL) {
        put_corrections(own, text->corrections[r]);
    }
    if (!text->all_correlated) {
        size_t count = (size_t)__builtin_popcount(text->ranges->items[r].terms);
        put_correlation(own, text, index, count, values);
    }
}

void fit_put_ranges(const fit_ranges_text *text, size_t indent, isocast_buffer *out) {
    const fit_ranges *f = text->ranges;
    double values[FIT_COEFFICIENTS_MAX];
    range_keys lines = {out, NULL, indent};
    if (f->count == 1 && !text->all_correlated) {
        put_range(&lines, text, 0, 0, values);
        return;
    }
    if (f->law->list->shape[0] != '\0') {
        isocast_buffer_printf(out, "%*sshape: %s\n", (int)indent, "", f->law->list->shape);
    }
    isocast_buffer_printf(out, "%*sranges:\n", (int)indent, "");
    size_t index = 0;
    for (size_t r = 0; r < f->count; r++) {
        isocast_buffer_printf(out, "%*s- ", (int)indent + 2, "");
        machine_flow flow = machine_flow_begin(out, '{', indent + 5);
        isocast_buffer_puts(&flow.item, "from: ");
        machine_text_size(&flow.item, nearbyint(f->items[r].from));
        machine_flow_next(&flow);
        put_range(&(range_keys){out, &flow, indent + 5}, text, r, index, values + index);
        machine_flow_end(&flow);
        isocast_buffer_puts(out, "\n");
        index += (size_t)__builtin_popcount(f->items[r].terms);
    }
    if (text->all_correlated) {
        put_correlation(&lines, text, 0, index, values);
    }
}
