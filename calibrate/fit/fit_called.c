#include "fit_called.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/environment.h"
#include "model/base/known_operation.h"
#include "model/base/operation_name.h"
#include "model/collective/layout.h"

/* The longest name of an operation that one begins with: of "bcast_barrier" it is "bcast". */
static isocast_collective_operation find_stem(const char *name) {
    static const char of_mpi[] = "mpi_";
    const char *stem = isocast_operation_stem(name);
    char words[SAMPLES_NAME_MAX];
    bool named = strncmp(stem, of_mpi, strlen(of_mpi)) == 0;
    snprintf(words, sizeof words, "%s", stem + (named ? strlen(of_mpi) : 0));
    isocast_collective_operation found = isocast_collective_operation_find(words);
    for (char *end = strrchr(words, '_'); found == COLLECTIVE_OPERATION_COUNT && end != NULL;
         end = strrchr(words, '_')) {
        *end = '\0';
        found = isocast_collective_operation_find(words);
    }
    return found;
}

bool fit_called_find(const char *name, isocast_collective_operation *out) {
    const isocast_known_operation *known = isocast_known_operation_find(name);
    bool calls =
        known != NULL && !known->is_rest &&
        (known->kind == ISOCAST_OPERATION_COLLECTIVE || known->kind == ISOCAST_OPERATION_BROADCAST);
    *out = calls ? find_stem(known->name) : COLLECTIVE_OPERATION_COUNT;
    return *out != COLLECTIVE_OPERATION_COUNT;
}

isocast_collectives fit_called_library(const char *environment) {
    static const struct {
        const char *word; /* in what MPI_Get_library_version gives */
        isocast_collectives library;
    } versions[] = {{"Open MPI", ISOCAST_COLLECTIVES_OPENMPI},
                    {"Intel(R) MPI", ISOCAST_COLLECTIVES_INTEL},
                    {"MVAPICH2", ISOCAST_COLLECTIVES_MVAPICH2},
                    {"CRAY MPICH", ISOCAST_COLLECTIVES_CRAY}};
    size_t length;
    const char *value = environment_find(environment, ENVIRONMENT_COLLECTIVES, &length);
    char text[SAMPLES_NAME_MAX] = "";
    if (value != NULL) {
        snprintf(text, sizeof text, "%.*s", (int)length, value);
        isocast_collectives named = isocast_collectives_find(text);
        return named != ISOCAST_COLLECTIVES ? named : ISOCAST_COLLECTIVES_MPICH;
    }
    value = environment_find(environment, ENVIRONMENT_MPI, &length);
    for (size_t i = 0; value != NULL && i < sizeof versions / sizeof versions[0]; i++) {
        const char *at = strstr(value, versions[i].word);
        if (at != NULL && at < value + length) {
            return versions[i].library;
        }
    }
    return ISOCAST_COLLECTIVES_MPICH;
}

static bool reduces(isocast_collective_operation operation) {
    return operation == COLLECTIVE_REDUCE || operation == COLLECTIVE_ALLREDUCE ||
           operation == COLLECTIVE_REDUCE_SCATTER || operation == COLLECTIVE_REDUCE_SCATTER_BLOCK ||
           operation == COLLECTIVE_SCAN;
}

/* A call with so many bytes, of the vector or of each block, as the first process has it; its
 * processes have a node each. */
static isocast_collective_part part_of(isocast_collectives library,
                                       isocast_collective_operation operation, int processes,
                                       double bytes) {
    size_t unit = reduces(operation) ? sizeof(double) : 1;
    return (isocast_collective_part){.size = processes,
                                     .count = (size_t)fmax(round(bytes / (double)unit), 1),
                                     .unit = unit,
                                     .commutes = true,
                                     .built_in = true,
                                     .library = library};
}

/* Without a layout where all are on one node: node leaders then do what the library does there. */
const isocast_collective_choice *fit_called_choice(isocast_collectives library,
                                                   isocast_collective_operation operation,
                                                   const fit_summary *item) {
    isocast_collective_part part = part_of(library, operation, (int)item->p, item->m);
    isocast_collective_layout *layout = NULL;
    if (item->nodes > 1 && item->p_node > 1) {
        long long *nodes = malloc((size_t)item->p * sizeof *nodes);
        for (int i = 0; i < part.size && nodes != NULL; i++) {
            nodes[i] = i / (int)item->p_node;
        }
        layout = nodes != NULL ? isocast_collective_layout_create(part.size, nodes) : NULL;
        free(nodes);
        if (layout == NULL) {
            return NULL;
        }
    }
    part.layout = layout;
    const isocast_collective_choice *row = isocast_collective_choose(&part, operation);
    free(layout);
    return row;
}

