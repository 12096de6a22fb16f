#include "library.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    const char *title;
} libraries[ISOCAST_COLLECTIVES] = {
    [ISOCAST_COLLECTIVES_MPICH] = {"mpich", "MPICH"},
    [ISOCAST_COLLECTIVES_OPENMPI] = {"openmpi", "Open MPI"},
    [ISOCAST_COLLECTIVES_INTEL] = {"intel", "Intel MPI"},
    [ISOCAST_COLLECTIVES_MVAPICH2] = {"mvapich2", "MVAPICH2"},
    [ISOCAST_COLLECTIVES_CRAY] = {"cray", "Cray MPICH"},
};

#define COLLECTIVE_NAME(lower, upper) [COLLECTIVE_##upper] = #lower,
static const char *const operations[COLLECTIVE_OPERATION_COUNT] = {
    COLLECTIVE_OPERATIONS(COLLECTIVE_NAME)};

const char *isocast_collectives_name(isocast_collectives library) {
    return libraries[library].name;
}

const char *isocast_collectives_title(isocast_collectives library) {
    return libraries[library].title;
}

isocast_collectives isocast_collectives_find(const char *word) {
    for (size_t i = 0; i < ISOCAST_COLLECTIVES; i++) {
        if (strcmp(word, libraries[i].name) == 0) {
            return (isocast_collectives)i;
        }
    }
    return ISOCAST_COLLECTIVES;
}

size_t isocast_collectives_words(const char **words) {
    size_t count = 0;
    for (size_t i = 0; i < ISOCAST_COLLECTIVES; i++) {
        words[count++] = libraries[i].name;
    }
    return count;
}

const char *isocast_collective_operation_name(isocast_collective_operation operation) {
    return operations[operation];
}

isocast_collective_operation isocast_collective_operation_find(const char *name) {
    for (size_t i = 0; i < COLLECTIVE_OPERATION_COUNT; i++) {
        if (strcmp(name, operations[i]) == 0) {
            return (isocast_collective_operation)i;
        }
    }
    return COLLECTIVE_OPERATION_COUNT;
}
