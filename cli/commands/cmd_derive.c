/* isocast derive: from records of a program to a specification. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <isocast/prediction.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "command.h"
#include "kernels/kernel_table.h"
#include "model/derive/derive.h"
#include "model/derive/derived.h"
#include "model/derive/derived_text.h"
#include "model/derive/sites.h"
#include "model/runs/runs.h"
#include "model/runs/runs_sizes.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/kernel_time.h"
#include "model/spec/machine_load.h"
#include "model/spec/marked_speed.h"
#include "platform_session.h"

/* T of a point that was held out, as predict gives it, beside T there: of the records, for the
 * machine that these are from, or of runs, for the machine or the platform of these. */

typedef struct cli_derive_time {
    const isocast_machine *machine;   /* NULL: there is a platform */
    const isocast_platform *platform; /* NULL: there is a machine */
    const isocast_runs *runs;         /* NULL: the records state T */
    const char *name;                 /* of the algorithm and its kernel */
    double speed;                     /* that turns time into work, flop/s; 0: not known */
    const cli_call *call;             /* for simulations, as the next one */
    const cli_platform_texts *texts;
} cli_derive_time;

/* What is predicted, and what was seen there. */
typedef struct held_at {
    isocast_held_point point;
    char system[64]; /* as --to takes it */
} held_at;

/* The algorithm file of the laws, read. */
static isocast_status read_file(const cli_derive_time *with, const isocast_derived *laws,
                                isocast_algorithm **out) {
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_derived_write(laws, with->name, with->speed, &text);
    CLI_THEN(status,
             isocast_algorithm_read_text("held-out", text.text, text.length, &diagnostics, out));
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return status;
}

/* T of the point, s; NAN where the machine does not state it. */
static isocast_status predict(const isocast_algorithm *algorithm, const isocast_machine *machine,
                              const held_at *at, double *T) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = at->system;
    request.N = at->point.point.sizes[0];
    request.other_sizes = algorithm->size_count > 1 ? at->point.point.sizes + 1 : NULL;
    *T = NAN;
    isocast_status status = isocast_model_create(algorithm, machine, &diagnostics, &model);
    CLI_THEN(status, isocast_model_predict(model, &request, &diagnostics, &prediction));
    if (status == ISOCAST_OK) {
        *T = isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_T);
    }
    isocast_prediction_free(prediction);
    isocast_model_free(model);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* What is simulated for the point. */
typedef struct question {
    campaign_subject subject;
    cli_platform_question asked;
    const held_at *at;
} question;

static isocast_status need(void *context, bool first) {
    question *q = context;
    const isocast_law_point *point = &q->at->point.point;
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(q->subject.machine, q->subject.algorithm->kernel, "the runs",
                              q->at->system, &diagnostics, &systems, &count);
    if (status != ISOCAST_OK) {
        q->asked.exit = cli_exit_with(&diagnostics, false, status);
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = campaign_subject_need(&q->subject, systems[i], first ? NAN : point->sizes[0],
                                       point->sizes + 1);
    }
    isocast_systems_free(systems, count);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

static int predict_on_platform(const cli_derive_time *with, const isocast_algorithm *algorithm,
                               held_at *at) {
    question q = {.subject = {.algorithm = algorithm,
                              .platform = with->platform,
                              .name = with->texts->platform},
                  .asked = {.need = need},
                  .at = at};
    q.asked.context = &q;
    int exit = cli_platform_learn(with->call, with->texts, &q.asked, &q.subject, 1);
    CLI_THEN(exit, cli_exit_of(predict(algorithm, q.subject.machine, at, &at->point.predicted)));
    campaign_subject_free(&q.subject);
    return exit;
}

/* The median of the records, of their slowest processes. */
static isocast_status see_records(isocast_record *const *records, size_t count,
                                  isocast_held_point *out) {
    double *times = calloc(count + 1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < records[r]->process_count; i++) {
            times[r] = fmax(times[r], records[r]->processes[i].T);
        }
    }
    gsl_sort(times, 1, count);
    out->seen = gsl_stats_median_from_sorted_data(times, 1, count);
    out->differs = count > 1 && times[0] > 0 ? times[count - 1] / times[0] - 1 : 0;
    free(times);
    return ISOCAST_OK;
}

