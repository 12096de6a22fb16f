/* What an algorithm's formulas take to be so, such as "p must be a square", read and compiled:
 * rules.h does both, and looks at them. */
#ifndef ISOCAST_RULE_H
#define ISOCAST_RULE_H

#include "model/formula/program.h"

typedef struct isocast_rule {
    isocast_formula *that; /* not 0 where it is so */
    char *otherwise;       /* what is reported where it is not */
} isocast_rule;

/* Rules compiled together. */
typedef struct isocast_rules {
    isocast_symbol *symbols; /* the sizes, p, the definitions */
    size_t *index;           /* the scope's */
    isocast_scope scope;
    isocast_program *program; /* a value a rule */
    bool *of_N;               /* [rule_count]: the rule looks at the first size */
} isocast_rules;

/* Frees the texts and formulas, shape [count], and the array. */
void isocast_rule_list_free(isocast_rule *list, size_t count);
void isocast_rules_free(isocast_rules *rules);

#endif
