#include "fit_broadcast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/samples.h"

const char *const fit_broadcast_endings[FIT_BROADCASTS] = {
    [FIT_BROADCAST_TREE] = "_tree",   [FIT_BROADCAST_SCATTER] = "_scatter",
    [FIT_BROADCAST_RING] = "_ring",   [FIT_BROADCAST_DOUBLING] = "_doubling",
    [FIT_BROADCAST_NODES] = "_nodes",
};

const isocast_known_operation *fit_broadcast_of(const char *name,
                                                fit_broadcast_algorithm *algorithm) {
    size_t length = strlen(name);
    for (int i = 0; i < FIT_BROADCASTS; i++) {
        size_t ending = strlen(fit_broadcast_endings[i]);
        if (length < ending || strcmp(name + length - ending, fit_broadcast_endings[i]) != 0) {
            continue;
        }
        char whole[SAMPLES_NAME_MAX];
        snprintf(whole, sizeof whole, "%.*s", (int)(length - ending), name);
        const isocast_known_operation *known = isocast_known_operation_find(whole);
        if (known != NULL && known->kind == ISOCAST_OPERATION_BROADCAST) {
            *algorithm = (fit_broadcast_algorithm)i;
            return known;
        }
    }
    return NULL;
}

/* MPICH's thresholds (MPIR_CVAR_BCAST_SHORT_MSG_SIZE, _LONG_MSG_SIZE, _MIN_PROCS). */
static const double short_most = 12288;
static const double long_least = 524288;
static const double processes_least = 8;

static bool is_power_of_two(double p) {
    return exp2(round(log2(p))) == p;
}

bool fit_broadcast_depends(double p, double m) {
    return m >= short_most && p >= processes_least && is_power_of_two(p);
}

static fit_broadcast_algorithm mpich_kind(bool powers_keep, double p, double m) {
    if (m < short_most || p < processes_least) {
        return FIT_BROADCAST_TREE;
    }
    if (!is_power_of_two(p)) {
        return FIT_BROADCAST_RING;
    }
    if (powers_keep) {
        return FIT_BROADCAST_TREE;
    }
    return m < long_least ? FIT_BROADCAST_SCATTER : FIT_BROADCAST_RING;
}

/* MPICH 4 by node leaders, where several processes share each node (docs/platforms.md). */
static fit_broadcast_algorithm simgrid_kind(const fit_broadcast_call *call) {
    bool by_nodes = call->p_node > 1 && call->nodes * call->p_node == call->p;
    if (call->m < short_most || call->p < processes_least) {
        return by_nodes ? FIT_BROADCAST_NODES : FIT_BROADCAST_TREE;
    }
    if (call->m >= long_least || !is_power_of_two(call->p)) {
        return FIT_BROADCAST_RING;
    }
    return by_nodes ? FIT_BROADCAST_NODES : FIT_BROADCAST_DOUBLING;
}

fit_broadcast_algorithm fit_broadcast_kind(fit_broadcast_rules rules,
                                           const fit_broadcast_call *call) {
    switch (rules) {
    case FIT_RULES_TREE:
        return FIT_BROADCAST_TREE;
    case FIT_RULES_SIMGRID:
        return simgrid_kind(call);
    default:
        return mpich_kind(rules == FIT_RULES_MPICH_TREE, call->p, call->m);
    }
}

/* An algorithm that was not measured is taken to be like one that was. */
static fit_broadcast_algorithm seen_or(const bool seen[FIT_BROADCASTS],
                                       fit_broadcast_algorithm wanted) {
    static const fit_broadcast_algorithm instead[FIT_BROADCASTS][2] = {
        [FIT_BROADCAST_TREE] = {FIT_BROADCAST_NODES, FIT_BROADCAST_TREE},
        [FIT_BROADCAST_SCATTER] = {FIT_BROADCAST_RING, FIT_BROADCAST_TREE},
        [FIT_BROADCAST_RING] = {FIT_BROADCAST_SCATTER, FIT_BROADCAST_DOUBLING},
        [FIT_BROADCAST_DOUBLING] = {FIT_BROADCAST_RING, FIT_BROADCAST_TREE},
        [FIT_BROADCAST_NODES] = {FIT_BROADCAST_TREE, FIT_BROADCAST_TREE}};
    if (seen[wanted]) {
        return wanted;
    }
    for (int i = 0; i < 2; i++) {
        if (seen[instead[wanted][i]]) {
            return instead[wanted][i];
        }
    }
    return seen[FIT_BROADCAST_TREE] ? FIT_BROADCAST_TREE : FIT_BROADCAST_NODES;
}

/* What a choice is written with. */
typedef struct choice {
    const char *name;
    const bool *seen; /* [FIT_BROADCASTS] */
    isocast_buffer *out;
} choice;

static void put_call(const choice *c, fit_broadcast_algorithm kind) {
    isocast_buffer_printf(c->out, "%s%s(m, p)", c->name,
                          fit_broadcast_endings[seen_or(c->seen, kind)]);
}

