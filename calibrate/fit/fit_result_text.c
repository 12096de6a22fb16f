#include "fit_result_text.h"

#include <math.h>

#include "fit_text.h"
#include "machine_text.h"

static void put_form(const fit_form *form, size_t indent, isocast_buffer *out) {
    fit_ranges_text text = {
        .ranges = &form->ranges, .covariance = form->covariance, .all_correlated = true};
    fit_put_ranges(&text, indent, out);
}

static bool is_used(const fit_forward *f, int function) {
    for (size_t i = 0; i < f->size_count; i++) {
        if (f->sizes[i].growth.coefficient[function] > 0) {
            return true;
        }
    }
    return false;
}

/* Tables of coefficients, a column for each function of p, which a launch shifts together. */
static void put_growth(const fit_result *result, size_t indent, isocast_buffer *out) {
    enum { DIGITS = 6 };
    const fit_forward *f = &result->forward;
    size_t level = fit_result_coefficients(result) - 1;
    isocast_buffer_printf(out, "%*slevel: ", (int)indent, "");
    machine_text_number(
        out, &(machine_number){1, sqrt(fit_result_covariance(result, level, level)), "", true}, 0);
    isocast_buffer_printf(out, "\n%*saxis: m\n%*sbeyond: proportional\n%*sfactors: ", (int)indent,
                          "", (int)indent, "", (int)indent, "");
    machine_flow factors = machine_flow_begin(out, '[', indent + 2);
    for (int k = 0; k < FIT_GROWTH_FUNCTIONS; k++) {
        if (is_used(f, k)) {
            fit_growth_put_factor((fit_growth_function)k, result->timings.per_node, &factors.item);
            machine_flow_next(&factors);
        }
    }
    machine_flow_end(&factors);
    isocast_buffer_printf(out, "\n%*stable:\n", (int)indent, "");
    for (size_t i = 0; i < f->size_count; i++) {
        isocast_buffer_printf(out, "%*s", (int)indent + 2, "");
        machine_text_size(out, nearbyint(f->sizes[i].m));
        isocast_buffer_puts(out, ": ");
        machine_flow row = machine_flow_begin(out, '[', indent + 4);
        for (int k = 0; k < FIT_GROWTH_FUNCTIONS; k++) {
            double seconds = f->sizes[i].growth.coefficient[k];
            if (is_used(f, k)) {
                machine_text_value(&row.item, seconds, "s", DIGITS,
                                   machine_text_step(seconds, "s"));
                machine_flow_next(&row);
            }
        }
        machine_flow_end(&row);
        isocast_buffer_puts(out, "\n");
    }
}

void fit_result_put(const fit_result *result, size_t indent, isocast_buffer *out) {
    if (result->form_share == 1) {
        put_form(&result->form, indent, out);
        return;
    }
    if (result->form_share == 0) {
        put_growth(result, indent, out);
        return;
    }
    isocast_buffer_printf(out, "%*smean_of:\n%*s- share: %.2f\n", (int)indent, "", (int)indent + 2,
                          "", result->form_share);
    put_form(&result->form, indent + 4, out);
    isocast_buffer_printf(out, "%*s- share: %.2f\n", (int)indent + 2, "", 1 - result->form_share);
    put_growth(result, indent + 4, out);
}
