#include "unknown_hint.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "function.h"
#include "model/base/known_operation.h"
#include "model/base/nearest.h"

/* Where the name stands. */
typedef struct context {
    const isocast_formula *formula;
    const isocast_scope *scope;
    bool in_class;
} context;

/* Whether a name is that of an operation which a machine file could have. */
static bool is_lacking(const context *c, const char *name, bool call) {
    return call && c->scope->of_machine && isocast_operation_is_name(name);
}

/* Where the time of an operation that the machine lacks may be given, and what measures it. */
static void hint_lacking(const context *c, const isocast_known_operation *operation,
                         isocast_buffer *hint) {
    isocast_buffer_printf(hint, "give its time under 'operations:' in the machine file%s",
                          c->scope->of_algorithm ? ", or in the algorithm file" : "");
    bool measured = operation != NULL && operation->measurement != ISOCAST_OPERATION_UNMEASURED;
    if (measured && c->scope->of_algorithm) {
        isocast_buffer_puts(hint, "; 'isocast calibrate --for ALGORITHM' measures it");
    }
}

/* A function as textbooks or other languages call it, or a call of MPI. */
static bool append_of_elsewhere(const char *name, isocast_buffer *hint) {
    static const char *const others[][2] = {
        {"ln", "the natural logarithm is log(x)"},
        {"lg", "write log2(x), or log10(x)"},
        {"ld", "the logarithm to the base 2 is log2(x)"},
        {"pow", "write a power with ^, as in N^2"},
        {"ceiling", "write ceil(x)"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcasecmp(name, others[i][0]) == 0) {
            isocast_buffer_puts(hint, others[i][1]);
            return true;
        }
    }
    char operation[64] = ISOCAST_OPERATION_PREFIX;
    size_t length = strlen(operation);
    if (strncasecmp(name, "MPI_", 4) != 0 || strlen(name) + length >= sizeof operation) {
        return false;
    }
    for (const char *at = name + 4; *at != '\0'; at++) {
        operation[length++] = (char)tolower((unsigned char)*at);
    }
    const isocast_known_operation *known = isocast_known_operation_find(operation);
    isocast_buffer_printf(hint,
                          known != NULL ? "the time of this call is the operation %s"
                                        : "the time of a call is an operation, such as %s",
                          known != NULL ? known->name : "T_bcast");
    return true;
}

enum { NAMES_MOST = 256 };

/* Adds the names of a scope that may stand where one is not known, up to NAMES_MOST in all. */
static size_t add_usable(const context *c, const isocast_scope *scope, bool call,
                         const char **names, size_t count) {
    for (size_t i = 0; i < scope->count && count < NAMES_MOST; i++) {
        isocast_symbol_kind kind = scope->symbols[i].kind;
        bool is_operation = kind == ISOCAST_SYMBOL_OPERATION;
        /* Formulas that are made from other forms name the range of nodes; nobody has to write it.
         */
        bool usable =
            (kind != ISOCAST_SYMBOL_CLASS || c->in_class) && kind != ISOCAST_SYMBOL_NODE_RANGE;
        if (is_operation == call && usable) {
            names[count++] = scope->symbols[i].name;
        }
    }
    return count;
}

/* The nearest name that could have been meant, as a hint; calls look among functions too. */
static void hint_nearest(const context *c, const char *name, bool call, isocast_buffer *hint) {
    const char *names[ISOCAST_FUNCTION_COUNT + ISOCAST_KNOWN_OPERATIONS + NAMES_MOST];
    size_t count = 0;
    bool lacking = is_lacking(c, name, call);
    const isocast_known_operation *operation = lacking ? isocast_known_operation_find(name) : NULL;
    if (operation != NULL) {
        hint_lacking(c, operation, hint);
        return;
    }
    if (call && append_of_elsewhere(name, hint)) {
        return;
    }
    for (const isocast_scope *scope = c->scope; scope != NULL; scope = scope->outer) {
        count = add_usable(c, scope, call, names, count);
    }
    for (size_t i = 0; call && !lacking && i < ISOCAST_FUNCTION_COUNT; i++) {
        names[count++] = isocast_functions[i].name;
    }
    size_t listed = count;
    bool operations = call && (lacking || c->scope->any_operation);
    for (size_t i = 0; operations && i < ISOCAST_KNOWN_OPERATIONS; i++) {
        names[count++] = isocast_known_operations[i].name;
    }
    if (isocast_nearest_append(hint, name, names, count)) {
        return;
    }
    if (lacking) {
        hint_lacking(c, NULL, hint);
        isocast_buffer_puts(hint, listed > 0 ? "; " : "");
    }
    isocast_nearest_hint(hint, name, names, listed, lacking ? "the machine has" : "known here");
    if (listed == 0 && !lacking) {
        isocast_buffer_puts(hint, "write a number here, with its unit where it has one");
    }
}

