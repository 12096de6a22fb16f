#include "forecast_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "cli/output/render_formats.h"
#include "model/base/text.h"
#include "model/forecast/closed_form.h"

typedef enum style { TEXT, LATEX, PYTHON } style;

static style style_of(const char *path) {
    return isocast_text_ends(path, ".py") ? PYTHON : isocast_text_ends(path, ".tex") ? LATEX : TEXT;
}

/* A number with the digits that a style is read with. */
static void put_number(double value, style how, isocast_buffer *out) {
    if (how == PYTHON) {
        cli_number_format(value, out);
        return;
    }
    if (how == TEXT) {
        isocast_buffer_printf(out, "%.6g", value);
        return;
    }
    int order = value != 0 ? (int)floor(log10(fabs(value))) : 0;
    if (order < -3 || order > 4) {
        isocast_buffer_printf(out, "%.4g \\cdot 10^{%d}", value / pow(10, order), order);
    } else {
        isocast_buffer_printf(out, "%.4g", value);
    }
}

static void put_exponent(double exponent, style how, isocast_buffer *out) {
    if (exponent == -2.0 / 3) {
        isocast_buffer_puts(out, how == LATEX ? "-2/3" : "(-2/3)");
    } else {
        isocast_buffer_printf(out, how == LATEX || exponent >= 0 ? "%.*g" : "(%.*g)",
                              how == PYTHON ? 17 : 6, exponent);
    }
}

static void put_terms(const isocast_closed_form *form, style how, isocast_buffer *out) {
    static const char *const trees[] = {"log2(p + 1)", "\\log_2(p + 1)", "log2(p + 1)"};
    static const char *const powers[] = {"p^", "p^{", "p**"};
    for (size_t i = 0; i < form->count; i++) {
        const isocast_closed_term *term = &form->terms[i];
        isocast_buffer_puts(out, i > 0 ? " + " : "");
        put_number(term->coefficient, how, out);
        if (!term->is_tree && term->exponent == 0) {
            continue;
        }
        if (term->exponent == -1 && how != LATEX && !term->is_tree) {
            isocast_buffer_puts(out, "/p");
            continue;
        }
        isocast_buffer_puts(out, how == LATEX ? " \\, " : "*");
        if (term->is_tree) {
            isocast_buffer_puts(out, trees[how]);
        } else if (term->exponent == 1) {
            isocast_buffer_puts(out, "p");
        } else {
            isocast_buffer_puts(out, powers[how]);
            put_exponent(term->exponent, how, out);
            isocast_buffer_puts(out, how == LATEX ? "}" : "");
        }
    }
}

/* "p = 256 to 4096, within 0.21 % of the forecast". */
static void put_range(const isocast_closed_form *form, style how, isocast_buffer *out) {
    if (!isnan(form->from)) {
        isocast_buffer_printf(
            out,
            how == TEXT    ? "    p = %.10g to %.10g, within %s %% of the forecast"
            : how == LATEX ? " %% p = %.10g to %.10g, within %s %% of the forecast"
                           : "  # p = %.10g to %.10g, within %s %% of the forecast",
            form->from, form->to, cli_per_cent(form->off, CLI_THREE_DIGITS, false).text);
    }
}

static void put_form(const isocast_closed_form *form, const char *name, style how,
                     isocast_buffer *out) {
    static const char *const begins[] = {
        "%s(p) = ", "T_{\\text{%s}} &= ", "        \"%s\": lambda p: "};
    static const char *const ends[] = {"", " \\\\", ","};
    if (form->count == 0) {
        return;
    }
    if (how == LATEX && name[1] == '\0') {
        isocast_buffer_puts(out, "T &= ");
    } else {
        isocast_buffer_printf(out, begins[how], how == LATEX ? name + 2 : name);
    }
    put_terms(form, how, out);
    isocast_buffer_puts(out, ends[how]);
    put_range(form, how, out);
    isocast_buffer_puts(out, "\n");
}

/* What a series is called, quoted as the style has it. */
static void put_name(const char *name, style how, isocast_buffer *out) {
    if (how == PYTHON) {
        isocast_buffer_puts(out, "    ");
        cli_json_put(cli_json_string(name), out);
        isocast_buffer_puts(out, ": {\n");
    } else if (how == LATEX) {
        isocast_buffer_puts(out, "\\paragraph{");
        cli_put_latex(name, out);
        isocast_buffer_puts(out, "}\n\\begin{align*}\n");
    } else {
        isocast_buffer_printf(out, "%s\n", name);
    }
}