/* The most processes of the runs, and of their sizes the largest ones. */
static void choose(const isocast_run_sizes *sizes, held_at *out) {
    isocast_law_point *point = &out->point.point;
    for (size_t s = 0; s < sizes->system_count; s++) {
        const isocast_run_system *system = &sizes->systems[s];
        double p = sizes->order[system->first_run]->p;
        size_t last = system->first_size + system->size_count - 1;
        bool more = p > point->p || (p == point->p && sizes->sizes[last].N > point->sizes[0]);
        if (more && strlen(system->name) < sizeof out->system) {
            *point = (isocast_law_point){.p = p, .sizes = {sizes->sizes[last].N}};
            for (size_t i = 1; i < sizes->value_count; i++) {
                point->sizes[i] = system->others[i - 1];
            }
            snprintf(out->system, sizeof out->system, "%s", system->name);
            out->point.seen = sizes->sizes[last].T;
            out->point.differs = sizes->sizes[last].T_max / sizes->sizes[last].T_min - 1;
        }
    }
}

/* The point of the runs, with its T. Gives an exit status. */
static int see_runs(const cli_derive_time *with, const isocast_derived *derived, held_at *out) {
    isocast_diagnostics diagnostics = {0};
    isocast_run_sizes sizes = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status = read_file(with, derived, &algorithm);
    if (status == ISOCAST_OK && algorithm != NULL) {
        status =
            isocast_run_sizes_collect(with->runs, algorithm, NULL, false, &diagnostics, &sizes);
    }
    if (status == ISOCAST_OK) {
        choose(&sizes, out);
        isocast_run_sizes_free(&sizes);
    }
    isocast_algorithm_free(algorithm);
    return cli_exit_with(&diagnostics, with->call->common.quiet, status);
}

static double processors_of(const isocast_machine *machine) {
    double all = 0;
    for (size_t i = 0; machine != NULL && i < machine->class_count; i++) {
        all += machine->classes[i].count * machine->classes[i].processors;
    }
    return all;
}

/* Laws that know nothing of the point are read as the file is that derive writes. */
static int predict_with(const cli_derive_time *with, const isocast_derived *laws, held_at *at) {
    isocast_algorithm *algorithm = NULL;
    int exit = cli_exit_of(read_file(with, laws, &algorithm));
    if (exit == CLI_EXIT_OK && algorithm != NULL) {
        exit = with->machine != NULL
                   ? cli_exit_of(predict(algorithm, with->machine, at, &at->point.predicted))
                   : predict_on_platform(with, algorithm, at);
    }
    isocast_algorithm_free(algorithm);
    return exit;
}

/* Sets derived->held_time. Gives an exit status, and reports on stderr why it is none. */
static int derive_hold_time(const cli_derive_time *with, isocast_derived *derived) {
    held_at at = {0};
    bool by_runs = with->runs != NULL;
    int exit = by_runs ? see_runs(with, derived, &at) : CLI_EXIT_OK;
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    if (by_runs && !(at.point.point.p > 0)) {
        derived->held_time.reason = "the runs do not say on how many processes they were";
        return CLI_EXIT_OK;
    }
    const isocast_held_point seen = at.point;
    isocast_record **sorted = calloc(derived->record_count + 1, sizeof *sorted);
    isocast_derived *laws = NULL;
    isocast_status status =
        sorted != NULL
            ? isocast_derive_without_point(derived, processors_of(with->machine),
                                           by_runs ? &seen.point : NULL, sorted, &at.point, &laws)
            : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && laws != NULL && !by_runs) {
        size_t others = laws->record_count;
        snprintf(at.system, sizeof at.system, "%.0f", at.point.point.p);
        status = see_records(sorted + others, derived->record_count - others, &at.point);
    } else {
        at.point.seen = seen.seen;
        at.point.differs = seen.differs;
    }
    exit = cli_exit_of(status);
    if (exit == CLI_EXIT_OK && laws != NULL) {
        at.point.on = !by_runs                ? NULL
                      : with->machine != NULL ? with->machine->name
                                              : with->platform->hardware->name;
        exit = predict_with(with, laws, &at);
        at.point.known = at.point.predicted > 0 && at.point.seen > 0;
        at.point.reason =
            at.point.known ? NULL : "the machine file does not give T of this program";
    }
    derived->held_time = at.point;
    isocast_derived_free(laws);
    free(sorted);
    return exit;
}

