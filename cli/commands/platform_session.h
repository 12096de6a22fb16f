/* What the commands with --platform have in common: the options of simulations, and the talk with
 * what learns of a platform (calibrate/campaign/platform_learning.h). Knows no question. */
#ifndef CLI_PLATFORM_SESSION_H
#define CLI_PLATFORM_SESSION_H

#include "calibrate/campaign/platform_learning.h"
#include "calibrate/campaign/point_cache.h"
#include "calibrate/campaign/steps_run.h"
#include "campaign.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/options/prediction_run.h"

/* What the commands that simulate operations share: the probe for the simulator, and the cache that
 * simulated times are kept in. */

/* Finds a program that is built with SimGrid, of those beside isocast-probe; free *out with free().
 * Gives an exit status, and shows why it is none. */
int cli_simulated_program(const cli_usage *usage, const char *name, char **out);

/* The options --cache FOLDER (NULL: not given) and --no-cache. */
bool cli_cache_given(const char *folder, bool none);
int cli_cache_check(const cli_usage *usage, const char *folder, bool none);
void cli_cache_open(const char *folder, bool none, const campaign_listener *listener,
                    campaign_point_cache *out);

/* The program of an algorithm file as predictions for a platform execute it. */

typedef struct cli_platform_program {
    campaign_steps steps; /* its algorithm is NULL where none is executed */
    isocast_buffer why;   /* it is not; empty: the algorithm has no program */
} cli_platform_program;

/* Of an algorithm and a platform that are loaded, with all settings; they must outlive it. */
void cli_platform_program_find(const cli_loaded *loaded, cli_platform_program *out);
/* Has a subject execute it; it must outlive the subject. */
void cli_platform_program_take(const cli_platform_program *program, campaign_subject *subject);
void cli_platform_program_free(cli_platform_program *program);

typedef struct cli_platform_texts {
    const char *platform; /* NULL: a machine is given, whose formulas hold */
    bool held;            /* the platform is that of the machine file of this name */
    bool laws;            /* the formulas of a machine file hold, also where it has a platform */
    const char *cache;    /* folder; NULL: the user's own */
    bool no_cache;
    double budget;       /* s */
    const char *timings; /* file; NULL: none */
} cli_platform_texts;

/* Nothing given; one question about one algorithm and one platform has less time, s. */
#define CLI_PLATFORM_TEXTS                                                                         \
    { .budget = 600 }
#define CLI_PLATFORM_SINGLE                                                                        \
    { .budget = 60 }

#define CLI_PLATFORM_HELP                                                                          \
    "predict for this platform, in place of MACHINE: what the algorithm calls is simulated on "    \
    "the systems and at the sizes that the answer needs"
#define CLI_BUDGET_HELP                                                                            \
    "how long all simulations may take together (default: 10 min); systems that take longer are "  \
    "predicted from smaller ones"
#define CLI_BUDGET_SINGLE_HELP                                                                     \
    "how long all simulations may take together (default: 1 min); systems that take longer are "   \
    "predicted from smaller ones"
/* Rows of a table of options. */
#define CLI_SIMULATION_OPTIONS(texts, budget_help)                                                 \
    {"--cache",                                                                                    \
     0,                                                                                            \
     CLI_OPTION_TEXT,                                                                              \
     "FOLDER",                                                                                     \
     "keep simulated times there (default: isocast in $XDG_CACHE_HOME, or in ~/.cache)",           \
     &(texts)->cache},                                                                             \
        {"--no-cache",      0, CLI_OPTION_FLAG, NULL, "simulate all again, and keep nothing",      \
         &(texts)->no_cache},                                                                      \
        {"--budget", 0, CLI_OPTION_TIME, "TIME", budget_help, &(texts)->budget}, {                 \
        "--timings", 0, CLI_OPTION_INPUT, "FILE",                                                  \
            "timings of messages on a few nodes of the platform's machine: the times of more "     \
            "nodes are corrected by what they take over the prediction",                           \
            &(texts)->timings                                                                      \
    }
