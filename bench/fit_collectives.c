/* How far forecasts of collective operations are off at more processes than they were fitted to.
 *
 *     bench-fit-collectives FOLDER|FILE.csv... [--errors ERRORS.csv]
 *
 * Every file is a machine (columns collective, algorithm, processes_per_node, p, bytes, job,
 * t_median_ns, ...). Each series of at least three counts of processes is fitted without the
 * largest, and from five on also without the two largest; the medians left out are forecast.
 * Errors are reported by how many times more processes they have than any fitted. Exit status 1
 * where a forecast is no positive number. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit_results.h"
#include "calibrate/samples/import.h"
#include "calibrate/samples/median.h"

enum { BINS = 5 };
static const double bin_most[BINS] = {2, 4, 8, 16, INFINITY};

typedef struct forecast {
    double factor; /* p over the largest fitted */
    double error;  /* relative */
    bool held;     /* by the band */
    double width;  /* ln(high/low) */
} forecast;

typedef struct forecasts {
    forecast *items; /* [count] */
    size_t count, capacity;
    size_t series, bad;
    FILE *errors;
} forecasts;

static void fail(const char *what) {
    fprintf(stderr, "bench-fit-collectives: %s\n", what);
    exit(5);
}

static void add(forecasts *all, forecast item) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity == 0 ? 256 : 2 * all->capacity;
        all->items = realloc(all->items, all->capacity * sizeof *all->items);
        if (all->items == NULL) {
            fail("out of memory");
        }
    }
    all->items[all->count++] = item;
}

/* Fits to p <= p_most and forecasts the rest of the series. */
static void split(const observations *o, uint32_t operation, const fit_timings *whole,
                  double p_most, const char *machine, forecasts *all) {
    fit_result_settings settings = {20, 1, p_most};
    fit_result model = {0};
    if (!fit_result_make(o, operation, &settings, &model)) {
        fail("a series cannot be fitted");
    }
    for (size_t k = 0; k < whole->count; k++) {
        const fit_summary *at = &whole->items[k];
        if (at->p <= p_most) {
            continue;
        }
        double low = 0;
        double high = 0;
        double seconds = fit_result_band(&model, at->p, at->m, &low, &high);
        forecast item = {at->p / p_most, fabs(seconds / at->seconds - 1),
                         low <= at->seconds && at->seconds <= high, log(high / low)};
        all->bad += !(seconds > 0) || !isfinite(seconds);
        add(all, item);
        if (all->errors != NULL) {
            fprintf(all->errors, "%s,%s,%.0f,%.0f,%.0f,%.9g,%.9g,%.9g,%.9g\n", machine,
                    o->operations.texts[operation], p_most, at->p, at->m, at->seconds, seconds, low,
                    high);
        }
    }
    fit_result_free(&model);
}

static void forecast_machine(const char *path, forecasts *all) {
    observations o = {0};
    isocast_diagnostics diagnostics = {0};
    if (import_file(path, 0, &o, &diagnostics) != ISOCAST_OK || !observations_finish(&o)) {
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        fail(text.text != NULL ? text.text : "out of memory");
    }
    const char *slash = strrchr(path, '/');
    for (uint32_t i = 0; i < o.operations.count; i++) {
        fit_timings whole = {0};
        if (!fit_timings_make(&o, i, INFINITY, &whole)) {
            fail("out of memory");
        }
        size_t splits = whole.p_count < 3 ? 0 : whole.p_count < 5 ? 1 : 2;
        for (size_t left_out = 1; left_out <= splits; left_out++) {
            split(&o, i, &whole, whole.counts_of_p[whole.p_count - 1 - left_out],
                  slash != NULL ? slash + 1 : path, all);
        }
        all->series += splits > 0;
        fit_timings_free(&whole);
    }
    observations_free(&o);
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Every .csv of a folder by its name, or the file itself. */
static void forecast_path(const char *path, forecasts *all) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        forecast_machine(path, all);
        return;
    }
    char *names[256];
    size_t count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL && count < 256;
         entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0 &&
            asprintf(&names[count], "%s/%s", path, entry->d_name) >= 0) {
            count++;
        }
    }
    closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        forecast_machine(names[i], all);
        free(names[i]);
    }
}

static void print_row(const char *label, const forecasts *all, double above, double most) {
    double *errors = malloc((all->count + 1) * sizeof *errors);
    double *widths = malloc((all->count + 1) * sizeof *widths);
    if (errors == NULL || widths == NULL) {
        fail("out of memory");
    }
    size_t count = 0;
    size_t held = 0;
    for (size_t k = 0; k < all->count; k++) {
        if (all->items[k].factor > above && all->items[k].factor <= most) {
            errors[count] = all->items[k].error;
            widths[count++] = all->items[k].width;
            held += all->items[k].held;
        }
    }
    if (count > 0) {
        double middle = isocast_median(errors, count);
        printf("%-14s %9zu  %8.1f %%  %6.1f %%  %8.1f %%  %10.2f x\n", label, count, 100 * middle,
               100 * errors[count * 9 / 10], 100 * (double)held / (double)count,
               exp(isocast_median(widths, count)));
    }
    free(errors);
    free(widths);
}

int main(int argc, char **argv) {
    forecasts all = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--errors") == 0 && i + 1 < argc) {
            all.errors = fopen(argv[++i], "w");
            if (all.errors == NULL) {
                fail("the file of errors cannot be written");
            }
            fputs("machine,operation,p_fitted,p,m,measured,forecast,low,high\n", all.errors);
        }
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--errors") == 0) {
            i++;
        } else {
            forecast_path(argv[i], &all);
        }
    }
    if (all.errors != NULL && fclose(all.errors) != 0) {
        fail("the file of errors cannot be written");
    }
    if (all.count == 0) {
        fail("no series of three counts of processes or more; give files or a folder of them");
    }
    printf("%zu series; medians left out, by p over the largest p fitted\n\n", all.series);
    printf("%-14s %9s  %10s  %8s  %10s  %12s\n", "p / fitted p", "forecasts", "median err",
           "90th pct", "in 90% band", "high / low");
    static const char *const labels[BINS] = {"up to 2", "over 2 to 4", "over 4 to 8",
                                             "over 8 to 16", "over 16"};
    for (int bin = 0; bin < BINS; bin++) {
        print_row(labels[bin], &all, bin == 0 ? 1 : bin_most[bin - 1], bin_most[bin]);
    }
    print_row("all up to 8", &all, 1, 8);
    print_row("all", &all, 1, INFINITY);
    printf("\nforecasts that are no positive number: %zu\n", all.bad);
    free(all.items);
    return all.bad > 0 ? 1 : 0;
}
