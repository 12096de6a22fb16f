/* isocast forecast: T on more processes from measured runs alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/options/word_option.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/report/forecast_results.h"
#include "command.h"
#include "joint.h"
#include "model/base/list.h"
#include "model/base/source_read.h"
#include "model/runs/runs.h"

/* Runs are small, but a campaign may have very many. */
enum {
    RUNS_MAX = 64 * 1024 * 1024, /* bytes */
    NEXT_SERIES_MAX = 20         /* each takes up to a second */
};

static const cli_usage usage = {
    .command = "forecast",
    .arguments = "RUNS.csv [--with ALGORITHM MACHINE]",
    .summary = "Forecasts the time of a program on more processes than it was run on, from its "
               "runs alone, with a 90 % band and a verdict.",
    .details =
        "RUNS.csv has a row for each run with the columns p and T (seconds) at least, with three "
        "different p or more; it may come from any program. A column N shows what was held "
        "constant: N strong scaling, N/p (or N^2/p, N^3/p) weak scaling. Without it, that is "
        "guessed from the times. Rows of a column launch are launches, others repetitions. "
        "Columns such as program, region or machine, which have values that several p have, keep "
        "series apart. Files of Extra-P, hyperfine, ReFrame, Benchpark and Caliper are read, too.\n"
        "T is forecast by curves that times of programs follow, and, where T falls, by Amdahl's "
        "law with and without a surface. The band counts how forecasts of the last runs from "
        "those before held. Beside it stand what others would say. A forecast whose band is more "
        "than 8 wide, or that is more than 64 times the largest p away, is refused; the exit "
        "status is 4 then.\n"
        "--with ALGORITHM MACHINE takes the formulas of an algorithm in place of curves: the runs, "
        "which have the columns system, N, T and further sizes then, say what its file leaves open "
        "(fit: true), and all else comes from the machine file. --fitted FILE gets the algorithm "
        "with these values, for other commands and other machines.\n"
        "\n"
        "Examples:\n"
        "  isocast forecast runs.csv --to p=1024..16384*2\n"
        "  isocast forecast runs.csv --to p=512,N=9000 --only region=solve\n"
        "  isocast forecast runs.csv --count nodes --time T_solve --laws --format json\n"
        "  isocast forecast runs.csv --formulas model.py --extra-p runs.jsonl\n"
        "  isocast forecast runs.csv --with stencil.yaml here.yaml --to p=64,128 \\\n"
        "      --fitted fitted.yaml",
    .fewest = 1,
    .most = 2};

/* The command line. */
typedef struct asked {
    cli_call call;
    const char *to; /* NULL: 2 to 16 times the largest p */
    const char *count, *time, *by, *scaling;
    const char *formulas, *extra_p; /* files; NULL: none */
    const char *with, *fitted; /* an algorithm; NULL: none. The machine is the second positional */
    cli_settings settings;     /* of these two */
    cli_list only;
    bool laws;
    double budget; /* processor s; NAN: none */
    double *p, *N; /* [p_count], [N_count]; of --to */
    size_t p_count, N_count;
    char *by_text;         /* the names of --by, cut apart */
    const char **by_names; /* [by_count] */
    size_t by_count;
    char **only_texts; /* [only.count], cut at the = */
    isocast_series_only *only_rows;
    isocast_series_scaling held;
} asked;

/* The numbers of a list: "1024..16384*2". */
static int read_numbers(const char *text, double **out, size_t *count) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_list_item *items = NULL;
    isocast_status status = isocast_source_create("--to", text, strlen(text), &source);
    CLI_THEN(status, isocast_list_split(source, &diagnostics, &items, count));
    double *numbers = status == ISOCAST_OK ? calloc(*count + 1, sizeof *numbers) : NULL;
    status = status == ISOCAST_OK && numbers == NULL ? ISOCAST_NO_MEMORY : status;
    for (size_t i = 0; status == ISOCAST_OK && i < *count; i++) {
        numbers[i] = items[i].number;
        if (!items[i].is_number || !(items[i].number > 0)) {
            status = isocast_diagnostics_refuse(&diagnostics, source, items[i].span, NULL,
                                                "this must be a number above 0");
        }
    }
    free(items);
    isocast_source_free(source);
    *out = numbers;
    return cli_exit_with_text(&diagnostics, status);
}

