#include "schema.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/nearest.h"
#include "model/base/operation_name.h"
#include "model/base/text.h"
#include "model/formula/formula_lexer.h"
#include "model/formula/program.h"

static void note_status(isocast_reader *reader, isocast_status status) {
    if (reader->status == ISOCAST_OK || status == ISOCAST_NO_MEMORY) {
        reader->status = status;
    }
    if (status == ISOCAST_NO_MEMORY) {
        isocast_diagnostics_fail(reader->diagnostics);
    }
}

void isocast_reader_refuse(isocast_reader *reader, isocast_span span, const char *hint,
                           const char *format, ...) {
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&message, format, arguments);
    va_end(arguments);
    if (length < 0) {
        note_status(reader, ISOCAST_NO_MEMORY);
        return;
    }
    isocast_diagnostics_add(reader->diagnostics, ISOCAST_ERROR, reader->source, span, hint, "%s",
                            message);
    free(message);
    note_status(reader, ISOCAST_INVALID);
}

/* How a mapping is written, by what it is. */
static const char *example_of(const char *what) {
    static const struct {
        const char *what;
        const char *example;
    } examples[] = {
        {"size", "write size: {N: {description: matrix rank, min: 1}}"},
        {"a size parameter", "write size: {N: {description: matrix rank, min: 1}}"},
        {"valid", "write valid: {multiple_of: 2}"},
        {"a rule of valid", "write {that: p >= 2, otherwise: at least two processes are needed}"},
        {"overhead", "give each term a name, as in overhead: {messages: T_send(8 B*N)}"},
        {"define", "give each formula a name, as in define: {rows: N/p}"},
        {"nodes", "give each class a name, as in nodes: {node: {count: 4, processors: 8, "
                  "marked_speed: 2 Gflop/s}}"},
        {"a node class", "write {count: 4, processors: 8, marked_speed: 2 Gflop/s}"},
        {"network", "write network: {topology: switched, link_bandwidth: 10 Gbit/s, "
                    "link_latency: 10 us}"},
        {"list", "give each offer a name, as in list: {alpha: {machine: alpha.yaml}}"},
        {"an offer", "write {machine: alpha.yaml}"},
        {"systems", "give each system a name, as in systems: {S4: \"node:4\"}"},
        {"compute", "give the time per flop of each kernel, as in compute: {ge: 0.1 ns/flop}, or "
                    "of all, as in parameters: {t_c: 0.1 ns/flop}"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (strcmp(examples[i].what, what) == 0) {
            return examples[i].example;
        }
    }
    return "write key: value pairs, indented alike";
}

const char *isocast_table_hint(const isocast_tree_node *node) {
    bool table =
        node->kind == ISOCAST_TREE_SCALAR && strcspn(node->text, ",") < strcspn(node->text, " :\n");
    return table
               ? "this looks like a table: 'isocast validate' and 'isocast scalability' take runs, "
                 "'isocast fit-operations' timings"
               : NULL;
}

bool isocast_reader_expect(isocast_reader *reader, const isocast_tree_node *node,
                           isocast_tree_kind kind, const char *what) {
    if (node->kind == kind) {
        return true;
    }
    bool empty = node->kind == ISOCAST_TREE_SCALAR && node->text[0] == '\0';
    const char *table = isocast_table_hint(node);
    isocast_reader_refuse(reader, node->span,
                          kind != ISOCAST_TREE_MAPPING ? NULL
                          : table != NULL              ? table
                                                       : example_of(what),
                          "%s must be %s, this is %s", what, isocast_tree_kind_name(kind),
                          empty ? "empty" : isocast_tree_kind_name(node->kind));
    return false;
}

bool isocast_reader_at_most(isocast_reader *reader, const isocast_tree_node *mapping, size_t most,
                            const char *what) {
    if (mapping->count <= most) {
        return true;
    }
    isocast_reader_refuse(reader, mapping->entries[most].key.span, "join some of them",
                          "too many %s: at most %zu are taken, these are %zu", what, most,
                          mapping->count);
    return false;
}

/* Whether a key has swallowed a part of its value, for want of a blank behind its ':'. */
static bool has_value(const char *key) {
    return key[strcspn(key, ":=\"{")] != '\0';
}

void isocast_reader_known_keys(isocast_reader *reader, const isocast_tree_node *mapping,
                               const char *what, const char *const *keys, size_t count) {
    for (size_t i = 0; i < mapping->count; i++) {
        const isocast_tree_node *key = &mapping->entries[i].key;
        bool known = false;
        for (size_t k = 0; k < count && !known; k++) {
            known = strcmp(key->text, keys[k]) == 0;
        }
        if (known) {
            continue;
        }
        isocast_buffer hint = {0};
        if (has_value(key->text)) {
            isocast_buffer_puts(&hint, "a key is followed by ':' and a blank; ");
        }
        isocast_nearest_hint(&hint, key->text, keys, count, "known here");
        isocast_diagnostics_rely(reader->diagnostics, &hint);
        isocast_reader_refuse(reader, key->span, hint.text, "unknown key '%s' in %s", key->text,
                              what);
        isocast_buffer_free(&hint);
    }
}

bool isocast_reader_refuse_kind(isocast_reader *reader, const isocast_tree_node *root,
                                const char *key, const char *what) {
    static const struct {
        const char *key;
        const char *what;
    } kinds[] = {{"algorithm", "an algorithm file"},
                 {"machine", "a machine file"},
                 {"platform", "a platform file"},
                 {"offers", "a file of offers"}};
    const isocast_tree_entry *schema = isocast_tree_find(root, "schema");
    if (schema != NULL && schema->value.kind == ISOCAST_TREE_SCALAR &&
        strncmp(schema->value.text, "isocast.", 8) == 0) {
        isocast_reader_refuse(reader, schema->value.span, "'isocast plot' draws results",
                              "this is a result that isocast wrote, but %s is needed here", what);
        return true;
    }
    if (isocast_tree_find(root, key) != NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const isocast_tree_entry *other = isocast_tree_find(root, kinds[i].key);
        if (other != NULL) {
            isocast_reader_refuse(reader, other->key.span,
                                  "on the command line an algorithm comes first, then machines or "
                                  "offers; platforms stand behind --platform",
                                  "this is %s, but %s is needed here", kinds[i].what, what);
            return true;
        }
    }
    return false;
}

const isocast_tree_node *isocast_reader_find(isocast_reader *reader,
                                             const isocast_tree_node *mapping, const char *key,
                                             bool required, const char *what) {
    const isocast_tree_entry *entry = isocast_tree_find(mapping, key);
    if (entry != NULL) {
        return &entry->value;
    }
    if (required) {
        size_t begin = mapping->span.begin;
        isocast_reader_refuse(reader, (isocast_span){begin, begin + 1}, NULL,
                              "%s needs the key '%s'", what, key);
    }
    return NULL;
}

char *isocast_reader_text(isocast_reader *reader, const isocast_tree_node *node, const char *what) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_SCALAR, what)) {
        return NULL;
    }
    if (node->text[0] == '\0') {
        isocast_reader_refuse(reader, node->span, NULL, "%s is empty", what);
        return NULL;
    }
    /* A block of YAML ends in a line break that nobody means. */
    size_t length = strlen(node->text);
    while (length > 0 && node->text[length - 1] == '\n') {
        length--;
    }
    unsigned code = 0;
    if (isocast_text_find_control(node->text, length, &code) < length) {
        isocast_reader_refuse(reader, node->span, "write it in one line, with blanks",
                              "%s holds a %s", what, code == '\t' ? "tab" : "line break");
        return NULL;
    }
    char *text = strndup(node->text, length);
    if (text == NULL) {
        note_status(reader, ISOCAST_NO_MEMORY);
    }
    return text;
}

