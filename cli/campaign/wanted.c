#include "wanted.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/launcher.h"
#include "calibration.h"
#include "cli/options/exit.h"
#include "model/base/buffer.h"

/* A kernel has larger problems than messages are large, so it gets the time of several operations;
 * an operation without a size has one point. */
static const double kernel_weight = 3;
static const double unsized_weight = 0.2;
static const double benchmark_weight = 0.3;

static bool take_name(const char *line, void *context) {
    cli_wanted *w = context;
    const char *tab = strchr(line, '\t');
    if (tab == NULL || w->count == CLI_WANTED_MOST) {
        return tab != NULL;
    }
    cli_measurable *item = &w->items[w->count++];
    snprintf(item->name, sizeof item->name, "%.*s", (int)(tab - line), line);
    bool kernel = strcmp(tab + 1, "kernel") == 0;
    bool usual = strcmp(tab + 1, "usual") == 0;
    item->kind = kernel  ? CLI_MEASURABLE_KERNEL
                 : usual ? CLI_MEASURABLE_USUAL
                         : CLI_MEASURABLE_ON_REQUEST;
    item->wanted = kernel || usual;
    const isocast_known_operation *known = isocast_known_operation_find(item->name);
    bool unsized = known != NULL && known->argument == ISOCAST_ARGUMENT_NONE;
    item->weight = kernel ? kernel_weight : unsized ? unsized_weight : 1;
    return true;
}

int cli_wanted_ask(const char *probe, cli_wanted *out) {
    const char *command[] = {probe, "--list", NULL};
    launcher_request request = {.alone = true,
                                .processes = 1,
                                .command = command,
                                .timeout = 30,
                                .line = take_name,
                                .context = out};
    int exit_code;
    launcher_message message;
    *out = (cli_wanted){.all_usual = true};
    if (launcher_run(&request, &exit_code, &message) != LAUNCHER_OK || out->count == 0) {
        fprintf(stderr, "isocast: %s does not tell what it can measure\n%s", probe, message.text);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

static void want_none(cli_wanted *w) {
    w->all_usual = false;
    for (size_t i = 0; i < w->count; i++) {
        w->items[i].wanted = false;
    }
}

static cli_measurable *find(cli_wanted *w, const char *name, size_t length) {
    for (size_t i = 0; i < w->count; i++) {
        if (strlen(w->items[i].name) == length && memcmp(w->items[i].name, name, length) == 0) {
            return &w->items[i];
        }
    }
    return NULL;
}

static bool want_group(cli_wanted *w, const char *name, size_t length) {
    bool all = length == 3 && memcmp(name, "all", 3) == 0;
    bool usual = length == 5 && memcmp(name, "usual", 5) == 0;
    for (size_t i = 0; i < w->count && (all || usual); i++) {
        w->items[i].wanted =
            w->items[i].wanted || all || w->items[i].kind != CLI_MEASURABLE_ON_REQUEST;
    }
    return all || usual;
}

static int refuse_name(const cli_usage *usage, const cli_wanted *w, const char *name,
                       size_t length) {
    isocast_buffer known = {0};
    for (size_t i = 0; i < w->count; i++) {
        isocast_buffer_printf(&known, "%s%s", i > 0 ? ", " : "", w->items[i].name);
    }
    int status = cli_usage_error(usage,
                                 "--operations: '%.*s' cannot be measured; there are: %s, "
                                 "and the groups usual and all",
                                 (int)length, name, known.text != NULL ? known.text : "");
    isocast_buffer_free(&known);
    return status;
}

int cli_wanted_list(const cli_usage *usage, const char *text, cli_wanted *w) {
    want_none(w);
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, ",");
        cli_measurable *item = find(w, at, length);
        if (item != NULL) {
            item->wanted = true;
        } else if (!want_group(w, at, length)) {
            return refuse_name(usage, w, at, length);
        }
        at += length + (at[length] == ',');
    }
    return text[0] != '\0' ? CLI_EXIT_OK : cli_usage_error(usage, "--operations names nothing");
}

static const char *stand_in(const isocast_tree_node *root, const char *name, size_t length) {
    const isocast_tree_entry *section = isocast_tree_find(root, "operations");
    for (size_t i = 0; section != NULL && i < section->value.count; i++) {
        const isocast_tree_entry *entry = &section->value.entries[i];
        if (strlen(entry->key.text) == length && memcmp(entry->key.text, name, length) == 0) {
            return entry->value.text;
        }
    }
    return NULL;
}

