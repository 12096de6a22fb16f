#include "report_forecast.h"

#include <math.h>
#include <stdlib.h>

#include "cli/output/fields.h"
#include "model/base/median.h"
#include "model/forecast/change.h"

ISOCAST_GIVES(const cli_forecast_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_forecasts *, forecasts_of, view_of(at)->forecasts)
ISOCAST_GIVES(const isocast_series_list *, list_of, forecasts_of(at)->list)
ISOCAST_GIVES(bool, has_keys, list_of(at)->key_count > 0)
ISOCAST_GIVES(bool, has_N, list_of(at)->has_N)

static void put_keys(const isocast_at *at, const char *const *keys, isocast_buffer *out) {
    for (size_t k = 0; k < list_of(at)->key_count; k++) {
        bool first = out->length == 0 || keys[k][0] == '\0';
        isocast_buffer_printf(out, "%s%s", first ? "" : ", ", keys[k]);
    }
}

/* Rows of forecasts. */

ISOCAST_GIVES(const isocast_forecast_row *, row_of, at->row)
ISOCAST_GIVES(double, share_of_row,
              row_of(at)->series != NULL ? isocast_series_share(row_of(at)->series) : NAN)
ISOCAST_GIVES(const char *, status_of, isocast_forecast_status_words[row_of(at)->value.status])

static void put_row_keys(const isocast_at *at, isocast_buffer *out) {
    put_keys(at, row_of(at)->keys, out);
}

/* Series. */

ISOCAST_GIVES(const isocast_series *, series_of, at->row)
ISOCAST_GIVES(const isocast_forecast *, forecast_of,
              forecasts_of(at)->of[series_of(at) - list_of(at)->series])
ISOCAST_GIVES(double, first_p, series_of(at)->points[0].p)
ISOCAST_GIVES(double, last_p, series_of(at)->points[series_of(at)->count - 1].p)
ISOCAST_GIVES(const char *, scaling_of, isocast_series_scaling_words[series_of(at)->scaling])
ISOCAST_GIVES(bool, is_forecast, series_of(at)->count >= ISOCAST_FORECAST_POINTS_LEAST)

static const char *const evidence_words[] = {"given", "size", "size-of-process", "times", NULL};
ISOCAST_GIVES(const char *, evidence_of, evidence_words[series_of(at)->evidence])

static void put_series_keys(const isocast_at *at, isocast_buffer *out) {
    put_keys(at, series_of(at)->keys, out);
}

/* How good forecasts of points that were left out were. */
typedef struct goodness {
    size_t count, held;  /* forecasts, and how many of them were in the band */
    double error, times; /* median relative error; the largest p over the largest known */
} goodness;

static goodness goodness_of(const isocast_at *at) {
    double errors[ISOCAST_POINTS_MAX * ISOCAST_POINTS_MAX];
    goodness found = {.error = NAN, .times = NAN};
    size_t count;
    const isocast_left_out *left = isocast_forecast_left_out(forecast_of(at), &count);
    for (size_t i = 0; i < count; i++) {
        errors[found.count++] = fabs(left[i].forecast.T / left[i].measured - 1);
        found.held +=
            left[i].measured >= left[i].forecast.low && left[i].measured <= left[i].forecast.high;
        found.times = fmax(found.times, left[i].p / left[i].p_known);
    }
    if (count > 0) {
        found.error = isocast_median(errors, count);
    }
    return found;
}

ISOCAST_GIVES(double, error_of, goodness_of(at).error)
ISOCAST_GIVES(double, left_out_of, (double)goodness_of(at).count)
ISOCAST_GIVES(double, held_of, (double)goodness_of(at).held)

static isocast_change change_of(const isocast_at *at) {
    size_t count;
    const isocast_point *points = isocast_forecast_points(forecast_of(at), &count);
    return isocast_change_find(points, count);
}
ISOCAST_GIVES(double, change_p, change_of(at).p)
ISOCAST_GIVES(double, change_factor, change_of(at).factor)

