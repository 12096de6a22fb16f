#include "own_program.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/process_grid.h"
#include "program_file.h"
#include "record/join/join.h"

enum { WORDS_MAX = 256 };

static const char blanks[] = " \t\n";

/* Takes the next word, which starts at *at or after blanks. False where a quote is not closed. */
static bool take_word(const char **at, isocast_buffer *word) {
    char quote = '\0';
    for (; **at != '\0' && (quote != '\0' || strchr(blanks, **at) == NULL); (*at)++) {
        char byte = **at;
        if (quote == '\0' && (byte == '\'' || byte == '"')) {
            quote = byte;
        } else if (byte == quote) {
            quote = '\0';
        } else if (byte == '\\' && quote != '\'' && (*at)[1] != '\0') {
            (*at)++;
            isocast_buffer_append(word, *at, 1);
        } else {
            isocast_buffer_append(word, *at, 1);
        }
    }
    return quote == '\0';
}

/* Whether the placeholder of this name stands for the size. */
static bool is_size(const campaign_own_program *program, const char *name, size_t length) {
    return (length == 1 && *name == 'N') ||
           (program->size_name != NULL && strlen(program->size_name) == length &&
            strncmp(program->size_name, name, length) == 0);
}

bool campaign_own_program_is_side(const campaign_own_program *program, const char *name,
                                  size_t length, double p, double *value) {
    if (length != 2 || name[0] != 'p' || name[1] < 'x' || name[1] > 'z') {
        return false;
    }
    bool three = false;
    for (size_t i = 0; i < program->words.count; i++) {
        three = three || strstr(program->words.items[i], "{pz}") != NULL;
    }
    double shortest = three ? isocast_grid_layers(p) : 1;
    double middle = isocast_grid_rows(p / shortest);
    *value = name[1] == 'z' ? shortest : name[1] == 'y' ? middle : p / shortest / middle;
    return true;
}

/* The value of the placeholder of this name; false: there is none. */
static bool find_value(const campaign_own_program *program, const char *name, size_t length,
                       double N, double p, double *value) {
    if (is_size(program, name, length)) {
        *value = N;
        return true;
    }
    if (length == 1 && *name == 'p') {
        *value = p;
        return true;
    }
    for (size_t i = 0; i < program->setting_count; i++) {
        const char *known = program->settings[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            *value = program->settings[i].value;
            return true;
        }
    }
    return campaign_own_program_is_side(program, name, length, p, value);
}

/* Whether each "{name}" has a value; *has_size is set where one is the size. */
static bool check_placeholders(const campaign_own_program *program, const char *word,
                               bool *has_size, isocast_buffer *why) {
    const char *size = program->size_name != NULL ? program->size_name : "N";
    double unused;
    for (const char *open = strchr(word, '{'); open != NULL; open = strchr(open + 1, '{')) {
        const char *name = open + 1;
        size_t length = strcspn(name, "{}");
        if (name[length] != '}' || !isalpha((unsigned char)*name)) {
            continue;
        }
        *has_size = *has_size || is_size(program, name, length);
        if (!find_value(program, name, length, 1, 1, &unused)) {
            isocast_buffer_printf(why,
                                  "{%.*s} has no value: --set %.*s=VALUE gives it one; {%s}, "
                                  "{p}, {px}, {py} and {pz} have theirs",
                                  (int)length, name, (int)length, name, size);
            return false;
        }
    }
    return true;
}

bool campaign_own_program_check(const campaign_own_program *program, isocast_buffer *why) {
    bool has_size = false;
    for (size_t i = 0; i < program->words.count; i++) {
        if (!check_placeholders(program, program->words.items[i], &has_size, why)) {
            return false;
        }
    }
    if (!has_size) {
        isocast_buffer_printf(why, "it has no {%s}, so all sizes would be one",
                              program->size_name != NULL ? program->size_name : "N");
    }
    return has_size;
}

/* Whether a word comes to a simulated program as it stands. smpirun, a shell script, parts words at
 * blanks, expands patterns and drops empty words; SimGrid takes its own options out. */
static bool bears_smpirun(const char *word) {
    static const char *const own[] = {"--cfg=", "--log=", "--help-"};
    bool taken =
        strcmp(word, "--") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        taken = taken || strncmp(word, own[i], strlen(own[i])) == 0;
    }
    return !taken && word[0] != '\0' && strpbrk(word, " \t\n*?[") == NULL;
}

bool campaign_own_program_check_simulated(const campaign_own_program *program,
                                          isocast_buffer *why) {
    for (size_t i = 1; i < program->words.count; i++) {
        if (!bears_smpirun(program->words.items[i])) {
            isocast_buffer_printf(why,
                                  "'%s' would not come to the program as it stands: smpirun, which "
                                  "starts simulated runs, drops or parts words that are empty or "
                                  "have blanks, expands * ? [, and takes --cfg=, --log=, --help, "
                                  "--version and -- as its own. Let the program have that in "
                                  "another way, such as a file",
                                  program->words.items[i]);
            return false;
        }
    }
    return true;
}

