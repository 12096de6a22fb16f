#include "study_run.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/output/provenance.h"
#include "model/base/text.h"
#include "model/record/record.h"

#define RECORD(place)                                                                              \
    "isocast record --quiet -n {p} --launcher={launcher} -o {folder}/" place ".csv --"
#define DERIVE                                                                                     \
    "isocast derive {folder}/records/*.csv {hold-out} {folder}/held/*.csv --size N={word} "        \
    "--marked-speed={marked_speed} {quiet} -o {folder}/algorithm.yaml"

/* The runs go where calibrate looks for those of the time per flop, which are made with them: what
 * slows a machine for minutes then slows both. */
static const char *const templates[] = {
    [CAMPAIGN_STUDY_TRY] = RECORD("tries/{N}-p{p}"),
    [CAMPAIGN_STUDY_RECORD] = RECORD("records/{N}-p{p}-{run}"),
    [CAMPAIGN_STUDY_HOLD] = RECORD("held/{N}-p{p}"),
    [CAMPAIGN_STUDY_DERIVE] = DERIVE,
    [CAMPAIGN_STUDY_CALIBRATE] = "isocast calibrate --for {folder}/algorithm.yaml --budget {limit} "
                                 "--launcher={launcher} {quiet} -o {folder}/calibrated.yaml",
    [CAMPAIGN_STUDY_COMPARE] = DERIVE " --machine {folder}/calibrated.yaml",
    [CAMPAIGN_STUDY_MEASURE] =
        "isocast measure --command {command} --algorithm {folder}/algorithm.yaml --machine "
        "{folder}/calibrated.yaml --systems {counts} --sizes {sizes},{N} {calm} "
        "--repetitions={repetitions} --launcher={launcher} {quiet} -o {folder}/machine.runs.csv",
    [CAMPAIGN_STUDY_TIME] =
        "isocast calibrate --for {folder}/algorithm.yaml --command {command} --processes {counts} "
        "--sizes {sizes} --repetitions={repetitions} --launcher={launcher} {quiet} --machine "
        "{folder}/calibrated.yaml -o {folder}/machine.yaml"};

/* ---- command lines ---- */

/* A command line on its way: the words, and the line that a shell makes them of. */
typedef struct line {
    launcher_words words;
    isocast_buffer shown;
} line;

static void put_word(line *l, const char *text) {
    isocast_buffer_puts(&l->shown, l->words.count > 0 ? " " : "");
    cli_argument_put(text, &l->shown);
    launcher_words_add(&l->words, text);
}

static void free_line(line *l) {
    launcher_words_free(&l->words);
    isocast_buffer_free(&l->shown);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All records of a folder, as the pattern that is shown gives them to a shell. */
static void put_records(line *l, const char *folder) {
    DIR *entries = opendir(folder);
    launcher_words found = {0};
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] != '.' && isocast_text_ends(entry->d_name, ".csv")) {
            isocast_buffer file = {0};
            isocast_buffer_printf(&file, "%s/%s", folder, entry->d_name);
            launcher_words_take(&found, &file);
        }
    }
    if (found.count > 0) {
        qsort(found.items, found.count, sizeof *found.items, compare_names);
        isocast_buffer_puts(&l->shown, " ");
        cli_argument_put(folder, &l->shown);
        isocast_buffer_puts(&l->shown, "/*.csv");
    }
    for (size_t i = 0; i < found.count; i++) {
        launcher_words_add(&l->words, found.items[i]);
    }
    l->words.failed = l->words.failed || found.failed;
    launcher_words_free(&found);
    if (entries != NULL) {
        closedir(entries);
    }
}

static bool holds_out(const cli_study *study) {
    line found = {0};
    isocast_buffer folder = {0};
    isocast_buffer_printf(&folder, "%s/held", study->folder);
    put_records(&found, folder.text != NULL ? folder.text : "");
    bool any = found.words.count > 0;
    isocast_buffer_free(&folder);
    free_line(&found);
    return any;
}