/* What the forecast comes to, in sentences. */
static void put_strong(const isocast_outlook *o, isocast_buffer *out) {
    if (o->stops_measured) {
        isocast_buffer_printf(out, "T was shortest on p = %.10g; more processes made it longer.",
                              o->stop);
    } else if (o->stops) {
        isocast_buffer_printf(out, "Adding processes stops paying at about p = %.10g (%.10g ",
                              o->stop, o->stop_low);
        isocast_buffer_printf(out, isfinite(o->stop_high) ? "to %.10g" : "or more", o->stop_high);
        isocast_buffer_puts(out, "): from there on, twice as many shorten T by less than 5 %.");
    } else {
        isocast_buffer_printf(out, "Each doubling of p shortens T by 5 %% or more up to p = %.10g",
                              o->horizon);
        isocast_buffer_printf(out, o->stop_low < o->horizon ? " (surely up to %.10g)." : ".",
                              o->stop_low);
    }
}

static void put_change(const isocast_at *at, isocast_buffer *out) {
    isocast_change found = change_of(at);
    if (found.found) {
        isocast_buffer_printf(out,
                              "T goes another way from p = %.10g on: there it is %.3g times what "
                              "the runs up to p = %.10g say. ",
                              found.p, found.factor, found.p_before);
    }
}

static void put_verdict_of(const isocast_at *at, isocast_buffer *out) {
    const isocast_series *s = series_of(at);
    if (!is_forecast(at)) {
        isocast_buffer_printf(out, "Runs on %zu p are too few for a forecast: three are needed.",
                              s->count);
        return;
    }
    const isocast_outlook *o = isocast_forecast_outlook(forecast_of(at));
    put_change(at, out);
    if (s->scaling == ISOCAST_SERIES_STRONG) {
        put_strong(o, out);
    } else if (!isnan(o->doubling)) {
        char change[CLI_PER_CENT_MAX];
        isocast_buffer_printf(
            out, "T %s by %s %% from p = %.10g to twice that.", o->doubling < 0 ? "falls" : "grows",
            cli_per_cent(fabs(o->doubling), CLI_THREE_DIGITS, false, change), last_p(at));
    }
    if (!isnan(o->half)) {
        isocast_buffer_printf(out, " E is below 50 %% from %sp = %.10g on.",
                              o->half > last_p(at) ? "about " : "", o->half);
    }
    if (o->horizon <= last_p(at)) {
        isocast_buffer_puts(out, " The runs say nothing of more processes: they scatter too much, "
                                 "or are too few.");
    } else if (o->horizon < ISOCAST_FORECAST_FAREST * last_p(at)) {
        isocast_buffer_printf(out, " Beyond p = %.10g the runs say nothing.", o->horizon);
    }
}

static void put_verdict_of_row(const isocast_at *at, isocast_buffer *out) {
    isocast_at series = *at;
    series.row = row_of(at)->series;
    if (series.row != NULL) {
        put_verdict_of(&series, out);
    }
}

enum { OF_T = 1 };
#define ROW(name, member, kind, unit, ...)                                                         \
    ISOCAST_FIELD(name, kind, isocast_forecast_row, member, unit, __VA_ARGS__)
#define TIME(name, member, ...) ROW(name, member, NUMBER, "s", __VA_ARGS__, .compared = OF_T)
#define N_PER_P(how)                                                                               \
    ISOCAST_MADE("N_per_p", NUMBER, .number = how, NULL,                                           \
                 "N/p where that is held; null: it is not", .heading = "N/p", .shown = has_N,      \
                 .optional = true, .digits = 3)
