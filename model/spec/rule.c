#include "rule.h"

#include <stdlib.h>

void isocast_rule_list_free(isocast_rule *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_formula_free(list[i].that);
        free(list[i].otherwise);
    }
    free(list);
}

void isocast_rules_free(isocast_rules *rules) {
    if (rules != NULL) {
        isocast_program_free(rules->program);
        free(rules->symbols);
        free(rules->index);
        free(rules->of_N);
        free(rules);
    }
}
