/* Loads what the command line names: an algorithm, a machine, and both bound. Reports every problem
 * on stderr; renders nothing else. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>

#include "exit.h"
#include "locate.h"
#include "model/solve/model.h"
#include "model/spec/algorithm.h"
#include "model/spec/machine.h"
#include "model/spec/platform.h"
#include "model/spec/setting.h"
#include "model/spec/system.h"
#include "options.h"

/* The option --marked-speed: which speed of a processor counts as its marked speed. Loads no file.
 */

/* `target`: a const char *, NULL where the option is not given. */
#define CLI_MARKED_SPEED_OPTION(target)                                                            \
    {                                                                                              \
        "--marked-speed", 0, CLI_OPTION_TEXT, "WHICH",                                             \
            "marked speed of a processor: sustained (what the machine file says), peak (the best " \
            "rate of the algorithm's kernel in the section compute of the machine file) or a "     \
            "speed for all node classes, such as 12Gflop/s (default: sustained)",                  \
            (target)                                                                               \
    }

/* What it changes. */
typedef struct cli_marked_speed_subject {
    isocast_machine *machine;           /* NULL: there is none */
    const isocast_algorithm *algorithm; /* NULL: there is none */
    const char *kernel;                 /* whose best rate `peak` is; may be NULL */
    bool of_platform;                   /* the machine is a platform's */
} cli_marked_speed_subject;

/* Whether a name, up to its end or "=", is the marked speed of a class: "node.marked_speed". */
bool cli_is_marked_speed(const char *name);

/* Applies the option, `which`; NULL: it is not given. `set` are the texts of --set, which must give
 * no marked speed then. Reports on stderr what is wrong; gives an exit status. */
int cli_marked_speed_apply(const char *which, const cli_list *set,
                           const cli_marked_speed_subject *subject);

/* Systems that are larger than the platform. */

/* Refuses a system that takes more nodes or processors than the platform's hardware has. Gives an
 * exit status. */
int cli_system_size_check(const cli_usage *usage, const isocast_system *system,
                          const isocast_machine *hardware);

/* Arguments that are files of data: runs, timings, records, results. */

/* Refuses the name of an installed specification that stands where such a file is due, which `what`
 * names ("RUNS.csv"). Gives an exit status. */
int cli_data_file_check(const cli_usage *usage, const char *text, const char *what);

/* Start from {0}. */
typedef struct cli_loaded {
    char *algorithm_path;
    char *machine_path;         /* NULL where no machine was named, like the machine */
    isocast_platform *platform; /* in place of a machine, whose path is then its own; else NULL */
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    isocast_model *model;      /* NULL where the two were loaded apart */
    isocast_setting *settings; /* [setting_count], what --set gave in place of the files */
    size_t setting_count;
} cli_loaded;

/* Values in place of the files'. Start from {0}; free set.items. */
typedef struct cli_settings {
    cli_list set;             /* the texts of --set */
    const char *marked_speed; /* the text of --marked-speed; NULL: not given */
    bool varies; /* numbers of the algorithm file become inputs (isocast_requirements_vary) */
    /* Further sizes with a default take it unless the texts of --at (NULL: there is no such option)
     * give them, or all stay sizes: runs may have columns of them. */
    const cli_list *at;
    bool keeps_sizes;
} cli_settings;

/* The option --set of commands that load an algorithm or a machine; its target is a cli_settings.
 */
#define CLI_SET_OPTION(settings)                                                                   \
    {                                                                                              \
        "--set", 0, CLI_OPTION_LIST, "NAME=VALUE",                                                 \
            "a value in place of the files': a further size (K=8), a parameter (\"t_c=2 "          \
            "ns/flop\"), a definition, class.PROPERTY (marked_speed, memory, memory_bandwidth, "   \
            "cache, count, processors, price, power), or energy_price and other keys of "          \
            "purchase; may be repeated",                                                           \
            &(settings)->set                                                                       \
    }

/* Loads one file into *out, where what else it has stays. The name is a path, "-", or that of an
 * installed specification. Gives an exit status. */
