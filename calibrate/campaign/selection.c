#include "selection.h"

#include <stdio.h>
#include <string.h>

/* A kernel has larger problems than messages are large, so it gets the time of several operations;
 * an operation without a size has one point. */
static const double kernel_weight = 3;
static const double unsized_weight = 0.2;
static const double benchmark_weight = 0.3;

bool campaign_selection_take_line(const char *line, void *context) {
    campaign_selection *w = context;
    const char *tab = strchr(line, '\t');
    if (tab == NULL || w->count == CAMPAIGN_SELECTION_MAX) {
        return tab != NULL;
    }
    campaign_measurable *item = &w->items[w->count++];
    snprintf(item->name, sizeof item->name, "%.*s", (int)(tab - line), line);
    const char *kind = tab + 1;
    item->is_kernel = strcmp(kind, "kernel") == 0 || strcmp(kind, "kernel on request") == 0;
    item->is_usual = strcmp(kind, "kernel") == 0 || strcmp(kind, "usual") == 0;
    item->wanted = item->is_usual;
    const isocast_known_operation *known = isocast_known_operation_find(item->name);
    bool unsized = known != NULL && known->argument == ISOCAST_ARGUMENT_NONE;
    item->weight = item->is_kernel ? kernel_weight : unsized ? unsized_weight : 1;
    return true;
}

static void want_none(campaign_selection *w) {
    for (size_t i = 0; i < w->count; i++) {
        w->items[i].wanted = false;
    }
}

/* As strchr() does, gives what may be changed where all of it may. */
static campaign_measurable *find(const campaign_selection *w, const char *name, size_t length) {
    for (size_t i = 0; i < w->count; i++) {
        const char *known = w->items[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return (campaign_measurable *)&w->items[i];
        }
    }
    return NULL;
}

bool campaign_selection_has(const campaign_selection *w, const char *name) {
    return find(w, name, strlen(name)) != NULL;
}

static bool want_group(campaign_selection *w, const char *name, size_t length) {
    bool all = length == 3 && memcmp(name, "all", 3) == 0;
    bool usual = length == 5 && memcmp(name, "usual", 5) == 0;
    for (size_t i = 0; i < w->count && (all || usual); i++) {
        w->items[i].wanted = w->items[i].wanted || all || w->items[i].is_usual;
    }
    return all || usual;
}

isocast_status campaign_selection_want_list(campaign_selection *w, const char *text,
                                            isocast_span *unknown) {
    want_none(w);
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, ",");
        campaign_measurable *item = find(w, at, length);
        if (item != NULL) {
            item->wanted = true;
        } else if (!want_group(w, at, length)) {
            *unknown = (isocast_span){(size_t)(at - text), (size_t)(at - text) + length};
            return ISOCAST_ARGUMENT;
        }
        at += length + (at[length] == ',');
    }
    *unknown = (isocast_span){0};
    return text[0] != '\0' ? ISOCAST_OK : ISOCAST_ARGUMENT;
}

static const isocast_formula *stand_in(const isocast_algorithm *algorithm, const char *name) {
    for (size_t i = 0; i < algorithm->operation_count; i++) {
        if (strcmp(algorithm->operations[i].name, name) == 0) {
            return algorithm->operations[i].formula;
        }
    }
    return NULL;
}

enum { STAND_IN_DEPTH = 8 };

/* Marks the operations that a formula calls as wanted. A formula that replaces an operation may
 * call other operations. */
static void want_calls(campaign_selection *w, const isocast_algorithm *algorithm,
                       const isocast_formula_node *node, int depth) {
    if (node->kind == ISOCAST_FORMULA_CALL && isocast_operation_is_name(node->name)) {
        campaign_measurable *item = find(w, node->name, strlen(node->name));
        const isocast_formula *replacing = stand_in(algorithm, node->name);
        if (item != NULL) {
            item->wanted = true;
        } else if (replacing != NULL && depth < STAND_IN_DEPTH) {
            want_calls(w, algorithm, replacing->root, depth + 1);
        }
    }
    for (size_t i = 0; i < node->count; i++) {
        want_calls(w, algorithm, node->arguments[i], depth);
    }
}

static void want_formula(campaign_selection *w, const isocast_algorithm *algorithm,
                         const isocast_formula *formula) {
    if (formula != NULL) {
        want_calls(w, algorithm, formula->root, 0);
    }
}

void campaign_selection_want_algorithm(campaign_selection *w, const isocast_algorithm *algorithm) {
    want_none(w);
    want_formula(w, algorithm, algorithm->compute);
    want_formula(w, algorithm, algorithm->sequential);
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        want_formula(w, algorithm, algorithm->definitions[i].formula);
    }
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        want_formula(w, algorithm, algorithm->overhead[i].formula);
    }
    /* A formula that replaces an operation is checked against the machine even where nothing calls
     * it. */
    for (size_t i = 0; i < algorithm->operation_count; i++) {
        if (!campaign_selection_has(w, algorithm->operations[i].name)) {
            want_formula(w, algorithm, algorithm->operations[i].formula);
        }
    }
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
    campaign_measurable *kernel =
        algorithm->kernel != NULL ? find(w, algorithm->kernel, strlen(algorithm->kernel)) : NULL;
    if (kernel != NULL) {
        kernel->wanted = true;
    }
}

double campaign_selection_extent(const campaign_selection *w) {
    double wanted = 0;
    double usual = 0;
    for (size_t i = 0; i < w->count; i++) {
        wanted += w->items[i].wanted ? w->items[i].weight : 0;
        usual += w->items[i].is_usual ? w->items[i].weight : 0;
    }
    return usual > 0 ? wanted / usual : 1;
}

isocast_status campaign_selection_weights(const campaign_selection *w, char **out) {
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
                              CAMPAIGN_BENCHMARK_SIZE, benchmark_weight);
    }
    char *taken = isocast_buffer_take(&text);
    if (taken == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = taken;
    return ISOCAST_OK;
}
