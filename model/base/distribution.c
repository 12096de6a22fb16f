#include "distribution.h"

#include <stdlib.h>

#include "order.h"

typedef struct process {
    double speed;
    int rank;
} process;

/* Processes of one speed, which get rows in turn: only the one that is next is looked at. */
typedef struct kind {
    const process *members; /* [count], ranks rising */
    size_t count;
    size_t dealt; /* rows, to all of them */
} kind;

ISOCAST_ORDER_BY(compare_processes, process, x->speed, x->rank)

/* Sorts the processes, and parts them by their speeds; gives how many kinds there are. */
static size_t part_by_speed(process *processes, size_t count, kind *kinds) {
    size_t kind_count = 0;
    qsort(processes, count, sizeof *processes, compare_processes);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || processes[i].speed != processes[i - 1].speed) {
            kinds[kind_count++] = (kind){.members = &processes[i]};
        }
        kinds[kind_count - 1].count++;
    }
    return kind_count;
}

/* The quota method of apportionment (M. Balinski, H. P. Young, Am. Math. Monthly 82, 1975): a row
 * goes to the process that would finish it first if all worked through their rows at their own
 * speed, among those that have less than their exact share; the lower rank wins a tie. Without the
 * share as a limit a fast process would run ahead of many slow ones by more than a row. */
static int deal_row(double rows_dealt, double total, kind *kinds, size_t kind_count) {
    kind *best = &kinds[0];
    const process *owner = NULL;
    double best_count = 0;
    for (size_t i = 0; i < kind_count; i++) {
        const process *next = &kinds[i].members[kinds[i].dealt % kinds[i].count];
        size_t rounds = kinds[i].dealt / kinds[i].count;
        double count = (double)rounds;
        bool below_share = count * total < next->speed * (rows_dealt + 1);
        double own = owner != NULL ? (count + 1) * owner->speed : 0;
        double other = owner != NULL ? (best_count + 1) * next->speed : 0;
        bool sooner = owner == NULL || own < other || (own == other && next->rank < owner->rank);
        if (below_share && sooner) {
            best = &kinds[i];
            best_count = count;
            owner = next;
        }
    }
    /* Somebody has less than the share of one row more; rounding alone could hide that. */
    if (owner == NULL) {
        return 0;
    }
    best->dealt++;
    return owner->rank;
}

bool isocast_distribution_cyclic(size_t rows, const double *speeds, int processes, double *counts,
                                 int *owner) {
    process *sorted = malloc((size_t)processes * sizeof *sorted);
    kind *kinds = calloc((size_t)processes, sizeof *kinds);
    bool complete = sorted != NULL && kinds != NULL;
    double total = 0;
    for (int q = 0; q < processes && complete; q++) {
        sorted[q] = (process){speeds[q], q};
        counts[q] = 0;
        total += speeds[q];
    }
    size_t kind_count = complete ? part_by_speed(sorted, (size_t)processes, kinds) : 0;
    for (size_t i = 0; i < rows && complete; i++) {
        owner[i] = deal_row((double)i, total, kinds, kind_count);
        counts[owner[i]]++;
    }
    free(sorted);
    free(kinds);
    return complete;
}

bool isocast_distribution_block(size_t rows, const double *speeds, int processes, size_t *starts) {
    double *counts = calloc((size_t)processes, sizeof *counts);
    int *owner = malloc((rows + 1) * sizeof *owner);
    bool complete = counts != NULL && owner != NULL &&
                    isocast_distribution_cyclic(rows, speeds, processes, counts, owner);
    if (complete) {
        starts[0] = 0;
        for (int q = 0; q < processes; q++) {
            starts[q + 1] = starts[q] + (size_t)counts[q];
        }
    }
    free(counts);
    free(owner);
    return complete;
}

double isocast_distribution_share(const double *speeds, int processes, int rank) {
    double total = 0;
    for (int q = 0; q < processes; q++) {
        total += speeds[q];
    }
    return speeds[rank] / total;
}
