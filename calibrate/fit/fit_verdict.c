#include "fit_verdict.h"

#include <math.h>

void fit_verdict_bytes(double m, isocast_buffer *out) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (unit < 4 && m >= 1024 && fmod(m, 1024) == 0) {
        m /= 1024;
        unit++;
    }
    isocast_buffer_printf(out, "%.0f %s", m, units[unit]);
}

static void write_range(const fit_timings *t, isocast_buffer *out) {
    if (t->p_count == 1) {
        isocast_buffer_printf(out, "Measured on %.0f process%s", t->counts_of_p[0],
                              t->counts_of_p[0] > 1 ? "es" : "");
    } else {
        isocast_buffer_printf(out, "Measured on %.0f to %.0f processes (%zu counts)",
                              t->counts_of_p[0], t->counts_of_p[t->p_count - 1], t->p_count);
    }
    if (t->sizes[t->size_count - 1] > 0) {
        isocast_buffer_puts(out, ", ");
        fit_verdict_bytes(t->sizes[0], out);
        if (t->size_count > 1) {
            isocast_buffer_puts(out, " to ");
            fit_verdict_bytes(t->sizes[t->size_count - 1], out);
            isocast_buffer_printf(out, " (%zu sizes)", t->size_count);
        }
    }
    if (t->launches_most < 2) {
        isocast_buffer_puts(out, ", in one launch: what another launch would take is not known. ");
    } else if (t->launch_variance > 0) {
        isocast_buffer_printf(out, ", in up to %zu launches that differ by %.1f %%. ",
                              t->launches_most, 100 * sqrt(t->launch_variance));
    } else {
        isocast_buffer_printf(out, ", in up to %zu launches that do not differ. ",
                              t->launches_most);
    }
}

static void write_errors(const fit_result *result, isocast_buffer *out) {
    isocast_buffer_printf(out, "Off by %.1f %% on average where it was fitted. ",
                          100 * result->mean_error);
    const fit_timings *t = &result->timings;
    if (result->forecasts > 0) {
        isocast_buffer_printf(out,
                              "Forecasts of the largest p from smaller ones (up to %.3g times as "
                              "many processes) were "
                              "off by %.1f %% (median of %zu). ",
                              result->forecast_factor, 100 * result->forecast_error,
                              result->forecasts);
    } else if (t->p_count == 1) {
        isocast_buffer_puts(out, result->has_form && result->form.shape == FIT_SHAPE_MESSAGE
                                     ? ""
                                     : "One count of processes shows nothing of growth with p: "
                                       "beyond it nothing is known. ");
    } else {
        isocast_buffer_puts(out, "Two counts of processes are too few to test growth with p: "
                                 "measure a third. ");
    }
}

static void write_trust(const fit_result *result, isocast_buffer *out) {
    const fit_timings *t = &result->timings;
    double last = t->counts_of_p[t->p_count - 1];
    if (t->p_count == 1 || (result->has_form && result->form.shape == FIT_SHAPE_MESSAGE)) {
        return;
    }
    double p = 2 * last;
    double m = t->sizes[t->size_count / 2];
    double low = 0;
    double high = 0;
    double seconds = fit_result_band(result, p, m, &low, &high);
    isocast_buffer_printf(out, "At %.0f processes and ", p);
    fit_verdict_bytes(m, out);
    isocast_buffer_printf(out,
                          " 90 %% of launches are expected within a factor of %.2g; beyond %.0f "
                          "processes confidence is low. ",
                          fmax(high / seconds, seconds / low), FIT_RESULT_TRUSTED * last);
}

static void write_switches(const fit_result *result, isocast_buffer *out) {
    if (!result->has_form || result->timings.size_count < 2) {
        return;
    }
    const fit_ranges *form = &result->form.ranges;
    if (form->count == 1) {
        isocast_buffer_puts(out, "No switch was seen.");
        return;
    }
    isocast_buffer_printf(out, "Switch%s seen between ", form->count > 2 ? "es" : "");
    for (size_t r = 1; r < form->count; r++) {
        isocast_buffer_puts(out, r > 1 ? r + 1 == form->count ? " and " : ", " : "");
        fit_verdict_bytes(form->items[r].below, out);
        isocast_buffer_puts(out, " and ");
        fit_verdict_bytes(form->items[r].first, out);
    }
    isocast_buffer_puts(out, ".");
}

void fit_verdict_write(const fit_result *result, isocast_buffer *out) {
    write_range(&result->timings, out);
    write_errors(result, out);
    write_trust(result, out);
    write_switches(result, out);
    while (out->length > 0 && !out->failed && out->text[out->length - 1] == ' ') {
        out->text[--out->length] = '\0';
    }
}
