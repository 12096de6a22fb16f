#include "list_title.h"

#include <math.h>
#include <string.h>

#include "model/base/quantity.h"
#include "model/runs/runs.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform_load.h"

static void append_count(double count, const char *what, isocast_buffer *out) {
    isocast_buffer_printf(out, "%.15g %s%s", count, what, count == 1 ? "" : "s");
}

/* "128 nodes with 1 processor of 10 Gflop/s". */
static void append_nodes(const isocast_machine *machine, isocast_buffer *out) {
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *class = &machine->classes[i];
        isocast_buffer_puts(out, i > 0 ? ", " : "");
        append_count(class->count, "node", out);
        isocast_buffer_puts(out, " with ");
        append_count(class->processors, "processor", out);
        isocast_buffer_puts(out, " of ");
        isocast_quantity_format(class->marked_speed, "flop/s", 3, out);
    }
}

/* The key `title`, or else the nodes. False where it was these. */
static bool append_machine(const isocast_machine *machine, isocast_buffer *out) {
    const isocast_tree_entry *title = isocast_tree_find(&machine->tree->root, "title");
    if (title != NULL && title->value.kind == ISOCAST_TREE_SCALAR) {
        isocast_buffer_puts(out, title->value.text);
        return true;
    }
    append_nodes(machine, out);
    return false;
}

static void append_platform(const isocast_platform *platform, isocast_buffer *out) {
    if (!append_machine(platform->hardware, out)) {
        const isocast_network *network = &platform->network;
        isocast_buffer_printf(out, ", %s, ", isocast_topology_name(network->topology));
        isocast_quantity_format(8 * network->link_bandwidth, "bit/s", 3, out);
    }
}

/* The comment in the first line; nothing where that is none. */
static void append_comment(const isocast_runs *runs, isocast_buffer *out) {
    const char *text = runs->source->text;
    if (text[0] == '#') {
        text += 1 + strspn(text + 1, " \t");
        isocast_buffer_append(out, text, strcspn(text, "\r\n"));
    }
}

static isocast_status read_algorithm(const char *path, isocast_diagnostics *diagnostics,
                                     isocast_buffer *out) {
    isocast_algorithm *algorithm = NULL;
    isocast_status status = isocast_algorithm_load(path, diagnostics, &algorithm);
    if (status == ISOCAST_OK && algorithm->title != NULL) {
        isocast_buffer_puts(out, algorithm->title);
    }
    isocast_algorithm_free(algorithm);
    return status;
}

static isocast_status read_machine(const char *path, isocast_diagnostics *diagnostics,
                                   isocast_buffer *out) {
    isocast_machine *machine = NULL;
    isocast_status status = isocast_machine_load(path, diagnostics, &machine);
    if (status == ISOCAST_OK) {
        append_machine(machine, out);
    }
    isocast_machine_free(machine);
    return status;
}

static isocast_status read_platform(const char *path, isocast_diagnostics *diagnostics,
                                    isocast_buffer *out) {
    isocast_platform *platform = NULL;
    isocast_status status = isocast_platform_load(path, diagnostics, &platform);
    if (status == ISOCAST_OK) {
        append_platform(platform, out);
    }
    isocast_platform_free(platform);
    return status;
}

static isocast_status read_runs(const char *path, isocast_diagnostics *diagnostics,
                                isocast_buffer *out) {
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_load_list(path, diagnostics, &runs);
    if (status == ISOCAST_OK) {
        append_comment(runs, out);
    }
    isocast_runs_free(runs);
    return status;
}

isocast_status list_title_read(list_kind kind, const char *path, isocast_diagnostics *diagnostics,
                               isocast_buffer *out) {
    switch (kind) {
    case LIST_ALGORITHM:
        return read_algorithm(path, diagnostics, out);
    case LIST_MACHINE:
        return read_machine(path, diagnostics, out);
    case LIST_PLATFORM:
        return read_platform(path, diagnostics, out);
    case LIST_RUNS:
        return read_runs(path, diagnostics, out);
    case LIST_LAUNCHER:
    case LIST_KINDS:
        break;
    }
    return ISOCAST_INVALID;
}
