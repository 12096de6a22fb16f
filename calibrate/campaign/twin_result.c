#include "twin_result.h"

#include <math.h>

#include "calibrate/fit/machine_text.h"
#include "calibrate/fit/platform_text.h"

static void put_error(const char *what, double error, isocast_buffer *out) {
    if (!isnan(error)) {
        isocast_buffer_printf(out, "# %s: %.1f %%\n", what, 100 * error);
    }
}

static void put_about(const campaign_twin *about, isocast_buffer *out) {
    isocast_buffer_puts(out, "# Median relative errors against the machine's timings\n");
    put_error("messages between nodes, mean", about->network.error_between, out);
    put_error("messages within a node, mean", about->network.error_within, out);
    put_error("collectives that were fitted", about->all.after, out);
    put_error("collectives on the most processes, which were left out", about->all.twin, out);
    put_error("formulas at the same", about->all.formulas, out);
}

static void put_class(const isocast_node_class *class, double nodes, isocast_buffer *out) {
    machine_text_key(out, "  ", class->name);
    isocast_buffer_printf(out, "{count: %.0f, processors: %.0f, speed: %.9g flop/s", nodes,
                          class->processors, class->marked_speed);
    if (!isnan(class->memory)) {
        isocast_buffer_printf(out, ", memory: %.0f B", class->memory);
    }
    isocast_buffer_puts(out, "}\n");
}

void twin_text_write(const campaign_twin_request *request, const isocast_network *network,
                     const campaign_twin *about, isocast_buffer *out) {
    const isocast_machine *machine = request->machine;
    if (about != NULL) {
        isocast_buffer_puts(out, "# Written by isocast calibrate --twin. Numbers may be edited.\n");
        put_about(about, out);
    }
    machine_text_entry(out, "", "platform", request->name);
    isocast_buffer source = {0};
    isocast_buffer_printf(&source, "fitted to the timings of %s (isocast %s, %s)", request->source,
                          request->version, request->command);
    machine_text_entry(out, "", "source", source.text != NULL ? source.text : "");
    isocast_buffer_free(&source);
    isocast_buffer_puts(out, "nodes:\n");
    bool alone = about != NULL && !about->spans_nodes;
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *class = &machine->classes[i];
        put_class(class, alone ? 1 : fmax(request->nodes, class->count), out);
    }
    isocast_buffer_puts(out, "network:\n  ");
    platform_text_put_network(network, "\n  ", out);
    isocast_buffer_puts(out, "\n");
    for (size_t i = 0; i < machine->system_count; i++) {
        isocast_buffer_puts(out, i == 0 ? "systems:\n" : "");
        machine_text_entry(out, "  ", machine->systems[i].name, machine->systems[i].text);
    }
}