static const cli_usage usage = {
    .command = "derive",
    .arguments = "RECORD...",
    .summary =
        "Derives a specification from records of one program: what it does, step by step, with "
        "formulas in its sizes and p for how often, with which message sizes, and for the work.",
    .details =
        "Numbers of the command line that differ between the records are the sizes. Three values "
        "of each and three numbers of processes are needed; four and more of both show more. "
        "A site is a line that calls MPI. It is exact where the steps make all of its calls in "
        "each record.\n"
        "\n"
        "Examples:\n"
        "  isocast derive records/*.csv -o jacobi.yaml\n"
        "  isocast derive records/*.csv --size N=1 --hold-out large/*.csv -o a.yaml\n"
        "  isocast derive records/*.csv --platform ethernet-128 --runs simulated.csv \\\n"
        "      --marked-speed 10Gflop/s -o b.yaml",
    .output = "write to FILE, which appears whole or not at all; - is standard output (the "
              "default). A file that derive did not write is not overwritten",
    .fewest = 1,
    .most = (size_t)-1};

#define AS_TEXT(name, what) #name,
static const char *const own_kernels[KERNEL_COUNT] = {KERNEL_ROWS(AS_TEXT)};
#undef AS_TEXT

typedef struct command_line {
    cli_call call;
    cli_list sizes;
    cli_list held_out;
    double speed;             /* flop/s; 0: not given */
    const char *name;         /* NULL: of the program */
    const char *machine_name; /* NULL: none, as the next one */
    const char *runs_name;
    cli_platform_texts platform_texts;
    isocast_machine *machine;
    isocast_platform *platform;
    isocast_runs *runs;
    isocast_size_words asked;
    isocast_diagnostics diagnostics;
    isocast_record **records; /* [call.count + other_count] */
    size_t other_count;
} command_line;

static int read_sizes(command_line *c) {
    for (size_t i = 0; i < c->sizes.count; i++) {
        const char *text = c->sizes.items[i];
        const char *equals = strchr(text, '=');
        char *end = NULL;
        long position = equals != NULL ? strtol(equals + 1, &end, 10) : 0;
        size_t length = equals != NULL ? (size_t)(equals - text) : 0;
        isocast_size_word *word = &c->asked.words[c->asked.count];
        if (position < 1 || *end != '\0' || length >= sizeof word->name) {
            return cli_usage_error(&usage,
                                   "--size takes NAME=POSITION, such as N=1 for the first word "
                                   "behind the program; not '%s'",
                                   text);
        }
        if (c->asked.count == ISOCAST_DERIVE_SIZES_MAX) {
            return cli_usage_error(&usage, "there are at most %d sizes", ISOCAST_DERIVE_SIZES_MAX);
        }
        snprintf(word->name, sizeof word->name, "%.*s", (int)length, text);
        word->argument = (size_t)position - 1;
        if (!isocast_size_name_is_free(word->name)) {
            return cli_usage_error(&usage, "'%s' cannot be the name of a size; take another one",
                                   word->name);
        }
        for (size_t k = 0; k < c->asked.count; k++) {
            if (c->asked.words[k].argument == word->argument ||
                strcmp(c->asked.words[k].name, word->name) == 0) {
                return cli_usage_error(&usage, "--size %s repeats a name or a position", text);
            }
        }
        c->asked.count++;
    }
    return CLI_EXIT_OK;
}

