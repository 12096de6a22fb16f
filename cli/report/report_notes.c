#include "report_notes.h"

#include <math.h>
#include <string.h>

#include "model/base/quantity.h"
#include "model/solve/sources.h"
#include "model/spec/marked_speed.h"

enum { DIGITS = 3 };

void cli_above_one_take(cli_above_one *rows, double E, const cli_above_one *row) {
    if (E > 1) {
        size_t count = rows->count + 1;
        *rows = rows->count == 0 ? *row : *rows;
        rows->count = count;
    }
}

/* "E is above 1 on C2 at N = 400 and in 3 other rows: ". */
static void put_rows(const isocast_algorithm *algorithm, const cli_above_one *rows,
                     isocast_buffer *out) {
    isocast_buffer_printf(out, "E is above 1 on %s at %s = %.*g", rows->name,
                          algorithm->sizes[0].name, rows->N == floor(rows->N) ? 15 : DIGITS + 2,
                          rows->N);
    size_t others = rows->count - 1;
    CLI_PUT_IF(others > 0, out, " and in %zu other row%s", others, others > 1 ? "s" : "");
    isocast_buffer_puts(out, ": ");
}

static void put_benchmark(const char *benchmark, isocast_buffer *out) {
    CLI_PUT_IF(benchmark != NULL, out, " (%s)", benchmark);
}

/* By the machine file the program is faster on these data than its marked speed. */
static void put_rates(const isocast_machine *machine, const char *program,
                      const isocast_above_one *why, isocast_buffer *out) {
    isocast_buffer_printf(out, "by the machine file %s runs at %s", program,
                          isocast_quantity_text(why->rate, "flop/s", DIGITS).text);
    CLI_PUT_IF(!isnan(why->m), out, " on %s", isocast_quantity_text(why->m, "B", DIGITS).text);
    isocast_buffer_printf(out, ", and the marked speed is %s%s",
                          isocast_quantity_text(why->marked, "flop/s", DIGITS).text,
                          why->marked_differ ? " on average" : "");
    put_benchmark(isocast_marked_speed_benchmark(machine, program), out);
    isocast_buffer_puts(out, ".");
    CLI_PUT_IF(!isnan(why->larger_rate), out,
               " On larger data, which a cache may not hold, it is slower: %s on %s.",
               isocast_quantity_text(why->larger_rate, "flop/s", DIGITS).text,
               isocast_quantity_text(why->larger_m, "B", DIGITS).text);
    CLI_PUT_IF(machine->marked_speed_kind != ISOCAST_MARKED_SPEED_PEAK, out,
               " --marked-speed peak takes its best rate instead.");
}

static void put_unknown(const isocast_machine *machine, const char *program, isocast_buffer *out) {
    isocast_buffer_puts(out, "the program runs faster than ");
    switch (machine->marked_speed_kind) {
    case ISOCAST_MARKED_SPEED_PEAK:
        isocast_buffer_printf(out, "the best rate of %s that the machine file has", program);
        break;
    case ISOCAST_MARKED_SPEED_GIVEN:
        isocast_buffer_puts(out, "the marked speed that was given");
        break;
    case ISOCAST_MARKED_SPEED_SUSTAINED:
        isocast_buffer_puts(out, "the benchmark that the marked speed was measured with");
        put_benchmark(isocast_marked_speed_benchmark(machine, program), out);
        break;
    }
    isocast_buffer_puts(out, ".");
}

static isocast_status explain(const isocast_machine *machine, const isocast_model *model,
                              const char *program, const cli_above_one *rows,
                              isocast_above_one *out) {
    if (rows->system != NULL) {
        return isocast_above_one_find(model, rows->system, rows->N, rows->other_sizes, out);
    }
    isocast_diagnostics ignored = {0}; /* the name was read before */
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(machine, program, "row", rows->name, &ignored, &systems, &count);
    isocast_diagnostics_clear(&ignored);
    if (status == ISOCAST_OK) {
        status = isocast_above_one_find(model, systems[0], rows->N, rows->other_sizes, out);
        isocast_systems_free(systems, count);
    }
    return status;
}