bool campaign_own_program_split(const char *text, campaign_own_program *program,
                                isocast_buffer *why) {
    launcher_words *words = &program->words;
    for (const char *at = text + strspn(text, blanks); *at != '\0'; at += strspn(at, blanks)) {
        isocast_buffer word = {0};
        bool closed = take_word(&at, &word);
        launcher_words_take(words, &word);
        if (!closed) {
            isocast_buffer_puts(why, "a quote is not closed");
            return false;
        }
        if (words->failed) {
            isocast_buffer_puts(why, "out of memory");
            return false;
        }
        if (words->count > WORDS_MAX) {
            isocast_buffer_printf(why, "it has more than %d words", WORDS_MAX);
            return false;
        }
    }
    if (words->count == 0 || words->items[0][0] == '\0') {
        isocast_buffer_puts(why, "it names no program");
        return false;
    }
    return true;
}

/* The pattern, in which brackets around letters, digits and blanks get a backslash, unless an
 * operator that repeats them follows. */
static char *with_plain_brackets(const char *text) {
    isocast_buffer out = {0};
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            isocast_buffer_append(&out, at++, 2);
            continue;
        }
        size_t inside = 0;
        while (*at == '(' && (isalnum((unsigned char)at[1 + inside]) || at[1 + inside] == ' ')) {
            inside++;
        }
        bool plain = inside > 0 && at[1 + inside] == ')' &&
                     (at[2 + inside] == '\0' || strchr("*+?{", at[2 + inside]) == NULL);
        if (plain) {
            isocast_buffer_printf(&out, "\\(%.*s\\)", (int)inside, at + 1);
            at += inside + 1;
        } else {
            isocast_buffer_append(&out, at, 1);
        }
    }
    return isocast_buffer_take(&out);
}

bool campaign_own_program_time(const char *text, campaign_own_program *program,
                               isocast_buffer *why) {
    if (strcmp(text, "run") == 0 || strcmp(text, "region") == 0) {
        program->source = text[1] == 'u' ? CAMPAIGN_TIME_RUN : CAMPAIGN_TIME_REGION;
        return true;
    }
    char *pattern = with_plain_brackets(text);
    if (pattern == NULL) {
        isocast_buffer_puts(why, "out of memory");
        return false;
    }
    int failed = regcomp(&program->pattern, pattern, REG_EXTENDED);
    free(pattern);
    if (failed != 0) {
        char reason[128];
        regerror(failed, &program->pattern, reason, sizeof reason);
        isocast_buffer_printf(why, "the pattern is no regular expression: %s", reason);
        return false;
    }
    program->source = CAMPAIGN_TIME_OUTPUT;
    if (program->pattern.re_nsub == 0) {
        isocast_buffer_puts(why, "the pattern needs a group for the time, such as "
                                 "'time: ([0-9.eE+-]+)'; run and region need none");
        return false;
    }
    return true;
}

void campaign_own_program_free(campaign_own_program *program) {
    launcher_words_free(&program->words);
    if (program->source == CAMPAIGN_TIME_OUTPUT) {
        regfree(&program->pattern);
    }
    *program = (campaign_own_program){0};
}

enum { GROUPS_MAX = 16 };

/* Where a program that 'isocast cc' built leaves its times (cc/own_time.c). */
#define OWN_TIME_FILE "ISOCAST_TIME_FILE"

/* What the lines of a run report. */
typedef struct reading {
    const campaign_own_program *program;
    double T; /* s; NAN: not reported yet */
} reading;

/* The time in a line, where the pattern finds one. */
static bool take_line(const char *line, void *context) {
    reading *r = context;
    regmatch_t groups[GROUPS_MAX];
    if (r->program->source != CAMPAIGN_TIME_OUTPUT ||
        regexec(&r->program->pattern, line, GROUPS_MAX, groups, 0) != 0) {
        return true;
    }
    size_t last = r->program->pattern.re_nsub;
    last = last < GROUPS_MAX ? last : GROUPS_MAX - 1;
    while (last > 0 && groups[last].rm_so < 0) {
        last--;
    }
    char *end = NULL;
    const char *text = line + groups[last].rm_so;
    double T = strtod(text, &end);
    if (last > 0 && end > text && isfinite(T) && T > 0) {
        r->T = T;
    }
    return true;
}