/* All records are read, so that all their problems are reported. */
static isocast_status load(command_line *c) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->call.count + c->other_count; i++) {
        const char *path =
            i < c->call.count ? c->call.positional[i] : c->held_out.items[i - c->call.count];
        isocast_status loaded = isocast_record_load(path, &c->diagnostics, &c->records[i]);
        if (isocast_status_is_of_system(loaded)) {
            return loaded;
        }
        status = loaded != ISOCAST_OK ? loaded : status;
    }
    return status;
}

/* The program's name without its folder. A machine file may have times of isocast's own kernel of
 * that name, which is another program. */
static void put_name(const command_line *c, isocast_buffer *out) {
    const char *program = c->records[0]->program;
    const char *slash = strrchr(program, '/');
    const char *base = slash != NULL ? slash + 1 : program;
    bool taken = false;
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        taken = taken || strcmp(own_kernels[i], base) == 0;
    }
    isocast_buffer_printf(out, "%s%s", c->name == NULL && taken ? "own-" : "",
                          c->name != NULL ? c->name : base);
}

/* Computing that the formulas miss by more than this, relative, says nothing of time. */
static const double work_error_most = 0.5;

/* "p = 1, 2, 4 and N = 100, 200, 400". */
static void put_seen(const isocast_derived *d, isocast_buffer *out) {
    isocast_buffer_puts(out, "p = ");
    isocast_derived_put_values(d, SIZE_MAX, out);
    for (size_t i = 0; i < d->sizes.count; i++) {
        isocast_buffer_printf(out, "%s%s = ", i + 1 < d->sizes.count ? "; " : " and ",
                              d->sizes.words[i].name);
        isocast_derived_put_values(d, i, out);
    }
}

/* What formulas made without the largest point are off by there. */
static void put_held_point(const isocast_derived *d, const char *name,
                           const isocast_held_point *held, isocast_buffer *out) {
    isocast_buffer_printf(out, "isocast derive: held out, %s ", name);
    if (held->known) {
        double error = 100 * (held->predicted / held->seen - 1);
        isocast_buffer_printf(out, "is predicted %.1f %% too %s at ", fabs(error),
                              error < 0 ? "short" : "long");
        isocast_derived_put_point(d, &held->point, " = ", out);
        isocast_buffer_printf(out, "%s%s: %.3g s for %.3g s%s", held->on != NULL ? " on " : "",
                              held->on != NULL ? held->on : "", held->predicted, held->seen,
                              held->shared ? ", of processes that shared processors" : "");
        if (held->differs > 0) {
            isocast_buffer_printf(out, "; runs there differ by %.1f %%", 100 * held->differs);
        }
        isocast_buffer_puts(out, "\n");
    } else {
        isocast_buffer_printf(out, "was not compared: %s\n",
                              held->reason != NULL ? held->reason : isocast_derived_no_machine);
    }
}

/* What is said of the formulas; made before the file is written, so that nothing fails after it. */
static void put_notes(const command_line *c, const isocast_derived *d, isocast_buffer *out) {
    size_t sends = 0;
    size_t exact = 0;
    for (size_t i = 0; i < d->site_count; i++) {
        bool counts = isocast_derived_site_sends(&d->sites[i]);
        sends += counts;
        exact += counts && isocast_derived_site_is_exact(&d->sites[i]);
    }
    isocast_buffer_printf(
        out,
        "isocast derive: of %zu sites (lines that send by MPI) %zu are exact: steps make all their "
        "calls in %zu records, at ",
        sends, exact, c->call.count);
    put_seen(d, out);
    isocast_buffer_printf(out, "; the computing within %.1f %% on average\n", 100 * d->work_error);
    put_held_point(d, "T_c", &d->held_computing, out);
    put_held_point(d, "T", &d->held_time, out);
    if (!(c->speed > 0)) {
        isocast_buffer_puts(
            out,
            "isocast derive: the speed of the recorded processor is not known. A flop of the "
            "work is a nanosecond of it; before predictions for other machines give "
            "--marked-speed, or measure the time per flop there by isocast calibrate --command\n");
    }
    if (d->work_error > work_error_most) {
        isocast_buffer_puts(
            out, "isocast derive: do not predict times with these formulas: computing took too "
                 "different times in the records. Record again where nothing else runs, with a "
                 "processor for each process, and with larger sizes\n");
    }
    if (d->held_out.records > 0) {
        isocast_buffer_printf(out,
                              "isocast derive: of %zu sites %zu are exact in %zu %s held out\n",
                              d->held_out.sites, d->held_out.exact, d->held_out.records,
                              d->held_out.records == 1 ? "record that was" : "records that were");
    }
    isocast_derived_write_open(d, "isocast derive: ", out);
    isocast_derived_write_rehearsed(d, "isocast derive: ", out);
}

