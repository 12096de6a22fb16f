#include "above_one.h"

#include <math.h>

#include "model/base/quantity.h"
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
    if (others > 0) {
        isocast_buffer_printf(out, " and in %zu other row%s", others, others > 1 ? "s" : "");
    }
    isocast_buffer_puts(out, ": ");
}

static void put_benchmark(const char *benchmark, isocast_buffer *out) {
    if (benchmark != NULL) {
        isocast_buffer_printf(out, " (%s)", benchmark);
    }
}

/* By the machine file the program is faster on these data than its marked speed. */
static void put_rates(const isocast_machine *machine, const char *program,
                      const isocast_above_one *why, isocast_buffer *out) {
    isocast_buffer_printf(out, "by the machine file %s runs at %s", program,
                          isocast_quantity_text(why->rate, "flop/s", DIGITS).text);
    if (!isnan(why->m)) {
        isocast_buffer_printf(out, " on %s", isocast_quantity_text(why->m, "B", DIGITS).text);
    }
    isocast_buffer_printf(out, ", and the marked speed is %s%s",
                          isocast_quantity_text(why->marked, "flop/s", DIGITS).text,
                          why->marked_differ ? " on average" : "");
    put_benchmark(isocast_marked_speed_benchmark(machine, program), out);
    isocast_buffer_puts(out, ".");
    if (!isnan(why->larger_rate)) {
        isocast_buffer_printf(
            out, " On larger data, which a cache may not hold, it is slower: %s on %s.",
            isocast_quantity_text(why->larger_rate, "flop/s", DIGITS).text,
            isocast_quantity_text(why->larger_m, "B", DIGITS).text);
    }
    if (machine->marked_speed_kind != ISOCAST_MARKED_SPEED_PEAK) {
        isocast_buffer_puts(out, " --marked-speed peak takes its best rate instead.");
    }
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
    cli_report_footnote(report, "%s", text.text != NULL ? text.text : "");
    isocast_buffer_free(&text);
}