/* "p=1024..16384*2,N=100,200"; p= may be left out. */
static int read_to(asked *a) {
    isocast_buffer lists[2] = {{0}, {0}};
    char *copy = strdup(a->to);
    char *rest = copy;
    size_t which = 0;
    int status = copy == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
    while (rest != NULL && status == CLI_EXIT_OK) {
        char *item = strsep(&rest, ",");
        char *equals = strchr(item, '=');
        if (equals != NULL) {
            *equals = '\0';
            which = strcmp(item, "N") == 0;
            if (strcmp(item, "N") != 0 && strcmp(item, "p") != 0) {
                status = cli_usage_error(&usage,
                                         "--to takes p and N, such as "
                                         "p=1024..16384*2,N=1000, not '%s'",
                                         item);
            }
            item = equals + 1;
        }
        isocast_buffer_printf(&lists[which], "%s%s", lists[which].length > 0 ? "," : "", item);
    }
    if (status == CLI_EXIT_OK && (lists[0].failed || lists[1].failed)) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (status == CLI_EXIT_OK && lists[0].text != NULL) {
        status = read_numbers(lists[0].text, &a->p, &a->p_count);
    }
    if (status == CLI_EXIT_OK && lists[1].text != NULL) {
        status = read_numbers(lists[1].text, &a->N, &a->N_count);
    }
    isocast_buffer_free(&lists[0]);
    isocast_buffer_free(&lists[1]);
    free(copy);
    return status;
}

static int read_by(asked *a) {
    a->by_text = strdup(a->by);
    a->by_names = calloc(strlen(a->by) + 1, sizeof *a->by_names);
    if (a->by_text == NULL || a->by_names == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    char *rest = a->by_text;
    while (rest != NULL) {
        const char *name = strsep(&rest, ",");
        if (name[0] != '\0') {
            a->by_names[a->by_count++] = name;
        }
    }
    return CLI_EXIT_OK;
}

static int read_only(asked *a) {
    a->only_texts = calloc(a->only.count + 1, sizeof *a->only_texts);
    a->only_rows = calloc(a->only.count + 1, sizeof *a->only_rows);
    if (a->only_texts == NULL || a->only_rows == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < a->only.count; i++) {
        a->only_texts[i] = strdup(a->only.items[i]);
        char *value = a->only_texts[i];
        const char *column = value == NULL ? NULL : strsep(&value, "=");
        if (column == NULL) {
            return cli_exit_of(ISOCAST_NO_MEMORY);
        }
        if (value == NULL) {
            return cli_usage_error(&usage, "--only takes COLUMN=VALUE, not '%s'", column);
        }
        a->only_rows[i] = (isocast_series_only){column, value};
    }
    return CLI_EXIT_OK;
}

static int read_scaling(asked *a) {
    for (int k = 0; k < ISOCAST_SERIES_SCALING_COUNT; k++) {
        if (strcmp(a->scaling, isocast_series_scaling_words[k]) == 0) {
            a->held = (isocast_series_scaling)k;
            return CLI_EXIT_OK;
        }
    }
    return cli_word_refuse(&usage, "--scaling", a->scaling, isocast_series_scaling_words,
                           ISOCAST_SERIES_SCALING_COUNT);
}

/* Status 4 where no T is forecast in a row; what was asked for is printed all the same. */
static int exit_of_rows(const isocast_forecasts *forecasts) {
    for (size_t i = 0; i < forecasts->count; i++) {
        if (forecasts->rows[i].value.status >= ISOCAST_FORECAST_BELOW) {
            return CLI_EXIT_NO_SOLUTION;
        }
    }
    return CLI_EXIT_OK;
}

/* The next runs of all series for the farthest p that each is asked for. */
static isocast_status find_next(const asked *a, const isocast_forecasts *forecasts,
                                isocast_next_run *out, size_t *count) {
    const isocast_series_list *list = forecasts->list;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < list->count && status == ISOCAST_OK; i++) {
        double target = NAN;
        for (size_t k = 0; k < forecasts->count; k++) {
            bool own = forecasts->rows[k].series == &list->series[i];
            target = own ? fmax(target, forecasts->rows[k].p) : target;
        }
        size_t found = 0;
        if (!isnan(target)) {
            status = isocast_next_find(&list->series[i], forecasts->of[i], target, a->budget,
                                       out + *count, &found);
        }
        *count += found;
    }
    return status;
}