/* Whether something is there that this command did not write, such as a specification that a person
 * wrote. */
static bool is_of_others(const char *path) {
    FILE *file = path != NULL && strcmp(path, "-") != 0 ? isocast_input_look(path) : NULL;
    char begin[sizeof ISOCAST_DERIVED_BEGIN] = "";
    bool of_others = false;
    if (file != NULL) {
        size_t length = fread(begin, 1, sizeof begin - 1, file);
        of_others = length > 0 && strcmp(begin, ISOCAST_DERIVED_BEGIN) != 0;
        fclose(file);
    }
    return of_others;
}

/* T of a point that is held out. On the machine of the records its marked speed makes work of time,
 * also where the file that is written takes another one: computing then takes the time of the
 * records. A time per flop that the machine file has is one of the work that was asked for. */
static int hold_time(command_line *c, const char *name, isocast_derived *derived) {
    if (c->platform != NULL && c->runs == NULL) {
        derived->held_time.reason = "derive was given no runs on the platform (--runs)";
    }
    if (c->machine == NULL && (c->platform == NULL || c->runs == NULL)) {
        return CLI_EXIT_OK;
    }
    double here = c->speed;
    if (c->machine != NULL && c->machine->class_count == 1 &&
        isocast_kernel_time_entry(c->machine, name) == NULL) {
        here = isocast_marked_speed_of(&c->machine->classes[0], name);
        c->speed = c->speed > 0 ? c->speed : here;
    }
    const cli_derive_time with = {.machine = c->machine,
                                  .platform = c->platform,
                                  .runs = c->runs,
                                  .name = name,
                                  .speed = here,
                                  .call = &c->call,
                                  .texts = &c->platform_texts};
    return derive_hold_time(&with, derived);
}

/* What T is compared on, and with. Gives an exit status. */
static int load_others(command_line *c) {
    char *path = NULL;
    int exit = CLI_EXIT_OK;
    if (c->machine_name != NULL) {
        exit = cli_locate_spec(CLI_SPEC_MACHINE, c->machine_name, &path);
    } else if (c->platform_texts.platform != NULL) {
        exit = cli_load_platform(c->platform_texts.platform, c->call.common.quiet, &c->platform);
    }
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    isocast_status status =
        path != NULL ? isocast_machine_load(path, &c->diagnostics, &c->machine) : ISOCAST_OK;
    if (status == ISOCAST_OK && c->runs_name != NULL) {
        status = isocast_runs_load(c->runs_name, &c->diagnostics, &c->runs);
    }
    free(path);
    return cli_exit_with(&c->diagnostics, c->call.common.quiet, status);
}

static int check_options(const command_line *c) {
    bool platform = c->platform_texts.platform != NULL;
    if (platform && c->machine_name != NULL) {
        return cli_usage_error(&usage, "--machine and --platform exclude each other: T is compared "
                                       "on one of them");
    }
    if (c->runs_name != NULL && !platform && c->machine_name == NULL) {
        return cli_usage_error(&usage, "--runs needs the machine or the platform that the runs are "
                                       "from: --machine or --platform");
    }
    if (c->speed < 0 || isnan(c->speed)) {
        return cli_usage_error(&usage, "--marked-speed must be above 0");
    }
    return cli_platform_check_options(&usage, &c->platform_texts, platform);
}

