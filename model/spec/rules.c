#include "rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 100, CHUNK_POINTS = 256, STEPS_MAX = 1 << 20 /* looked at on either side */ };

/* The largest whole number of processes that is looked at, and the largest N: whole doubles. */
static const double whole_most = 0x1p53;

static bool read_rule(isocast_reader *reader, const isocast_tree_node *node, isocast_names declared,
                      isocast_rule *out) {
    static const char *const keys[] = {"that", "otherwise"};
    if (!isocast_reader_mapping(reader, node, "a rule of valid", keys, 2)) {
        return false;
    }
    const isocast_tree_node *that =
        isocast_reader_find(reader, node, "that", true, "a rule of valid");
    const isocast_tree_node *otherwise =
        isocast_reader_find(reader, node, "otherwise", true, "a rule of valid");
    out->that = that == NULL ? NULL : isocast_reader_formula(reader, that, declared, "that");
    out->otherwise = otherwise == NULL ? NULL : isocast_reader_text(reader, otherwise, "otherwise");
    return out->that != NULL && out->otherwise != NULL;
}

void isocast_rules_read(isocast_reader *reader, const isocast_tree_node *root,
                        isocast_names declared, isocast_algorithm *algorithm) {
    const isocast_tree_node *node = isocast_reader_find(reader, root, "valid", false, "");
    if (node == NULL) {
        return;
    }
    bool is_list = node->kind == ISOCAST_TREE_SEQUENCE;
    size_t count = is_list ? node->count : 1;
    if (count == 0 || count > RULES_MAX) {
        isocast_reader_refuse(reader, node->span,
                              "write valid: [{that: sqrt(p) == floor(sqrt(p)), otherwise: p must "
                              "be a square}]",
                              "valid has 1 to %d rules, there are %zu", RULES_MAX, count);
        return;
    }
    algorithm->rule_list = isocast_reader_allocate(reader, count, sizeof *algorithm->rule_list);
    bool complete = algorithm->rule_list != NULL;
    for (size_t i = 0; algorithm->rule_list != NULL && i < count; i++) {
        const isocast_tree_node *rule = is_list ? &node->items[i] : node;
        complete &= read_rule(reader, rule, declared, &algorithm->rule_list[i]);
        algorithm->rule_count++;
    }
    algorithm->rules_are_read = complete;
}

