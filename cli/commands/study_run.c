#include "study_run.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/output/provenance.h"
#include "model/base/text.h"
#include "model/record/record.h"

/* ---- command lines ---- */

/* Adds a word that is not shown. */
static void add_word(cli_study_line *line, const char *text) {
    char **words = realloc(line->words, (line->count + 2) * sizeof *words);
    char *word = strdup(text);
    line->words = words != NULL ? words : line->words;
    if (words == NULL || word == NULL) {
        free(word);
        line->failed = true;
        return;
    }
    words[line->count++] = word;
    words[line->count] = NULL;
}

static void put_word(cli_study_line *line, const char *text) {
    isocast_buffer_puts(&line->shown, line->count > 0 ? " " : "");
    cli_argument_put(text, &line->shown);
    add_word(line, text);
}

void cli_study_put(cli_study_line *line, const char *word, ...) {
    va_list rest;
    va_start(rest, word);
    for (const char *next = word; next != NULL; next = va_arg(rest, const char *)) {
        put_word(line, next);
    }
    va_end(rest);
}

void cli_study_putf(cli_study_line *line, const char *format, ...) {
    char *word = NULL;
    va_list values;
    va_start(values, format);
    word = vasprintf(&word, format, values) >= 0 ? word : NULL;
    va_end(values);
    line->failed = line->failed || word == NULL;
    put_word(line, word != NULL ? word : "");
    free(word);
}

void cli_study_line_free(cli_study_line *line) {
    campaign_own_program_words_free(line->words);
    isocast_buffer_free(&line->shown);
    *line = (cli_study_line){0};
}

/* The numbers as a list. */
static void put_sizes(cli_study_line *line, const double *sizes, size_t count, double more) {
    isocast_buffer list = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&list, "%s%.0f", i > 0 ? "," : "", sizes[i]);
    }
    if (more > 0) {
        isocast_buffer_printf(&list, ",%.0f", more);
    }
    cli_study_put(line, "--sizes", list.text != NULL ? list.text : "", NULL);
    line->failed = line->failed || list.failed;
    isocast_buffer_free(&list);
}

static void put_counts(cli_study_line *line, const char *option, const long *counts, size_t count) {
    isocast_buffer list = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&list, "%s%ld", i > 0 ? "," : "", counts[i]);
    }
    cli_study_put(line, option, list.text != NULL ? list.text : "", NULL);
    line->failed = line->failed || list.failed;
    isocast_buffer_free(&list);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All records of a folder of the study, as the pattern that is shown gives them to a shell. False:
 * there are none. */
static bool put_records(const cli_study *study, cli_study_line *line, const char *option,
                        const char *name) {
    isocast_buffer path = {0};
    isocast_buffer_printf(&path, "%s/%s", study->folder, name);
    DIR *folder = path.failed ? NULL : opendir(path.text);
    cli_study_line found = {0};
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.' && isocast_text_ends(entry->d_name, ".csv")) {
            isocast_buffer file = {0};
            isocast_buffer_printf(&file, "%s/%s", path.text, entry->d_name);
            add_word(&found, file.text != NULL ? file.text : "");
            isocast_buffer_free(&file);
        }
    }
    if (found.count > 0) {
        qsort(found.words, found.count, sizeof *found.words, compare_names);
        if (option != NULL) {
            put_word(line, option);
        }
        isocast_buffer_puts(&line->shown, " ");
        cli_argument_put(path.text, &line->shown);
        isocast_buffer_puts(&line->shown, "/*.csv");
    }
    for (size_t i = 0; i < found.count; i++) {
        add_word(line, found.words[i]);
    }
    line->failed = line->failed || found.failed || path.failed;
    bool any = found.count > 0;
    cli_study_line_free(&found);
    isocast_buffer_free(&path);
    if (folder != NULL) {
        closedir(folder);
    }
    return any;
}

static void put_launcher(const cli_study *study, cli_study_line *line) {
    if (study->launcher != NULL) {
        cli_study_put(line, "--launcher", study->launcher, NULL);
    }
}

/* ---- running ---- */

static bool keep_line(const char *line, void *context) {
    fprintf(context, "%s\n", line);
    return true;
}

