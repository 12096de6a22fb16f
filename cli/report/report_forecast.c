#include "forecast_results.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/any.h"
#include "model/base/median.h"
#include "model/forecast/change.h"

ISOCAST_GIVES(const cli_forecast_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_forecasts *, forecasts_of, view_of(at)->forecasts)
ISOCAST_GIVES(const isocast_series_list *, list_of, forecasts_of(at)->list)
ISOCAST_GIVES(bool, has_keys, list_of(at)->key_count > 0)
ISOCAST_GIVES(bool, has_N, list_of(at)->has_N)

void cli_forecast_put_keys(const isocast_series_list *list, const char *const *keys,
                           isocast_buffer *out) {
    for (size_t k = 0; k < list->key_count; k++) {
        bool first = out->length == 0 || keys[k][0] == '\0';
        isocast_buffer_printf(out, "%s%s", first ? "" : ", ", keys[k]);
    }
}

/* Rows of forecasts. */

ISOCAST_GIVES(const isocast_forecast_row *, row_of, at->row)
ISOCAST_GIVES(double, share_of_row,
              row_of(at)->series != NULL ? isocast_series_share(row_of(at)->series) : NAN)

ISOCAST_PUTS(put_row_keys, cli_forecast_put_keys(list_of(at), row_of(at)->keys, out))

/* Series. */

ISOCAST_GIVES(const isocast_series *, series_of, at->row)
ISOCAST_GIVES(const isocast_forecast *, forecast_of,
              forecasts_of(at)->of[series_of(at) - list_of(at)->series])
ISOCAST_GIVES(double, first_p, series_of(at)->points[0].p)
ISOCAST_GIVES(double, last_p, series_of(at)->points[series_of(at)->count - 1].p)
ISOCAST_GIVES(bool, is_forecast, series_of(at)->count >= ISOCAST_FORECAST_POINTS_LEAST)

ISOCAST_PUTS(put_series_keys, cli_forecast_put_keys(list_of(at), series_of(at)->keys, out))

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
    CLI_PUT_IF(found.found, out,
               "T goes another way from p = %.10g on: there it is %.3g times what the runs up to p "
               "= %.10g say. ",
               found.p, found.factor, found.p_before);
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
        isocast_buffer_printf(
            out, "T %s by %s %% from p = %.10g to twice that.", o->doubling < 0 ? "falls" : "grows",
            cli_per_cent(fabs(o->doubling), CLI_THREE_DIGITS, false).text, last_p(at));
    }
    CLI_PUT_IF(!isnan(o->half), out, " E is below 50 %% from %sp = %.10g on.",
               o->half > last_p(at) ? "about " : "", o->half);
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
    ISOCAST_NUMBER("N_per_p", how, NULL, "N/p where that is held; null: it is not",                \
                   .heading = "N/p", .shown = has_N, .optional = true, .digits = 3)
static const isocast_field row_fields[] = {
    ISOCAST_PUT("series", put_row_keys, "what keeps the series apart from the others",
                .shown = has_keys),
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
    ROW("status", value.status, TEXT, NULL,
        "ok; measured; between: two p that were run; below: fewer processes than were run; "
        "too-few: fewer than three p; uncertain: a band more than 8 wide; too-far: more than 64 "
        "times the largest p",
        .words = isocast_forecast_status_words, .known = true),
    ISOCAST_PUT("verdict", put_verdict_of_row, "what the series comes to", ISOCAST_FILES)};
static const isocast_table row_table = ISOCAST_TABLE_OF(row_fields, "T at one p and N");
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
    ISOCAST_COUNT("N", size_at, "size", .shown = has_N),
    ISOCAST_FIELD("T", NUMBER, isocast_point, T, "s",
                  "median over launches of the medians of their repetitions", .known = true),
    ISOCAST_NUMBER("E", efficiency_at, NULL, "efficiency against the smallest p"),
    ISOCAST_NUMBER("karp_flatt", karp_flatt_at, NULL,
                   "serial fraction by Karp and Flatt, against the smallest p"),
    ISOCAST_NUMBER("gustafson", gustafson_at, NULL,
                   "serial share by Gustafson, likewise, of weak scaling")};
static const isocast_table points = ISOCAST_TABLE_OF(point_fields, "one p");