enum { STAND_IN_DEPTH = 8 };

/* Wants the operations that a formula calls; what stands in for one may call others. */
static void want_calls(cli_wanted *w, const isocast_tree_node *root, const char *formula,
                       int depth) {
    for (const char *at = formula; at != NULL && *at != '\0';) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
        if (isocast_operation_starts(at, length)) {
            cli_measurable *item = find(w, at, length);
            if (item != NULL) {
                item->wanted = true;
            } else if (depth < STAND_IN_DEPTH) {
                want_calls(w, root, stand_in(root, at, length), depth + 1);
            }
        }
        at += length > 0 ? length : 1;
    }
}

static void want_section(cli_wanted *w, const isocast_tree_node *root,
                         const isocast_tree_node *node) {
    if (node->kind == ISOCAST_TREE_SCALAR) {
        want_calls(w, root, node->text, 0);
    }
    for (size_t i = 0; node->kind == ISOCAST_TREE_MAPPING && i < node->count; i++) {
        want_section(w, root, &node->entries[i].value);
    }
}

/* What stands in is checked against the machine even where nothing calls it. */
static void want_stand_ins(cli_wanted *w, const isocast_tree_node *root) {
    const isocast_tree_entry *section = isocast_tree_find(root, "operations");
    for (size_t i = 0; section != NULL && i < section->value.count; i++) {
        const isocast_tree_entry *entry = &section->value.entries[i];
        if (find(w, entry->key.text, strlen(entry->key.text)) == NULL) {
            want_calls(w, root, entry->value.text, 1);
        }
    }
}

int cli_wanted_algorithm(const cli_usage *usage, const isocast_algorithm *algorithm,
                         cli_wanted *w) {
    static const char *const sections[] = {"define", "overhead", "compute", "sequential"};
    const isocast_tree_node *root = &algorithm->tree->root;
    want_none(w);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const isocast_tree_entry *entry = isocast_tree_find(root, sections[i]);
        if (entry != NULL) {
            want_section(w, root, &entry->value);
        }
    }
    want_stand_ins(w, root);
    /* Collectives are fitted with what one message takes. */
    bool calls = false;
    for (size_t i = 0; i < w->count; i++) {
        calls = calls || w->items[i].wanted;
    }
    for (size_t i = 0; calls && i < w->count; i++) {
        const isocast_known_operation *known = isocast_known_operation_find(w->items[i].name);
        bool message = known != NULL && known->kind == ISOCAST_OPERATION_MESSAGE;
        w->items[i].wanted = w->items[i].wanted || message;
    }
    cli_measurable *kernel =
        algorithm->kernel != NULL ? find(w, algorithm->kernel, strlen(algorithm->kernel)) : NULL;
    if (kernel != NULL) {
        kernel->wanted = true;
    }
    if (!calls && kernel == NULL) {
        return cli_usage_error(usage,
                               "--for: the formulas of %s call no operation that can be measured, "
                               "and it names no kernel",
                               algorithm->name);
    }
    return CLI_EXIT_OK;
}

double cli_wanted_extent(const cli_wanted *w) {
    double wanted = 0;
    double usual = 0;
    for (size_t i = 0; i < w->count; i++) {
        wanted += w->items[i].wanted ? w->items[i].weight : 0;
        usual += w->items[i].kind != CLI_MEASURABLE_ON_REQUEST ? w->items[i].weight : 0;
    }
    return usual > 0 ? wanted / usual : 1;
}

char *cli_wanted_weights(const cli_wanted *w, bool *failed) {
    *failed = false;
    if (w->all_usual) {
        return NULL;
    }
    isocast_buffer text = {0};
    const char *benchmark = kernel_names[KERNEL_BENCHMARK];
    bool has_benchmark = false;
    for (size_t i = 0; i < w->count; i++) {
        if (w->items[i].wanted) {
            isocast_buffer_printf(&text, "%s%s=%.4g", text.length > 0 ? "," : "", w->items[i].name,
                                  w->items[i].weight);
            has_benchmark = has_benchmark || strcmp(w->items[i].name, benchmark) == 0;
        }
    }
    if (!has_benchmark) {
        isocast_buffer_printf(&text, "%s%s:%d=%.4g", text.length > 0 ? "," : "", benchmark,
                              CLI_CALIBRATION_BENCHMARK, benchmark_weight);
    }
    char *taken = isocast_buffer_take(&text);
    *failed = taken == NULL;
    return taken;
}