void cli_report_note_above_one(cli_report *report, const isocast_algorithm *algorithm,
                               const isocast_machine *machine, const isocast_model *model,
                               const char *program, const cli_above_one *rows) {
    if (rows->count == 0) {
        return;
    }
    isocast_above_one why = {.rate = NAN};
    isocast_buffer text = {0};
    isocast_status status =
        model != NULL ? explain(machine, model, program, rows, &why) : ISOCAST_OK;
    text.failed = isocast_status_is_of_system(status);
    put_rows(algorithm, rows, &text);
    if (isnan(why.rate)) {
        put_unknown(machine, program, &text);
    } else {
        put_rates(machine, program, &why, &text);
    }
    cli_note_take(report, &text);
}

/* " (the benchmark)"; nothing where it is not known. */
/* Why a program has no marked speed of its own. */
static void put_reason(const char *program, isocast_buffer *out) {
    if (program != NULL) {
        isocast_buffer_printf(out, ", as the machine has none for %s", program);
    } else {
        isocast_buffer_puts(out, ", as the algorithm names no kernel");
    }
}

/* The marked speed of all programs that was chosen by hand; false where there is none. */
static bool put_chosen(const isocast_machine *machine, const char *program, isocast_buffer *out) {
    const isocast_best_rate *best = &machine->best_rate;
    switch (machine->marked_speed_kind) {
    case ISOCAST_MARKED_SPEED_SUSTAINED:
        return false;
    case ISOCAST_MARKED_SPEED_GIVEN:
        isocast_buffer_puts(out, "The marked speed is ");
        isocast_quantity_format(machine->classes[0].marked_speed, "flop/s", 3, out);
        isocast_buffer_puts(out, ", as given by --marked-speed.");
        return true;
    case ISOCAST_MARKED_SPEED_PEAK:
        break;
    }
    isocast_buffer_printf(out, "The marked speed%s is the best rate of %s: ",
                          machine->class_count > 1 ? " of the slowest nodes" : "", program);
    isocast_quantity_format(best->rate, "flop/s", 3, out);
    if (!isnan(best->m)) {
        isocast_buffer_puts(out, " at ");
        isocast_quantity_format(best->m, "B", 3, out);
    }
    CLI_PUT_IF(!isnan(best->p), out, " on %.10g process%s", best->p, best->p > 1 ? "es" : "");
    isocast_buffer_puts(out, " (--marked-speed peak).");
    return true;
}

void cli_report_note_marked_speed(cli_report *report, const isocast_machine *machine,
                                  const char *program) {
    isocast_buffer chosen = {0};
    if (put_chosen(machine, program, &chosen)) {
        cli_note_take(report, &chosen);
        return;
    }
    const char *benchmark = isocast_marked_speed_benchmark(machine, program);
    isocast_buffer which = {0};
    switch (isocast_marked_speed_origin_of(machine, program)) {
    case ISOCAST_MARKED_SPEED_OF_ALL:
        return;
    case ISOCAST_MARKED_SPEED_OF_PROGRAM:
        isocast_buffer_printf(&which, "those for %s", program);
        put_benchmark(benchmark, &which);
        break;
    case ISOCAST_MARKED_SPEED_DEFAULT:
        isocast_buffer_puts(&which, "the machine's default");
        put_benchmark(benchmark, &which);
        put_reason(program, &which);
        break;
    case ISOCAST_MARKED_SPEED_MEAN:
        isocast_buffer_puts(&which, "the mean of those for ");
        isocast_marked_speed_programs(machine, &which);
        put_reason(program, &which);
        break;
    }
    cli_note(report, "The marked speeds are %s.", which.text != NULL ? which.text : "");
    isocast_buffer_free(&which);
}

