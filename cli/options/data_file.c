#include "data_file.h"

#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "locate.h"

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