static const isocast_field row_fields[] = {
    ISOCAST_MADE("series", TEXT, .put = put_row_keys, NULL,
                 "what keeps the series apart from the others", .shown = has_keys),
    ROW("N", N, COUNT, NULL, "size that is held; null: none is", .shown = has_N, .optional = true),
    N_PER_P(share_of_row),
    ROW("p", p, COUNT, NULL, "processes", .known = true),
    TIME("T", value.T, "time of a run; null where it is refused"),
    TIME("T_low", value.low, "lower end of the 90 % band of a run"),
    TIME("T_high", value.high, "upper end"),
    ROW("E", efficiency, NUMBER, NULL,
        "efficiency against the smallest p that was run; null of mixed scaling, like the next one",
        .digits = 3),
    ROW("speedup", speedup, NUMBER, NULL, "p E", .digits = 3),
    ROW("cost", cost, NUMBER, "s", "processor time p T"),
    TIME("T_ideal", rivals[ISOCAST_RIVAL_IDEAL],
         "the last T scaled perfectly; of weak scaling, as it is", .heading = "ideal"),
    TIME("T_power", rivals[ISOCAST_RIVAL_POWER], "by a power of p through the last two points",
         .heading = "power"),
    TIME("T_five", rivals[ISOCAST_RIVAL_FIVE],
         "by the non-negative sum of 1/p, 1, log2(p + 1), sqrt(p) and p that is nearest",
         .heading = "five terms"),
    TIME("T_amdahl", rivals[ISOCAST_RIVAL_AMDAHL], "by the nearest sum of 1/p and 1",
         .heading = "Amdahl"),
    ROW("N_from", N_from, COUNT, NULL, "N of the runs that T was read off, where it is another",
        .optional = true),
    ISOCAST_MADE("status", TEXT, .text = status_of, NULL,
                 "ok; measured; between: two p that were run; below: fewer processes than were "
                 "run; too-few: fewer than three p; uncertain: a band more than 8 wide; too-far: "
                 "more than 64 times the largest p",
                 .words = isocast_forecast_status_words, .known = true),
    ISOCAST_MADE("verdict", TEXT, .put = put_verdict_of_row, NULL, "what the series comes to",
                 .where = ISOCAST_IN_FILES)};
static const isocast_table row_table = {NULL, "T at one p and N", ISOCAST_TABLE(row_fields)};
ISOCAST_OWN_ITEMS(row_item, forecasts_of(in)->count, &forecasts_of(in)->rows[i])

/* Lists of a series, in JSON. */

ISOCAST_GIVES(size_t, place_of,
              (size_t)((const isocast_point *)at->row - series_of(at->in)->points))
ISOCAST_GIVES(double, size_at, series_of(at->in)->sizes[place_of(at)])
ISOCAST_GIVES(const isocast_point *, point_of, at->row)
ISOCAST_GIVES(double, efficiency_at,
              isocast_series_efficiency(series_of(at->in), point_of(at)->p, point_of(at)->T))
ISOCAST_GIVES(double, karp_flatt_at, isocast_laws_karp_flatt(series_of(at->in), place_of(at)))
ISOCAST_GIVES(double, gustafson_at, isocast_laws_gustafson(series_of(at->in), place_of(at)))

static const isocast_field point_fields[] = {
    ISOCAST_FIELD("p", COUNT, isocast_point, p, NULL, "processes", .known = true),
    ISOCAST_MADE("N", COUNT, .number = size_at, NULL, "size", .shown = has_N),
    ISOCAST_FIELD("T", NUMBER, isocast_point, T, "s",
                  "median over launches of the medians of their repetitions", .known = true),
    ISOCAST_MADE("E", NUMBER, .number = efficiency_at, NULL, "efficiency against the smallest p"),
    ISOCAST_MADE("karp_flatt", NUMBER, .number = karp_flatt_at, NULL,
                 "serial fraction by Karp and Flatt, against the smallest p"),
    ISOCAST_MADE("gustafson", NUMBER, .number = gustafson_at, NULL,
                 "serial share by Gustafson, likewise, of weak scaling")};
static const isocast_table points = {NULL, "one p", ISOCAST_TABLE(point_fields)};

static bool point_item(const isocast_at *in, size_t i, isocast_at *out) {
    out->row = i < series_of(in)->count ? &series_of(in)->points[i] : NULL;
    return out->row != NULL;
}

#define LEFT(name, member, ...)                                                                    \
    ISOCAST_FIELD(name, NUMBER, isocast_left_out, member, "s", __VA_ARGS__)
