#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "locate.h"
#include "model/base/source_read.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/capacity.h"
#include "model/spec/kernel_time.h"
#include "model/spec/machine_load.h"
#include "model/spec/marked_speed_choice.h"
#include "model/spec/platform_load.h"
#include "model/spec/requirement.h"
#include "model/yaml/tree.h"
#include "spec_kind.h"

static const char marked_speed_option[] = "--marked-speed";

static int report(isocast_diagnostics *diagnostics) {
    isocast_status status = cli_diagnostics_report(diagnostics, false, ISOCAST_INVALID);
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
}

bool cli_is_marked_speed(const char *name) {
    static const char ending[] = ".marked_speed";
    enum { ENDING = sizeof ending - 1 };
    size_t length = strcspn(name, "=");
    return length > ENDING && strncmp(name + length - ENDING, ending, ENDING) == 0;
}

/* The first text of --set that gives a marked speed; NULL where none does. */
static const char *marked_speed_among(const cli_list *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (cli_is_marked_speed(set->items[i])) {
            return set->items[i];
        }
    }
    return NULL;
}

static int refuse_peak(const cli_marked_speed_subject *s, const char *why) {
    isocast_diagnostics diagnostics = {0};
    isocast_buffer hint = {0};
    if (s->kernel != NULL && s->algorithm != NULL) {
        isocast_buffer_printf(&hint,
                              "'isocast calibrate --for %s' measures it; or give a speed, such as "
                              "--marked-speed 20Gflop/s",
                              s->algorithm->name);
    } else {
        isocast_buffer_puts(&hint, "give a speed, such as --marked-speed 20Gflop/s");
    }
    isocast_diagnostics_rely(&diagnostics, &hint);
    if (s->kernel == NULL) {
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, marked_speed_option, hint.text,
                                     "peak is the best rate of a kernel, and %s%s%s names none",
                                     s->algorithm != NULL ? "algorithm '" : "the program",
                                     s->algorithm != NULL ? s->algorithm->name : "",
                                     s->algorithm != NULL ? "'" : "");
    } else {
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, marked_speed_option, hint.text,
                                     "the best rate of kernel '%s' is not known: machine '%s' %s",
                                     s->kernel, s->machine->name, why);
    }
    isocast_buffer_free(&hint);
    return report(&diagnostics);
}

static int take_peak(const cli_marked_speed_subject *s) {
    const isocast_operation *entry = isocast_kernel_time_entry(s->machine, s->kernel);
    if (entry == NULL) {
        return refuse_peak(s, "has no time per flop for it in the section compute");
    }
    isocast_status status = isocast_marked_speed_take_peak(s->machine, entry);
    return status == ISOCAST_DOMAIN
               ? refuse_peak(s, "does not say for which working sets its time per flop was "
                                "measured")
               : cli_exit_of(status);
}

static int refuse(const char *hint, const char *message) {
    isocast_diagnostics diagnostics = {0};
    isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, marked_speed_option, hint, "%s",
                                 message);
    return report(&diagnostics);
}

static int take(const char *which, const cli_marked_speed_subject *s) {
    double speed = 0;
    bool peak = strcmp(which, "peak") == 0;
    if (strcmp(which, "sustained") == 0) {
        return CLI_EXIT_OK;
    }
    if (!peak && (!cli_speed_parse(which, &speed) || speed <= 0)) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, marked_speed_option,
                                     "write sustained, peak or a speed above 0, such as 12Gflop/s",
                                     "'%s' is no marked speed", which);
        return report(&diagnostics);
    }
    if (s->of_platform) {
        return refuse("--set CLASS.marked_speed=SPEED gives the processors of a class another one",
                      "the marked speed on a platform is the speed of its processors");
    }
    if (s->machine == NULL) {
        return refuse("name a machine file with --machine",
                      "there is no machine whose marked speeds could change");
    }
    if (peak) {
        return take_peak(s);
    }
    isocast_marked_speed_give(s->machine, speed);
    return CLI_EXIT_OK;
}

