#include "exit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

isocast_status cli_diagnostics_report(isocast_diagnostics *diagnostics, bool quiet,
                                      isocast_status status) {
    isocast_buffer text = {0};
    if (diagnostics->errors > 0 || !quiet) {
        isocast_diagnostics_render(diagnostics, &text);
    }
    bool failed = text.failed || diagnostics->failed;
    /* Warnings of a file once, however many machines it is put together with. */
    static char *last;
    bool again = !text.failed && diagnostics->errors == 0 && text.length > 0 && last != NULL &&
                 strcmp(last, text.text) == 0;
    if (text.length > 0 && !text.failed && !again) {
        fputs(text.text, stderr);
        free(last);
        last = isocast_buffer_take(&text);
    }
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(diagnostics);
    return failed ? ISOCAST_NO_MEMORY : status;
}

static bool was_reported;

void cli_exit_reported(void) {
    was_reported = true;
}

void cli_exit_say(const char *command, int status, bool shown) {
    static const char *const sentences[] = {
        [CLI_EXIT_CHECK_FAILED] = "a check failed; the output says which",
        [CLI_EXIT_USAGE] = "the command line is wrong, and what is wrong was not found out",
        [CLI_EXIT_INVALID] = "an input file is wrong, and what is wrong was not found out",
        [CLI_EXIT_NO_SOLUTION] = "at least one row has no solution; its status says why",
        [CLI_EXIT_SYSTEM] = "the system failed, and why was not found out"};
    bool known = status > 0 && (size_t)status < sizeof sentences / sizeof sentences[0];
    bool answered = shown && (status == CLI_EXIT_CHECK_FAILED || status == CLI_EXIT_NO_SOLUTION);
    if (!was_reported && !answered && status != CLI_EXIT_OK) {
        fprintf(stderr, "isocast%s%s: %s (exit status %d)\n", command != NULL ? " " : "",
                command != NULL ? command : "",
                known ? sentences[status] : "the command did not end well", status);
    }
}

int cli_exit_of(isocast_status status) {
    switch (status) {
    case ISOCAST_OK:
        return CLI_EXIT_OK;
    case ISOCAST_INVALID:
        return CLI_EXIT_INVALID;
    case ISOCAST_IO:
    case ISOCAST_PROGRAM:
    case ISOCAST_INTERRUPTED:
        return CLI_EXIT_SYSTEM;
    case ISOCAST_NO_MEMORY:
    case ISOCAST_DOMAIN:
    case ISOCAST_NUMERIC:
    case ISOCAST_ARGUMENT:
        break;
    }
    static isocast_status last = ISOCAST_OK;
    if (status != last) { /* once, however many places hear of it */
        fprintf(stderr, "isocast: %s\n", isocast_status_message(status));
    }
    last = status;
    return CLI_EXIT_SYSTEM;
}

int cli_exit_with(isocast_diagnostics *diagnostics, bool quiet, isocast_status status) {
    return cli_exit_of(cli_diagnostics_report(diagnostics, quiet, status));
}

int cli_exit_with_text(isocast_diagnostics *diagnostics, isocast_status status) {
    int exit = cli_exit_with(diagnostics, false, status);
    return exit == CLI_EXIT_INVALID ? CLI_EXIT_USAGE : exit;
}