int cli_load_algorithm(const char *name, bool quiet, cli_loaded *out);
int cli_load_machine(const char *name, bool quiet, cli_loaded *out);

/* Binds both. Gives an exit status. */
int cli_load_bind(cli_loaded *loaded, bool quiet);

/* Reads a list of systems, "C4,C8", of the option `label`, for a program (a kernel; NULL: none).
 * Gives an exit status. */
int cli_systems_read(const char *label, const char *text, const isocast_machine *machine,
                     const char *program, isocast_system ***systems, size_t *count);

/* The usage error for a further size that `option` is to give. */
int cli_size_missing(const cli_usage *usage, const isocast_algorithm *algorithm,
                     const isocast_size *size, const char *option);

/* Each argument is a path, "-" (one of them), or the name of an installed specification; the
 * settings are NULL where there are none. All problems of both files are reported before it
 * gives up; warnings are left out where `quiet`. Gives an exit status; nothing is to be freed
 * unless it is CLI_EXIT_OK. */
int cli_load_set(const char *algorithm, const char *machine, const cli_settings *settings,
                 bool quiet, cli_loaded *out);

/* Applies settings to what is loaded, and keeps them there. Either the algorithm or the machine may
 * be missing; where it is a platform that was loaded, its hardware is the machine. Gives an exit
 * status. */
int cli_apply_settings(const cli_settings *settings, cli_loaded *loaded);

/* Warns where a name that `option` gives values is t_c, one number, and the machine has a table of
 * times per flop for the algorithm's kernel that it replaces. Both may be NULL. */
void cli_warn_of_replaced_times(const char *option, const char *name,
                                const isocast_algorithm *algorithm, const isocast_machine *machine,
                                isocast_diagnostics *diagnostics);

/* One of them, as isocast_setting_apply(). */
isocast_status cli_apply_setting(const char *text, cli_loaded *loaded,
                                 isocast_diagnostics *diagnostics, isocast_setting *out);

/* The same for commands that take several files: applies those that mean something to this one.
 * known, shape [settings->set.count], counts where each did; `reported` gets what is wrong with the
 * first that did not. Gives an exit status. */
int cli_apply_known_settings(const cli_settings *settings, cli_loaded *loaded, size_t *known,
                             isocast_diagnostics *reported);

/* Reports what is in `reported` and gives CLI_EXIT_USAGE where a setting was known to no file. */
int cli_check_settings_known(const cli_settings *settings, const size_t *known,
                             isocast_diagnostics *reported);

/* Forgets them. */
void cli_settings_free(cli_loaded *loaded);

/* An algorithm, and a platform in place of a machine. There is no model yet. `kind`: what has the
 * name; the machine file of a simulated platform holds that. */
int cli_load_on_platform(const char *algorithm, cli_spec_kind kind, const char *platform,
                         bool quiet, cli_loaded *out);

/* The same without binding the two, for what needs only W and C; `machine` may be NULL. */
int cli_load_apart(const char *algorithm, const char *machine, bool quiet, cli_loaded *out);
/* The same where another file names the machine: it is a plain file. */
int cli_load_named(const char *algorithm, const char *machine, bool quiet, cli_loaded *out);
int cli_load_apart_set(const char *algorithm, const char *machine, const cli_settings *settings,
                       bool quiet, cli_loaded *out);
void cli_loaded_free(cli_loaded *loaded);

/* Loads a machine or a platform, by its path or name, and by its contents where a file may be
 * either: `machine` or `platform` is set. Gives an exit status. */
int cli_load_hardware(const char *name, bool quiet, cli_loaded *out);

/* Whether what is named is the machine file of a simulated platform, which it holds. Gives an exit
 * status; what is wrong with the file is reported by who loads it. */
int cli_load_holds_platform(const char *name, bool *holds);

/* Loads a platform by its path or name, reporting all problems. Gives an exit status. */
int cli_load_platform(const char *name, bool quiet, isocast_platform **out);

#endif