static int derive(command_line *c) {
    int exit = read_sizes(c);
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    if (is_of_others(c->call.common.output)) {
        return cli_usage_error(&usage,
                               "%s is there and was not written by derive; it is not overwritten",
                               c->call.common.output);
    }
    exit = check_options(c);
    CLI_THEN(exit, load_others(c));
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    c->other_count = c->held_out.count;
    c->records = calloc(c->call.count + c->other_count, sizeof(isocast_record *));
    isocast_derived *derived = NULL;
    isocast_status status = c->records != NULL ? load(c) : ISOCAST_NO_MEMORY;
    CLI_THEN(status, isocast_derive(c->records, c->call.count, c->records + c->call.count,
                                    c->other_count, &c->asked, &c->diagnostics, &derived));
    isocast_buffer name = {0};
    if (status == ISOCAST_OK) {
        put_name(c, &name);
        status = name.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    exit = cli_exit_with(&c->diagnostics, c->call.common.quiet, status);
    exit = exit == CLI_EXIT_OK && derived != NULL ? hold_time(c, name.text, derived) : exit;
    if (exit == CLI_EXIT_OK && derived != NULL) {
        isocast_buffer text = {0};
        isocast_buffer notes = {0};
        put_notes(c, derived, &notes);
        status =
            isocast_derived_write(derived, name.text != NULL ? name.text : "", c->speed, &text);
        exit = cli_exit_of(status);
        text.failed = text.failed || notes.failed;
        CLI_THEN(exit, cli_output_write_text(c->call.common.output, &text));
        if (notes.text != NULL && exit == CLI_EXIT_OK && !c->call.common.quiet) {
            fputs(notes.text, stderr);
        }
        isocast_buffer_free(&notes);
    }
    isocast_buffer_free(&name);
    isocast_derived_free(derived);
    for (size_t i = 0; c->records != NULL && i < c->call.count + c->other_count; i++) {
        isocast_record_free(c->records[i]);
    }
    free(c->records);
    return exit;
}

static int run(void *context) {
    command_line *c = context;
    int status = derive(c);
    isocast_machine_free(c->machine);
    isocast_platform_free(c->platform);
    isocast_runs_free(c->runs);
    return status;
}

int cmd_derive(int argc, char **argv) {
    command_line c = {.platform_texts = CLI_PLATFORM_TEXTS};
    const cli_option options[] = {
        {"--size", 0, CLI_OPTION_LIST, "NAME=POSITION",
         "a word behind the program that is a size, counted from 1; may be repeated. The first is "
         "the size that predictions scale (default: those that differ, named N, M, K, L)",
         &c.sizes},
        {"--hold-out", 0, CLI_OPTION_FILES, "RECORD",
         "a record that the formulas are checked with only; may be repeated, and behind the "
         "other records all up to the next option are meant (default: those with most processes "
         "are held out of a first try)",
         &c.held_out},
        {"--name", 0, CLI_OPTION_TEXT, "NAME",
         "name of the algorithm and of its kernel, for which machine files may have a time per "
         "flop "
         "(default: the program's, with own- before it where isocast has such a kernel)",
         &c.name},
        {"--machine", 0, CLI_OPTION_TEXT, "MACHINE",
         "the machine that the records were made on, a file or a name: T of the largest point "
         "whose processes had a processor each is predicted for it by formulas made without it, "
         "and compared with its record",
         &c.machine_name},
        {"--runs", 0, CLI_OPTION_INPUT, "RUNS.csv",
         "runs of the program on the machine, or on the platform, as measure writes them: T of "
         "their largest point is predicted by formulas made without it, and compared with them",
         &c.runs_name},
        {"--marked-speed", 0, CLI_OPTION_SPEED, "SPEED",
         "marked speed of a processor of the records, which turns time into work (default: "
         "that of --machine; else it is not known, a flop is a nanosecond of the records then, and "
         "predictions warn of it)",
         &c.speed},
        CLI_PLATFORM_OPTIONS(&c.platform_texts,
                             "the platform of --runs, in place of --machine: what the formulas "
                             "call is simulated there",
                             CLI_BUDGET_HELP),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