int cli_marked_speed_apply(const char *which, const cli_list *set,
                           const cli_marked_speed_subject *subject) {
    if (which == NULL) {
        return CLI_EXIT_OK;
    }
    const char *other = marked_speed_among(set);
    if (other != NULL) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, marked_speed_option,
                                     "leave one of them out", "'%s' gives a marked speed, too",
                                     other);
        return report(&diagnostics);
    }
    return take(which, subject);
}

int cli_system_size_check(const cli_usage *usage, const isocast_system *system,
                          const isocast_machine *hardware) {
    if (!system->beyond_machine) {
        return CLI_EXIT_OK;
    }
    isocast_buffer why = {0};
    isocast_capacity_refuse(&why, system, hardware, "platform");
    int status =
        why.failed ? cli_exit_of(ISOCAST_NO_MEMORY) : cli_usage_error(usage, "%s", why.text);
    isocast_buffer_free(&why);
    return status;
}

int cli_data_file_check(const cli_usage *usage, const char *text, const char *what) {
    isocast_buffer kinds = {0};
    int status = CLI_EXIT_OK;
    if (access(text, F_OK) != 0 && cli_locate_kinds(text, &kinds)) {
        isocast_buffer_printf(&kinds, ", but %s is needed here", what);
        if (strstr(usage->arguments, what) != NULL) {
            isocast_buffer_printf(&kinds, "; write isocast %s %s", usage->command,
                                  usage->arguments);
        }
        status = kinds.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                              : cli_usage_error(usage, "'%s' is %s", text, kinds.text);
    }
    isocast_buffer_free(&kinds);
    return status;
}

static isocast_status load_machine(const char *path, isocast_input_kind kind,
                                   isocast_diagnostics *diagnostics, isocast_machine **out) {
    isocast_source *source = NULL;
    isocast_status status =
        isocast_source_read_kind(path, kind, ISOCAST_FILE_MAX, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_machine_read(source, diagnostics, out) : status;
}

static isocast_status load_files(isocast_input_kind machine_kind, isocast_diagnostics *diagnostics,
                                 cli_loaded *loaded) {
    isocast_status algorithm =
        isocast_algorithm_load(loaded->algorithm_path, diagnostics, &loaded->algorithm);
    if (loaded->machine_path == NULL || isocast_status_is_of_system(algorithm)) {
        return algorithm;
    }
    isocast_status machine =
        load_machine(loaded->machine_path, machine_kind, diagnostics, &loaded->machine);
    return algorithm == ISOCAST_OK || isocast_status_is_of_system(machine) ? machine : algorithm;
}

/* A network that has a shape has as many nodes as that. */
static bool fits_shape(const cli_loaded *loaded, double nodes, const char *text,
                       isocast_diagnostics *diagnostics) {
    const isocast_platform *platform = loaded->platform;
    if (platform->network.shape == NULL || platform->hardware->classes[0].count == nodes) {
        return true;
    }
    isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, "--set",
                                 "give the platform file another shape and as many nodes",
                                 "'%s' does not fit the network, whose shape \"%s\" has %.0f nodes",
                                 text, platform->network.shape, nodes);
    return false;
}

void cli_warn_of_replaced_times(const char *option, const char *name,
                                const isocast_algorithm *algorithm, const isocast_machine *machine,
                                isocast_diagnostics *diagnostics) {
    if (algorithm == NULL || machine == NULL || strcmp(name, "t_c") != 0 ||
        isocast_kernel_time_find(algorithm, machine) == NULL) {
        return;
    }
    char hint[160];
    snprintf(hint, sizeof hint,
             "without %s t_c the machine's own times count, and T may differ although t_c has the "
             "value of the file",
             option);
    isocast_diagnostics_add_file(
        diagnostics, ISOCAST_WARNING, option, hint,
        "t_c takes the place of the times per flop that machine '%s' has for kernel '%s'",
        machine->name, algorithm->kernel);
}

isocast_status cli_apply_setting(const char *text, cli_loaded *loaded,
                                 isocast_diagnostics *diagnostics, isocast_setting *out) {
    bool of_platform = loaded->machine == NULL && loaded->platform != NULL;
    isocast_machine *machine = of_platform ? loaded->platform->hardware : loaded->machine;
    double nodes = of_platform ? machine->classes[0].count : 0;
    isocast_setting set;
    isocast_status status =
        isocast_setting_apply("--set", text, loaded->algorithm, machine, diagnostics, &set);
    if (status == ISOCAST_OK && of_platform && !fits_shape(loaded, nodes, text, diagnostics)) {
        free(set.name);
        return ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        cli_warn_of_replaced_times("--set", set.name, loaded->algorithm, machine, diagnostics);
        *out = set;
    }
    return status;
}

