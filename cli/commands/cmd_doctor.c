/* isocast doctor: what commands need on this machine, whether it is there, and how to mend what is
 * not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/options.h"
#include "cli/output/render.h"
#include "cli/report/report_checkup.h"
#include "command.h"
#include "doctor_node.h"
#include "doctor_programs.h"

static const cli_usage usage = {
    .command = "doctor",
    .arguments = "",
    .summary = "Shows what commands need on this machine, whether it is there, and how to mend "
               "what is missing. It also shows what may disturb measurements: other programs, "
               "limits, changing frequencies.",
    .details =
        "It takes two to three seconds, one of which watches the other programs. It starts each "
        "program that is needed, and ends one that does not answer within 5 s (two MPI "
        "processes: 10 s).\n"
        "States: ok; missing, a command cannot do its work; warning, measurements may be "
        "disturbed; - is not known. The exit status is 1 where something is missing, else 0.\n"
        "\n"
        "Examples:\n"
        "  isocast doctor\n"
        "  isocast doctor --launcher slurm\n"
        "  isocast doctor --format json -o doctor.json",
    .fewest = 0,
    .most = 0};

static int tell_failure(isocast_status status, int cause) {
    if (status == ISOCAST_INTERRUPTED) {
        fputs("isocast doctor: interrupted\n", stderr);
    } else if (status == ISOCAST_IO) {
        fprintf(stderr, "isocast doctor: cannot start a program: %s\n", strerror(cause));
    } else {
        return cli_exit_of(status);
    }
    return CLI_EXIT_SYSTEM;
}

static int examine(const char *launcher, const cli_common *common) {
    checkup list = {.count = 0};
    /* First, while nothing of this command runs. */
    checkup node = {.count = 0};
    doctor_node(&node);
    isocast_status done = doctor_programs(launcher, &list);
    int cause = errno;
    int status = done == ISOCAST_OK ? CLI_EXIT_OK : tell_failure(done, cause);
    if (status == CLI_EXIT_OK) {
        checkup_append(&list, &node);
        cli_report *report = checkup_report(&list);
        bool missing = checkup_misses_something(&list);
        status = cli_reports_write(&report, 1, common);
        status = status == CLI_EXIT_OK && missing ? CLI_EXIT_CHECK_FAILED : status;
    }
    checkup_free(&list);
    checkup_free(&node);
    return status;
}

int cmd_doctor(int argc, char **argv) {
    cli_common common = {0};
    const char *text = NULL;
    cli_launcher launcher = {0};
    const cli_option options[] = {
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &text}, {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = cli_launcher_find(&usage, text, &launcher);
        status = status == CLI_EXIT_OK ? examine(launcher.command, &common) : status;
    }
    cli_launcher_free(&launcher);
    free(positional);
    return status;
}