/* The operations of a restriction that are used all the same; false where there are none. */
static bool name_misused(const isocast_model *model, size_t index, isocast_buffer *out) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_restriction *restriction = &machine->restrictions[index];
    for (size_t i = 0; i < restriction->operation_count; i++) {
        CLI_PUT_IF(isocast_model_misuses(model, index, i), out, "%s%s", out->length > 0 ? ", " : "",
                   machine->operations[restriction->operations[i]].name);
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
        CLI_NOTE_IF(name_misused(model, r, &operations) && algorithms.text != NULL, report,
                    "The machine file gives %s for %s only%s%s.", operations.text, algorithms.text,
                    restriction->reason != NULL ? ": " : "",
                    restriction->reason != NULL ? restriction->reason : "");
        isocast_buffer_free(&operations);
        isocast_buffer_free(&algorithms);
    }
}

void cli_report_note_held_out(cli_report *report, const isocast_model *model) {
    const char *held_out = isocast_model_algorithm(model)->held_out;
    CLI_NOTE_IF(held_out != NULL, report, "Records held out when the formulas were derived: %s.",
                held_out);
}

static bool same_remark(const cli_remark *a, const cli_remark *b) {
    return a->note != NULL && b->note != NULL && a->status == b->status &&
           strcmp(a->note, b->note) == 0;
}

void cli_report_put_remarks(cli_report *report, const void *result, size_t count,
                            cli_remark (*remark_of)(const void *result, size_t index)) {
    for (size_t i = 0; i < count; i++) {
        cli_remark remark = remark_of(result, i);
        bool reported = remark.note == NULL;
        for (size_t k = 0; k < i && !reported; k++) {
            cli_remark before = remark_of(result, k);
            reported = same_remark(&before, &remark);
        }
        if (reported) {
            continue;
        }
        isocast_buffer systems = {0};
        for (size_t k = i; k < count; k++) {
            cli_remark other = remark_of(result, k);
            CLI_PUT_IF(same_remark(&remark, &other), &systems, "%s%s", k == i ? "" : ", ",
                       other.system);
        }
        bool solved = remark.status == ISOCAST_ROW_OK;
        cli_note(report, "%s: %s%s%s.", systems.text != NULL ? systems.text : "",
                 solved ? "" : isocast_row_status_word(remark.status), solved ? "" : ": ",
                 remark.note);
        isocast_buffer_free(&systems);
    }
}

/* "computation, pivot-rows": the parts of T that come from there. */
static void put_parts(const isocast_model *model, isocast_source_of_time source,
                      isocast_buffer *out) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    for (size_t k = 0; k <= algorithm->overhead_count; k++) {
        CLI_PUT_IF(isocast_source_of_part(model, k) == source, out, "%s%s",
                   out->length > 0 ? ", " : "", isocast_algorithm_part_name(algorithm, k));
    }
}

void cli_report_note_sources(cli_report *report, const isocast_model *model) {
    static const char *const words[] = {[ISOCAST_TIME_BY_FORMULAS] = "formulas and speeds",
                                        [ISOCAST_TIME_MEASURED] = "measured times of operations",
                                        [ISOCAST_TIME_SIMULATED] = "simulated times of operations",
                                        [ISOCAST_TIME_EXECUTED] =
                                            "executing the program itself in simulation"};
    const char *schedule = isocast_model_machine(model)->schedule;
    isocast_buffer text = {0};
    if (schedule == NULL) {
        return;
    }
    for (size_t source = 0; source < sizeof words / sizeof words[0]; source++) {
        isocast_buffer parts = {0};
        put_parts(model, (isocast_source_of_time)source, &parts);
        CLI_PUT_IF(parts.length > 0, &text, "%s%s (%s)", text.length > 0 ? "; from " : "from ",
                   words[source], parts.text);
        isocast_buffer_free(&parts);
    }
    cli_note(report, "T comes %s.", text.text != NULL ? text.text : "");
    cli_note(report, "The term overlap is what the executed program takes beside its formulas: %s.",
             schedule);
    isocast_buffer_free(&text);
}