static void fill_in(const campaign_own_program *program, const char *word, double N, double p,
                    launcher_words *words) {
    isocast_buffer out = {0};
    for (const char *at = word; *at != '\0';) {
        double value = 0;
        size_t name = *at == '{' ? strcspn(at + 1, "{}") : 0;
        if (name > 0 && at[1 + name] == '}' && find_value(program, at + 1, name, N, p, &value)) {
            isocast_buffer_printf(&out, "%.15g", value);
            at += name + 2;
        } else {
            isocast_buffer_append(&out, at++, 1);
        }
    }
    launcher_words_take(words, &out);
}

void campaign_own_program_words(const campaign_own_program *program, double N, double p,
                                launcher_words *out) {
    for (size_t i = 0; i < program->words.count; i++) {
        fill_in(program, program->words.items[i], N, p, out);
    }
}

/* The time that the processes left. */
static isocast_status time_of_parts(const campaign_own_program *program,
                                    const campaign_listener *listener, const record_folder *folder,
                                    double *T) {
    record_parts parts = {0};
    record_joined joined;
    isocast_status status = record_parts_open(folder, &parts);
    if (status != ISOCAST_OK) {
        return status == ISOCAST_IO ? campaign_fail(listener, status, "cannot read %s: %s",
                                                    folder->path, strerror(errno))
                                    : status;
    }
    record_sum_up(&parts, &joined);
    bool heard = parts.count > 0;
    bool broken = parts.broken > 0;
    int cause = parts.cause;
    record_parts_close(&parts);
    if (broken) {
        return campaign_fail(listener, ISOCAST_IO,
                             cause != 0 ? "cannot read what the processes left in %s: %s"
                                        : "processes could not leave their time in %s; is the disk "
                                          "full?",
                             folder->path, strerror(cause));
    }
    if (!heard || joined.end != ISOCAST_RECORD_COMPLETE) {
        return campaign_fail(
            listener, ISOCAST_PROGRAM,
            heard ? "the program did not call MPI_Finalize on all processes; --time PATTERN reads "
                    "its time from its output"
                  : "the program did not call MPI_Init of a shared MPI library; --time PATTERN "
                    "reads its time from its output");
    }
    bool regions = program->source == CAMPAIGN_TIME_REGION;
    if (regions && joined.regions < 1) {
        return campaign_fail(listener, ISOCAST_PROGRAM,
                             "the program marked no region: --time region needs MPI_Pcontrol(1) "
                             "before and MPI_Pcontrol(0) after what is timed");
    }
    *T = regions ? joined.region : joined.T;
    return ISOCAST_OK;
}

static void path_of(const campaign_own_program *program, const char *word, char *path,
                    size_t size) {
    bool below = program->folder != NULL && word[0] != '/';
    snprintf(path, size, "%s%s%s", below ? program->folder : "", below ? "/" : "", word);
}

/* What may be wrong with a program on a platform, as far as its file states. A script may follow
 * the name of its shell. */
static const char *simulated_hint(const campaign_own_program *program) {
    char path[4200];
    path_of(program, program->words.items[0], path, sizeof path);
    bool built = campaign_program_contains(path, "isocast_time_begin");
    bool script = campaign_program_is_script(path);
    if (!built && !script && program->words.items[1] != NULL) {
        path_of(program, program->words.items[1], path, sizeof path);
        script = campaign_program_is_script(path);
    }
    if (script) {
        return "\n    hint: it is a script, and the simulator loads the program itself. Give the "
               "program that 'isocast cc' built, with the arguments that the script gives it, as "
               "in "
               "--command './jacobi {N} 100'; --folder stands for a 'cd' of the script, and "
               "--environment NAME=VALUE for an 'export'";
    }
    return built ? ""
                 : "\n    hint: it was not built with 'isocast cc', as programs for platforms are: "
                   "'isocast cc -O2 -o jacobi jacobi.c' does so";
}

static isocast_status report_failure(const campaign_own_program *program,
                                     const campaign_listener *listener, bool simulated,
                                     isocast_status status, const launcher_end *end) {
    if (status == ISOCAST_INTERRUPTED) {
        return campaign_fail(listener, status,
                             "interrupted; finished rows are kept, the same command goes on from "
                             "there");
    }
    const char *obstacle = campaign_program_obstacle(program->words.items[0], program->folder);
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_FAILED && obstacle != NULL) {
        return campaign_fail(listener, status, "%s did not start: %s\n%s", program->words.items[0],
                             obstacle, end->text);
    }
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_FAILED) {
        return campaign_fail(listener, status, "%s ended with exit status %d%s\n%s",
                             program->words.items[0], end->exit_code,
                             simulated ? simulated_hint(program) : "", end->text);
    }
    return status == ISOCAST_NO_MEMORY ? status : campaign_fail(listener, status, "%s", end->text);
}

/* In a simulation the program's own part writes its times there (cc/own_time.c): a line for each
 * process, its time and that of its regions, in s. The simulator ends well also where processes
 * wait for each other forever; `said` is what it said then. */