static void put_head(style how, isocast_buffer *out) {
    static const char *const heads[] = {
        "# T in seconds on p processes, as sums of terms\n\n",
        "% T in seconds on p processes, as sums of terms; needs \\usepackage{amsmath}\n",
        "# T in seconds on p processes, as sums of terms\nfrom math import log2\n\nMODELS = {\n"};
    isocast_buffer_puts(out, heads[how]);
}

static void put_end(style how, isocast_buffer *out) {
    static const char *const ends[] = {"\n", "\\end{align*}\n", "    },\n"};
    isocast_buffer_puts(out, ends[how]);
}

static void put_foot(style how, isocast_buffer *out) {
    isocast_buffer_puts(out, how == PYTHON ? "}\n" : "");
}

void cli_forecast_formulas(const cli_forecast_view *view, const char *path, isocast_buffer *out) {
    static const char *const rivals[ISOCAST_RIVAL_COUNT] = {"T_ideal", "T_power", "T_five",
                                                            "T_amdahl"};
    const isocast_series_list *list = view->forecasts->list;
    style how = style_of(path);
    put_head(how, out);
    for (size_t i = 0; i < list->count; i++) {
        const isocast_forecast *forecast = view->forecasts->of[i];
        isocast_buffer name = {0};
        cli_forecast_series_name(view, &list->series[i], &name);
        out->failed = out->failed || name.failed;
        put_name(name.text != NULL ? name.text : "T", how, out);
        isocast_buffer_free(&name);
        isocast_closed_form form = isocast_closed_form_of_forecast(forecast);
        put_form(&form, "T", how, out);
        for (int r = 0; r < ISOCAST_RIVAL_COUNT; r++) {
            form = isocast_closed_form_of_rival(forecast, (isocast_rival)r);
            put_form(&form, rivals[r], how, out);
        }
        put_end(how, out);
    }
    put_foot(how, out);
}

/* "N = 1000, steps = 5" */
static void put_sizes(const isocast_algorithm *algorithm, const isocast_joined_row *row,
                      isocast_buffer *out) {
    isocast_buffer_printf(out, "%s = %.17g", algorithm->sizes[0].name, row->N);
    double value;
    for (size_t i = 0; i + 1 < algorithm->size_count; i++) {
        const char *name = cli_other_size(algorithm, row->other_sizes, i, &value);
        isocast_buffer_printf(out, ", %s = %.17g", name, value);
    }
}

/* T at the p of the runs of a size, and of its rows, which are `rows`; their number. Shape of p and
 * T: [fit->sizes + count]. */
static size_t list_points(const cli_joined_view *view, const isocast_joined_row *rows, size_t count,
                          double *p, double *T) {
    const isocast_run_sizes *sizes = &view->joined->sizes;
    size_t others = view->subject.algorithm->size_count - 1;
    size_t found = 0;
    for (size_t i = 0; i < view->fit->sizes; i++) {
        const isocast_fitted_point *point = &view->fit->points[i];
        const double *own = sizes->systems[point->system].others;
        if (point->N == rows->N && point->T_fit > 0 &&
            (others == 0 || memcmp(own, rows->other_sizes, others * sizeof *own) == 0)) {
            p[found] = point->p;
            T[found++] = point->T_fit;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].T > 0) {
            p[found] = rows[i].p;
            T[found++] = rows[i].T;
        }
    }
    return found;
}

void cli_joined_formulas(const cli_joined_view *view, const char *path, isocast_buffer *out) {
    const isocast_joined *joined = view->joined;
    size_t room = view->fit->sizes + joined->count + 1;
    double *p = malloc(2 * room * sizeof *p);
    if (p == NULL) {
        out->failed = true;
        return;
    }
    style how = style_of(path);
    put_head(how, out);
    size_t count;
    for (size_t i = 0; i < joined->count; i += count) {
        const isocast_joined_row *rows = &joined->rows[i];
        for (count = 1; i + count < joined->count && rows[count].N == rows->N &&
                        rows[count].other_sizes == rows->other_sizes;) {
            count++;
        }
        isocast_closed_form form =
            isocast_closed_form_of_points(p, p + room, list_points(view, rows, count, p, p + room));
        if (form.count > 0) {
            isocast_buffer name = {0};
            put_sizes(view->subject.algorithm, rows, &name);
            out->failed = out->failed || name.failed;
            put_name(name.text != NULL ? name.text : "T", how, out);
            isocast_buffer_free(&name);
            put_form(&form, "T", how, out);
            put_end(how, out);
        }
    }
    put_foot(how, out);
    free(p);
}