static const isocast_field left_out_fields[] = {
    ISOCAST_FIELD("p_known", COUNT, isocast_left_out, p_known, NULL,
                  "the largest p that the forecast knew", .known = true),
    ISOCAST_FIELD("p", COUNT, isocast_left_out, p, NULL, "where it was held against the run",
                  .known = true),
    LEFT("T", measured, "measured", .known = true),
    LEFT("T_forecast", forecast.T, "forecast, also where it would be refused"),
    LEFT("T_low", forecast.low, "lower end of its 90 % band"),
    LEFT("T_high", forecast.high, "upper end"),
    LEFT("T_ideal", rivals[ISOCAST_RIVAL_IDEAL], "by perfect scaling, as in the rows"),
    LEFT("T_power", rivals[ISOCAST_RIVAL_POWER], "by the power, likewise"),
    LEFT("T_five", rivals[ISOCAST_RIVAL_FIVE], "by five terms, likewise"),
    LEFT("T_amdahl", rivals[ISOCAST_RIVAL_AMDAHL], "by Amdahl's law, likewise")};
static const isocast_table left_out = {NULL, "one forecast of a point that was left out",
                                       ISOCAST_TABLE(left_out_fields)};

static bool left_out_item(const isocast_at *in, size_t i, isocast_at *out) {
    size_t count;
    const isocast_left_out *rows = isocast_forecast_left_out(forecast_of(in), &count);
    out->row = i < count ? &rows[i] : NULL;
    return out->row != NULL;
}

/* The forecast as a curve. */
ISOCAST_GIVES(double, curve_E_low,
              isocast_series_efficiency(row_of(at)->series, row_of(at)->p, row_of(at)->value.high))
ISOCAST_GIVES(double, curve_E_high,
              isocast_series_efficiency(row_of(at)->series, row_of(at)->p, row_of(at)->value.low))

static const isocast_field curve_fields[] = {
    ROW("p", p, NUMBER, NULL, "processes, from the largest that was run"),
    ROW("T", value.T, NUMBER, "s", "forecast"),
    ROW("T_low", value.low, NUMBER, "s", "lower end of its 90 % band"),
    ROW("T_high", value.high, NUMBER, "s", "upper end"),
    ROW("E", efficiency, NUMBER, NULL, "efficiency"),
    ISOCAST_MADE("E_low", NUMBER, .number = curve_E_low, NULL, "lower end of its 90 % band"),
    ISOCAST_MADE("E_high", NUMBER, .number = curve_E_high, NULL, "upper end"),
    ROW("T_ideal", rivals[ISOCAST_RIVAL_IDEAL], NUMBER, "s", "the last T scaled perfectly")};
static const isocast_table curve = {NULL, "one p", ISOCAST_TABLE(curve_fields)};

static bool curve_item(const isocast_at *in, size_t i, isocast_at *out) {
    size_t series = (size_t)(series_of(in) - list_of(in)->series);
    const isocast_forecast_row *rows = forecasts_of(in)->curves;
    out->row = rows != NULL && is_forecast(in) && i < ISOCAST_FORECAST_CURVE
                   ? &rows[series * ISOCAST_FORECAST_CURVE + i]
                   : NULL;
    return out->row != NULL;
}

/* What T is made of, as far as runs can show it: a serial part, trees and rings look alike in a few
 * points. */
#define BIT(term) (1U << ISOCAST_CURVE_##term)
static const struct {
    const char *word;
    unsigned terms;
} parts[] = {{"shared", BIT(CACHE) | BIT(SHARED)},
             {"surface", BIT(SURFACE) | BIT(ROOT)},
             {"rest", BIT(SERIAL) | BIT(TREE) | BIT(FOURTH) | BIT(GRID) | BIT(RING)}};
enum { PARTS = sizeof parts / sizeof parts[0] };
static const char *const part_words[] = {"shared", "surface", "rest", NULL};

