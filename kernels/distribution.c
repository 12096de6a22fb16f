#include "distribution.h"

#include <stdlib.h>

/* The quota method of apportionment (M. Balinski, H. P. Young, Am. Math. Monthly 82, 1975): a row
 * goes to the process that would finish it first if all worked through their rows at their own
 * speed, among those that have less than their exact share; the lower rank wins a tie. Without the
 * share as a limit a fast process would run ahead of many slow ones by more than a row. */
static int next_owner(double rows_dealt, const double *speeds, double total, int processes,
                      const double *counts) {
    int best = -1;
    for (int q = 0; q < processes; q++) {
        bool below_share = counts[q] * total < speeds[q] * (rows_dealt + 1);
        if (below_share &&
            (best < 0 || (counts[q] + 1) * speeds[best] < (counts[best] + 1) * speeds[q])) {
            best = q;
        }
    }
    return best < 0 ? 0 : best;
}

void distribution_cyclic(size_t rows, const double *speeds, int processes, double *counts,
                         int *owner) {
    double total = 0;
    for (int q = 0; q < processes; q++) {
        counts[q] = 0;
        total += speeds[q];
    }
    for (size_t i = 0; i < rows; i++) {
        owner[i] = next_owner((double)i, speeds, total, processes, counts);
        counts[owner[i]]++;
    }
}

bool distribution_block(size_t rows, const double *speeds, int processes, size_t *starts) {
    double *counts = calloc((size_t)processes, sizeof *counts);
    int *owner = malloc((rows + 1) * sizeof *owner);
    bool complete = counts != NULL && owner != NULL;
    if (complete) {
        distribution_cyclic(rows, speeds, processes, counts, owner);
        starts[0] = 0;
        for (int q = 0; q < processes; q++) {
            starts[q + 1] = starts[q] + (size_t)counts[q];
        }
    }
    free(counts);
    free(owner);
    return complete;
}
