#include "measure_own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibrate/campaign/record_run.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/number.h"
#include "model/base/text.h"
#include "model/spec/definition.h"
#include "model/spec/rules.h"

static void append_nearest(const char *name, isocast_valid_pair next, isocast_buffer *out) {
    bool both = !isnan(next.below) && !isnan(next.above);
    if (both) {
        isocast_buffer_printf(out, "; the nearest %s are %.0f and %.0f", name, next.below,
                              next.above);
    } else if (!isnan(next.below) || !isnan(next.above)) {
        isocast_buffer_printf(out, "; the nearest %s is %.0f", name,
                              isnan(next.below) ? next.above : next.below);
    }
}

/* A system by itself (N is NAN), or a size on it. */
static int check_point(const cli_usage *usage, const isocast_algorithm *algorithm,
                       const isocast_system *system, double N) {
    static const isocast_valid any = {.factor_count = 0};
    const isocast_rules_point point = {N, NULL, system->p};
    bool of_N = !isnan(N);
    isocast_valid_pair next = {NAN, NAN};
    const char *broken = NULL;
    isocast_status status = isocast_rules_broken(algorithm, of_N, &point, &broken);
    if (status == ISOCAST_OK && broken != NULL) {
        status = of_N ? isocast_rules_nearest_N(algorithm, &any, &point, &next)
                      : isocast_rules_nearest_p(algorithm, &point, &next);
    }
    if (status != ISOCAST_OK || broken == NULL) {
        return cli_exit_of(status);
    }
    isocast_buffer nearest = {0};
    append_nearest(of_N ? algorithm->sizes[0].name : "valid p", next, &nearest);
    isocast_buffer size = {0};
    if (of_N) {
        isocast_buffer_printf(&size, "%s = %.0f on ", algorithm->sizes[0].name, N);
    }
    int result = nearest.failed || size.failed
                     ? cli_exit_of(ISOCAST_NO_MEMORY)
                     : cli_usage_error(usage,
                                       "%s%s cannot be measured: %s%s (--keep-sizes tries it all "
                                       "the same)",
                                       of_N ? size.text : "system ", system->name, broken,
                                       nearest.text != NULL ? nearest.text : "");
    isocast_buffer_free(&nearest);
    isocast_buffer_free(&size);
    return result;
}

int cli_measure_check_rules(const cli_usage *usage, const isocast_algorithm *algorithm,
                            const cli_measure_points *points) {
    int status = CLI_EXIT_OK;
    /* Kernels have one size. */
    bool has_rules = algorithm->rule_count > 0 && algorithm->size_count == 1;
    for (size_t i = 0; has_rules && status == CLI_EXIT_OK && i < points->system_count; i++) {
        const isocast_system *system = points->systems[i];
        status = check_point(usage, algorithm, system, NAN);
        for (size_t k = 0; status == CLI_EXIT_OK && k < points->size_count; k++) {
            status = check_point(usage, algorithm, system, points->sizes[k]);
        }
    }
    return status;
}

bool cli_steps_named(const char *text) {
    if (strchr(text, '/') != NULL || isocast_text_ends(text, ".yaml")) {
        return true;
    }
    isocast_buffer kinds = {0};
    bool named = cli_locate_kinds(text, &kinds) && kinds.text != NULL &&
                 strstr(kinds.text, "algorithm") != NULL;
    isocast_buffer_free(&kinds);
    return named;
}

