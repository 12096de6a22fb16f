/* What the commands with --platform have in common: the options of simulations, and the talk with
 * what learns of a platform (calibrate/campaign/platform_learning.h). Knows no question. */
#ifndef CLI_PLATFORM_SESSION_H
#define CLI_PLATFORM_SESSION_H

#include "calibrate/campaign/platform_learning.h"
#include "campaign.h"
#include "cli/options/load.h"

typedef struct cli_platform_texts {
    const char *platform; /* NULL: a machine is given */
    const char *cache;    /* folder; NULL: the user's own */
    bool no_cache;
    double budget;       /* s */
    const char *timings; /* file; NULL: none */
} cli_platform_texts;

/* Fills `options`, shape [CLI_PLATFORM_OPTIONS], and sets the texts to nothing given. The first one
 * is --platform. `single`: one algorithm and one platform are asked for, which has less time. */
enum { CLI_PLATFORM_OPTIONS = 5 };
void cli_platform_options_table(cli_platform_texts *texts, bool single, cli_option *options);

/* What is said of positional arguments: one with a platform, two without. Gives an exit status. */
int cli_platform_check(const cli_usage *usage, const cli_platform_texts *platform,
                       const char *const *positional, size_t count);

/* The same of the other options alone; `platforms`: some platform is given. */
int cli_platform_check_options(const cli_usage *usage, const cli_platform_texts *texts,
                               bool platforms);

/* One command's question. `need` and `dress` may have told on stderr what is wrong: then they set
 * `exit` and give any status that is not OK. */
typedef struct cli_platform_question {
    isocast_status (*need)(void *context, bool first); /* as in campaign_learning, like the next */
    isocast_status (*dress)(void *context, const campaign_subject *subject,
                            isocast_machine *machine);
    void *context;
    int exit; /* CLI_EXIT_OK: nothing was told */
} cli_platform_question;

/* Has all subjects (shape [count]) learn what the question needs. Gives an exit status, and tells
 * why it is none. Free the subjects in either case. */
int cli_platform_learn(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                       cli_platform_question *question, campaign_subject *subjects, size_t count);

/* An algorithm on a platform: what most questions are about. Start from what is given. */
typedef struct cli_platform_single {
    const char *algorithm;        /* given: file or name */
    const cli_settings *settings; /* given: those of --set, which its algorithm gets as well */
    cli_loaded *loaded;           /* given: gets algorithm, platform, machine and model */
    /* Given: as in cli_platform_question, with the model in `subject`. */
    isocast_status (*need)(void *context, struct cli_platform_single *single, bool first);
    void *context;
    campaign_subject subject;
    cli_platform_question question;
} cli_platform_single;

/* For `need`: what was told, if anything, becomes the exit status of the question. */
isocast_status cli_platform_told(cli_platform_single *single, int exit);

/* Loads both, and learns what the question needs. Gives an exit status, and tells why it is none;
 * then *loaded is empty. */
int cli_platform_learn_single(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                              cli_platform_single *single);

#endif
