/* isocast derive: from records of a program to a specification. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "command.h"
#include "derive_time.h"
#include "kernels/kernel_table.h"
#include "model/derive/derive.h"
#include "model/derive/derived_text.h"
#include "model/spec/kernel_time.h"
#include "model/spec/machine_load.h"
#include "model/spec/marked_speed.h"

static const cli_usage usage = {
    .command = "derive",
    .arguments = "RECORD...",
    .summary =
        "Derives a specification from records of one program: what it does, step by step, with "
        "formulas in its sizes and p for how often, with which message sizes, and for the work.",
    .details =
        "Numbers of the command line that differ between the records are the sizes. Three values "
        "of each and three numbers of processes are needed; four and more of both show more. "
        "A site is exact where the steps make all of its calls in each record.\n"
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

enum { OWN_OPTIONS = 6 };

typedef struct command_line {
    cli_common common;
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
    isocast_record **records; /* [count + other_count] */
    size_t count;
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

/* All records are read, so that all their problems are told. */
static isocast_status load(command_line *c, const char **paths) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->count + c->other_count; i++) {
        const char *path = i < c->count ? paths[i] : c->held_out.items[i - c->count];
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

/* Computing that the formulas miss by more than this, relative, tells nothing of time. */
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
        out, "isocast derive: %zu of %zu sites that send are exact in %zu records, at ", exact,
        sends, c->count);
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
        isocast_buffer_printf(out, "isocast derive: %zu of %zu are exact in %zu %s held out\n",
                              d->held_out.exact, d->held_out.sites, d->held_out.records,
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
                                  .usage = &usage,
                                  .texts = &c->platform_texts,
                                  .quiet = c->common.quiet};
    return cli_derive_hold_time(&with, derived);
}

/* What T is compared on, and with. Gives an exit status. */
static int load_others(command_line *c) {
    char *path = NULL;
    int exit = CLI_EXIT_OK;
    if (c->machine_name != NULL) {
        exit = cli_locate_spec(CLI_SPEC_MACHINE, c->machine_name, &path);
    } else if (c->platform_texts.platform != NULL) {
        exit = cli_load_platform(c->platform_texts.platform, c->common.quiet, &c->platform);
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
    return cli_exit_of(cli_diagnostics_tell(&c->diagnostics, c->common.quiet, status));
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

static int run(command_line *c, const char **paths) {
    int exit = read_sizes(c);
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    if (is_of_others(c->common.output)) {
        return cli_usage_error(&usage,
                               "%s is there and was not written by derive; it is not overwritten",
                               c->common.output);
    }
    exit = check_options(c);
    exit = exit == CLI_EXIT_OK ? load_others(c) : exit;
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    c->other_count = c->held_out.count;
    c->records = calloc(c->count + c->other_count, sizeof(isocast_record *));
    isocast_derived *derived = NULL;
    isocast_status status = c->records != NULL ? load(c, paths) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = isocast_derive(c->records, c->count, c->records + c->count, c->other_count,
                                &c->asked, &c->diagnostics, &derived);
    }
    isocast_buffer name = {0};
    if (status == ISOCAST_OK) {
        put_name(c, &name);
        status = name.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    exit = cli_exit_of(cli_diagnostics_tell(&c->diagnostics, c->common.quiet, status));
    exit = exit == CLI_EXIT_OK && derived != NULL ? hold_time(c, name.text, derived) : exit;
    if (exit == CLI_EXIT_OK && derived != NULL) {
        isocast_buffer text = {0};
        isocast_buffer notes = {0};
        put_notes(c, derived, &notes);
        status =
            isocast_derived_write(derived, name.text != NULL ? name.text : "", c->speed, &text);
        exit = cli_exit_of(status);
        text.failed = text.failed || notes.failed;
        exit = exit == CLI_EXIT_OK ? cli_output_write_text(c->common.output, &text) : exit;
        if (notes.text != NULL && exit == CLI_EXIT_OK && !c->common.quiet) {
            fputs(notes.text, stderr);
        }
        isocast_buffer_free(&notes);
    }
    isocast_buffer_free(&name);
    isocast_derived_free(derived);
    for (size_t i = 0; c->records != NULL && i < c->count + c->other_count; i++) {
        isocast_record_free(c->records[i]);
    }
    free(c->records);
    return exit;
}

int cmd_derive(int argc, char **argv) {
    command_line c = {0};
    cli_option options[OWN_OPTIONS + CLI_PLATFORM_OPTIONS + 1] = {
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
         &c.speed}};
    cli_platform_options_table(&c.platform_texts, false, &options[OWN_OPTIONS]);
    options[OWN_OPTIONS].help = "the platform of --runs, in place of --machine: what the formulas "
                                "call is simulated there";
    const char **positional = NULL;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &c.common, &positional, &c.count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = run(&c, positional);
    }
    isocast_machine_free(c.machine);
    isocast_platform_free(c.platform);
    isocast_runs_free(c.runs);
    free(c.sizes.items);
    free(c.held_out.items);
    free(positional);
    return status;
}