/* Sets what the algorithm knows, and leaves the rest in the list. */
static isocast_status set_values(cli_list *settings, const char **size,
                                 isocast_algorithm *algorithm, isocast_diagnostics *diagnostics,
                                 campaign_steps *steps) {
    isocast_status status = ISOCAST_OK;
    size_t kept = 0;
    for (size_t i = 0; i < settings->count; i++) {
        const char *text = settings->items[i];
        char *name = strndup(text, strcspn(text, "="));
        isocast_setting set = {0};
        if (name == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        if (size != NULL && text[strlen(name)] == '=' &&
            strcmp(name, algorithm->sizes[0].name) == 0) {
            *size = text;
        } else if (isocast_setting_kind_of(name, algorithm, NULL) != ISOCAST_SETTING_ALGORITHM) {
            settings->items[kept++] = text;
        } else if (status == ISOCAST_OK) {
            status = isocast_setting_apply("--set", text, algorithm, NULL, diagnostics, &set);
            if (status == ISOCAST_OK && !campaign_steps_set(steps, &set)) {
                status = ISOCAST_NO_MEMORY;
            }
        }
        free(set.name);
        free(name);
    }
    settings->count = kept;
    return status;
}

/* What the file could not state as steps is not in their times. */
static void note_uncertain(const cli_usage *usage, const isocast_algorithm *algorithm) {
    if (algorithm->uncertain_count > 0) {
        fprintf(stderr, "isocast %s: the steps do not have '%s'", usage->command,
                algorithm->uncertain[0].name);
        if (algorithm->uncertain_count > 1) {
            fprintf(stderr, " and %zu more terms", algorithm->uncertain_count - 1);
        }
        fprintf(stderr, ", which the algorithm file has under 'uncertain': T may be longer or "
                        "shorter\n");
    }
}

int cli_steps_load(const cli_usage *usage, const char *name, cli_list *settings, const char **size,
                   bool quiet, cli_loaded *out, campaign_steps *steps) {
    int loaded = cli_load_algorithm(name, quiet, out);
    if (loaded != CLI_EXIT_OK || out->algorithm->program == NULL) {
        return loaded;
    }
    isocast_algorithm *algorithm = out->algorithm;
    isocast_buffer why = {0};
    int found = campaign_steps_locate(out->algorithm_path, steps, &why)
                    ? CLI_EXIT_OK
                    : cli_usage_error(usage, "%s", why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    if (found != CLI_EXIT_OK) {
        return found;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status set = set_values(settings, size, algorithm, &diagnostics, steps);
    found = cli_exit_with_text(&diagnostics, set);
    if (found != CLI_EXIT_OK) {
        return found;
    }
    if (algorithm->size_count > 1) {
        return cli_size_missing(usage, algorithm, &algorithm->sizes[1], "--set");
    }
    steps->algorithm = algorithm;
    if (!quiet) {
        note_uncertain(usage, algorithm);
    }
    return CLI_EXIT_OK;
}

campaign_kernel cli_steps_kernel(const isocast_algorithm *algorithm) {
    campaign_kernel made;
    snprintf(made.name, sizeof made.name, "%s",
             algorithm->kernel != NULL ? algorithm->kernel : algorithm->name);
    snprintf(made.algorithm, sizeof made.algorithm, "%s", algorithm->name);
    return made;
}

bool cli_own_program_asked(const cli_own_program *own) {
    return own->command != NULL;
}

int cli_own_program_check(const cli_usage *usage, const cli_own_program *own, const char *kernel,
                          bool on_platform, bool finds) {
    if (own->command != NULL && kernel != NULL) {
        return cli_usage_error(usage, "give a KERNEL or --command, not both");
    }
    if (own->command == NULL && kernel == NULL) {
        return cli_usage_error(usage, "name a KERNEL or an ALGORITHM with a program, or an "
                                      "MPI program with --command");
    }
    bool others = own->time != NULL || own->algorithm != NULL || own->folder != NULL ||
                  own->environment.count > 0 || own->speed > 0;
    if (own->command == NULL && others) {
        return cli_usage_error(usage, "--time, --algorithm, --folder, --environment and "
                                      "--own-speed go with --command");
    }
    if (own->speed > 0 && !on_platform) {
        return cli_usage_error(usage, "--own-speed goes with --platform");
    }
    if (own->command != NULL && finds && own->algorithm == NULL) {
        return cli_usage_error(usage, "--find needs --algorithm: its work is what E is about");
    }
    return CLI_EXIT_OK;
}

/* "NAME=VALUE" of --set. */
static int read_settings(const cli_usage *usage, cli_own_program *own) {
    own->values = calloc(own->settings.count + 1, sizeof *own->values);
    if (own->values == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    own->program.settings = own->values;
    for (size_t i = 0; i < own->settings.count; i++) {
        const char *text = own->settings.items[i];
        size_t length = strcspn(text, "=");
        campaign_setting *setting = &own->values[i];
        bool is_name =
            length > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") >= length;
        if (!is_name || text[length] != '=' ||
            !cli_number_parse(text + length + 1, &setting->value)) {
            return cli_usage_error(usage, "--set takes NAME=NUMBER, not '%s'", text);
        }
        static const char *const known[] = {
            "N", "p", "T", "algorithm", "machine", "system", "repetition", "oversubscribed", "C"};
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            if (strlen(known[k]) == length && strncmp(known[k], text, length) == 0) {
                return cli_usage_error(usage,
                                       "--set cannot set %s: a column of the runs has that "
                                       "name; sizes come from --sizes",
                                       known[k]);
            }
        }
        setting->name = strndup(text, length);
        if (setting->name == NULL) {
            return cli_exit_of(ISOCAST_NO_MEMORY);
        }
        own->program.setting_count++;
    }
    return CLI_EXIT_OK;
}

static int read_environment(const cli_usage *usage, cli_own_program *own) {
    own->variables = calloc(own->environment.count + 1, sizeof *own->variables);
    if (own->variables == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < own->environment.count; i++) {
        const char *text = own->environment.items[i];
        if (text[0] == '=' || strchr(text, '=') == NULL) {
            return cli_usage_error(usage, "--environment takes NAME=VALUE, not '%s'", text);
        }
        own->variables[i] = text;
    }
    own->program.environment = own->variables;
    return CLI_EXIT_OK;
}

static int read_command(const cli_usage *usage, bool on_platform, cli_own_program *own) {
    isocast_buffer why = {0};
    bool good = campaign_own_program_split(own->command, &own->program, &why) &&
                (!on_platform || campaign_own_program_check_simulated(&own->program, &why));
    if (good && campaign_is_launcher(own->program.words.items[0])) {
        isocast_buffer_printf(&why,
                              "%s is a launcher, and isocast starts one itself for each number of "
                              "processes: name the program alone, and give another launcher with "
                              "--launcher",
                              own->program.words.items[0]);
        good = false;
    }
    const char *equals = good ? strchr(own->program.words.items[0], '=') : NULL;
    if (equals != NULL && memchr(own->program.words.items[0], '/',
                                 (size_t)(equals - own->program.words.items[0])) == NULL) {
        isocast_buffer_printf(&why,
                              "no shell sees it: a variable of the environment is given by "
                              "--environment %s",
                              own->program.words.items[0]);
        good = false;
    }
    const char *option = "--command";
    if (good && own->time != NULL) {
        good = campaign_own_program_time(own->time, &own->program, &why);
        option = "--time";
    }
    int status = good ? CLI_EXIT_OK
                      : cli_usage_error(usage, "%s: %s", option,
                                        why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    return status;
}

int cli_own_program_read(const cli_usage *usage, cli_own_program *own, bool on_platform,
                         const char *output, campaign_kernel *kernel) {
    struct stat folder;
    if (own->folder != NULL && (stat(own->folder, &folder) != 0 || !S_ISDIR(folder.st_mode))) {
        return cli_usage_error(usage, "--folder: %s is no folder", own->folder);
    }
    int status = read_settings(usage, own);
    CLI_THEN(status, read_environment(usage, own));
    CLI_THEN(status, read_command(usage, on_platform, own));
    if (status != CLI_EXIT_OK) {
        return status;
    }
    own->library = cli_locate_part("libisocast-record.so");
    if (own->library == NULL && own->program.source != CAMPAIGN_TIME_OUTPUT) {
        return cli_locate_lacks(usage->command, "libisocast-record.so", CLI_WITHOUT_MPICH);
    }
    own->program.library = own->library;
    own->program.folder = own->folder;
    own->program.place = output;
    const char *slash = strrchr(own->program.words.items[0], '/');
    const char *name = slash != NULL ? slash + 1 : own->program.words.items[0];
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    snprintf(kernel->algorithm, sizeof kernel->algorithm, "%s", name);
    return CLI_EXIT_OK;
}

/* Whether an algorithm has a further size, a parameter or a definition of a name. */
static bool knows(const isocast_algorithm *algorithm, const char *name) {
    bool known = isocast_definition_find(algorithm, name) < algorithm->definition_count;
    for (size_t i = 1; i < algorithm->size_count && !known; i++) {
        known = strcmp(algorithm->sizes[i].name, name) == 0;
    }
    for (size_t i = 0; i < algorithm->requirement_count && !known; i++) {
        known = strcmp(algorithm->requirements[i].name, name) == 0;
    }
    return known;
}

/* The settings that the algorithm knows. */
static int set_algorithm(const cli_usage *usage, const cli_own_program *own,
                         isocast_algorithm *algorithm) {
    const size_t count = own->program.setting_count;
    const char *size = algorithm->sizes[0].name;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(own->values[i].name, size) == 0) {
            return cli_usage_error(usage,
                                   "--set cannot set %s: it is the size of %s, and --sizes gives "
                                   "its values",
                                   size, algorithm->name);
        }
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        isocast_setting set = {0};
        if (knows(algorithm, own->values[i].name)) {
            status = isocast_setting_apply("--set", own->settings.items[i], algorithm, NULL,
                                           &diagnostics, &set);
            free(set.name);
        }
    }
    return cli_exit_with_text(&diagnostics, status);
}

int cli_own_program_apply(const cli_usage *usage, cli_own_program *own, bool needs_all,
                          isocast_algorithm *algorithm) {
    if (algorithm != NULL) {
        own->program.size_name = algorithm->sizes[0].name;
        int status = set_algorithm(usage, own, algorithm);
        if (status != CLI_EXIT_OK) {
            return status;
        }
    }
    isocast_buffer why = {0};
    int status = campaign_own_program_check(&own->program, &why)
                     ? CLI_EXIT_OK
                     : cli_usage_error(usage, "--command: %s",
                                       why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    const isocast_size *further =
        needs_all && algorithm != NULL && algorithm->size_count > 1 ? &algorithm->sizes[1] : NULL;
    return status != CLI_EXIT_OK || further == NULL
               ? status
               : cli_size_missing(usage, algorithm, further, "--set");
}

double cli_own_program_speed(const cli_usage *usage, const cli_own_program *own,
                             const isocast_machine *hardware, bool quiet) {
    if (own->speed > 0) {
        return own->speed;
    }
    double speed = hardware->classes[0].marked_speed;
    if (!quiet) {
        fprintf(stderr,
                "isocast %s: computing takes the time that it takes on this machine, as if it were "
                "as fast as the platform (%g Mflop/s); --own-speed says how fast it is\n",
                usage->command, 1e-6 * speed);
    }
    return speed;
}

void cli_own_program_free(cli_own_program *own) {
    for (size_t i = 0; own->values != NULL && i < own->program.setting_count; i++) {
        free((char *)own->values[i].name);
    }
    free(own->values);
    free(own->variables);
    free(own->library);
    campaign_own_program_free(&own->program);
}