bool isocast_reader_mapping(isocast_reader *reader, const isocast_tree_node *node, const char *what,
                            const char *const *keys, size_t count) {
    bool is_mapping = isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, what);
    if (is_mapping) {
        isocast_reader_known_keys(reader, node, what, keys, count);
    }
    return is_mapping;
}

const isocast_tree_node *isocast_reader_section(isocast_reader *reader,
                                                const isocast_tree_node *mapping, const char *key,
                                                isocast_tree_kind kind) {
    const isocast_tree_node *node = isocast_reader_find(reader, mapping, key, false, key);
    return node != NULL && isocast_reader_expect(reader, node, kind, key) ? node : NULL;
}

char *isocast_reader_text_at(isocast_reader *reader, const isocast_tree_node *mapping,
                             const char *key) {
    const isocast_tree_node *node = isocast_reader_find(reader, mapping, key, false, key);
    return node != NULL ? isocast_reader_text(reader, node, key) : NULL;
}

bool isocast_reader_expect_name(isocast_reader *reader, const isocast_tree_node *key) {
    if (isocast_lexer_is_name(key->text)) {
        return true;
    }
    isocast_reader_refuse(reader, key->span,
                          has_value(key->text)
                              ? "a key is followed by ':' and a blank"
                              : "use letters, digits and _, and begin with a letter",
                          "'%s' cannot be used as a name in formulas", key->text);
    return false;
}