static int apply_marked_speed(const cli_settings *settings, cli_loaded *loaded) {
    bool of_platform = loaded->machine == NULL && loaded->platform != NULL;
    const isocast_algorithm *algorithm = loaded->algorithm;
    const cli_marked_speed_subject subject = {.machine = loaded->machine,
                                              .algorithm = algorithm,
                                              .kernel =
                                                  algorithm != NULL ? algorithm->kernel : NULL,
                                              .of_platform = of_platform};
    return cli_marked_speed_apply(settings->marked_speed, &settings->set, &subject);
}

/* Those of --set. */
static int apply_set(const cli_settings *settings, cli_loaded *loaded) {
    if (settings->set.count == 0) {
        return CLI_EXIT_OK;
    }
    isocast_diagnostics diagnostics = {0};
    loaded->settings = calloc(settings->set.count, sizeof *loaded->settings);
    if (loaded->settings == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_status outcome = ISOCAST_OK;
    for (size_t i = 0; i < settings->set.count && !isocast_status_is_of_system(outcome); i++) {
        isocast_status one = cli_apply_setting(settings->set.items[i], loaded, &diagnostics,
                                               &loaded->settings[loaded->setting_count]);
        loaded->setting_count += one == ISOCAST_OK;
        outcome = one != ISOCAST_OK ? one : outcome;
    }
    return cli_exit_with_text(&diagnostics, outcome);
}

/* Whether texts of --at, such as "N=310,K=8", give a size. */
static bool is_given(const char *name, const void *of) {
    const cli_settings *settings = of;
    size_t length = strlen(name);
    bool given = settings->keeps_sizes;
    for (size_t i = 0; settings->at != NULL && i < settings->at->count; i++) {
        for (const char *at = settings->at->items[i]; at != NULL && !given;) {
            given = strncmp(at, name, length) == 0 && at[length] == '=';
            at = strchr(at, ',');
            at += at != NULL ? 1 : 0;
        }
    }
    return given;
}

static int settle_sizes(const cli_settings *settings, cli_loaded *loaded) {
    return loaded->algorithm == NULL
               ? CLI_EXIT_OK
               : cli_exit_of(isocast_setting_defaults(loaded->algorithm, is_given, settings));
}

int cli_apply_settings(const cli_settings *settings, cli_loaded *loaded) {
    if (settings == NULL) {
        return CLI_EXIT_OK;
    }
    int status = apply_set(settings, loaded);
    CLI_THEN(status, settle_sizes(settings, loaded));
    CLI_THEN(status, apply_marked_speed(settings, loaded));
    return status == CLI_EXIT_OK && settings->varies && loaded->algorithm != NULL
               ? cli_exit_of(isocast_requirements_vary(loaded->algorithm))
               : status;
}

int cli_apply_known_settings(const cli_settings *settings, cli_loaded *loaded, size_t *known,
                             isocast_diagnostics *reported) {
    loaded->settings = calloc(settings->set.count + 1, sizeof *loaded->settings);
    if (loaded->settings == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < settings->set.count; i++) {
        isocast_diagnostics own = {0};
        isocast_status status = cli_apply_setting(settings->set.items[i], loaded,
                                                  reported->errors == 0 ? reported : &own,
                                                  &loaded->settings[loaded->setting_count]);
        isocast_diagnostics_clear(&own);
        if (isocast_status_is_of_system(status)) {
            return cli_exit_of(status);
        }
        if (status == ISOCAST_OK) {
            loaded->setting_count++;
            known[i]++;
        }
    }
    int status = settle_sizes(settings, loaded);
    CLI_THEN(status, apply_marked_speed(settings, loaded));
    return status;
}

int cli_check_settings_known(const cli_settings *settings, const size_t *known,
                             isocast_diagnostics *reported) {
    bool unknown = false;
    for (size_t i = 0; i < settings->set.count; i++) {
        unknown = unknown || known[i] == 0;
    }
    if (!unknown) {
        return CLI_EXIT_OK;
    }
    cli_diagnostics_report(reported, false, ISOCAST_INVALID);
    return CLI_EXIT_USAGE;
}

int cli_load_algorithm(const char *name, bool quiet, cli_loaded *out) {
    int located = cli_locate_spec(CLI_SPEC_ALGORITHM, name, &out->algorithm_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_algorithm_load(out->algorithm_path, &diagnostics, &out->algorithm);
    return cli_exit_with(&diagnostics, quiet, status);
}

int cli_load_machine(const char *name, bool quiet, cli_loaded *out) {
    int located = cli_locate_spec(CLI_SPEC_MACHINE, name, &out->machine_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_machine_load(out->machine_path, &diagnostics, &out->machine);
    return cli_exit_with(&diagnostics, quiet, status);
}

int cli_load_bind(cli_loaded *loaded, bool quiet) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_model_create(loaded->algorithm, loaded->machine, &diagnostics, &loaded->model);
    return cli_exit_with(&diagnostics, quiet, status);
}

int cli_systems_read(const char *label, const char *text, const isocast_machine *machine,
                     const char *program, isocast_system ***systems, size_t *count) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_systems_parse(machine, program, label, text, &diagnostics, systems, count);
    return cli_exit_with_text(&diagnostics, status);
}

int cli_size_missing(const cli_usage *usage, const isocast_algorithm *algorithm,
                     const isocast_size *size, const char *option) {
    bool described = size->description != NULL;
    return cli_usage_error(usage, "%s also needs %s%s%s%s: %s %s=NUMBER", algorithm->name,
                           size->name, described ? " (" : "", described ? size->description : "",
                           described ? ")" : "", option, size->name);
}

/* Whether there is no specification of any kind by that name. */
static bool is_unknown(const char *name) {
    isocast_buffer kinds = {0};
    bool known = cli_locate_kinds(name, &kinds);
    isocast_buffer_free(&kinds);
    return !known;
}

static int load(const char *algorithm, const char *machine, isocast_input_kind machine_kind,
                const cli_settings *settings, bool bind, bool quiet, cli_loaded *out) {
    if (machine != NULL && strcmp(algorithm, "-") == 0 && strcmp(machine, "-") == 0) {
        fputs("isocast: only one of the algorithm and the machine can be standard input\n", stderr);
        return CLI_EXIT_USAGE;
    }
    cli_loaded loaded = {0};
    int status = cli_locate_spec(CLI_SPEC_ALGORITHM, algorithm, &loaded.algorithm_path);
    if (machine != NULL && status != CLI_EXIT_SYSTEM) {
        int located = cli_locate_spec(CLI_SPEC_MACHINE, machine, &loaded.machine_path);
        bool both = located == CLI_EXIT_USAGE && status == CLI_EXIT_USAGE;
        status = located > status ? located : status;
        if (both && !is_unknown(algorithm) && !is_unknown(machine)) {
            fputs("the algorithm and the machine have changed places\n", stderr);
        }
    }
    if (status == CLI_EXIT_OK) {
        isocast_diagnostics diagnostics = {0};
        isocast_status outcome = load_files(machine_kind, &diagnostics, &loaded);
        int set = outcome == ISOCAST_OK ? cli_apply_settings(settings, &loaded) : CLI_EXIT_OK;
        if (set != CLI_EXIT_OK) {
            isocast_diagnostics_clear(&diagnostics);
            cli_loaded_free(&loaded);
            return set;
        }
        if (outcome == ISOCAST_OK && bind) {
            outcome =
                isocast_model_create(loaded.algorithm, loaded.machine, &diagnostics, &loaded.model);
        }
        status = cli_exit_with(&diagnostics, quiet, outcome);
    }
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(&loaded);
        return status;
    }
    *out = loaded;
    return CLI_EXIT_OK;
}

