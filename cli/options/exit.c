#include "exit.h"

#include <stdio.h>

isocast_status cli_diagnostics_tell(isocast_diagnostics *diagnostics, bool quiet,
                                    isocast_status status) {
    isocast_buffer text = {0};
    if (diagnostics->errors > 0 || !quiet) {
        isocast_diagnostics_render(diagnostics, &text);
    }
    if (text.length > 0 && !text.failed) {
        fputs(text.text, stderr);
    }
    bool failed = text.failed || diagnostics->failed;
    isocast_buffer_free(&text);
    isocast_diagnostics_free(diagnostics);
    return failed ? ISOCAST_NO_MEMORY : status;
}

int cli_exit_of(isocast_status status) {
    switch (status) {
    case ISOCAST_OK:
        return CLI_EXIT_OK;
    case ISOCAST_INVALID:
        return CLI_EXIT_INVALID;
    case ISOCAST_IO:
        return CLI_EXIT_SYSTEM;
    case ISOCAST_NO_MEMORY:
    case ISOCAST_DOMAIN:
    case ISOCAST_ARGUMENT:
        break;
    }
    fprintf(stderr, "isocast: %s\n", isocast_status_message(status));
    return CLI_EXIT_SYSTEM;
}