ISOCAST_OWN_ITEMS(point_item, series_of(in)->count, &series_of(in)->points[i])

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
static const isocast_table left_out =
    ISOCAST_TABLE_OF(left_out_fields, "one forecast of a point that was left out");

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
    ISOCAST_NUMBER("E_low", curve_E_low, NULL, "lower end of its 90 % band"),
    ISOCAST_NUMBER("E_high", curve_E_high, NULL, "upper end"),
    ROW("T_ideal", rivals[ISOCAST_RIVAL_IDEAL], NUMBER, "s", "the last T scaled perfectly")};
static const isocast_table curve = ISOCAST_TABLE_OF(curve_fields, "one p");

ISOCAST_GIVES(size_t, number_of, (size_t)(series_of(at) - list_of(at)->series))
ISOCAST_OWN_ITEMS(curve_item,
                  forecasts_of(in)->curves != NULL && is_forecast(in) ? ISOCAST_FORECAST_CURVE : 0,
                  &forecasts_of(in)->curves[number_of(in) * ISOCAST_FORECAST_CURVE + i])

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
    ISOCAST_WORD("part", part_of, part_words,
                 "shared: computation, goes as 1/p or faster; surface: what surfaces of parts "
                 "take, p^(-2/3) to p^(-1/2); rest: serial parts and what grows"),
    ISOCAST_SHARE("share", share_mean, "of T at the largest p"),
    ISOCAST_SHARE("share_low", share_low, "lower end of its 90 % interval"),
    ISOCAST_SHARE("share_high", share_high, "upper end")};
static const isocast_table shares = ISOCAST_TABLE_OF(share_fields, "one part");

ISOCAST_OWN_ITEMS(share_item, is_forecast(in) ? PARTS : 0, in->row)

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
    ISOCAST_TEXT("law", law_name,                                                                  \
                 "serial: fraction of T on one process that is serial (Amdahl); speedup_most: "    \
                 "one over it; contention and coherency: sigma and kappa of the universal "        \
                 "scalability law; peak: p with its largest throughput, null where there is none", \
                 .words = law_names, .known = true),                                               \
        ISOCAST_NUMBER("value", law_value, NULL, "of the fit"),                                    \
        ISOCAST_NUMBER("low", law_low, NULL, "lower end of its 90 % interval"),                    \
        ISOCAST_NUMBER("high", law_high, NULL, "upper end")
static const isocast_field law_fields[] = {LAW_FIELDS};
static const isocast_table laws = ISOCAST_TABLE_OF(law_fields, "one number of a law");

ISOCAST_OWN_ITEMS(law_item, series_of(in)->scaling != ISOCAST_SERIES_MIXED ? LAW_ROWS : 0, in->row)

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
    ISOCAST_PUT("series", put_series_keys, "what keeps it apart from the others",                  \
                .shown = has_keys),                                                                \
        SERIES("N", COUNT, N, NULL, "size that all its runs have", .shown = has_N,                 \
               .optional = true),                                                                  \
        N_PER_P(share_of_series)
static const isocast_field table_of_laws[] = {SERIES_NAME, LAW_FIELDS};
static const isocast_table laws_of_series = {NULL, NULL, ISOCAST_TABLE(table_of_laws)};

static const char *const evidence_words[] = {"given", "size", "size-of-process", "times", NULL};
static const isocast_field series_fields[] = {
    SERIES_NAME,
    SERIES("scaling", TEXT, scaling, NULL,
           "strong: one problem on more processes; weak: one problem for each process; mixed: "
           "neither",
           .words = isocast_series_scaling_words, .known = true),
    SERIES("by", TEXT, evidence, NULL,
           "where that is known from; size: N or N^k/p is the same at each p; size-of-process: N "
           "is, and T does not fall; times: guessed by the first three p",
           .words = evidence_words, .known = true),
    ISOCAST_COUNT("p_first", first_p, "the smallest p", .heading = "from p", .known = true),
    ISOCAST_COUNT("p_last", last_p, "the largest", .heading = "to p", .known = true),
    SERIES("counts", COUNT, count, NULL, "different p", .is_size = true, .known = true),
    SERIES("runs", COUNT, runs, NULL, "runs", .is_size = true, .known = true),
    ISOCAST_COUNT("inside", inside_of, "smaller p that are left out, as they do not fill a node",
                  .optional = true),
    SERIES("noise", SHARE, sd_launches, NULL, "standard deviation of T between launches at one p",
           .digits = 2, .optional = true),
    SERIES("noise_repetitions", SHARE, sd_repetitions, NULL, "likewise within a launch",
           .heading = "within", .digits = 2, .optional = true),
    ISOCAST_SHARE("shared", shared_of, "share of T at the largest p that goes as 1/p or faster",
                  .digits = 2),
    ISOCAST_SHARE("error", error_of, "median error of forecasts of points that were left out",
                  .digits = 2),
    ISOCAST_COUNT("left_out", left_out_of, "how many such there are", .heading = "of"),
    ISOCAST_COUNT("held", held_of, "how many of them were in their band"),
    ISOCAST_COUNT("changes_at", change_p,
                  "p from which on T goes another way than the runs on fewer processes say",
                  .heading = "change at", .optional = true),
    ISOCAST_NUMBER("change", change_factor, NULL, "T there over what these say", ISOCAST_JSON),
    ISOCAST_PUT("verdict", put_verdict_of, "what it comes to", ISOCAST_JSON),
    ISOCAST_LIST("points", point_item, &points, "by p"),
    ISOCAST_LIST("left_out_points", left_out_item, &left_out,
                 "each later point, forecast from two or more before it"),
    ISOCAST_LIST("curve", curve_item, &curve, "T from the largest p on"),
    ISOCAST_LIST("parts", share_item, &shares,
                 "what T at the largest p is made of, by curves that follow the runs"),
    ISOCAST_LIST("laws", law_item, &laws, "with --laws: classical laws; none of mixed scaling",
                 .shown = has_laws)};