static isocast_status time_of_simulation(const campaign_own_program *program,
                                         const campaign_listener *listener, const char *path,
                                         double processes, const char *said, double *T) {
    FILE *file = fopen(path, "re");
    double run = 0;
    double region = 0;
    double its[2] = {0, 0};
    char line[128];
    size_t lines = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "%lf %lf", &its[0], &its[1]) == 2) {
        run = fmax(run, its[0]);
        region = fmax(region, its[1]);
        lines++;
    }
    if (file != NULL) {
        fclose(file);
    }
    bool regions = program->source == CAMPAIGN_TIME_REGION;
    *T = regions ? region : run;
    if ((double)lines < processes) {
        const char *hint = simulated_hint(program);
        return campaign_fail(
            listener, ISOCAST_PROGRAM,
            "the program left the time of %zu of %.0f processes: it did not come "
            "to MPI_Finalize on all of them%s%s\n%s",
            lines, processes, hint,
            hint[0] != '\0' ? " (--time PATTERN reads a time from the output)" : "", said);
    }
    return *T > 0 ? ISOCAST_OK
                  : campaign_fail(listener, ISOCAST_PROGRAM,
                                  regions ? "the program marked no region by MPI_Pcontrol"
                                          : "the program took no simulated time");
}

static isocast_status run_in(const campaign_own_program *program, const campaign_listener *listener,
                             const char *launcher, const campaign_simulation *simulation,
                             const isocast_system *system, double N, const record_folder *folder,
                             double *T) {
    bool from_parts = program->source != CAMPAIGN_TIME_OUTPUT && simulation == NULL;
    launcher_words words = {0};
    launcher_words environment = {0};
    char path[4200];
    char variable[4300];
    snprintf(path, sizeof path, "%s/" RECORD_PART_NAME "times", folder->path);
    snprintf(variable, sizeof variable, OWN_TIME_FILE "=%s", path);
    campaign_own_program_words(program, N, system->p, &words);
    const char *const *given = program->environment;
    for (size_t i = 0; given != NULL && given[i] != NULL; i++) {
        launcher_words_add(&environment, given[i]);
    }
    if (simulation != NULL) {
        launcher_words_add(&environment, variable);
    }
    isocast_status status = from_parts ? campaign_preload(listener, program->library, folder,
                                                          RECORD_PART_MODE "=time", &environment)
                                       : ISOCAST_OK;
    status =
        status == ISOCAST_OK && (words.failed || environment.failed) ? ISOCAST_NO_MEMORY : status;
    bool ready = status == ISOCAST_OK;
    reading r = {program, NAN};
    launcher_request request =
        campaign_simulation_request(simulation, launcher, system, words.items);
    request.timeout = program->limit;
    request.environment = (const char *const *)environment.items;
    request.folder = program->folder;
    request.line = take_line;
    request.context = &r;
    launcher_end end;
    status = ready ? launcher_run(&request, &end) : status;
    launcher_words_free(&words);
    launcher_words_free(&environment);
    if (!ready) {
        return status;
    }
    if (status == ISOCAST_PROGRAM && end.cause == LAUNCHER_TIMEOUT) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "on %s: N = %.0f took more than %g s (--limit), and is left out",
                        system->name, N, program->limit);
        *T = NAN;
        return ISOCAST_OK;
    }
    if (status != ISOCAST_OK) {
        return report_failure(program, listener, simulation != NULL, status, &end);
    }
    if (program->source == CAMPAIGN_TIME_OUTPUT) {
        *T = r.T;
        return isnan(r.T) ? campaign_fail(listener, ISOCAST_PROGRAM,
                                          "the program ended well, but no line of its output has "
                                          "the time that --time looks for")
                          : ISOCAST_OK;
    }
    return from_parts ? time_of_parts(program, listener, folder, T)
                      : time_of_simulation(program, listener, path, system->p, end.text, T);
}

isocast_status campaign_own_program_run(const campaign_own_program *program,
                                        const campaign_listener *listener, const char *launcher,
                                        const campaign_simulation *simulation,
                                        const isocast_system *system, double N, double *T) {
    char folder[4096];
    bool simulated = simulation != NULL;
    snprintf(folder, sizeof folder, "%s%s-XXXXXX", simulated ? simulation->folder : program->place,
             simulated ? "/run" : ".run");
    if (mkdtemp(folder) == NULL) {
        return campaign_fail(listener, ISOCAST_IO, "cannot make the folder %s: %s", folder,
                             strerror(errno));
    }
    double seconds = NAN;
    record_folder parts;
    isocast_status status = campaign_folder_hold(listener, folder, &parts);
    if (status == ISOCAST_OK) {
        status = run_in(program, listener, launcher, simulation, system, N, &parts, &seconds);
        campaign_folder_remove(listener, &parts);
    }
    if (status == ISOCAST_OK) {
        *T = seconds;
    }
    return status;
}