static bool holds_a_size(const isocast_series_list *list) {
    bool holds = false;
    for (size_t i = 0; i < list->count; i++) {
        holds |= !isnan(list->series[i].N);
    }
    return holds;
}

static int write_alone(const asked *a, const cli_forecast_view *view) {
    cli_output others[] = {{.path = a->formulas}, {.path = a->extra_p}};
    bool same_points = true;
    if (a->formulas != NULL) {
        cli_forecast_formulas(view, a->formulas, &others[0].text);
    }
    if (a->extra_p != NULL) {
        same_points = cli_forecast_extra_p(view, a->extra_p, &others[1].text);
    }
    if (!same_points) {
        isocast_buffer_free(&others[0].text);
        isocast_buffer_free(&others[1].text);
        return cli_usage_error(&usage, "the text format of Extra-P has the same points in all "
                                       "regions, and these runs do not; write --extra-p FILE.jsonl "
                                       "or take some runs by --only");
    }
    const cli_written how = {&cli_forecast_document, cli_reports_of_forecast, NULL};
    return cli_result_write(&how, view, &a->call.common, others, sizeof others / sizeof others[0]);
}

static int forecast(const asked *a, const isocast_series_list *list, const char *name) {
    if (a->N_count > 0 && !holds_a_size(list)) {
        return cli_usage_error(&usage,
                               "--to gives N, but %s; leave N out: it goes on as in the runs",
                               list->has_N ? "in no series of the runs N is the same at each p"
                                           : "the runs have no column N");
    }
    if (!isnan(a->budget) && list->count > NEXT_SERIES_MAX) {
        return cli_usage_error(&usage,
                               "--budget takes at most %d series, these are %zu; --only "
                               "COLUMN=VALUE takes some",
                               NEXT_SERIES_MAX, list->count);
    }
    isocast_forecasts *forecasts = NULL;
    isocast_laws *laws = a->laws ? calloc(list->count + 1, sizeof *laws) : NULL;
    isocast_status result = isocast_forecasts_make(list, a->p, a->p_count, a->N, a->N_count,
                                                   cli_has_document(&a->call.common), &forecasts);
    int status = CLI_EXIT_OK;
    if (result == ISOCAST_ARGUMENT) {
        status = cli_usage_error(&usage, "--to asks for more than %d rows, over all series",
                                 ISOCAST_FORECAST_ROWS_MAX);
    } else {
        status = cli_exit_of(a->laws && laws == NULL ? ISOCAST_NO_MEMORY : result);
    }
    for (size_t i = 0; status == CLI_EXIT_OK && laws != NULL && i < list->count; i++) {
        laws[i] = isocast_laws_find(&list->series[i]);
    }
    isocast_next_run *next = NULL;
    size_t next_count = 0;
    if (status == CLI_EXIT_OK && forecasts != NULL && !isnan(a->budget)) {
        next = calloc(list->count * ISOCAST_NEXT_MAX + 1, sizeof *next);
        status = cli_exit_of(next == NULL ? ISOCAST_NO_MEMORY
                                          : find_next(a, forecasts, next, &next_count));
    }
    if (status == CLI_EXIT_OK && forecasts != NULL) {
        const cli_forecast_view view = {.subject = {.runs = name, .provenance = {&a->call, NULL}},
                                        .forecasts = forecasts,
                                        .laws = laws,
                                        .next = next,
                                        .next_count = next_count};
        status = write_alone(a, &view);
        CLI_THEN(status, exit_of_rows(forecasts));
    }
    free(laws);
    free(next);
    isocast_forecasts_free(forecasts);
    return status;
}

