#include "fit_formula.h"

#include "fit_text.h"
#include "model/base/operation_name.h"

/* The sum of one range's terms. */
static void write_range(const fit_ranges *f, size_t r, const char *prefix, isocast_buffer *out) {
    const char *plus = "";
    for (size_t t = 0; t < f->law->count; t++) {
        if ((f->items[r].terms >> t & 1U) != 0) {
            char name[160];
            fit_coefficient_name(f, prefix, &(fit_place){r, t}, name, sizeof name);
            isocast_buffer_printf(out, "%s%s%s", plus, name, fit_law_term(f->law, t)->factor);
            plus = " + ";
        }
    }
}

/* "if(m < 24 B, ..., ...)" */
static void write_ranges(const fit_ranges *f, const char *prefix, isocast_buffer *out) {
    for (size_t r = 0; r < f->count; r++) {
        bool last = r + 1 == f->count;
        if (!last) {
            isocast_buffer_printf(out, "if(m < %.0f B, ", f->items[r + 1].from);
        }
        write_range(f, r, prefix, out);
        isocast_buffer_puts(out, last ? "" : ", ");
    }
    for (size_t r = 1; r < f->count; r++) {
        isocast_buffer_puts(out, ")");
    }
}

/* One function of p: its coefficients at the sizes, as a table over m. */
static void write_table(const fit_forward *f, fit_growth_function function, isocast_buffer *out) {
    if (f->size_count == 1) {
        isocast_buffer_printf(out, "%.6g s", f->sizes[0].growth.coefficient[function]);
        return;
    }
    isocast_buffer_puts(out, "interpolate(m");
    for (size_t i = 0; i < f->size_count; i++) {
        isocast_buffer_printf(out, ", %.0f B, %.6g s", f->sizes[i].m,
                              f->sizes[i].growth.coefficient[function]);
    }
    isocast_buffer_puts(out, ")");
}

/* The forecast as a formula: tables of coefficients times functions of p. */
static void write_growth(const fit_forward *f, double per_node, const char *prefix,
                         isocast_buffer *out) {
    double last = f->sizes[f->size_count - 1].m;
    isocast_buffer_printf(out, "%s_level*(", prefix);
    const char *plus = "";
    for (int function = 0; function < FIT_GROWTH_FUNCTIONS; function++) {
        bool used = false;
        for (size_t i = 0; i < f->size_count; i++) {
            used = used || f->sizes[i].growth.coefficient[function] > 0;
        }
        if (used) {
            isocast_buffer_puts(out, plus);
            write_table(f, (fit_growth_function)function, out);
            if (function != FIT_GROWTH_ONE) {
                isocast_buffer_puts(out, "*");
                fit_growth_put_factor((fit_growth_function)function, per_node, out);
            }
            plus = " + ";
        }
    }
    isocast_buffer_puts(out, ")");
    /* Beyond the largest size in proportion to it. */
    if (last > 0) {
        isocast_buffer_printf(out, "*max(1, m/(%.0f B))", last);
    }
}

void fit_formula_write(const fit_result *result, isocast_buffer *out) {
    const char *prefix = isocast_operation_stem(result->name);
    if (result->form_share == 1) {
        write_ranges(&result->form.ranges, prefix, out);
        return;
    }
    if (result->form_share > 0) {
        isocast_buffer_printf(out, "%.2f*(", result->form_share);
        write_ranges(&result->form.ranges, prefix, out);
        isocast_buffer_printf(out, ") + %.2f*", 1 - result->form_share);
    }
    write_growth(&result->forward, result->timings.per_node, prefix, out);
}

void fit_formula_write_model(const fit_result *result, isocast_buffer *out) {
    if (result->form_share > 0) {
        isocast_buffer_printf(out, "%s", result->form.ranges.law->list->shape);
        if (result->form.ranges.count > 1) {
            isocast_buffer_printf(out, ", %zu ranges", result->form.ranges.count);
        }
    }
    if (result->form_share == 1) {
        return;
    }
    if (result->form_share > 0) {
        isocast_buffer_printf(out, " (%.0f %%); ", 100 * result->form_share);
    }
    if (result->timings.p_count == 1) {
        isocast_buffer_puts(out, "as measured at each size");
        return;
    }
    isocast_buffer_puts(out, "at each size the median of forecasts");
}