static void put_mpich(const choice *c, bool powers_keep) {
    isocast_buffer_printf(c->out, "if(m < %.0f B, ", short_most);
    put_call(c, FIT_BROADCAST_TREE);
    isocast_buffer_printf(c->out, ", if(p < %.0f, ", processes_least);
    put_call(c, FIT_BROADCAST_TREE);
    isocast_buffer_puts(c->out, ", if(2^round(log2(p)) == p, ");
    if (powers_keep) {
        put_call(c, FIT_BROADCAST_TREE);
    } else {
        isocast_buffer_printf(c->out, "if(m < %.0f B, ", long_least);
        put_call(c, FIT_BROADCAST_SCATTER);
        isocast_buffer_puts(c->out, ", ");
        put_call(c, FIT_BROADCAST_RING);
        isocast_buffer_puts(c->out, ")");
    }
    isocast_buffer_puts(c->out, ", ");
    put_call(c, FIT_BROADCAST_RING);
    isocast_buffer_puts(c->out, ")))");
}

static void put_by_nodes(const choice *c, fit_broadcast_algorithm otherwise) {
    isocast_buffer_puts(c->out, "if(p_node_max > 1, if(nodes*p_node_max == p, ");
    put_call(c, FIT_BROADCAST_NODES);
    isocast_buffer_puts(c->out, ", ");
    put_call(c, otherwise);
    isocast_buffer_puts(c->out, "), ");
    put_call(c, otherwise);
    isocast_buffer_puts(c->out, ")");
}

static void put_simgrid(const choice *c) {
    isocast_buffer_printf(c->out, "if(m < %.0f B, ", short_most);
    put_by_nodes(c, FIT_BROADCAST_TREE);
    isocast_buffer_printf(c->out, ", if(p < %.0f, ", processes_least);
    put_by_nodes(c, FIT_BROADCAST_TREE);
    isocast_buffer_printf(c->out, ", if(2^round(log2(p)) == p, if(m < %.0f B, ", long_least);
    put_by_nodes(c, FIT_BROADCAST_DOUBLING);
    isocast_buffer_puts(c->out, ", ");
    put_call(c, FIT_BROADCAST_RING);
    isocast_buffer_puts(c->out, "), ");
    put_call(c, FIT_BROADCAST_RING);
    isocast_buffer_puts(c->out, ")))");
}

void fit_broadcast_choice(const char *name, fit_broadcast_rules rules,
                          const bool seen[FIT_BROADCASTS], isocast_buffer *out) {
    choice c = {name, seen, out};
    if (rules == FIT_RULES_TREE) {
        put_call(&c, FIT_BROADCAST_TREE);
    } else if (rules == FIT_RULES_SIMGRID) {
        put_simgrid(&c);
    } else {
        put_mpich(&c, rules == FIT_RULES_MPICH_TREE);
    }
}

bool fit_message_times_add(fit_message_times *times, double m, double seconds) {
    double *sizes = realloc(times->m, (times->count + 1) * sizeof *sizes);
    if (sizes == NULL) {
        return false;
    }
    times->m = sizes;
    double *values = realloc(times->seconds, (times->count + 1) * sizeof *values);
    if (values == NULL) {
        return false;
    }
    times->seconds = values;
    times->m[times->count] = m;
    times->seconds[times->count++] = seconds;
    return true;
}

/* There are few values, so a simple sort is enough. It moves both arrays. */
static void sort(fit_message_times *times) {
    for (size_t i = 1; i < times->count; i++) {
        for (size_t k = i; k > 0 && times->m[k] < times->m[k - 1]; k--) {
            double m = times->m[k];
            double seconds = times->seconds[k];
            times->m[k] = times->m[k - 1];
            times->seconds[k] = times->seconds[k - 1];
            times->m[k - 1] = m;
            times->seconds[k - 1] = seconds;
        }
    }
}

void fit_message_times_finish(fit_message_times *times) {
    sort(times);
    size_t kept = 0;
    for (size_t begin = 0; begin < times->count;) {
        size_t end = begin;
        double sum = 0;
        while (end < times->count && times->m[end] == times->m[begin]) {
            sum += times->seconds[end++];
        }
        times->m[kept] = times->m[begin];
        times->seconds[kept++] = sum / (double)(end - begin);
        begin = end;
    }
    times->count = kept;
}

double fit_message_time(const fit_message_times *times, double m) {
    if (times->count == 0) {
        return NAN;
    }
    size_t last = times->count - 1;
    if (m <= times->m[0]) {
        return times->seconds[0];
    }
    if (m >= times->m[last]) {
        return times->seconds[last] * m / times->m[last];
    }
    size_t k = 1;
    while (times->m[k] < m) {
        k++;
    }
    double share = (m - times->m[k - 1]) / (times->m[k] - times->m[k - 1]);
    return times->seconds[k - 1] + share * (times->seconds[k] - times->seconds[k - 1]);
}

void fit_message_times_free(fit_message_times *times) {
    free(times->m);
    free(times->seconds);
    *times = (fit_message_times){0};
}