int cli_load_set(const char *algorithm, const char *machine, const cli_settings *settings,
                 bool quiet, cli_loaded *out) {
    return load(algorithm, machine, ISOCAST_INPUT_ANY, settings, true, quiet, out);
}

int cli_load_apart(const char *algorithm, const char *machine, bool quiet, cli_loaded *out) {
    return load(algorithm, machine, ISOCAST_INPUT_ANY, NULL, false, quiet, out);
}

int cli_load_named(const char *algorithm, const char *machine, bool quiet, cli_loaded *out) {
    return load(algorithm, machine, ISOCAST_INPUT_PLAIN, NULL, false, quiet, out);
}

static int load_platform(const char *path, bool quiet, isocast_platform **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_platform_load(path, &diagnostics, out);
    return cli_exit_with(&diagnostics, quiet, status);
}

int cli_load_holds_platform(const char *name, bool *holds) {
    char *path = NULL;
    *holds = false;
    int status = strcmp(name, "-") != 0 ? cli_locate_any_spec(name, &path) : CLI_EXIT_OK;
    if (status == CLI_EXIT_OK && path != NULL) {
        status = cli_exit_of(cli_spec_holds_platform(path, holds));
    }
    free(path);
    return status;
}

int cli_load_on_platform(const char *algorithm, cli_spec_kind kind, const char *platform,
                         bool quiet, cli_loaded *out) {
    cli_loaded loaded = {0};
    int status = cli_load_apart(algorithm, NULL, quiet, &loaded);
    CLI_THEN(status, cli_locate_spec(kind, platform, &loaded.machine_path));
    CLI_THEN(status, load_platform(loaded.machine_path, quiet, &loaded.platform));
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(&loaded);
        return status;
    }
    *out = loaded;
    return CLI_EXIT_OK;
}

