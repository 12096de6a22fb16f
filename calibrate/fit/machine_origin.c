#include "machine_origin.h"

#include <inttypes.h>
#include <math.h>

#include "machine_text.h"

void machine_origin_put_head(const machine_origin *origin, isocast_buffer *out) {
    isocast_buffer_printf(
        out,
        "# Written by isocast %s; every number can be changed by hand.\n"
        "# A number \xC2\xB1 its standard error; docs/reference/specifications.md states the "
        "keys.\n",
        origin->subcommand);
    machine_text_entry(out, "", "machine", origin->name);
    isocast_buffer_printf(out, "source: \"%s %s with isocast %s\"\n", origin->verb, origin->date,
                          origin->version);
}

void machine_origin_put_calibration(const machine_origin *origin, isocast_buffer *out) {
    isocast_buffer_printf(out, "calibration:\n  date: %s\n  isocast: %s\n", origin->date,
                          origin->version);
    machine_text_entry(out, "  ", "command", origin->command);
    isocast_buffer_printf(out, "  seed: %" PRIu64 "\n  launches: %zu\n", origin->seed,
                          origin->launches);
}

void machine_origin_put_sigma(double launch, double within, isocast_buffer *out) {
    const char *mark = "  sigma: {";
    if (!isnan(launch)) {
        isocast_buffer_printf(out, "%slaunch: %.3g", mark, launch);
        mark = ", ";
    }
    if (!isnan(within)) {
        isocast_buffer_printf(out, "%swithin: %.3g", mark, within);
        mark = ", ";
    }
    if (mark[0] == ',') {
        isocast_buffer_puts(out, "}    # sd of ln T between launches, within one\n");
    }
}
