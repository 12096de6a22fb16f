/* What the names in a formula stand for. A scope is a table that its maker fills and that must
 * outlive every program compiled with it; it resolves nothing by itself.
 *
 * Lexical: a definition or an operation's body sees the names of its own scope only, never the
 * running variable of a sum() that it is used in. */
#ifndef ISOCAST_SCOPE_H
#define ISOCAST_SCOPE_H

#include "formula.h"

typedef struct isocast_scope isocast_scope;

typedef enum isocast_symbol_kind {
    ISOCAST_SYMBOL_INPUT,    /* a column given at evaluation: N, p, C, a machine parameter */
    ISOCAST_SYMBOL_CONSTANT, /* a value known now: sunblade.memory */
    ISOCAST_SYMBOL_FORMULA,  /* another formula, in its own scope: W, alpha, t_c, a definition */
    ISOCAST_SYMBOL_ARGUMENT, /* inside an operation: m (argument 0) and p (argument 1) */
    /* Inside an operation, where its processes are: what the call says, else as in the system. */
    ISOCAST_SYMBOL_NODES,      /* the nodes that have some of them */
    ISOCAST_SYMBOL_NODE_SHARE, /* how many a node has; 1/4: every fourth node has one */
    ISOCAST_SYMBOL_OPERATION,  /* callable as name(m), name(m, p) or name(m, p, p_node): T_bcast */
    ISOCAST_SYMBOL_CLASS       /* only inside sum_class(), max_class(), min_class(): C_i, p_i */
} isocast_symbol_kind;

typedef struct isocast_symbol {
    const char *name;
    isocast_symbol_kind kind;
    isocast_dimension dimension; /* of the value (of the result, for an operation) */
    bool any_dimension; /* FORMULA: a definition; its dimension is what its formula comes to */
    size_t index; /* INPUT and NODES to NODE_SHARE: the column; ARGUMENT: 0 or 1; CLASS: the row of
                     the class table */
    double value; /* CONSTANT: in SI */
    /* FORMULA and OPERATION: the body and the scope it is read in. A NULL body means that only the
     * type is known yet (an algorithm checked without a machine): it checks, it does not compile.
     */
    const isocast_formula *formula;
    const isocast_scope *scope;
} isocast_symbol;

struct isocast_scope {
    const isocast_symbol *symbols; /* [count] */
    size_t count;
    /* No machine is bound yet: take any call of a name that starts with T_ as an operation (bytes
     * to seconds), and any class.property as known. */
    bool any_operation;
    bool of_machine;   /* operations are those of a machine; for messages about one that it lacks */
    bool of_algorithm; /* likewise: an algorithm file may give their times as well */
    const size_t *by_name; /* [indexed], the first symbols by name; NULL: there is no index */
    size_t indexed;
    const isocast_scope *outer; /* where names are looked for that it has not; NULL: nowhere */
};

/* Sorts the symbols of a scope by name, so that a name among many is found as quickly as among few;
 * symbols that come later are still found. `*out` is the scope's index, to be freed after it with
 * free(). Errors: NO_MEMORY. */
isocast_status isocast_scope_index(isocast_scope *scope, size_t **out);

/* The dimension of class.property by the property's name, which is what follows the last point:
 * marked_speed, memory, count, processors, price, power. False where there is no such property. */
bool isocast_property_dimension(const char *name, isocast_dimension *out);

/* The first symbol of that name, in the scope or those around it; NULL where none has it. */
const isocast_symbol *isocast_scope_find(const isocast_scope *scope, const char *name);

#endif
