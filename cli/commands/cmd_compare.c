/* isocast compare: algorithms and machines side by side, which is fastest where, and where that
 * changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/contenders.h"
#include "cli/options/exit.h"
#include "cli/options/prediction_values.h"
#include "cli/output/json_text.h"
#include "cli/report/report_ranking.h"
#include "command.h"
#include "compare_platform.h"

static const cli_usage usage = {
    .command = "compare",
    .arguments = "ALGORITHM... MACHINE...|--platform PLATFORM",
    .summary = "Compares algorithms, or machines, side by side: T of each at a size, or the size "
               "that holds a speed-efficiency; which is fastest over which sizes on a system, and "
               "over which numbers of processes at a size; and where two of them cross. Each "
               "algorithm runs on each machine; the key 'algorithm' or 'machine' of a file states "
               "what it is.",
    .details = "Crossings over N are looked for from the smallest size that all allow up to the "
               "largest, at most 1e15. None is missed where none is said to be. Crossings over p "
               "are looked for where --at gives sizes and each machine has one class of nodes, "
               "up to the processors that all machines have: every number of processes up to "
               "20000 is looked at that keeps the rules of all contenders, and samples beyond, "
               "where some may be missing and rules are left aside. A contender is left out where "
               "its concurrency is less than p, or its rules are broken. CSV has the rows only, "
               "JSON all of it (docs/result-schema.json). The exit status is 4 where a row has no "
               "solution.\n"
               "\n"
               "With --platform, once or several times, data sheets take the place of machines, or "
               "stand beside them. Crossings over p are not looked for there: only the systems "
               "that --to names are simulated.\n"
               "\n"
               "Examples:\n"
               "  isocast compare fft-binary-exchange-textbook fft-2d-transpose-textbook \\\n"
               "      fft-3d-transpose-textbook textbook --at n=1024..65536*4 --to 16,64\n"
               "  isocast compare gaussian-elimination-published matrix-multiplication sunwulf \\\n"
               "      --efficiency 0.3 --to C2,C8\n"
               "  isocast compare fft-2d-transpose fft-3d-transpose --platform ethernet-128 \\\n"
               "      --at N=65536 --to 16,64",
    .fewest = 1,
    .most = (size_t)-1};

/* The command line, and what comes of it. */
typedef struct comparison {
    int argc;
    char **argv;
    cli_common common;
    const char *at;
    const char *efficiency;
    const char *to;
    cli_settings settings;
    cli_list platforms;
    cli_platform_texts platform;
    cli_contenders contenders;
    double *values; /* [value_count] */
    size_t value_count;
    bool fixed_size;
    isocast_prediction **predictions; /* [value_count][contenders.count] */
} comparison;

static const isocast_size *size_of(const comparison *c, size_t contender) {
    return &c->contenders.items[contender].loaded.algorithm->sizes[0];
}

/* "n=1024..65536*4"; the name is that of one algorithm at least. */
static int read_sizes(comparison *c) {
    const char *equals = strchr(c->at, '=');
    size_t length = equals != NULL ? (size_t)(equals - c->at) : 0;
    bool known = false;
    for (size_t k = 0; k < c->contenders.count; k++) {
        const char *name = size_of(c, k)->name;
        known = known || (strlen(name) == length && strncmp(name, c->at, length) == 0);
    }
    if (!known) {
        return cli_usage_error(&usage,
                               "--at takes the size and its values, such as %s=1000, not "
                               "'%s'; --set sets further sizes",
                               size_of(c, 0)->name, c->at);
    }
    int status = cli_numbers_read("--at", equals + 1, &c->values, &c->value_count);
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->value_count; i++) {
        for (size_t k = 0; k < c->contenders.count && status == CLI_EXIT_OK; k++) {
            const isocast_size *size = size_of(c, k);
            if (!(c->values[i] >= size->min && c->values[i] <= size->max)) {
                status = cli_usage_error(&usage,
                                         "%s = %.10g is not from %.10g to %.10g, as %s "
                                         "needs",
                                         size->name, c->values[i], size->min, size->max,
                                         c->contenders.items[k].name);
            }
        }
    }
    return status;
}

static int read_values(comparison *c) {
    if (c->at != NULL && c->efficiency != NULL) {
        return cli_usage_error(&usage, "--at and --efficiency exclude each other");
    }
    c->fixed_size = c->efficiency == NULL;
    if (c->at != NULL) {
        return read_sizes(c);
    }
    int status = c->efficiency != NULL
                     ? cli_numbers_read("--efficiency", c->efficiency, &c->values, &c->value_count)
                     : CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->value_count; i++) {
        if (!(c->values[i] > 0)) {
            status =
                cli_usage_error(&usage, "--efficiency must be above 0, not %.10g", c->values[i]);
        }
    }
    return status;
}

static bool all_solved(const comparison *c) {
    bool solved = true;
    for (size_t i = 0; i < c->value_count * c->contenders.count; i++) {
        for (size_t k = 0; k < c->predictions[i]->row_count; k++) {
            isocast_row_status status = c->predictions[i]->rows[k].status;
            solved = solved && (status == ISOCAST_ROW_OK || status == ISOCAST_ROW_SEVERAL);
        }
    }
    return solved;
}

static compare_question question_of(const comparison *c) {
    return (compare_question){&c->contenders, c->values, c->value_count, c->fixed_size};
}