ISOCAST_GIVES(const char *, part_of, parts[at->index].word)
ISOCAST_GIVES(isocast_share, share_of,
              isocast_forecast_share(forecast_of(at->in), parts[at->index].terms))
ISOCAST_GIVES(double, share_mean, share_of(at).mean)
ISOCAST_GIVES(double, share_low, share_of(at).low)
ISOCAST_GIVES(double, share_high, share_of(at).high)

static const isocast_field share_fields[] = {
    ISOCAST_MADE(
        "part", TEXT, .text = part_of, NULL,
        "shared: computation, goes as 1/p or faster; surface: what surfaces of parts take, "
        "p^(-2/3) to p^(-1/2); rest: serial parts and what grows",
        .words = part_words, .known = true),
    ISOCAST_MADE("share", SHARE, .number = share_mean, NULL, "of T at the largest p"),
    ISOCAST_MADE("share_low", SHARE, .number = share_low, NULL, "lower end of its 90 % interval"),
    ISOCAST_MADE("share_high", SHARE, .number = share_high, NULL, "upper end")};
static const isocast_table shares = {NULL, "one part", ISOCAST_TABLE(share_fields)};

static bool share_item(const isocast_at *in, size_t i, isocast_at *out) {
    out->row = is_forecast(in) && i < PARTS ? in->row : NULL;
    out->index = i;
    return out->row != NULL;
}

/* The laws. */
typedef struct law_row {
    const char *name;
    size_t offset; /* of an isocast_laws */
} law_row;
static const law_row law_rows[] = {{"serial", offsetof(isocast_laws, serial)},
                                   {"speedup_most", offsetof(isocast_laws, speedup_most)},
                                   {"contention", offsetof(isocast_laws, contention)},
                                   {"coherency", offsetof(isocast_laws, coherency)},
                                   {"peak", offsetof(isocast_laws, peak)}};
enum { LAW_ROWS = sizeof law_rows / sizeof law_rows[0] };
static const char *const law_names[] = {"serial",    "speedup_most", "contention",
                                        "coherency", "peak",         NULL};

static isocast_law_number law_number(const isocast_at *at) {
    const isocast_laws *of = &view_of(at)->laws[series_of(at) - list_of(at)->series];
    return *(const isocast_law_number *)((const char *)of + law_rows[at->index].offset);
}

ISOCAST_GIVES(bool, has_laws, view_of(at)->laws != NULL)
ISOCAST_GIVES(const char *, law_name, law_rows[at->index].name)
ISOCAST_GIVES(double, law_value, law_number(at).value)
ISOCAST_GIVES(double, law_low, law_number(at).low)
ISOCAST_GIVES(double, law_high, law_number(at).high)

#define LAW_FIELDS                                                                                 \
    ISOCAST_MADE(                                                                                  \
        "law", TEXT, .text = law_name, NULL,                                                       \
        "serial: fraction of T on one process that is serial (Amdahl); speedup_most: one "         \
        "over it; contention and coherency: sigma and kappa of the universal "                     \
        "scalability law; peak: p with its largest throughput, null where there is none",          \
        .words = law_names, .known = true),                                                        \
        ISOCAST_MADE("value", NUMBER, .number = law_value, NULL, "of the fit"),                    \
        ISOCAST_MADE("low", NUMBER, .number = law_low, NULL, "lower end of its 90 % interval"),    \
        ISOCAST_MADE("high", NUMBER, .number = law_high, NULL, "upper end")
static const isocast_field law_fields[] = {LAW_FIELDS};
static const isocast_table laws = {NULL, "one number of a law", ISOCAST_TABLE(law_fields)};

static bool law_item(const isocast_at *in, size_t i, isocast_at *out) {
    out->row = i < LAW_ROWS && series_of(in)->scaling != ISOCAST_SERIES_MIXED ? in->row : NULL;
    out->index = i;
    return out->row != NULL;
}

/* The same of all series, for a table. */
static bool law_of_all(const isocast_at *in, size_t i, isocast_at *out) {
    size_t series = i / LAW_ROWS;
    out->row = series < list_of(in)->count ? &list_of(in)->series[series] : NULL;
    out->index = i % LAW_ROWS;
    return out->row != NULL;
}