isocast_status cli_study_execute(const cli_study *study, cli_study_line *line, double limit,
                                 FILE *said, launcher_end *end) {
    *end = (launcher_end){0};
    if (line->failed || line->shown.failed || line->count == 0) {
        return ISOCAST_NO_MEMORY;
    }
    if (!study->quiet) {
        fprintf(stderr, "isocast study: %.0f s: %s\n", study->spent, line->shown.text);
    }
    fprintf(study->commands, "%s\n", line->shown.text);
    fflush(study->commands);
    fflush(stdout);
    free(line->words[0]);
    line->words[0] = strdup(study->isocast);
    if (line->words[0] == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const launcher_request request = {.alone = true,
                                      .processes = 1,
                                      .command = (const char *const *)line->words,
                                      .timeout = limit > 0 ? limit : 0,
                                      .through = said == NULL,
                                      .line = said != NULL ? keep_line : NULL,
                                      .context = said};
    isocast_status status = launcher_run(&request, end);
    if (said != NULL) {
        fflush(said);
    }
    return status;
}

/* The last line of what a command said, without "isocast record: ". */
static const char *last_words(launcher_end *end) {
    size_t length = strlen(end->text);
    while (length > 0 && end->text[length - 1] == '\n') {
        end->text[--length] = '\0';
    }
    const char *line = strrchr(end->text, '\n');
    line = line != NULL ? line + 1 : end->text;
    static const char own[] = "isocast record: ";
    return strncmp(line, own, sizeof own - 1) == 0 ? line + sizeof own - 1 : line;
}

/* What a record says of its run. */
static void sum_up(const isocast_record *record, campaign_study_result *result,
                   cli_study_seen *seen) {
    double others = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        const isocast_record_process *process = &record->processes[i];
        result->T = fmax(result->T, process->T);
        result->busy += process->cpu;
        result->memory = fmax(result->memory, process->memory);
        others += process->others;
    }
    seen->threads = result->busy > 0 ? others / result->busy : 0;
    for (size_t i = 0; i < record->site_count; i++) {
        seen->lines = seen->lines || record->sites[i].line > 0;
    }
}

/* A record goes to its own file in a folder of the study. */
static void record_path(const cli_study *study, const campaign_study_step *step,
                        isocast_buffer *path) {
    static const char *const folders[] = {[CAMPAIGN_STUDY_TRY] = "tries",
                                          [CAMPAIGN_STUDY_RECORD] = "records",
                                          [CAMPAIGN_STUDY_HOLD] = "held"};
    isocast_buffer_printf(path, "%s/%s/%.0f-p%ld", study->folder, folders[step->kind], step->N,
                          step->p);
    if (step->kind == CAMPAIGN_STUDY_RECORD) {
        isocast_buffer_printf(path, "-%zu", step->run);
    }
    isocast_buffer_puts(path, ".csv");
}

static isocast_status record(const cli_study *study, const campaign_study_step *step,
                             campaign_study_result *result, cli_study_seen *seen) {
    isocast_buffer path = {0};
    record_path(study, step, &path);
    cli_study_line line = {0};
    cli_study_put(&line, "isocast", "record", "-n", NULL);
    cli_study_putf(&line, "%ld", step->p);
    put_launcher(study, &line);
    cli_study_put(&line, "-o", path.text != NULL ? path.text : "", "--", NULL);
    char **words = campaign_own_program_words(&study->program, step->N, (double)step->p);
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        put_word(&line, words[i]);
    }
    line.failed = line.failed || words == NULL || path.failed;
    launcher_end end = {0};
    if (path.text != NULL) {
        unlink(path.text); /* of a step that was interrupted */
    }
    isocast_status status = cli_study_execute(study, &line, step->limit, study->said, &end);
    isocast_record *made = NULL;
    isocast_diagnostics diagnostics = {0};
    seen->recorded = path.text != NULL && access(path.text, F_OK) == 0;
    result->failed = status != ISOCAST_OK;
    if (status == ISOCAST_OK && isocast_record_load(path.text, &diagnostics, &made) == ISOCAST_OK) {
        sum_up(made, result, seen);
    } else if (status == ISOCAST_OK || status == ISOCAST_PROGRAM) {
        fprintf(stderr, "isocast study: N = %.0f, p = %ld is left out: %s\n", step->N, step->p,
                end.cause == LAUNCHER_TIMEOUT ? "it takes too long" : last_words(&end));
        result->failed = true;
        status = ISOCAST_OK;
    }
    if (result->failed && seen->recorded) {
        unlink(path.text);
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_record_free(made);
    campaign_own_program_words_free(words);
    cli_study_line_free(&line);
    isocast_buffer_free(&path);
    return status;
}

/* "record p = 12 or 16": the numbers of processes that derive asks for. */
static void find_asked(const char *text, campaign_study_result *result) {
    static const char asks[] = "ecord p = ";
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, asks)) != NULL;) {
        at += sizeof asks - 1;
        for (char *next = NULL; count < CAMPAIGN_STUDY_ASKED;) {
            long p = strtol(at, &next, 10);
            if (next == at || p < 1 || p > 64) {
                break;
            }
            result->asked[count++] = p;
            at = next;
            at += strncmp(at, " or ", 4) == 0 ? 4 : strncmp(at, " and ", 5) == 0 ? 5 : 0;
            at += strncmp(at, ", ", 2) == 0 ? 2 : 0;
        }
    }
}