#define CLI_LAWS_OPTION(texts)                                                                     \
    {                                                                                              \
        "--laws", 0, CLI_OPTION_FLAG, NULL,                                                        \
            "take times from the formulas of MACHINE, also where it was calibrated on a platform " \
            "(default: that platform is simulated, as with --platform)",                           \
            &(texts)->laws                                                                         \
    }
#define CLI_PLATFORM_OPTIONS(texts, help, budget_help)                                             \
    {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM", help, &(texts)->platform},                     \
        CLI_SIMULATION_OPTIONS(texts, budget_help)

/* What is said of positional arguments: one with a platform, two without. A machine file that holds
 * its platform becomes that, unless `laws` are needed (then `why` says for what) or asked for; that
 * is reported. Gives an exit status. */
int cli_platform_check(const cli_call *call, size_t count, const char *why,
                       cli_platform_texts *platform);

/* What has the name of the platform. */
cli_spec_kind cli_platform_kind(const cli_platform_texts *texts);

/* Why no platform of a machine file can be simulated; NULL: it can. */
const char *cli_platform_lack(void);

/* Reports that the platform of a machine file is simulated; or, where `why` is not NULL, that its
 * formulas hold, and for what. */
void cli_platform_report_held(const cli_call *call, const char *name, const char *why);

/* The same of the other options alone; `platforms`: some platform is given. */
int cli_platform_check_options(const cli_usage *usage, const cli_platform_texts *texts,
                               bool platforms);

/* One command's question. `need` and `dress` may have reported on stderr what is wrong: then they
 * set `exit` and give any status that is not OK. */
typedef struct cli_platform_question {
    isocast_status (*need)(void *context, bool first); /* as in campaign_learning, like the next */
    isocast_status (*dress)(void *context, const campaign_subject *subject,
                            isocast_machine *machine);
    void *context;
    int exit; /* CLI_EXIT_OK: nothing was reported */
} cli_platform_question;

/* Has all subjects (shape [count]) learn what the question needs. Gives an exit status, and states
 * why it is none. Free the subjects in either case. */
int cli_platform_learn(const cli_call *call, const cli_platform_texts *texts,
                       cli_platform_question *question, campaign_subject *subjects, size_t count);

/* An algorithm on a platform: what most questions are about. */
typedef struct cli_platform_single {
    const cli_settings *settings; /* those of --set, which its algorithm gets as well */
    cli_loaded *loaded;           /* gets algorithm, platform, machine and model */
    /* As in cli_platform_question, with the model in `subject`. */
    isocast_status (*need)(void *context, struct cli_platform_single *single, bool first);
    void *context;
    campaign_subject subject;
    cli_platform_question question;
} cli_platform_single;

/* For `need`: what was reported, if anything, becomes the exit status of the question. */
isocast_status cli_platform_reported(cli_platform_single *single, int exit);

/* Loads the algorithm and the machine of the command line and binds them; or, where a platform is
 * given in place of the machine, learns what the question needs. Gives an exit status, and states
 * why it is none; then *loaded is empty. */
int cli_load_or_learn(const cli_call *call, const cli_platform_texts *texts,
                      const cli_settings *settings,
                      isocast_status (*need)(void *context, cli_platform_single *single,
                                             bool first),
                      void *context, cli_loaded *loaded);

/* What predict and explain do with --platform: the platform becomes a machine whose operations are
 * simulated where the answer needs them. Reports what the question needs to know, again and again.
 */

/* Loads what the command line names, or learns of the platform in place of a machine, predicts what
 * the texts ask, and lets `write` write (it gives an exit status). Gives the exit status, as
 * cli_predict_loaded(); answer->loaded stays. */
int cli_predict_platform(const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer));

/* Notes what one row needs: its N or, where it has none, the N that came nearest. */
isocast_status cli_platform_need_row(const campaign_subject *subject, const isocast_system *system,
                                     const isocast_prediction_row *row, const double *other_sizes);

#endif