int cli_load_apart_set(const char *algorithm, const char *machine, const cli_settings *settings,
                       bool quiet, cli_loaded *out) {
    return load(algorithm, machine, ISOCAST_INPUT_ANY, settings, false, quiet, out);
}

void cli_settings_free(cli_loaded *loaded) {
    for (size_t i = 0; i < loaded->setting_count; i++) {
        free(loaded->settings[i].name);
    }
    free(loaded->settings);
    loaded->settings = NULL;
    loaded->setting_count = 0;
}

void cli_loaded_free(cli_loaded *loaded) {
    isocast_model_free(loaded->model);
    isocast_machine_free(loaded->machine);
    isocast_platform_free(loaded->platform);
    isocast_algorithm_free(loaded->algorithm);
    free(loaded->algorithm_path);
    free(loaded->machine_path);
    cli_settings_free(loaded);
}

int cli_load_platform(const char *name, bool quiet, isocast_platform **out) {
    char *path = NULL;
    int located = cli_locate_spec(CLI_SPEC_PLATFORM, name, &path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    int status = load_platform(path, quiet, out);
    free(path);
    return status;
}

/* Whether a source is a platform file, by its keys; the loader shows what is wrong with it. */
static isocast_status report_platform(const isocast_source *source, bool *is) {
    isocast_diagnostics own = {0};
    isocast_source *copy = NULL;
    isocast_tree *tree = NULL;
    isocast_status status =
        isocast_source_create(source->name, source->text, source->length, &copy);
    CLI_THEN(status, isocast_tree_parse(copy, &own, &tree));
    *is = status == ISOCAST_OK && (isocast_tree_find(&tree->root, "platform") != NULL ||
                                   isocast_tree_find(&tree->root, "network") != NULL);
    isocast_tree_free(tree);
    isocast_diagnostics_clear(&own);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

int cli_load_hardware(const char *name, bool quiet, cli_loaded *out) {
    cli_loaded loaded = {0};
    int located = cli_locate_spec(CLI_SPEC_MACHINE, name, &loaded.machine_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    bool is_platform = false;
    isocast_status status = isocast_source_read(loaded.machine_path, &diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = report_platform(source, &is_platform);
        if (status != ISOCAST_OK) {
            isocast_source_free(source);
        } else if (is_platform) {
            status = isocast_platform_read(source, &diagnostics, &loaded.platform);
        } else {
            status = isocast_machine_read(source, &diagnostics, &loaded.machine);
        }
    }
    status = cli_diagnostics_report(&diagnostics, quiet, status);
    if (status != ISOCAST_OK) {
        cli_loaded_free(&loaded);
        return cli_exit_of(status);
    }
    *out = loaded;
    return CLI_EXIT_OK;
}