static void put_derive(const cli_study *study, const campaign_study_step *step,
                       cli_study_line *line) {
    cli_study_put(line, "isocast", "derive", NULL);
    put_records(study, line, NULL, "records");
    put_records(study, line, "--hold-out", "held");
    cli_study_put(line, "--size", NULL);
    cli_study_putf(line, "N=%zu", study->size_word);
    if (study->marked_speed != NULL) {
        cli_study_put(line, "--marked-speed", study->marked_speed, NULL);
    }
    if (step->kind == CAMPAIGN_STUDY_COMPARE) {
        cli_study_put(line, "--machine", NULL);
        cli_study_putf(line, "%s/machine.yaml", study->folder);
    }
    cli_study_put(line, "-o", NULL);
    cli_study_putf(line, "%s/algorithm.yaml", study->folder);
}

static void put_calibrate(const cli_study *study, const campaign_study_step *step,
                          cli_study_line *line) {
    bool times = step->kind == CAMPAIGN_STUDY_TIME;
    cli_study_put(line, "isocast", "calibrate", "--for", NULL);
    cli_study_putf(line, "%s/algorithm.yaml", study->folder);
    if (times) {
        cli_study_put(line, "--command", study->command, NULL);
        put_sizes(line, step->sizes, step->size_count, 0);
        put_counts(line, "--processes", step->counts, step->count_count);
        cli_study_put(line, "--machine", NULL);
        cli_study_putf(line, "%s/machine.yaml", study->folder);
    } else {
        cli_study_put(line, "--budget", NULL);
        cli_study_putf(line, "%.3gs", step->limit);
    }
    if (times && step->repetitions > 0) {
        cli_study_put(line, "--repetitions", NULL);
        cli_study_putf(line, "%zu", step->repetitions);
    }
    put_launcher(study, line);
    cli_study_put(line, "-o", NULL);
    cli_study_putf(line, "%s/machine.yaml", study->folder);
}

/* The runs go where calibrate looks for those of the time per flop, which are made with them: what
 * slows a machine for minutes then slows both. */
static void put_measure(const cli_study *study, const campaign_study_step *step,
                        cli_study_line *line) {
    cli_study_put(line, "isocast", "measure", "--command", study->command, "--algorithm", NULL);
    cli_study_putf(line, "%s/algorithm.yaml", study->folder);
    cli_study_put(line, "--machine", NULL);
    cli_study_putf(line, "%s/machine.yaml", study->folder);
    put_counts(line, "--systems", step->counts, step->count_count);
    put_sizes(line, step->sizes, step->size_count, step->N);
    if (step->repetitions > 0) {
        cli_study_put(line, "--repetitions", NULL);
        cli_study_putf(line, "%zu", step->repetitions);
    } else {
        cli_study_put(line, "--calm", NULL);
    }
    put_launcher(study, line);
    cli_study_put(line, "-o", NULL);
    cli_study_putf(line, "%s/machine.runs.csv", study->folder);
}

isocast_status cli_study_step(const cli_study *study, const campaign_study_step *step,
                              campaign_study_result *result, cli_study_seen *seen) {
    double begun = campaign_clock();
    isocast_status status = ISOCAST_OK;
    cli_study_line line = {0};
    launcher_end end = {0};
    bool first = step->kind == CAMPAIGN_STUDY_DERIVE;
    double limit = step->limit;
    switch (step->kind) {
    case CAMPAIGN_STUDY_TRY:
    case CAMPAIGN_STUDY_RECORD:
    case CAMPAIGN_STUDY_HOLD:
        status = record(study, step, result, seen);
        break;
    case CAMPAIGN_STUDY_DERIVE:
    case CAMPAIGN_STUDY_COMPARE:
        put_derive(study, step, &line);
        break;
    case CAMPAIGN_STUDY_MEASURE:
        put_measure(study, step, &line);
        break;
    case CAMPAIGN_STUDY_CALIBRATE:
        limit = 2 * step->limit + 30;
    /* fall through */
    default:
        put_calibrate(study, step, &line);
        break;
    }
    if (line.count > 0) {
        status = cli_study_execute(study, &line, limit, first ? study->said : NULL, &end);
        result->failed = status == ISOCAST_PROGRAM;
        if (result->failed && (first || end.cause == LAUNCHER_TIMEOUT)) {
            fprintf(stderr, "%s%s", end.text, isocast_text_ends(end.text, "\n") ? "" : "\n");
        }
        if (first && !result->failed) {
            find_asked(end.text, result);
        }
        status = result->failed ? ISOCAST_OK : status;
    }
    cli_study_line_free(&line);
    result->seconds = campaign_clock() - begun;
    return status;
}
