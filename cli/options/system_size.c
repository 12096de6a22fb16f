#include "system_size.h"

#include "exit.h"
#include "model/spec/capacity.h"

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