static int read_and_forecast(const asked *a) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_series_list *list = NULL;
    isocast_status result = isocast_source_read_kind(a->call.positional[0], ISOCAST_INPUT_ANY,
                                                     RUNS_MAX, &diagnostics, &source);
    if (result == ISOCAST_OK) {
        const isocast_series_request request = {.source = source,
                                                .count = a->count,
                                                .time = a->time,
                                                .by = a->by_names,
                                                .by_count = a->by_count,
                                                .only = a->only_rows,
                                                .only_count = a->only.count,
                                                .scaling = a->scaling != NULL ? &a->held : NULL};
        result = isocast_series_read(&request, &diagnostics, &list);
    }
    int status = cli_exit_with(&diagnostics, a->call.common.quiet, result);
    if (status == CLI_EXIT_OK && list != NULL) {
        status = forecast(a, list, source->name);
    }
    isocast_series_list_free(list);
    isocast_source_free(source);
    return status;
}

/* The systems of --to; without it 2, 4, 8 and 16 times the most processes of the runs. */
static int read_systems(const asked *a, const cli_loaded *loaded, double most,
                        isocast_system ***systems, size_t *count) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < (a->p_count > 0 ? a->p_count : 4); i++) {
        isocast_buffer_printf(&text, "%s%.17g", i > 0 ? "," : "",
                              a->p_count > 0 ? a->p[i] : most * (double)(2U << i));
    }
    int status = text.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                             : cli_systems_read("--to", text.text, loaded->machine,
                                                loaded->algorithm->kernel, systems, count);
    isocast_buffer_free(&text);
    return status;
}

/* Status 4 where a row has no T. */
static int exit_of_joined(const isocast_joined *joined) {
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < joined->count; i++) {
        status = joined->rows[i].status != ISOCAST_JOINED_OK ? CLI_EXIT_NO_SOLUTION : status;
    }
    return status;
}

/* others: the algorithm with its values, and the formulas. */
static int write_joined(const asked *a, const cli_loaded *loaded, const isocast_joint_fit *fit,
                        const isocast_runs *runs, cli_output others[2]) {
    isocast_system **systems = NULL;
    size_t count = 0;
    int status = read_systems(a, loaded, fit->p, &systems, &count);
    isocast_joined *joined = NULL;
    if (status == CLI_EXIT_OK) {
        isocast_diagnostics diagnostics = {0};
        isocast_status result = isocast_joined_make(loaded->model, runs, NULL, fit, systems, count,
                                                    a->N, a->N_count, &diagnostics, &joined);
        status = result == ISOCAST_ARGUMENT
                     ? cli_usage_error(&usage, "--to asks for more than %d rows",
                                       ISOCAST_JOINED_ROWS_MAX)
                     : cli_exit_with(&diagnostics, a->call.common.quiet, result);
    }
    if (status == CLI_EXIT_OK) {
        cli_joined_view view = {cli_subject_of(&a->call, loaded), fit, joined};
        view.subject.runs = a->call.positional[0];
        if (a->formulas != NULL) {
            cli_joined_formulas(&view, a->formulas, &others[1].text);
        }
        const cli_written how = {&cli_joined_document, cli_reports_of_joined, NULL};
        status = cli_result_write(&how, &view, &a->call.common, others, 2);
        CLI_THEN(status, exit_of_joined(joined));
    }
    isocast_joined_free(joined);
    isocast_systems_free(systems, count);
    return status;
}

/* By the formulas of --with. */
static int forecast_with(const asked *a) {
    if (a->call.count < 2) {
        return cli_usage_error(&usage, "--with takes an algorithm and a machine: isocast forecast "
                                       "RUNS.csv --with ALGORITHM MACHINE");
    }
    if (a->count != NULL || a->time != NULL || a->by != NULL || a->only.count > 0 ||
        a->scaling != NULL || a->laws || !isnan(a->budget) || a->extra_p != NULL) {
        return cli_usage_error(&usage, "--count, --time, --by, --only, --scaling, --laws, --budget "
                                       "and --extra-p are of forecasts without --with");
    }
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_status result = isocast_runs_load(a->call.positional[0], &diagnostics, &runs);
    int status = cli_exit_with(&diagnostics, a->call.common.quiet, result);
    const cli_joint_request request = {.usage = &usage,
                                       .algorithm = a->with,
                                       .machine = a->call.positional[1],
                                       .settings = &a->settings,
                                       .runs = runs,
                                       .p_most = NAN,
                                       .quiet = a->call.common.quiet};
    cli_loaded loaded = {0};
    isocast_joint_fit *fit = NULL;
    cli_output others[] = {{.path = a->fitted}, {.path = a->formulas}};
    CLI_THEN(status, cli_joint_load(&request, &loaded, &fit, &others[0].text));
    if (status == CLI_EXIT_OK) {
        status = write_joined(a, &loaded, fit, runs, others);
        cli_loaded_free(&loaded);
    }
    isocast_buffer_free(&others[0].text);
    isocast_joint_fit_free(fit);
    isocast_runs_free(runs);
    return status;
}

