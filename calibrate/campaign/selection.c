#include "selection.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel has larger problems than messages are large, so it gets the time of several operations;
 * an operation without a size has one point. */
static const double kernel_weight = 3;
static const double unsized_weight = 0.2;
static const double benchmark_weight = 0.3;

bool campaign_measurable_is_kernel(const campaign_measurable *item) {
    return item->kind == CAMPAIGN_MEASURABLE_KERNEL ||
           item->kind == CAMPAIGN_MEASURABLE_KERNEL_ON_REQUEST;
}

static bool is_usual(const campaign_measurable *item) {
    return item->kind == CAMPAIGN_MEASURABLE_KERNEL || item->kind == CAMPAIGN_MEASURABLE_USUAL;
}

bool campaign_selection_take_line(const char *line, void *context) {
    campaign_selection *w = context;
    const char *tab = strchr(line, '\t');
    if (tab == NULL || w->count == CAMPAIGN_SELECTION_MAX) {
        return tab != NULL;
    }
    campaign_measurable *item = &w->items[w->count++];
    snprintf(item->name, sizeof item->name, "%.*s", (int)(tab - line), line);
    static const struct {
        const char *text;
        campaign_measurable_kind kind;
    } kinds[] = {{"kernel", CAMPAIGN_MEASURABLE_KERNEL},
                 {"kernel on request", CAMPAIGN_MEASURABLE_KERNEL_ON_REQUEST},
                 {"usual", CAMPAIGN_MEASURABLE_USUAL}};
    item->kind = CAMPAIGN_MEASURABLE_ON_REQUEST;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        item->kind = strcmp(tab + 1, kinds[i].text) == 0 ? kinds[i].kind : item->kind;
    }
    bool kernel = campaign_measurable_is_kernel(item);
    item->wanted = is_usual(item);
    const isocast_known_operation *known = isocast_known_operation_find(item->name);
    bool unsized = known != NULL && known->argument == ISOCAST_ARGUMENT_NONE;
    item->weight = kernel ? kernel_weight : unsized ? unsized_weight : 1;
    return true;
}

/* Whether the fit knows how the operation grows with p. */
static bool has_law(const campaign_selection *w, const campaign_measurable *item) {
    const isocast_known_operation *known = isocast_known_operation_find(item->name);
    if (known == NULL || !known->has_no_law) {
        return true;
    }
    bool on_shared = w->shared && !w->mixed && known->is_counted_on_shared;
    return w->counts && (known->is_counted || on_shared);
}

void campaign_selection_simulate(campaign_selection *w, bool counts, bool shared, bool mixed) {
    w->counts = counts;
    w->shared = shared;
    w->mixed = mixed;
    for (size_t i = 0; i < w->count; i++) {
        const isocast_known_operation *known = isocast_known_operation_find(w->items[i].name);
        if (known != NULL && known->is_usual_simulated && has_law(w, &w->items[i])) {
            w->items[i].kind = CAMPAIGN_MEASURABLE_USUAL;
            w->items[i].wanted = true;
        }
    }
}

static void want_none(campaign_selection *w) {
    for (size_t i = 0; i < w->count; i++) {
        w->items[i].wanted = false;
    }
}

static size_t index_of(const campaign_selection *w, const char *name, size_t length) {
    size_t i = 0;
    while (i < w->count &&
           (strlen(w->items[i].name) != length || memcmp(w->items[i].name, name, length) != 0)) {
        i++;
    }
    return i;
}

static campaign_measurable *find(campaign_selection *w, const char *name, size_t length) {
    size_t i = index_of(w, name, length);
    return i < w->count ? &w->items[i] : NULL;
}

bool campaign_selection_has(const campaign_selection *w, const char *name) {
    return index_of(w, name, strlen(name)) < w->count;
}

static bool want_group(campaign_selection *w, const char *name, size_t length) {
    bool all = length == 3 && memcmp(name, "all", 3) == 0;
    bool usual = length == 5 && memcmp(name, "usual", 5) == 0;
    for (size_t i = 0; i < w->count && (all || usual); i++) {
        bool named = all && has_law(w, &w->items[i]);
        w->items[i].wanted = w->items[i].wanted || named || is_usual(&w->items[i]);
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

/* Marks the operations that a formula calls as wanted. A formula that replaces an operation may
 * call other operations. */
static void want_calls(campaign_selection *w, const isocast_tree_node *root, const char *formula,
                       int depth) {
    for (const char *at = formula; at != NULL && *at != '\0';) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
        if (isocast_operation_starts(at, length)) {
            campaign_measurable *item = find(w, at, length);
            const char *replacing = stand_in(root, at, length);
            if (item != NULL && (replacing == NULL || has_law(w, item))) {
                item->wanted = true;
            } else if (depth < STAND_IN_DEPTH) {
                want_calls(w, root, replacing, depth + 1);
            }
        }
        at += length > 0 ? length : 1;
    }
}

static void want_section(campaign_selection *w, const isocast_tree_node *root,
                         const isocast_tree_node *node) {
    if (node->kind == ISOCAST_TREE_SCALAR) {
        want_calls(w, root, node->text, 0);
    }
    for (size_t i = 0; node->kind == ISOCAST_TREE_MAPPING && i < node->count; i++) {
        want_section(w, root, &node->entries[i].value);
    }
}

/* A formula that replaces an operation is checked against the machine even where nothing calls it.
 */
static void want_stand_ins(campaign_selection *w, const isocast_tree_node *root) {
    const isocast_tree_entry *section = isocast_tree_find(root, "operations");
    for (size_t i = 0; section != NULL && i < section->value.count; i++) {
        const isocast_tree_entry *entry = &section->value.entries[i];
        const campaign_measurable *item = find(w, entry->key.text, strlen(entry->key.text));
        if (item == NULL || !has_law(w, item)) {
            want_calls(w, root, entry->value.text, 1);
        }
    }
}

isocast_status campaign_selection_want_algorithm(campaign_selection *w,
                                                 const isocast_algorithm *algorithm) {
    static const char *const sections[] = {"define", "overhead", "compute", "sequential"};
    const isocast_tree_node *root = &algorithm->tree->root;
    want_none(w);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const isocast_tree_entry *entry = isocast_tree_find(root, sections[i]);
        if (entry != NULL) {
            want_section(w, root, &entry->value);
        }
    }
    /* Formulas of a program stand nowhere in the file. */
    for (size_t i = 0; i < algorithm->overhead_count && algorithm->program != NULL; i++) {
        const isocast_formula *formula = algorithm->overhead[i].formula;
        char *text = strndup(formula->source->text + formula->span.begin,
                             formula->span.end - formula->span.begin);
        if (text == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        want_calls(w, root, text, 0);
        free(text);
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
    campaign_measurable *kernel =
        algorithm->kernel != NULL ? find(w, algorithm->kernel, strlen(algorithm->kernel)) : NULL;
    if (kernel != NULL) {
        kernel->wanted = true;
    }
    return calls || kernel != NULL ? ISOCAST_OK : ISOCAST_ARGUMENT;
}

double campaign_selection_extent(const campaign_selection *w) {
    double wanted = 0;
    double usual = 0;
    for (size_t i = 0; i < w->count; i++) {
        wanted += w->items[i].wanted ? w->items[i].weight : 0;
        usual += is_usual(&w->items[i]) ? w->items[i].weight : 0;
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