static isocast_status fill_scope(const isocast_algorithm *a, isocast_rules *rules) {
    rules->symbols = calloc(a->size_count + a->definition_count + 1, sizeof *rules->symbols);
    rules->of_N = calloc(a->rule_count + 1, sizeof *rules->of_N);
    if (rules->symbols == NULL || rules->of_N == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    rules->scope.symbols = rules->symbols;
    for (size_t i = 0; i < a->size_count; i++) {
        rules->symbols[rules->scope.count++] =
            (isocast_symbol){.name = a->sizes[i].name, .kind = ISOCAST_SYMBOL_INPUT, .index = i};
    }
    rules->symbols[rules->scope.count++] =
        (isocast_symbol){.name = "p", .kind = ISOCAST_SYMBOL_INPUT, .index = a->size_count};
    for (size_t i = 0; i < a->definition_count; i++) {
        rules->symbols[rules->scope.count++] =
            (isocast_symbol){.name = a->definitions[i].name,
                             .kind = ISOCAST_SYMBOL_FORMULA,
                             .any_dimension = true,
                             .formula = a->definitions[i].formula,
                             .scope = &rules->scope};
    }
    return isocast_scope_index(&rules->scope, &rules->index);
}

/* Whether a formula names the first size, itself or through definitions; each of these is looked
 * into once (`seen`, by symbol). Its checked depth bounds the recursion. */
static bool looks_at_N(const isocast_rules *rules, const isocast_formula_node *node, bool *seen) {
    if (node->kind == ISOCAST_FORMULA_NAME) {
        const isocast_symbol *symbol = isocast_scope_find(&rules->scope, node->name);
        size_t at = symbol != NULL ? (size_t)(symbol - rules->symbols) : 0;
        if (symbol == NULL || symbol->kind != ISOCAST_SYMBOL_FORMULA || seen[at]) {
            return symbol == rules->symbols;
        }
        seen[at] = true;
        return looks_at_N(rules, symbol->formula->root, seen);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (looks_at_N(rules, node->arguments[i], seen)) {
            return true;
        }
    }
    return false;
}

static isocast_status compile(const isocast_algorithm *a, isocast_rules *rules,
                              isocast_diagnostics *diagnostics) {
    isocast_status status = fill_scope(a, rules);
    const isocast_formula **formulas = malloc((a->rule_count + 1) * sizeof(*formulas));
    bool *seen = malloc(rules->scope.count + 1);
    if (formulas == NULL || seen == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; status != ISOCAST_NO_MEMORY && i < a->rule_count; i++) {
        isocast_dimension ignored;
        isocast_formula_place place = {.what = "a rule of valid"};
        formulas[i] = a->rule_list[i].that;
        isocast_status one =
            isocast_formula_check(formulas[i], &rules->scope, &place, diagnostics, &ignored);
        status = one != ISOCAST_OK ? one : status;
        if (one == ISOCAST_OK) {
            memset(seen, 0, rules->scope.count);
            rules->of_N[i] = looks_at_N(rules, formulas[i]->root, seen);
        }
    }
    if (status == ISOCAST_OK) {
        status = isocast_program_compile(formulas, a->rule_count, &rules->scope, diagnostics,
                                         &rules->program);
    }
    free(formulas);
    free(seen);
    return status;
}

isocast_status isocast_rules_compile(isocast_algorithm *algorithm,
                                     isocast_diagnostics *diagnostics) {
    if (algorithm->rule_count == 0) {
        return ISOCAST_OK;
    }
    isocast_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = compile(algorithm, rules, diagnostics);
    if (status != ISOCAST_OK) {
        isocast_rules_free(rules);
        return status;
    }
    if (algorithm->rules == NULL) {
        algorithm->rules = rules;
        return ISOCAST_OK;
    }
    /* They stay where they are, as an algorithm with a correction has the same. */
    isocast_rules before = *algorithm->rules;
    *algorithm->rules = *rules;
    *rules = before;
    isocast_rules_free(rules);
    return ISOCAST_OK;
}

bool isocast_rules_look_at_N(const isocast_algorithm *algorithm) {
    bool any = false;
    for (size_t i = 0; i < algorithm->rule_count; i++) {
        any = any || algorithm->rules->of_N[i];
    }
    return any;
}

/* Values of all rules at up to CHUNK_POINTS N and p, each with its stride; shape of values:
 * [rule_count][CHUNK_POINTS]. */
typedef struct evaluation {
    const isocast_algorithm *algorithm;
    const isocast_rules_point *at;
    isocast_column *columns; /* sizes, p */
    double *values;
    double **outputs;
} evaluation;

static isocast_status start(const isocast_algorithm *a, const isocast_rules_point *at,
                            evaluation *e) {
    *e = (evaluation){.algorithm = a, .at = at};
    e->columns = calloc(a->size_count + 1, sizeof *e->columns);
    e->values = calloc(a->rule_count * CHUNK_POINTS, sizeof *e->values);
    e->outputs = calloc(a->rule_count, sizeof *e->outputs);
    if (e->columns == NULL || e->values == NULL || e->outputs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < a->rule_count; i++) {
        e->outputs[i] = e->values + i * CHUNK_POINTS;
    }
    for (size_t i = 1; i < a->size_count; i++) {
        e->columns[i] = (isocast_column){&at->other_sizes[i - 1], 0};
    }
    e->columns[0] = (isocast_column){&at->N, 0};
    e->columns[a->size_count] = (isocast_column){&at->p, 0};
    return ISOCAST_OK;
}

static void finish(evaluation *e) {
    free(e->columns);
    free(e->values);
    free(e->outputs);
}

static isocast_status evaluate(evaluation *e, size_t count) {
    isocast_program_points points = {.count = count, .inputs = e->columns};
    return isocast_program_evaluate(e->algorithm->rules->program, &points, e->outputs, NULL);
}

/* A rule without a value is broken: nothing says that it holds. */
static bool holds(double value) {
    return value != 0 && !isnan(value);
}

isocast_status isocast_rules_broken(const isocast_algorithm *algorithm, bool of_N,
                                    const isocast_rules_point *point, const char **out) {
    *out = NULL;
    if (algorithm->rule_count == 0) {
        return ISOCAST_OK;
    }
    evaluation e;
    isocast_status status = start(algorithm, point, &e);
    status = status == ISOCAST_OK ? evaluate(&e, 1) : status;
    for (size_t i = algorithm->rule_count; status == ISOCAST_OK && i-- > 0;) {
        if (algorithm->rules->of_N[i] == of_N && !holds(e.outputs[i][0])) {
            *out = algorithm->rule_list[i].otherwise;
        }
    }
    finish(&e);
    return status;
}

isocast_status isocast_rules_sift_p(const isocast_algorithm *algorithm, const double *other_sizes,
                                    const double *p, size_t count, bool *kept) {
    if (algorithm->rule_count == 0) {
        return ISOCAST_OK;
    }
    evaluation e;
    const isocast_rules_point point = {NAN, other_sizes, NAN};
    isocast_status status = start(algorithm, &point, &e);
    for (size_t first = 0; first < count && status == ISOCAST_OK; first += CHUNK_POINTS) {
        size_t chunk = count - first < CHUNK_POINTS ? count - first : CHUNK_POINTS;
        e.columns[algorithm->size_count] = (isocast_column){p + first, 1};
        status = evaluate(&e, chunk);
        for (size_t i = 0; i < algorithm->rule_count * chunk && status == ISOCAST_OK; i++) {
            size_t rule = i / chunk;
            size_t k = i % chunk;
            kept[first + k] &= algorithm->rules->of_N[rule] || holds(e.outputs[rule][k]);
        }
    }
    finish(&e);
    return status;
}

/* A walk over whole numbers of p, or of N, until one keeps the rules. */
typedef struct walk {
    evaluation *e;
    size_t column;              /* that takes the numbers */
    bool of_N;                  /* rules that look at N count, too */
    const isocast_valid *valid; /* of N; NULL: any */
} walk;

static bool keeps_all(const walk *w, size_t k, double number) {
    const isocast_algorithm *a = w->e->algorithm;
    bool kept = w->valid == NULL || isocast_valid_holds(w->valid, number);
    for (size_t i = 0; i < a->rule_count && kept; i++) {
        kept = (!w->of_N && a->rules->of_N[i]) || holds(w->e->outputs[i][k]);
    }
    return kept;
}

/* From `first` on by steps of `step` (1 or -1) to `last`. */
static isocast_status walk_to(const walk *w, double first, double step, double last, double *out) {
    double numbers[CHUNK_POINTS];
    size_t steps = 0;
    *out = NAN;
    while (isnan(*out) && steps < STEPS_MAX && (last - first) * step >= 0) {
        size_t count = 0;
        while (count < CHUNK_POINTS && (last - first) * step >= 0) {
            numbers[count++] = first;
            first += step;
        }
        w->e->columns[w->column] = (isocast_column){numbers, 1};
        isocast_status status = evaluate(w->e, count);
        if (status != ISOCAST_OK) {
            return status;
        }
        for (size_t k = 0; k < count && isnan(*out); k++) {
            *out = keeps_all(w, k, numbers[k]) ? numbers[k] : NAN;
        }
        steps += count;
    }
    return ISOCAST_OK;
}

static isocast_status walk_both(const walk *w, double from, double least, double most,
                                isocast_valid_pair *out) {
    isocast_valid_pair found = {NAN, NAN};
    most = fmin(most, whole_most);
    isocast_status status =
        walk_to(w, floor(fmin(from, most)), -1, fmax(ceil(least), 1), &found.below);
    if (status == ISOCAST_OK) {
        status = walk_to(w, ceil(fmax(from, fmax(least, 1))), 1, floor(most), &found.above);
    }
    if (status == ISOCAST_OK) {
        *out = found;
    }
    return status;
}

isocast_status isocast_rules_nearest_p(const isocast_algorithm *algorithm,
                                       const isocast_rules_point *point, isocast_valid_pair *out) {
    isocast_valid_pair none = {NAN, NAN};
    if (algorithm->rule_count == 0) {
        *out = none;
        return ISOCAST_OK;
    }
    evaluation e;
    isocast_status status = start(algorithm, point, &e);
    walk w = {.e = &e, .column = algorithm->size_count};
    status = status == ISOCAST_OK ? walk_both(&w, point->p, 1, whole_most, out) : status;
    finish(&e);
    return status;
}

isocast_status isocast_rules_nearest_N(const isocast_algorithm *algorithm,
                                       const isocast_valid *valid, const isocast_rules_point *point,
                                       isocast_valid_pair *out) {
    const isocast_size *size = &algorithm->sizes[0];
    if (!isocast_rules_look_at_N(algorithm) || !(point->N <= whole_most)) {
        *out = isocast_valid_nearest(valid, point->N, size->min, size->max);
        return ISOCAST_OK;
    }
    evaluation e;
    isocast_status status = start(algorithm, point, &e);
    walk w = {.e = &e, .of_N = true, .valid = valid};
    status = status == ISOCAST_OK ? walk_both(&w, point->N, size->min, size->max, out) : status;
    finish(&e);
    return status;
}
