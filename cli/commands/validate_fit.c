#include "validate_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "model/base/quantity.h"
#include "model/runs/validation.h"

enum { STEPS_MAX = 60 };
static const double agreed = 1e-10;      /* of ln T, on average */
static const double farthest = 300;      /* of ln value, from one SI unit */
static const double least_change = 1e-9; /* of ln T per ln value */

/* What a value comes to. */
typedef struct outcome {
    /* Interquartile means over the sizes fitted to, as one of them may be far off: */
    double bias;            /* of ln(predicted T/measured T); NAN: not known */
    double off;             /* of |predicted T/measured T - 1| */
    size_t sizes;           /* fitted to: (system, N) */
    double p;               /* the most processes of these */
    double p_least;         /* the fewest of all */
    size_t left;            /* sizes on more processes */
    isocast_unit_text unit; /* of the value */
} outcome;

static bool is_fitted(const cli_fit_request *request, double p) {
    return isnan(request->p_most) || p <= request->p_most;
}

static isocast_status look_at_points(const cli_fit_request *request, const isocast_validation *v,
                                     outcome *out) {
    double *off = malloc((2 * v->point_count + 2) * sizeof *off);
    if (off == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *apart = off + v->point_count + 1;
    outcome found = {.bias = NAN, .off = NAN, .p_least = INFINITY};
    bool known = true;
    for (size_t i = 0; i < v->point_count; i++) {
        const isocast_validation_point *point = &v->points[i];
        double p = v->systems[point->system].system->p;
        found.p_least = fmin(found.p_least, p);
        if (!is_fitted(request, p)) {
            found.left++;
        } else if (point->valid) {
            off[found.sizes] = log(point->T_predicted / point->T);
            apart[found.sizes] = fabs(point->T_error);
            known = known && isfinite(off[found.sizes++]);
            found.p = fmax(found.p, p);
        }
    }
    if (found.sizes > 0 && known) {
        found.bias = interquartile_mean(off, found.sizes);
        found.off = interquartile_mean(apart, found.sizes);
    }
    free(off);
    *out = found;
    return ISOCAST_OK;
}

/* Takes the runs of systems on few processes from the others, which stay in their order. */
static isocast_status take_fitted(const cli_fit_request *request, const isocast_validation *v) {
    isocast_runs *runs = request->runs;
    bool *is_taken = calloc(runs->count + 1, sizeof *is_taken);
    isocast_run *taken = malloc((runs->count + 1) * sizeof *taken);
    if (is_taken == NULL || taken == NULL) {
        free(is_taken);
        free(taken);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < v->system_count; i++) {
        const isocast_run_system *measured = &v->sizes.systems[v->systems[i].measured];
        bool fitted = !isnan(request->p_most) && is_fitted(request, v->systems[i].system->p);
        for (size_t k = 0; k < measured->run_count; k++) {
            is_taken[v->sizes.order[measured->first_run + k] - runs->rows] = fitted;
        }
    }
    size_t left = 0;
    size_t taken_count = 0;
    for (size_t k = 0; k < runs->count; k++) {
        if (is_taken[k]) {
            taken[taken_count++] = runs->rows[k];
        } else {
            runs->rows[left++] = runs->rows[k];
        }
    }
    memcpy(runs->rows + left, taken, taken_count * sizeof *taken);
    runs->count = left;
    free(is_taken);
    free(taken);
    return ISOCAST_OK;
}

int cli_fit_settings(const cli_settings *settings, const char *setting, cli_settings *out) {
    const char **items = calloc(settings->set.count + 1, sizeof *items);
    if (items == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (settings->set.count > 0) {
        memcpy(items, settings->set.items, settings->set.count * sizeof *items);
    }
    items[settings->set.count] = setting;
    *out = (cli_settings){{items, settings->set.count + 1}, settings->marked_speed};
    return CLI_EXIT_OK;
}

/* Compares with NAME=VALUE on top of the settings. `tell`: problems and warnings are told. `take`:
 * the runs that were fitted to are taken from the runs. */
static int compare(const cli_fit_request *request, const char *setting, bool tell, bool take,
                   outcome *out) {
    cli_settings settings = {0};
    cli_loaded loaded = {0};
    int status = cli_fit_settings(request->settings, setting, &settings);
    if (status == CLI_EXIT_OK) {
        status = cli_load_set(request->algorithm, request->machine, &settings, !tell, &loaded);
    }
    free(settings.set.items);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_validation *v = NULL;
    isocast_status result = isocast_validate_times(loaded.model, request->runs, request->rows,
                                                   ISOCAST_METRIC_ISOSPEED_E, &diagnostics, &v);
    status = cli_exit_of(cli_diagnostics_tell(&diagnostics, !tell, result));
    if (status == CLI_EXIT_OK) {
        status = cli_exit_of(look_at_points(request, v, out));
        out->unit = isocast_dimension_text(loaded.settings[loaded.setting_count - 1].dimension);
        if (status == CLI_EXIT_OK && take) {
            status = cli_exit_of(take_fitted(request, v));
        }
    }
    isocast_validation_free(v);
    cli_loaded_free(&loaded);
    return status;
}

/* "NAME=VALUE", in the SI unit of its place. NULL where memory is short. */
static char *setting_of(const cli_fit_request *request, double ln_value) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%s=%.17g", request->name, exp(ln_value));
    return isocast_buffer_take(&text);
}

static int look(const cli_fit_request *request, double ln_value, bool tell, outcome *out) {
    char *setting = setting_of(request, ln_value);
    int status = setting == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                                 : compare(request, setting, tell, false, out);
    free(setting);
    return status;
}

static int refuse(const cli_fit_request *request, const char *why) {
    fprintf(stderr, "isocast validate: --fit %s: %s\n", request->name, why);
    return CLI_EXIT_NO_SOLUTION;
}

/* Whether there is anything to fit to, and to compare then. */
static int check_sizes(const cli_fit_request *request, const outcome *first) {
    if (first->sizes == 0) {
        fprintf(stderr,
                "isocast validate: --fit-to %.6g: no run that counts is on so few processes; the "
                "fewest are %.6g\n",
                request->p_most, first->p_least);
        return CLI_EXIT_USAGE;
    }
    if (!isnan(request->p_most) && first->left == 0) {
        fprintf(stderr,
                "isocast validate: --fit-to %.6g: no run is on more processes, so none is left to "
                "compare\n",
                request->p_most);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* The ln value at which the bias is 0: by the secant rule, kept between the ends that are known to
 * have it between them. */
static int search(const cli_fit_request *request, double *ln_value, outcome *found) {
    double x = 0;
    outcome at = {0};
    int status = look(request, x, true, &at);
    if (status == CLI_EXIT_OK) {
        status = check_sizes(request, &at);
    }
    double low = -INFINITY;
    double high = INFINITY;
    double slope = 1; /* d bias/d ln value: T in proportion to it */
    for (int step = 0; status == CLI_EXIT_OK && !(fabs(at.bias) <= agreed); step++) {
        if (!isfinite(at.bias)) {
            return refuse(request, "T has no finite value above 0 where it was tried");
        }
        if (step == STEPS_MAX || fabs(x) > farthest) {
            return refuse(request, at.bias > 0
                                       ? "T is predicted above the runs however small it is"
                                       : "T is predicted below the runs however large it is");
        }
        low = at.bias < 0 ? fmax(low, x) : low;
        high = at.bias > 0 ? fmin(high, x) : high;
        double next = x - at.bias / slope;
        if (isfinite(low) && isfinite(high) && !(next > low && next < high)) {
            next = (low + high) / 2;
        }
        outcome before = at;
        status = look(request, next, false, &at);
        double change = (at.bias - before.bias) / (next - x);
        if (status == CLI_EXIT_OK && step == 0 && fabs(change) < least_change) {
            return refuse(request, "T does not change with it");
        }
        slope = isfinite(change) && change > least_change ? change : 1;
        bool stays = fabs(next - x) <= 1e-15 * fmax(1, fabs(x));
        x = next;
        if (stays) {
            break;
        }
    }
    *ln_value = x;
    *found = at;
    return status;
}

static int write_sentence(const cli_fit_request *request, double ln_value, const outcome *found,
                          char **out) {
    bool is_count = strcmp(found->unit.text, "1") == 0;
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%s = ", request->name);
    isocast_quantity_format(exp(ln_value), is_count ? "" : found->unit.text, 6, &text);
    isocast_buffer_printf(&text,
                          " was fitted to T of %zu %s on up to %.6g processes, where T is off by "
                          "%.2g %% on average; %s.",
                          found->sizes, found->sizes == 1 ? "size" : "sizes", found->p,
                          100 * found->off,
                          isnan(request->p_most) ? "the same runs are compared here"
                                                 : "only runs on more are compared here");
    *out = isocast_buffer_take(&text);
    return *out == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
}

int cli_validate_fit(const cli_fit_request *request, cli_fit_result *out) {
    cli_fit_result result = {.runs_there = request->runs->count};
    double ln_value = NAN;
    outcome found = {0};
    int status = search(request, &ln_value, &found);
    if (status == CLI_EXIT_OK) {
        status = write_sentence(request, ln_value, &found, &result.sentence);
    }
    if (status == CLI_EXIT_OK) {
        result.setting = setting_of(request, ln_value);
        status = result.setting == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                                        : compare(request, result.setting, false, true, &found);
    }
    if (status != CLI_EXIT_OK) {
        cli_fit_result_free(&result);
        return status;
    }
    *out = result;
    return CLI_EXIT_OK;
}

void cli_fit_result_free(cli_fit_result *result) {
    free(result->setting);
    free(result->sentence);
    *result = (cli_fit_result){0};
}