ISOCAST_GIVES(double, share_of_series, isocast_series_share(series_of(at)))
ISOCAST_GIVES(double, inside_of, series_of(at)->inside > 0 ? (double)series_of(at)->inside : NAN)

ISOCAST_GIVES(double, shared_of,
              is_forecast(at) ? isocast_forecast_share(forecast_of(at), parts[0].terms).mean : NAN)

#define SERIES(name, kind, member, unit, ...)                                                      \
    ISOCAST_FIELD(name, kind, isocast_series, member, unit, __VA_ARGS__)
#define SERIES_NAME                                                                                \
    ISOCAST_MADE("series", TEXT, .put = put_series_keys, NULL,                                     \
                 "what keeps it apart from the others", .shown = has_keys),                        \
        SERIES("N", COUNT, N, NULL, "size that all its runs have", .shown = has_N,                 \
               .optional = true),                                                                  \
        N_PER_P(share_of_series)
static const isocast_field table_of_laws[] = {SERIES_NAME, LAW_FIELDS};
static const isocast_table laws_of_series = {NULL, NULL, ISOCAST_TABLE(table_of_laws)};

static const isocast_field series_fields[] = {
    SERIES_NAME,
    ISOCAST_MADE("scaling", TEXT, .text = scaling_of, NULL,
                 "strong: one problem on more processes; weak: one problem for each process; "
                 "mixed: neither",
                 .words = isocast_series_scaling_words, .known = true),
    ISOCAST_MADE("by", TEXT, .text = evidence_of, NULL,
                 "where that is known from; size: N or N^k/p is the same at each p; "
                 "size-of-process: N is, and T does not fall; times: guessed by the first three p",
                 .words = evidence_words, .known = true),
    ISOCAST_MADE("p_first", COUNT, .number = first_p, NULL, "the smallest p", .heading = "from p",
                 .known = true),
    ISOCAST_MADE("p_last", COUNT, .number = last_p, NULL, "the largest", .heading = "to p",
                 .known = true),
    SERIES("counts", COUNT, count, NULL, "different p", .is_size = true, .known = true),
    SERIES("runs", COUNT, runs, NULL, "runs", .is_size = true, .known = true),
    ISOCAST_MADE("inside", COUNT, .number = inside_of, NULL,
                 "smaller p that are left out, as they do not fill a node", .optional = true),
    SERIES("noise", SHARE, sd_launches, NULL, "standard deviation of T between launches at one p",
           .digits = 2, .optional = true),
    SERIES("noise_repetitions", SHARE, sd_repetitions, NULL, "likewise within a launch",
           .heading = "within", .digits = 2, .optional = true),
    ISOCAST_MADE("shared", SHARE, .number = shared_of, NULL,
                 "share of T at the largest p that goes as 1/p or faster", .digits = 2),
    ISOCAST_MADE("error", SHARE, .number = error_of, NULL,
                 "median error of forecasts of points that were left out", .digits = 2),
    ISOCAST_MADE("left_out", COUNT, .number = left_out_of, NULL, "how many such there are",
                 .heading = "of"),
    ISOCAST_MADE("held", COUNT, .number = held_of, NULL, "how many of them were in their band"),
    ISOCAST_MADE("changes_at", COUNT, .number = change_p, NULL,
                 "p from which on T goes another way than the runs on fewer processes say",
                 .heading = "change at", .optional = true),
    ISOCAST_MADE("change", NUMBER, .number = change_factor, NULL, "T there over what these say",
                 .where = ISOCAST_IN_JSON),
    ISOCAST_MADE("verdict", TEXT, .put = put_verdict_of, NULL, "what it comes to",
                 .where = ISOCAST_IN_JSON),
    ISOCAST_MADE("points", LIST, .item = point_item, NULL, "by p", .of = &points),
    ISOCAST_MADE("left_out_points", LIST, .item = left_out_item, NULL,
                 "each later point, forecast from two or more before it", .of = &left_out),
    ISOCAST_MADE("curve", LIST, .item = curve_item, NULL, "T from the largest p on", .of = &curve),
    ISOCAST_MADE("parts", LIST, .item = share_item, NULL,
                 "what T at the largest p is made of, by curves that follow the runs",
                 .of = &shares),
    ISOCAST_MADE("laws", LIST, .item = law_item, NULL,
                 "with --laws: classical laws; none of mixed scaling", .of = &laws,
                 .shown = has_laws)};