static int forecast_alone(asked *a) {
    if (a->call.count > 1 || a->fitted != NULL || a->settings.set.count > 0) {
        return cli_usage_error(&usage, "a machine, --fitted and --set go with --with ALGORITHM");
    }
    int status = a->by != NULL ? read_by(a) : CLI_EXIT_OK;
    CLI_THEN(status, read_only(a));
    status = status == CLI_EXIT_OK && a->scaling != NULL ? read_scaling(a) : status;
    return status == CLI_EXIT_OK ? read_and_forecast(a) : status;
}

static int run(void *context) {
    asked *a = context;
    int status = cli_data_file_check(&usage, a->call.positional[0], "RUNS.csv");
    status = status == CLI_EXIT_OK && a->to != NULL ? read_to(a) : status;
    CLI_THEN(status, a->with != NULL ? forecast_with(a) : forecast_alone(a));
    for (size_t i = 0; a->only_texts != NULL && i < a->only.count; i++) {
        free(a->only_texts[i]);
    }
    free(a->only_texts);
    free(a->only_rows);
    free(a->by_text);
    free(a->by_names);
    free(a->p);
    free(a->N);
    return status;
}

int cmd_forecast(int argc, char **argv) {
    asked a = {.budget = NAN, .settings = {.keeps_sizes = true}};
    const cli_option options[] = {
        {"--to", 0, CLI_OPTION_TEXT, "p=LIST[,N=LIST]",
         "the p, and the N, that T is forecast at, such as p=1024..16384*2,N=1000 (default: 2, 4, "
         "8 and 16 times the largest p, at each N of the runs)",
         &a.to},
        {"--count", 0, CLI_OPTION_TEXT, "COLUMN",
         "the column that is p, such as nodes or threads (default: p, or else nodes, or else the "
         "processes that the names of systems state)",
         &a.count},
        {"--time", 0, CLI_OPTION_TEXT, "COLUMN",
         "the column that is T, in seconds, or anything else that scales like it, such as an "
         "energy "
         "(default: T)",
         &a.time},
        {"--by", 0, CLI_OPTION_TEXT, "COLUMNS",
         "the columns that keep series apart, parted by commas (default: those with values that "
         "several p have)",
         &a.by},
        {"--only", 0, CLI_OPTION_LIST, "COLUMN=VALUE",
         "take the rows with this value alone (several: all must hold)", &a.only},
        {"--scaling", 0, CLI_OPTION_TEXT, "WHICH",
         "what the runs hold constant: strong, weak or mixed (default: by N, or by the times)",
         &a.scaling},
        {"--laws", 0, CLI_OPTION_FLAG, NULL,
         "also fit Amdahl's law and the universal scalability law, with intervals", &a.laws},
        {"--budget", 0, CLI_OPTION_TIME, "TIME",
         "also show which runs to make next for that much processor time, such as 100h, so that T "
         "at the farthest p of --to is known best",
         &a.budget},
        {"--formulas", 0, CLI_OPTION_OUTPUT, "FILE",
         "write the forecasts, and what stands beside them, as sums of terms of p to FILE: as "
         "LaTeX (.tex), Python (.py) or text; with --with: T by each size, nearest to the rows and "
         "the runs that were fitted to",
         &a.formulas},
        {"--extra-p", 0, CLI_OPTION_OUTPUT, "FILE",
         "write the runs for Extra-P to FILE: JSON Lines (.jsonl) or its text format", &a.extra_p},
        {"--with", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "forecast by this algorithm on MACHINE, which stands behind it: the runs say what its "
         "file leaves open",
         &a.with},
        {"--fitted", 0, CLI_OPTION_OUTPUT, "FILE",
         "with --with: write the algorithm with the values of the runs and their errors to FILE",
         &a.fitted},
        CLI_SET_OPTION(&a.settings),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &a.call, run, &a);
}