/* Whether it stands below the unit of a number, as KB does in "2 us/KB". */
static bool is_below_unit(const context *c, const isocast_formula_node *node) {
    const char *text = c->formula->source->text;
    size_t at = node->name_span.begin;
    if (at == 0 || text[at - 1] != '/') {
        return false;
    }
    at--;
    size_t slash = at;
    while (at > 0 && isalpha((unsigned char)text[at - 1])) {
        at--;
    }
    bool is_word = at < slash;
    while (at > 0 && text[at - 1] == ' ') {
        at--;
    }
    return is_word && at > 0 && isdigit((unsigned char)text[at - 1]);
}

/* Whether it is a name that is known, and digits behind it: n2. */
static bool is_known_with_digits(const context *c, const char *name) {
    char text[64];
    size_t length = strcspn(name, "0123456789");
    bool digits =
        name[length] != '\0' && strspn(name + length, "0123456789") == strlen(name + length);
    if (!digits || length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, name, length);
    text[length] = '\0';
    return isocast_scope_find(c->scope, text) != NULL;
}

static void hint_unit(const char *name, isocast_buffer *hint) {
    isocast_unit_text nearest;
    if (isocast_unit_nearest(name, strlen(name), &nearest)) {
        isocast_buffer_printf(hint, "did you mean '%s'?", nearest.text);
    } else {
        isocast_buffer_puts(hint, "the units are s, min, h, d, year, flop, B, bit, W, J, Wh, Hz, "
                                  "EUR and USD, with prefixes such as kWh");
    }
}

/* A unit, a function or a slip of one of them. False, and nothing, where it is none. */
static bool append_special(const context *c, const isocast_formula_node *node,
                           isocast_buffer *hint) {
    double factor;
    isocast_dimension dimension;
    const char *name = node->name;
    const char *slip = NULL;
    if (isocast_function_find(name) != NULL) {
        isocast_buffer_printf(hint, "write %s", isocast_function_find(name)->usage);
    } else if (isocast_unit_parse(name, strlen(name), &factor, &dimension, &slip)) {
        isocast_buffer_printf(hint, "'%s' is a unit: write a number before it, such as 1 %s", name,
                              name);
    } else if (is_known_with_digits(c, name)) {
        isocast_buffer_puts(hint, "write a power with ^, as in N^2, and a product with *");
    } else if (slip != NULL && (strlen(name) > 2 || is_below_unit(c, node))) {
        /* K alone may be the name of a size. */
        isocast_buffer_puts(hint, slip);
    } else if (is_below_unit(c, node)) {
        hint_unit(name, hint);
    } else {
        return false;
    }
    return true;
}

void isocast_unknown_hint(const isocast_formula *formula, const isocast_scope *scope, bool in_class,
                          const isocast_formula_node *node, isocast_buffer *hint) {
    const context c = {.formula = formula, .scope = scope, .in_class = in_class};
    bool call = node->kind == ISOCAST_FORMULA_CALL;
    if (strstr(node->name, "\xC2\xB2") != NULL || strstr(node->name, "\xC2\xB3") != NULL) {
        isocast_buffer_puts(hint, "write a power with ^, as in N^2");
    } else if (call || !append_special(&c, node, hint)) {
        hint_nearest(&c, node->name, call, hint);
    }
}

bool isocast_unknown_is_lacking(const isocast_scope *scope, const isocast_formula_node *node) {
    const context c = {.scope = scope};
    return is_lacking(&c, node->name, node->kind == ISOCAST_FORMULA_CALL);
}
