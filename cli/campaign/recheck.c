#include "recheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/launches.h"
#include "calibrate/samples/median.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "model/base/operation_name.h"

/* A band holds 99 %% of what the file lets expect; it is never narrower than this, as no formula is
 * that good between the sizes measured. */
static const double band_sigmas = 2.576;
static const double band_least = 0.10;
/* A point whose band reaches this far tells nothing by being inside. */
static const double band_most = 3;
/* The file does not hold where more of the points than this are outside. */
static const double outside_most = 0.1;

/* The rows of one point, sorted by launch; scratch and medians: shape [count] each. */
static cli_recheck_point summarise(const samples *s, const sample *rows, size_t count,
                                   double *scratch, double *medians) {
    cli_recheck_point point = {
        .name = s->operations[rows[0].operation], .p = rows[0].p, .m = rows[0].m};
    point.is_kernel = !isocast_operation_is_name(point.name);
    point.launches = launches_medians(rows, count, 1e-15, scratch, medians);
    point.sigma_now = sqrt(launches_variance(medians, point.launches));
    point.measured = interquartile_mean(medians, point.launches);
    return point;
}

static bool make_points(const samples *s, cli_recheck *out) {
    sample *rows = malloc((s->count + 1) * sizeof *rows);
    double *scratch = malloc((2 * s->count + 1) * sizeof *scratch);
    out->points = malloc((s->count + 1) * sizeof *out->points);
    bool complete = rows != NULL && scratch != NULL && out->points != NULL;
    if (complete) {
        memcpy(rows, s->rows, s->count * sizeof *rows);
        qsort(rows, s->count, sizeof *rows, launches_by_point);
    }
    for (size_t begin = 0; complete && begin < s->count;) {
        size_t end = launches_point_end(rows, s->count, begin);
        out->points[out->count++] =
            summarise(s, rows + begin, end - begin, scratch, scratch + s->count);
        begin = end;
    }
    free(rows);
    free(scratch);
    return complete;
}

static const isocast_operation *operation_of(const isocast_machine *machine,
                                             const cli_recheck_point *point) {
    const isocast_operation *list = point->is_kernel ? machine->compute : machine->operations;
    size_t count = point->is_kernel ? machine->compute_count : machine->operation_count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, point->name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* Beyond what it was measured at the file promises nothing. */
static bool is_covered(const isocast_machine *machine, const cli_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point);
    return o != NULL && !(point->p < o->p_min) && !(point->p > o->p_max) &&
           !(point->m < 0.99 * o->m_min) && !(point->m > 1.01 * o->m_max);
}

/* How far the fit was from its own points, as the file says. */
static double fit_error(const isocast_machine *machine, const cli_recheck_point *point) {
    const isocast_operation *o = operation_of(machine, point);
    return o != NULL && o->mean_error > 0 ? o->mean_error : 0;
}

/* What launches of now and of the file differ by, the coefficients' errors, and the fit's own. */
static void add_spread(const isocast_machine *machine, cli_recheck_point *point) {
    double launch = machine->sigma_launch > 0 ? machine->sigma_launch : 0;
    launch = point->sigma_now > launch ? point->sigma_now : launch;
    double variance = point->sigma * point->sigma + launch * launch / (double)point->launches +
                      pow(fit_error(machine, point), 2);
    point->sigma = sqrt(variance);
}

double cli_recheck_high(const cli_recheck_point *point) {
    return exp(fmax(band_sigmas * point->sigma, log1p(band_least)));
}

double cli_recheck_low(const cli_recheck_point *point) {
    return 1 / cli_recheck_high(point);
}

static bool is_outside(const cli_recheck_point *point) {
    double ratio = point->measured / point->predicted;
    return !(ratio >= cli_recheck_low(point) && ratio <= cli_recheck_high(point));
}

/* Points that the file says something of, in place. */
static void keep_covered(const isocast_machine *machine, cli_recheck *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (is_covered(machine, &r->points[i])) {
            r->points[kept++] = r->points[i];
        }
    }
    r->count = kept;
}

int cli_recheck_make(const isocast_machine *machine, const samples *s, cli_recheck *out) {
    *out = (cli_recheck){0};
    if (!make_points(s, out)) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    keep_covered(machine, out);
    if (!cli_recheck_predict(machine, out->points, out->count)) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (out->count == 0) {
        fputs("isocast check: the machine file has no operation that was measured now within the "
              "sizes and processes that it covers\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    for (size_t i = 0; i < out->count; i++) {
        add_spread(machine, &out->points[i]);
        bool outside = is_outside(&out->points[i]);
        out->outside += outside;
        out->telling += outside || cli_recheck_high(&out->points[i]) <= band_most;
    }
    out->agrees = (double)out->outside <= outside_most * (double)out->telling;
    if (out->telling == 0) {
        fputs("isocast check: launches differ so much, now or in the file, that it cannot be told; "
              "measure when the machine is quiet\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

void cli_recheck_free(cli_recheck *r) {
    free(r->points);
    *r = (cli_recheck){0};
}

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "m", .unit = "B", .kind = CLI_COLUMN_COUNT},
        {.name = "predicted", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "measured", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "ratio", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_low", .heading = "from", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_high", .heading = "to", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static const char *status_of(const cli_recheck_point *point) {
    if (is_outside(point)) {
        return "outside";
    }
    return cli_recheck_high(point) <= band_most ? "ok" : "wide";
}

cli_report *cli_report_recheck(const cli_recheck *r, const isocast_machine *machine) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s, as its file says and as it is now", machine->name);
    add_columns(report);
    for (size_t i = 0; i < r->count; i++) {
        const cli_recheck_point *point = &r->points[i];
        cli_report_text(report, point->name);
        const double numbers[] = {point->p,
                                  point->m,
                                  point->predicted,
                                  point->measured,
                                  point->measured / point->predicted,
                                  cli_recheck_low(point),
                                  cli_recheck_high(point)};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            cli_report_number(report, numbers[k]);
        }
        cli_report_text(report, status_of(point));
    }
    cli_report_footnote(report, "Kernels: seconds of a flop at the working set m. The band from-to "
                                "holds 99 %% of what errors and launches let expect of the ratio.");
    if (r->telling < r->count) {
        cli_report_footnote(report, "wide: the band is too wide to tell anything by being inside.");
    }
    cli_report_footnote(report, "%zu of %zu points are outside: the file %s this machine.",
                        r->outside, r->telling,
                        r->agrees ? "still describes" : "no longer describes");
    return report;
}
