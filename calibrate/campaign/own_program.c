#include "own_program.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher.h"
#include "preload.h"
#include "program_file.h"
#include "record/join/join.h"

enum { GROUPS_MAX = 16 };

/* Where a program that 'isocast cc' built leaves its times (cc/own_time.c). */
#define OWN_TIME_FILE "ISOCAST_TIME_FILE"

/* What the lines of a run tell. */
typedef struct reading {
    const campaign_own_program *program;
    double T; /* s; NAN: not told yet */
} reading;

/* The time in a line, where the pattern finds one. */
static bool take_line(const char *line, void *context) {
    reading *r = context;
    regmatch_t groups[GROUPS_MAX];
    if (!r->program->has_pattern ||
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

/* The value of a placeholder at "{"; *length gets that of the placeholder, 0 where it is none. */
static double value_of(const campaign_own_program *program, const char *at, double N, double p,
                       size_t *length) {
    size_t name = strcspn(at + 1, "{}");
    *length = at[1 + name] == '}' ? name + 2 : 0;
    if (campaign_own_program_is_size(program, at + 1, name)) {
        return N;
    }
    if (name == 1 && at[1] == 'p') {
        return p;
    }
    for (size_t i = 0; i < program->setting_count; i++) {
        const char *known = program->settings[i].name;
        if (strlen(known) == name && strncmp(known, at + 1, name) == 0) {
            return program->settings[i].value;
        }
    }
    double side = 0;
    if (!campaign_own_program_is_side(program, at + 1, name, p, &side)) {
        *length = 0;
    }
    return side;
}

static char *fill_in(const campaign_own_program *program, const char *word, double N, double p) {
    isocast_buffer out = {0};
    isocast_buffer_puts(&out, "");
    for (const char *at = word; *at != '\0';) {
        size_t length = 0;
        double value = *at == '{' ? value_of(program, at, N, p, &length) : 0;
        if (length > 0) {
            isocast_buffer_printf(&out, "%.15g", value);
        } else {
            isocast_buffer_append(&out, at, 1);
        }
        at += length > 0 ? length : 1;
    }
    return isocast_buffer_take(&out);
}

static void free_words(char **words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        free(words[i]);
    }
    free(words);
}

static char **words_of(const campaign_own_program *program, double N, double p) {
    char **words = calloc(program->count + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < program->count; i++) {
        words[i] = fill_in(program, program->words[i], N, p);
        if (words[i] == NULL) {
            free_words(words);
            return NULL;
        }
    }
    return words;
}

/* The environment of a run: the user's, and then what the library needs, which is freed. */
typedef struct surroundings {
    char **all; /* NULL-terminated */
    size_t given;
} surroundings;

/* `folder`: where parts are left; NULL: there are none. */
static isocast_status surround(const campaign_own_program *program,
                               const campaign_listener *listener, const record_folder *folder,
                               surroundings *out) {
    size_t given = 0;
    while (program->environment != NULL && program->environment[given] != NULL) {
        given++;
    }
    *out = (surroundings){calloc(given + CAMPAIGN_PRELOAD_VARIABLES + 1, sizeof *out->all), given};
    if (out->all == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < given; i++) {
        out->all[i] = (char *)program->environment[i];
    }
    return folder == NULL ? ISOCAST_OK
                          : campaign_preload(listener, program->library, folder,
                                             RECORD_PART_MODE "=time", out->all + given);
}

static void surroundings_free(surroundings *s) {
    if (s->all != NULL) {
        campaign_preload_free(s->all + s->given);
    }
    free(s->all);
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

/* What may be wrong with a program on a platform, as far as its file tells. A script may follow the
 * name of its shell. */
static const char *simulated_hint(const campaign_own_program *program) {
    char path[4200];
    path_of(program, program->words[0], path, sizeof path);
    bool built = campaign_program_contains(path, "isocast_time_begin");
    bool script = campaign_program_is_script(path);
    if (!built && !script && program->words[1] != NULL) {
        path_of(program, program->words[1], path, sizeof path);
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

static isocast_status tell_failure(const campaign_own_program *program,
                                   const campaign_listener *listener, bool simulated,
                                   isocast_status status, const launcher_end *end) {
    if (status == ISOCAST_INTERRUPTED) {
        return campaign_fail(listener, status,
                             "interrupted; finished rows are kept, the same command goes on from "
                             "there");
    }
    const char *obstacle = campaign_program_obstacle(program->words[0], program->folder);
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_FAILED && obstacle != NULL) {
        return campaign_fail(listener, status, "%s did not start: %s\n%s", program->words[0],
                             obstacle, end->text);
    }
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_FAILED) {
        return campaign_fail(listener, status, "%s ended with exit status %d%s\n%s",
                             program->words[0], end->exit_code,
                             simulated ? simulated_hint(program) : "", end->text);
    }
    return status == ISOCAST_NO_MEMORY ? status : campaign_fail(listener, status, "%s", end->text);
}

/* In a simulation the program's own part writes its times there (cc/own_time.c): a line for each
 * process, its time and that of its regions, in s. The simulator ends well also where processes
 * wait for each other for ever; `said` is what it said then. */
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
    surroundings environment = {0};
    char **words = words_of(program, N, system->p);
    isocast_status ready =
        words == NULL ? ISOCAST_NO_MEMORY
                      : surround(program, listener, from_parts ? folder : NULL, &environment);
    if (ready != ISOCAST_OK) {
        free_words(words);
        surroundings_free(&environment);
        return ready;
    }
    char path[4200];
    char variable[4300];
    snprintf(path, sizeof path, "%s/" RECORD_PART_NAME "times", folder->path);
    snprintf(variable, sizeof variable, OWN_TIME_FILE "=%s", path);
    if (simulation != NULL) {
        environment.all[environment.given] = strdup(variable);
    }
    reading r = {program, NAN};
    launcher_request request = {.launcher = simulation != NULL ? simulation->launcher : launcher,
                                .processes = (long)system->p,
                                .nodes = (long)system->nodes,
                                .command = (const char *const *)words,
                                .timeout = program->limit,
                                .temporary = simulation != NULL ? simulation->folder : NULL,
                                .environment = (const char *const *)environment.all,
                                .folder = program->folder,
                                .line = take_line,
                                .context = &r};
    launcher_end end;
    isocast_status launched = launcher_run(&request, &end);
    free_words(words);
    surroundings_free(&environment);
    if (launched == ISOCAST_PROGRAM && end.cause == LAUNCHER_TIMEOUT) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "on %s: N = %.0f took more than %g s (--limit), and is left out",
                      system->name, N, program->limit);
        *T = NAN;
        return ISOCAST_OK;
    }
    if (launched != ISOCAST_OK) {
        return tell_failure(program, listener, simulation != NULL, launched, &end);
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