/* Appends what a name of a template stands for; false: nothing. */
static bool put_value(const cli_study *study, const campaign_study_step *step, const char *name,
                      isocast_buffer *out) {
    const struct {
        const char *name, *text;
    } texts[] = {
#define CLI_STUDY_ROW(name) {#name, study->name},
        CLI_STUDY_TEXTS(CLI_STUDY_ROW)
#undef CLI_STUDY_ROW
            {"calm", step->repetitions == 0 ? "--calm" : NULL},
        {"quiet", study->quiet ? "--quiet" : NULL},
        {"hold-out", holds_out(study) ? "--hold-out" : NULL}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].name, name) == 0) {
            isocast_buffer_puts(out, texts[i].text != NULL ? texts[i].text : "");
            return texts[i].text != NULL;
        }
    }
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"N", step->N},
                   {"p", (double)step->p},
                   {"run", (double)step->run},
                   {"limit", step->limit},
                   {"repetitions", (double)step->repetitions},
                   {"word", (double)study->size_word}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            isocast_buffer_printf(out, "%.10g", numbers[i].value);
            return numbers[i].value > 0;
        }
    }
    bool sizes = strcmp(name, "sizes") == 0;
    size_t count = sizes ? step->size_count : step->count_count;
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(out, "%s%.10g", i > 0 ? "," : "",
                              sizes ? step->sizes[i] : (double)step->counts[i]);
    }
    return count > 0;
}

/* Adds the words of a template. */
static void put_template(const cli_study *study, const campaign_study_step *step,
                         const char *template, line *l) {
    static const char records[] = "/*.csv";
    for (const char *at = template; *at != '\0'; at += *at == ' ') {
        isocast_buffer word = {0};
        bool known = true;
        while (*at != ' ' && *at != '\0') {
            if (*at == '{') {
                char name[32];
                size_t length = strcspn(at, "}");
                snprintf(name, sizeof name, "%.*s", (int)length - 1, at + 1);
                known = put_value(study, step, name, &word) && known;
                at += length + 1;
            } else {
                isocast_buffer_append(&word, at++, 1);
            }
        }
        l->words.failed = l->words.failed || word.failed;
        size_t ending = sizeof records - 1;
        bool many = (size_t)(at - template) >= ending && strncmp(at - ending, records, ending) == 0;
        if (known && word.text != NULL && many) {
            word.text[word.length - ending] = '\0';
            put_records(l, word.text);
        } else if (known && word.text != NULL) {
            put_word(l, word.text);
        }
        isocast_buffer_free(&word);
    }
}

/* ---- running ---- */

static bool keep_line(const char *text, void *context) {
    fprintf(context, "%s\n", text);
    return true;
}

/* Shows a command and runs it, for `limit` s at most (0: without a limit). What it prints goes into
 * `said`, or where that is NULL where this process prints. Errors: those of launcher_run(). */
static isocast_status execute(const cli_study *study, line *l, double limit, FILE *said,
                              launcher_end *end) {
    *end = (launcher_end){0};
    if (l->words.failed || l->shown.failed || l->words.count == 0) {
        return ISOCAST_NO_MEMORY;
    }
    if (launcher_was_interrupted()) {
        return ISOCAST_INTERRUPTED;
    }
    if (!study->quiet) {
        fprintf(stderr, "isocast study: %.0f s: %s\n", study->spent, l->shown.text);
    }
    if (study->commands != NULL) {
        fprintf(study->commands, "%s\n", l->shown.text);
        fflush(study->commands);
    }
    fflush(stdout);
    free(l->words.items[0]);
    l->words.items[0] = strdup(study->isocast);
    const launcher_request request = {.alone = true,
                                      .processes = 1,
                                      .command = (const char *const *)l->words.items,
                                      .timeout = limit,
                                      .through = said == NULL,
                                      .line = said != NULL ? keep_line : NULL,
                                      .context = said};
    isocast_status status =
        l->words.items[0] != NULL ? launcher_run(&request, end) : ISOCAST_NO_MEMORY;
    if (said != NULL) {
        fflush(said);
    }
    return status;
}

int cli_study_answer(const cli_study *study, const campaign_study_step *step,
                     const char *template) {
    line l = {0};
    launcher_end end;
    put_template(study, step, template, &l);
    isocast_status status = execute(study, &l, 0, NULL, &end);
    free_line(&l);
    int failed = end.cause == LAUNCHER_FAILED ? end.exit_code : CLI_EXIT_SYSTEM;
    return status == ISOCAST_OK ? CLI_EXIT_OK : failed;
}

/* What a command said at last: all where the program did not come to MPI_Init, else its last line
 * without the command's name. */
static const char *last_words(launcher_end *end, bool all) {
    static const char own[] = "isocast record: ";
    size_t length = strlen(end->text);
    while (length > 0 && end->text[length - 1] == '\n') {
        end->text[--length] = '\0';
    }
    const char *last = strrchr(end->text, '\n');
    const char *text = last != NULL && !all ? last + 1 : end->text;
    return strncmp(text, own, sizeof own - 1) == 0 ? text + sizeof own - 1 : text;
}

