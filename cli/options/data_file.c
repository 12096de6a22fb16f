#include "data_file.h"

#include <unistd.h>

#include "exit.h"
#include "locate.h"

int cli_data_file_check(const cli_usage *usage, const char *text, const char *what) {
    isocast_buffer kinds = {0};
    int status = CLI_EXIT_OK;
    if (access(text, F_OK) != 0 && cli_locate_kinds(text, &kinds)) {
        status = cli_usage_error(usage, "'%s' is %s, but %s is needed here; write isocast %s %s",
                                 text, kinds.text != NULL ? kinds.text : "", what, usage->command,
                                 usage->arguments);
    }
    isocast_buffer_free(&kinds);
    return status;
}
