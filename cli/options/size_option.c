#include "size_option.h"

#include <string.h>

#include "exit.h"
#include "word_option.h"

/* At the measure that each stands for. */
static const char *const names[] = {
    [ISOCAST_SIZE_BY_SUM] = "sum", [ISOCAST_SIZE_BY_REFERENCE] = "reference"};
enum { NAMES = sizeof names / sizeof names[0] };

int cli_size_read(const cli_usage *usage, const char *text, const isocast_machine *machine,
                  isocast_system_measure *out) {
    size_t found = text == NULL ? ISOCAST_SIZE_BY_SUM : 0;
    while (text != NULL && found < NAMES && strcmp(text, names[found]) != 0) {
        found++;
    }
    if (found == NAMES) {
        return cli_word_refuse(usage, "--size", text, names, NAMES);
    }
    bool by_reference = found == ISOCAST_SIZE_BY_REFERENCE;
    if (by_reference && machine->reference.count == 0) {
        return cli_usage_error(usage,
                               "--size reference needs R_f of processor sets, and machine '%s' has "
                               "none: add the section 'reference' to its file",
                               machine->name);
    }
    *out = (isocast_system_measure)found;
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
