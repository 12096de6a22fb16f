#include "probe_common.h"

#include <stdlib.h>

static void *checked(const probe_context *context, void *memory) {
    if (memory == NULL) {
        MPI_Abort(context->communicator, 5);
        exit(EXIT_FAILURE); /* not reached */
    }
    return memory;
}

#ifdef PROBE_QUICK
typedef struct common {
    struct common *next;
    const void *of, *communicator;
    size_t number, users;
    void *memory;
} common;

static common *all;

void *probe_common_take(const probe_context *context, const void *of, size_t number, size_t bytes,
                        bool *is_new) {
    common *c = all;
    while (c != NULL &&
           (c->of != of || c->number != number || c->communicator != context->communicator)) {
        c = c->next;
    }
    *is_new = c == NULL;
    if (c == NULL) {
        c = checked(context, malloc(sizeof *c));
        *c = (common){.next = all,
                      .of = of,
                      .communicator = context->communicator,
                      .number = number,
                      .memory = checked(context, malloc(bytes))};
        all = c;
    }
    c->users++;
    return c->memory;
}

void probe_common_release(void *memory) {
    common **place = &all;
    while (*place != NULL && (*place)->memory != memory) {
        place = &(*place)->next;
    }
    common *c = *place;
    if (c != NULL && --c->users == 0) {
        *place = c->next;
        free(c->memory);
        free(c);
    }
}
#else
void *probe_common_take(const probe_context *context, const void *of, size_t number, size_t bytes,
                        bool *is_new) {
    (void)of;
    (void)number;
    *is_new = true;
    return checked(context, malloc(bytes));
}

void probe_common_release(void *memory) {
    free(memory);
}
#endif