/* The most processes that all machines have; NAN where one has several node classes. */
static double processes_of(const comparison *c) {
    double most = INFINITY;
    for (size_t k = 0; k < c->contenders.count; k++) {
        const isocast_machine *machine = c->contenders.items[k].loaded.machine;
        most = machine->class_count == 1
                   ? fmin(most, machine->classes[0].count * machine->classes[0].processors)
                   : NAN;
        if (isnan(most)) {
            break;
        }
    }
    return most;
}

static isocast_status rank_over_p(const comparison *c, bool *ranked, isocast_ranking *out) {
    isocast_crossing_side sides[CLI_CONTENDERS_MAX];
    /* On a platform only the systems that were asked for are simulated. */
    double most = c->platforms.count == 0 ? processes_of(c) : NAN;
    *ranked = c->at != NULL && most > 1;
    for (size_t k = 0; k < c->contenders.count; k++) {
        sides[k] = (isocast_crossing_side){.model = c->contenders.items[k].loaded.model};
    }
    isocast_effort effort = isocast_effort_of(c->value_count * c->contenders.count);
    return *ranked ? isocast_ranking_over_p(sides, c->contenders.count, c->values, c->value_count,
                                            most, &effort, out)
                   : ISOCAST_OK;
}

static int write_result(const comparison *c, const cli_ranking_view *view) {
    if (strcmp(c->common.format, "json") == 0) {
        return cli_json_write(cli_json_ranking(view), &c->common);
    }
    cli_report *reports[CLI_RANKING_REPORTS];
    cli_reports_of_ranking(view, reports);
    if (c->value_count > 0) {
        return cli_reports_write(reports, CLI_RANKING_REPORTS, &c->common);
    }
    cli_report_free(reports[0]);
    return cli_reports_write(&reports[1], 1, &c->common);
}

static int rank_and_write(const comparison *c) {
    isocast_ranking over_N = {0};
    isocast_ranking over_p = {0};
    bool has_p = false;
    const compare_question question = question_of(c);
    isocast_status ranked = compare_rank_over_N(&question, &over_N);
    if (ranked == ISOCAST_OK) {
        ranked = rank_over_p(c, &has_p, &over_p);
    }
    int status = cli_exit_of(ranked);
    if (status == CLI_EXIT_OK) {
        const cli_ranking_view view = {
            .subject = {.algorithm = c->contenders.items[0].loaded.algorithm,
                        .provenance = {.argc = c->argc, .argv = c->argv}},
            .contenders = &c->contenders,
            .predictions = c->predictions,
            .values = c->values,
            .value_count = c->value_count,
            .fixed_size = c->fixed_size,
            .over_N = &over_N,
            .over_p = has_p ? &over_p : NULL};
        status = write_result(c, &view);
    }
    isocast_ranking_free(&over_N);
    isocast_ranking_free(&over_p);
    return status;
}

static int compare(comparison *c, const char *const *names, size_t count) {
    if (c->to == NULL) {
        return cli_usage_error(&usage, "say which systems to compare on with --to SYSTEMS");
    }
    int status = cli_platform_check_options(&usage, &c->platform, c->platforms.count > 0);
    if (status == CLI_EXIT_OK) {
        status = cli_contenders_load(&usage, names, count, &c->platforms, &c->settings, c->to,
                                     c->common.quiet, &c->contenders);
    }
    status = status == CLI_EXIT_OK ? read_values(c) : status;
    const compare_question question = question_of(c);
    if (status == CLI_EXIT_OK) {
        status = compare_learn(&usage, &c->platform, &c->settings, c->common.quiet, &question,
                               &c->contenders);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_exit_of(compare_predict(&question, false, &c->predictions));
    }
    status = status == CLI_EXIT_OK ? rank_and_write(c) : status;
    return status == CLI_EXIT_OK && !all_solved(c) ? CLI_EXIT_NO_SOLUTION : status;
}

int cmd_compare(int argc, char **argv) {
    comparison c = {.argc = argc, .argv = argv};
    const cli_option own[] = {
        {"--to", 0, CLI_OPTION_TEXT, "SYSTEMS",
         "the systems to compare on, which every machine must have; as in predict", &c.to},
        {"--at", 0, CLI_OPTION_TEXT, "SIZE=LIST",
         "sizes to compare T at, such as n=4096 or n=1024..65536*4", &c.at},
        {"--efficiency", 0, CLI_OPTION_SHARES, "LIST",
         "compare the sizes that hold these speed-efficiencies E = W/(T C)", &c.efficiency},
        CLI_SET_OPTION(&c.settings),
        CLI_MARKED_SPEED_OPTION(&c.settings.marked_speed)};
    enum { OWN = sizeof own / sizeof own[0] };
    cli_option options[OWN + CLI_PLATFORM_OPTIONS + 1];
    memcpy(options, own, sizeof own);
    cli_platform_options_table(&c.platform, false, options + OWN);
    options[OWN].kind = CLI_OPTION_LIST;
    options[OWN].target = &c.platforms;
    options[OWN].help =
        "compare on this platform: what the algorithms call is simulated on the "
        "systems and at the sizes that the rows and crossings need; may be repeated";
    options[OWN + CLI_PLATFORM_OPTIONS] = (cli_option){0};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &c.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = compare(&c, positional, count);
    }
    const compare_question question = question_of(&c);
    compare_predictions_free(&question, c.predictions);
    free(c.values);
    free(positional);
    free(c.settings.set.items);
    free(c.platforms.items);
    cli_contenders_free(&c.contenders);
    return status;
}