static const isocast_table series_table = ISOCAST_TABLE_OF(series_fields, "one series of runs");
ISOCAST_OWN_ITEMS(series_item, list_of(in)->count, &list_of(in)->series[i])

/* The next runs. */
ISOCAST_GIVES(const isocast_next_run *, next_of, at->row)
ISOCAST_GIVES(double, next_N, next_of(at)->series->N)
ISOCAST_GIVES(bool, has_next, view_of(at)->next != NULL)

ISOCAST_PUTS(put_next_keys, cli_forecast_put_keys(list_of(at), next_of(at)->series->keys, out))

#define NEXT(name, member, kind, unit, ...)                                                        \
    ISOCAST_FIELD(name, kind, isocast_next_run, member, unit, __VA_ARGS__)
static const isocast_field next_fields[] = {
    ISOCAST_PUT("series", put_next_keys, "what keeps the series apart", .shown = has_keys),
    ISOCAST_COUNT("N", next_N, "size that it holds", .shown = has_N, .optional = true),
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
static const isocast_table next_table = ISOCAST_TABLE_OF(next_fields, "runs at one p");
ISOCAST_OWN_ITEMS(next_item, view_of(in)->next_count, &view_of(in)->next[i])

/* Of the last row that has one, and what is said of its series. */
static void put_answer(const isocast_at *at, isocast_buffer *out) {
    const isocast_forecasts *all = forecasts_of(at);
    const isocast_forecast_row *best = NULL;
    for (size_t i = 0; i < all->count; i++) {
        best = isnan(all->rows[i].value.T) ? best : &all->rows[i];
    }
    if (best == NULL) {
        isocast_buffer_puts(out, "The runs allow no forecast for these processes.");
        return;
    }
    isocast_at row = {.result = at->result, .row = best};
    isocast_buffer_printf(out, "A run on %.10g processes takes %s", best->p,
                          isocast_quantity_text(best->value.T, "s", 4).text);
    if (!isnan(best->value.low)) {
        isocast_buffer_printf(out, " (90 %% band %s to ",
                              isocast_quantity_text(best->value.low, "s", 4).text);
        isocast_quantity_format(best->value.high, "s", 4, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, ". ");
    put_verdict_of_row(&row, out);
}

/* How near forecasts of points that were left out came, over all series. */
static void put_tested(const isocast_at *at, isocast_buffer *out) {
    size_t held = 0;
    size_t count = 0;
    for (size_t i = 0; i < list_of(at)->count; i++) {
        isocast_at series = {.result = at->result, .row = &list_of(at)->series[i]};
        const goodness found = is_forecast(&series) ? goodness_of(&series) : (goodness){0};
        held += found.held;
        count += found.count;
    }
    CLI_PUT_IF(count > 0, out,
               "%zu points of these runs were left out and forecast from the others: %zu of them "
               "were inside their 90 %% band.",
               count, held);
}

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.forecast/1"),
    CLI_ANSWER(put_answer),
    ISOCAST_PUT("tested", put_tested,
                "how near such forecasts came to runs; null where none was tried", ISOCAST_JSON),
    CLI_RUNS("the file of runs"),
    ISOCAST_LIST("rows", row_item, &row_table, "by series, then p"),
    ISOCAST_LIST("series", series_item, &series_table, "what they rest on"),
    ISOCAST_LIST("next", next_item, &next_table,
                 "with --budget: the runs that would narrow the bands most", .shown = has_next),
    CLI_VERSION,
    CLI_COMMAND};
const isocast_table cli_forecast_document = {
    "forecast", "isocast forecast: T on more processes than were run", ISOCAST_TABLE(fields)};

enum { VERDICTS_MAX = 10 };

/* The rows of a table, with what keeps series apart as the name of its columns. */
static cli_report *report_of(const cli_forecast_view *view, const isocast_table *table,
                             isocast_item *item, const char *title) {
    const isocast_series_list *list = view->forecasts->list;
    cli_report *report = cli_fields_report(table, view, item, "%s", title);
    isocast_buffer names = {0};
    for (size_t k = 0; k < list->key_count; k++) {
        isocast_buffer_printf(&names, "%s%s", k > 0 ? ", " : "", list->key_names[k]);
    }
    if (names.failed) {
        cli_report_fail(report);
    } else if (names.text != NULL) {
        cli_report_call(report, "series", names.text);
    }
    isocast_buffer_free(&names);
    return report;
}

void cli_forecast_series_name(const cli_forecast_view *view, const isocast_series *series,
                              isocast_buffer *out) {
    isocast_at at = {.result = view, .row = series};
    double share = isocast_series_share(series);
    put_series_keys(&at, out);
    CLI_PUT_IF(!isnan(series->N) || !isnan(share), out, "%s%s = %.4g", out->length > 0 ? ", " : "",
               isnan(series->N) ? "N/p" : "N", isnan(series->N) ? share : series->N);
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
        cli_note_take(report, &text);
    }
    CLI_NOTE_IF(list->count > VERDICTS_MAX, report,
                "Of %zu more series CSV and JSON have the verdicts.", list->count - VERDICTS_MAX);
}