static const isocast_table series_table = {NULL, "one series of runs",
                                           ISOCAST_TABLE(series_fields)};
ISOCAST_OWN_ITEMS(series_item, list_of(in)->count, &list_of(in)->series[i])

/* The next runs. */
ISOCAST_GIVES(const isocast_next_run *, next_of, at->row)
ISOCAST_GIVES(double, next_N, next_of(at)->series->N)
ISOCAST_GIVES(bool, has_next, view_of(at)->next != NULL)

static void put_next_keys(const isocast_at *at, isocast_buffer *out) {
    put_keys(at, next_of(at)->series->keys, out);
}

#define NEXT(name, member, kind, unit, ...)                                                        \
    ISOCAST_FIELD(name, kind, isocast_next_run, member, unit, __VA_ARGS__)
static const isocast_field next_fields[] = {
    ISOCAST_MADE("series", TEXT, .put = put_next_keys, NULL, "what keeps the series apart",
                 .shown = has_keys),
    ISOCAST_MADE("N", COUNT, .number = next_N, NULL, "size that it holds", .shown = has_N,
                 .optional = true),
    NEXT("p", p, COUNT, NULL, "processes to run it on", .known = true),
    NEXT("runs", runs, COUNT, NULL, "how often", .is_size = true, .known = true),
    NEXT("T", T, NUMBER, "s", "expected of each"),
    NEXT("cost", cost, NUMBER, "s", "processor time of all of them, p T each"),
    NEXT("target", target, COUNT, NULL, "p that T is to be known at", .heading = "for p",
         .known = true),
    NEXT("width_before", width_before, NUMBER, NULL, "upper over lower end of the band there, now",
         .heading = "band now", .digits = 3),
    NEXT("width", width, NUMBER, NULL, "expected after this run and those of the rows before",
         .heading = "band then", .digits = 3)};
static const isocast_table next_table = {NULL, "runs at one p", ISOCAST_TABLE(next_fields)};
ISOCAST_OWN_ITEMS(next_item, view_of(in)->next_count, &view_of(in)->next[i])

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.forecast/1"),
    CLI_RUNS("the file of runs"),
    ISOCAST_MADE("rows", LIST, .item = row_item, NULL, "by series, then p", .of = &row_table),
    ISOCAST_MADE("series", LIST, .item = series_item, NULL, "what they rest on",
                 .of = &series_table),
    ISOCAST_MADE("next", LIST, .item = next_item, NULL,
                 "with --budget: the runs that would narrow the bands most", .of = &next_table,
                 .shown = has_next),
    CLI_VERSION,
    CLI_COMMAND};
const isocast_table cli_forecast_document = {
    "forecast", "isocast forecast: T on more processes than were run", ISOCAST_TABLE(fields)};

enum { VERDICTS_MAX = 10 };

/* Adds the rows of a table, and calls what keeps series apart by its columns. */
static void fill(cli_report *report, const isocast_table *table, const cli_forecast_view *view,
                 isocast_item *item) {
    const isocast_series_list *list = view->forecasts->list;
    isocast_buffer names = {0};
    cli_fields_fill(report, table, view, item);
    for (size_t k = 0; k < list->key_count; k++) {
        isocast_buffer_printf(&names, "%s%s", k > 0 ? ", " : "", list->key_names[k]);
    }
    if (names.failed) {
        cli_report_fail(report);
    } else if (names.text != NULL) {
        cli_report_call(report, "series", names.text);
    }
    isocast_buffer_free(&names);
}

