#include "size_option.h"

#include <string.h>

#include "exit.h"

int cli_size_read(const cli_usage *usage, const char *text, const isocast_machine *machine,
                  isocast_system_measure *out) {
    bool by_reference = text != NULL && strcmp(text, "reference") == 0;
    if (text != NULL && !by_reference && strcmp(text, "sum") != 0) {
        return cli_usage_error(usage, "--size takes sum or reference, not '%s'", text);
    }
    if (by_reference && machine->reference.count == 0) {
        return cli_usage_error(usage,
                               "--size reference needs R_f of processor sets, and machine '%s' has "
                               "none: add the section 'reference' to its file",
                               machine->name);
    }
    *out = by_reference ? ISOCAST_SIZE_BY_REFERENCE : ISOCAST_SIZE_BY_SUM;
    return CLI_EXIT_OK;
}

int cli_size_apply(const cli_usage *usage, const char *text, const isocast_machine *machine,
                   isocast_system **systems, size_t count) {
    isocast_system_measure measure = ISOCAST_SIZE_BY_SUM;
    int status = cli_size_read(usage, text, machine, &measure);
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        isocast_system_size_by(systems[i], measure);
    }
    return status;
}