/* Whether a key can be the name of an operation, else a diagnostic. */
static bool expect_operation_name(isocast_reader *reader, const isocast_tree_node *key) {
    if (!isocast_operation_is_name(key->text)) {
        isocast_reader_refuse(reader, key->span, "such as T_bcast",
                              "the name of an operation must start with T_");
        return false;
    }
    if (strchr(key->text, '(') == NULL) {
        return isocast_reader_expect_name(reader, key);
    }
    isocast_buffer hint = {0};
    isocast_buffer_printf(&hint, "write %.*s; its formula may use m, the message size, and p",
                          (int)strcspn(key->text, "( "), key->text);
    isocast_diagnostics_rely(reader->diagnostics, &hint);
    isocast_reader_refuse(reader, key->span, hint.text,
                          "the name of an operation stands without arguments");
    isocast_buffer_free(&hint);
    return false;
}

char *isocast_reader_operation_name(isocast_reader *reader, const isocast_tree_node *mapping,
                                    size_t i) {
    const isocast_tree_node *key = &mapping->entries[i].key;
    if (!expect_operation_name(reader, key)) {
        return NULL;
    }
    return isocast_reader_text(reader, key, "an operation's name");
}

isocast_formula *isocast_reader_formula(isocast_reader *reader, const isocast_tree_node *node,
                                        isocast_names declared, const char *what) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_SCALAR, what)) {
        return NULL;
    }
    if (!node->verbatim) {
        isocast_reader_refuse(reader, node->span, "write the formula without \\ or doubled quotes",
                              "%s is written with escapes", what);
        return NULL;
    }
    if (node->text[0] == '\0') {
        isocast_reader_refuse(reader, node->span, NULL, "%s is empty; write a number or a formula",
                              what);
        return NULL;
    }
    isocast_formula *formula = NULL;
    isocast_status status =
        isocast_formula_parse(reader->source, node->span, declared, reader->diagnostics, &formula);
    if (status != ISOCAST_OK) {
        note_status(reader, status);
    }
    return formula;
}

double isocast_reader_number(isocast_reader *reader, const isocast_tree_node *node,
                             const isocast_formula_place *place, isocast_dimension *dimension) {
    isocast_formula *formula =
        isocast_reader_formula(reader, node, (isocast_names){0}, place->what);
    if (formula == NULL) {
        return NAN;
    }
    isocast_scope nothing = {0};
    isocast_program *program = NULL;
    isocast_dimension found = isocast_dimension_count;
    const isocast_formula *formulas[] = {formula};
    isocast_status status =
        isocast_formula_check(formula, &nothing, place, reader->diagnostics, &found);
    if (status == ISOCAST_OK) {
        status = isocast_program_compile(formulas, 1, &nothing, reader->diagnostics, &program);
    }
    double value = NAN;
    if (status == ISOCAST_OK) {
        isocast_program_points point = {.count = 1};
        double *results[] = {&value};
        status = isocast_program_evaluate(program, &point, results, NULL);
    }
    if (status != ISOCAST_OK) {
        note_status(reader, status);
    } else if (!isfinite(value)) {
        isocast_reader_refuse(reader, node->span, NULL, "%s is not a finite number", place->what);
        value = NAN;
    } else if (dimension != NULL) {
        *dimension = found;
    }
    isocast_program_free(program);
    isocast_formula_free(formula);
    return value;
}

double isocast_reader_bounded(isocast_reader *reader, const isocast_tree_node *node,
                              const isocast_formula_place *place, isocast_bounds bounds) {
    double value = isocast_reader_number(reader, node, place, NULL);
    if (isnan(value)) {
        return NAN;
    }
    if (value < bounds.least || (bounds.above && value == bounds.least)) {
        isocast_reader_refuse(reader, node->span, bounds.hint, "%s must be %s %g, this is %g",
                              place->what, bounds.above ? "above" : "at least", bounds.least,
                              value);
        return NAN;
    }
    if (bounds.whole && value != floor(value)) {
        isocast_reader_refuse(reader, node->span, bounds.hint,
                              "%s must be a whole number, this is %g", place->what, value);
        return NAN;
    }
    if (bounds.whole && value > ISOCAST_COUNT_MAX) {
        isocast_reader_refuse(reader, node->span, bounds.hint, "%s must be at most %g, this is %g",
                              place->what, ISOCAST_COUNT_MAX, value);
        return NAN;
    }
    return value;
}

void isocast_reader_number_at(isocast_reader *reader, const isocast_tree_node *mapping,
                              const char *key, isocast_dimension dimension, isocast_bounds bounds,
                              double *number) {
    const isocast_tree_node *node = isocast_reader_find(reader, mapping, key, false, key);
    isocast_formula_place place = {.what = key, .dimension = dimension};
    if (node != NULL) {
        *number = isocast_reader_bounded(reader, node, &place, bounds);
    }
}

void isocast_reader_fail(isocast_reader *reader) {
    note_status(reader, ISOCAST_NO_MEMORY);
}

void *isocast_reader_allocate(isocast_reader *reader, size_t count, size_t size) {
    void *items = calloc(count > 0 ? count : 1, size);
    if (items == NULL) {
        note_status(reader, ISOCAST_NO_MEMORY);
    }
    return items;
}