void cli_forecast_series_name(const cli_forecast_view *view, const isocast_series *series,
                              isocast_buffer *out) {
    isocast_at at = {.result = view, .row = series};
    double share = isocast_series_share(series);
    put_series_keys(&at, out);
    if (!isnan(series->N) || !isnan(share)) {
        isocast_buffer_printf(out, "%s%s = %.4g", out->length > 0 ? ", " : "",
                              isnan(series->N) ? "N/p" : "N", isnan(series->N) ? share : series->N);
    }
}

static void add_verdicts(cli_report *report, const cli_forecast_view *view) {
    const isocast_series_list *list = view->forecasts->list;
    for (size_t i = 0; i < list->count && i < VERDICTS_MAX; i++) {
        isocast_at at = {.result = view, .row = &list->series[i]};
        isocast_buffer text = {0};
        if (list->count > 1) {
            cli_forecast_series_name(view, &list->series[i], &text);
        }
        isocast_buffer_puts(&text, text.length > 0 ? ": " : "");
        put_verdict_of(&at, &text);
        cli_report_footnote_take(report, &text);
    }
    if (list->count > VERDICTS_MAX) {
        cli_report_footnote(report, "Of %zu more series CSV and JSON have the verdicts.",
                            list->count - VERDICTS_MAX);
    }
}

static void add_scaling(cli_report *report, const isocast_series_list *list) {
    bool own = false;
    bool guessed = false;
    for (size_t i = 0; i < list->count; i++) {
        own |= list->series[i].evidence == ISOCAST_SERIES_BY_N_OWN;
        guessed |= list->series[i].evidence == ISOCAST_SERIES_BY_TIMES;
    }
    if (own) {
        cli_report_footnote(report, "size-of-process: N is the same at each p and T does not fall, "
                                    "so N is taken as that of each process; --scaling strong says "
                                    "that it is not.");
    }
    if (guessed) {
        cli_report_footnote(report, "times: what was held constant is guessed from the first three "
                                    "p; a column N shows it, and --scaling gives it.");
    }
}

size_t cli_reports_of_forecast(const void *result, bool csv, cli_report **reports) {
    const cli_forecast_view *view = result;
    const isocast_series_list *list = view->forecasts->list;
    reports[0] = cli_report_create();
    cli_report_title(reports[0], "T on more processes by the runs of %s", view->subject.runs);
    fill(reports[0], &row_table, view, row_item);
    if (csv) {
        return 1;
    }
    cli_report_call(reports[0], "p", list->count_name);
    add_verdicts(reports[0], view);
    cli_report_footnote(reports[0],
                        "T_low to T_high: 90 %% band of a run. E and speedup: against the smallest "
                        "p that was run; cost: p T. ideal: the last T scaled perfectly; power: "
                        "through the last two points; five terms, Amdahl: fits.");
    reports[1] = cli_report_create();
    cli_report_title(reports[1], "What the forecasts rest on");
    fill(reports[1], &series_table, view, series_item);
    cli_report_footnote(reports[1],
                        "shared: the part of T at the largest p that goes as 1/p. error: the "
                        "median of the errors of forecasts of points that were left "
                        "out, of so many; held: how many of them were in their band.");
    add_scaling(reports[1], list);
    size_t count = 2;
    if (view->laws != NULL) {
        reports[count] = cli_report_create();
        cli_report_title(reports[count], "Laws of scaling, with 90 %% intervals");
        fill(reports[count++], &laws_of_series, view, law_of_all);
    }
    if (view->next != NULL) {
        reports[count] = cli_report_create();
        cli_report_title(reports[count], view->next_count > 0
                                             ? "Where to measure next"
                                             : "No run inside the budget would narrow a band by "
                                               "2 %%");
        fill(reports[count], &next_table, view, next_item);
        if (view->next_count > 0) {
            cli_report_footnote(reports[count],
                                "band: upper over lower end of the 90 %% band of T at 'for p', "
                                "expected after the runs of this row and those before it.");
        }
        count++;
    }
    return count;
}
