#include "report_notes.h"

void cli_report_note_above_one(cli_report *report, const isocast_machine *machine) {
    const char *benchmark = machine != NULL ? machine->benchmark : NULL;
    cli_report_footnote(report,
                        "E above 1: the program runs faster than the marked speed%s%s%s, for "
                        "example because its data fit in a cache.",
                        benchmark != NULL ? " (" : "", benchmark != NULL ? benchmark : "",
                        benchmark != NULL ? ")" : "");
}

/* The operations of a restriction that are used all the same; false where there are none. */
static bool name_misused(const isocast_model *model, size_t index, isocast_buffer *out) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_restriction *restriction = &machine->restrictions[index];
    for (size_t i = 0; i < restriction->operation_count; i++) {
        if (isocast_model_misuses(model, index, i)) {
            isocast_buffer_printf(out, "%s%s", out->length > 0 ? ", " : "",
                                  machine->operations[restriction->operations[i]].name);
        }
    }
    return out->length > 0 && !out->failed;
}

void cli_report_note_restrictions(cli_report *report, const isocast_model *model) {
    const isocast_machine *machine = isocast_model_machine(model);
    for (size_t r = 0; r < machine->restriction_count; r++) {
        const isocast_restriction *restriction = &machine->restrictions[r];
        isocast_buffer operations = {0};
        isocast_buffer algorithms = {0};
        for (size_t i = 0; i < restriction->algorithm_count; i++) {
            isocast_buffer_printf(&algorithms, "%s%s", i > 0 ? ", " : "",
                                  restriction->algorithms[i]);
        }
        if (name_misused(model, r, &operations) && algorithms.text != NULL) {
            cli_report_footnote(report, "The machine file gives %s for %s only%s%s.",
                                operations.text, algorithms.text,
                                restriction->reason != NULL ? ": " : "",
                                restriction->reason != NULL ? restriction->reason : "");
        }
        isocast_buffer_free(&operations);
        isocast_buffer_free(&algorithms);
    }
}