/* What a record says of its run. */
static void sum_up(const isocast_record *record, campaign_study_result *result,
                   cli_study_seen *seen) {
    /* s; less may be what the MPI library does in threads of its own, of runs that take a ms. */
    const double threads_least = 0.01;
    double others = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        const isocast_record_process *process = &record->processes[i];
        result->T = fmax(result->T, process->T);
        result->busy += process->cpu;
        result->memory = fmax(result->memory, process->memory);
        others += process->others;
    }
    seen->threads = others > threads_least ? others / result->busy : 0;
    seen->nameless = record->site_count > 0;
    for (size_t i = 0; i < record->site_count; i++) {
        seen->nameless = seen->nameless && record->sites[i].line == 0;
    }
}

static isocast_status record(const cli_study *study, const campaign_study_step *step,
                             campaign_study_result *result, cli_study_seen *seen) {
    line l = {0};
    put_template(study, step, templates[step->kind], &l);
    const char *path =
        l.words.count > 1 ? l.words.items[l.words.count - 2] : ""; /* of -o, before the last "--" */
    char *file = strdup(path);
    launcher_words words = {0};
    campaign_own_program_words(&study->program, step->N, (double)step->p, &words);
    for (size_t i = 0; i < words.count; i++) {
        put_word(&l, words.items[i]);
    }
    l.words.failed = l.words.failed || words.failed || file == NULL;
    launcher_end end = {0};
    if (file != NULL) {
        unlink(file); /* of a step that was interrupted */
    }
    isocast_status status = execute(study, &l, step->limit, study->said, &end);
    isocast_record *made = NULL;
    isocast_diagnostics diagnostics = {0};
    seen->recorded = file != NULL && access(file, F_OK) == 0;
    if (status == ISOCAST_OK && isocast_record_load(file, &diagnostics, &made) == ISOCAST_OK) {
        sum_up(made, result, seen);
    } else if (status == ISOCAST_OK || status == ISOCAST_PROGRAM) {
        fprintf(stderr, "isocast study: N = %.0f, p = %ld is left out: %s\n", step->N, step->p,
                end.cause == LAUNCHER_TIMEOUT ? "it takes too long"
                                              : last_words(&end, !seen->recorded));
        result->failed = true;
        status = ISOCAST_OK;
    }
    if (made == NULL && file != NULL && seen->recorded) {
        unlink(file);
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_record_free(made);
    launcher_words_free(&words);
    free_line(&l);
    free(file);
    return status;
}

/* "record p = 12 or 16": the numbers of processes that derive asks for. */
static void find_asked(const char *text, campaign_study_result *result) {
    static const char asks[] = "ecord p = ";
    static const char *const between[] = {", ", " or ", " and "};
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, asks)) != NULL;) {
        at += sizeof asks - 1;
        char *next = NULL;
        for (long p; count < CAMPAIGN_STUDY_ASKED && (p = strtol(at, &next, 10)) > 0;) {
            result->asked[count++] = p;
            at = next;
            for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
                size_t length = strlen(between[i]);
                at += strncmp(at, between[i], length) == 0 ? length : 0;
            }
            if (at == next) {
                break;
            }
        }
    }
}

isocast_status cli_study_step(const cli_study *study, const campaign_study_step *step,
                              campaign_study_result *result, cli_study_seen *seen) {
    double begun = campaign_clock();
    isocast_status status = ISOCAST_OK;
    if (step->kind <= CAMPAIGN_STUDY_HOLD) {
        status = record(study, step, result, seen);
    } else {
        /* What derive says at first is read, and said when it is known for good. */
        bool first = step->kind == CAMPAIGN_STUDY_DERIVE;
        bool calibrates = step->kind == CAMPAIGN_STUDY_CALIBRATE; /* it keeps to its own limit */
        line l = {0};
        launcher_end end;
        put_template(study, step, templates[step->kind], &l);
        status = execute(study, &l, calibrates ? 2 * step->limit + 30 : step->limit,
                         first ? study->said : NULL, &end);
        result->failed = status == ISOCAST_PROGRAM;
        if (result->failed && (first || end.cause == LAUNCHER_TIMEOUT)) {
            fprintf(stderr, "%s%s", end.text, isocast_text_ends(end.text, "\n") ? "" : "\n");
        } else if (first) {
            find_asked(end.text, result);
        }
        status = result->failed ? ISOCAST_OK : status;
        free_line(&l);
    }
    result->seconds = campaign_clock() - begun;
    return status;
}
