#include "function.h"

#include <string.h>

const isocast_function isocast_functions[] = {
#define ISOCAST_FUNCTION_ROW(name, id, fewest, most, rule, opcode, usage)                          \
    {#name, ISOCAST_FUNCTION_##id, fewest, most, ISOCAST_RULE_##rule, ISOCAST_OP_##opcode, usage},
    ISOCAST_FUNCTION_LIST(ISOCAST_FUNCTION_ROW)
#undef ISOCAST_FUNCTION_ROW
};

const isocast_function *isocast_function_find(const char *name) {
    for (size_t i = 0; i < ISOCAST_FUNCTION_COUNT; i++) {
        if (strcmp(isocast_functions[i].name, name) == 0) {
            return &isocast_functions[i];
        }
    }
    return NULL;
}

bool isocast_function_is_sum(const char *name) {
    const isocast_function *function = isocast_function_find(name);
    return function != NULL && function->id == ISOCAST_FUNCTION_SUM;
}