ISOCAST_ANY(has_evidence, (const isocast_series_list *list, isocast_series_evidence evidence),
            list->count, list->series[i].evidence == evidence)

size_t cli_reports_of_forecast(const void *result, bool csv, cli_report **reports) {
    const cli_forecast_view *view = result;
    const isocast_series_list *list = view->forecasts->list;
    isocast_buffer title = {0};
    isocast_buffer_printf(&title, "T on more processes by the runs of %s", view->subject.runs);
    reports[0] = report_of(view, &row_table, row_item, title.text != NULL ? title.text : "");
    isocast_buffer_free(&title);
    if (csv) {
        return 1;
    }
    cli_report_call(reports[0], "p", list->count_name);
    add_verdicts(reports[0], view);
    cli_note(reports[0], "T_low to T_high: 90 %% band of a run. E and speedup: against the "
                         "smallest p that was run; cost: p T. ideal: the last T scaled perfectly; "
                         "power: through the last two points; five terms, Amdahl: fits.");
    reports[1] = report_of(view, &series_table, series_item, "What the forecasts rest on");
    cli_note(reports[1], "shared: the part of T at the largest p that goes as 1/p. error: the "
                         "median of the errors of forecasts of points that were left out, of so "
                         "many; held: how many of them were in their band.");
    CLI_NOTE_IF(has_evidence(list, ISOCAST_SERIES_BY_N_OWN), reports[1],
                "size-of-process: N is the same at each p and T does not fall, so N is taken as "
                "that of each process; --scaling strong says that it is not.");
    CLI_NOTE_IF(has_evidence(list, ISOCAST_SERIES_BY_TIMES), reports[1],
                "times: what was held constant is guessed from the first three p; a column N shows "
                "it, and --scaling gives it.");
    size_t count = 2;
    if (view->laws != NULL) {
        reports[count++] =
            report_of(view, &laws_of_series, law_of_all, "Laws of scaling, with 90 % intervals");
    }
    if (view->next != NULL) {
        reports[count] =
            report_of(view, &next_table, next_item,
                      view->next_count > 0 ? "Where to measure next"
                                           : "No run inside the budget would narrow a band by 2 %");
        CLI_NOTE_IF(view->next_count > 0, reports[count],
                    "band: upper over lower end of the 90 %% band of T at 'for p', expected after "
                    "the runs of this row and those before it.");
        count++;
    }
    return count;
}