const char *fit_called_ending(const isocast_collective_choice *row) {
    const char *operation = isocast_collective_operation_name(row->operation);
    const char *algorithm = isocast_collective_algorithm_name(row);
    size_t length = strlen(operation);
    bool begins = strncmp(algorithm, operation, length) == 0 && algorithm[length] == '_';
    /* Those of blocks of different lengths are those of equal ones. */
    return begins ? algorithm + length : strchr(algorithm, '_');
}

const isocast_collective_choice *fit_called_row_of(const char *name) {
    for (int library = 0; library < ISOCAST_COLLECTIVES; library++) {
        const isocast_collective_choices *table =
            isocast_collective_choices_of((isocast_collectives)library);
        for (size_t i = 0; i < table->count; i++) {
            const char *ending = fit_called_ending(&table->rows[i]);
            size_t length = strlen(name);
            size_t own = strlen(ending);
            char whole[SAMPLES_NAME_MAX];
            isocast_collective_operation called;
            if (length > own && length - own < sizeof whole &&
                strcmp(name + length - own, ending) == 0) {
                snprintf(whole, sizeof whole, "%.*s", (int)(length - own), name);
                if (fit_called_find(whole, &called) && called == table->rows[i].operation) {
                    return &table->rows[i];
                }
            }
        }
    }
    return NULL;
}

/* Whether a row is one of the operation's that may hold for calls here. */
static bool may_hold(const isocast_collective_choice *row, isocast_collective_operation operation) {
    return row->operation == operation &&
           (row->conditions & (COLLECTIVE_ORDERED | COLLECTIVE_IN_PLACE)) == 0;
}

/* The nearest of the rows whose algorithm was seen; of two as near the later one. */
static const isocast_collective_choice *nearest_seen(const isocast_collective_choices *table,
                                                     size_t at,
                                                     const isocast_collective_choice *const *seen,
                                                     size_t count) {
    for (size_t away = 0; away < table->count; away++) {
        for (int side = 1; side >= -1; side -= 2) {
            size_t k = side > 0 ? at + away : at - away; /* wraps to what is beyond the last */
            for (size_t i = 0; k < table->count && i < count; i++) {
                if (table->rows[k].algorithm == seen[i]->algorithm) {
                    return seen[i];
                }
            }
        }
    }
    return seen[0];
}

/* What each call here has is no condition. */
static void put_condition(const isocast_collective_choice *row, isocast_buffer *out) {
    static const struct {
        int condition;
        const char *text;
    } texts[] = {{COLLECTIVE_POWER_OF_TWO, "2^round(log2(p)) == p"},
                 {COLLECTIVE_NODES, "nodes > 1 and p_node_max > 1"},
                 {COLLECTIVE_LONG, "m >= 8 B*2^floor(log2(p))"}};
    const char *joint = "";
    if (row->below > 0) {
        isocast_buffer_printf(out, "p < %d", row->below);
        joint = " and ";
    }
    if (row->under > 0) {
        bool total = (row->conditions & COLLECTIVE_TOTAL) != 0;
        isocast_buffer_printf(out, "%sm%s < %zu B", joint, total ? "*p" : "", row->under);
        joint = " and ";
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if ((row->conditions & texts[i].condition) != 0) {
            isocast_buffer_printf(out, "%s%s", joint, texts[i].text);
            joint = " and ";
        }
    }
}

void fit_called_text(isocast_collectives library, isocast_collective_operation operation,
                     const char *name, const isocast_collective_choice *const *seen, size_t count,
                     isocast_buffer *out) {
    const isocast_collective_choices *table = isocast_collective_choices_of(library);
    const isocast_collective_choice *before = NULL;
    size_t last = 0; /* the first of the rows that all call the same */
    for (size_t i = 0; i < table->count; i++) {
        if (may_hold(&table->rows[i], operation)) {
            const isocast_collective_choice *call = nearest_seen(table, i, seen, count);
            last = before != NULL && call->algorithm == before->algorithm ? last : i;
            before = call;
        }
    }
    size_t open = 0;
    for (size_t i = 0; i <= last; i++) {
        isocast_buffer condition = {0};
        if (may_hold(&table->rows[i], operation)) {
            put_condition(&table->rows[i], &condition);
            bool chooses = i < last && condition.length > 0;
            if (chooses) {
                isocast_buffer_printf(out, "if(%s, ", condition.text);
            }
            isocast_buffer_printf(out, "%s%s(m, p)%s", name,
                                  fit_called_ending(nearest_seen(table, i, seen, count)),
                                  chooses ? ", " : "");
            open += chooses;
            last = chooses ? last : i; /* nothing comes behind a row without a condition */
        }
        out->failed = out->failed || condition.failed;
        isocast_buffer_free(&condition);
    }
    for (; open > 0; open--) {
        isocast_buffer_puts(out, ")");
    }
}
