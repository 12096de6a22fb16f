#include "distribution.h"

/* Each row goes to the process that would finish it first if all worked through their rows at their
 * own speed; the lower rank wins a tie. */
static double finish_time(double rows, double speed) {
    return (rows + 1) / speed;
}

void distribution_cyclic(size_t rows, const double *speeds, int processes, double *counts,
                         int *owner) {
    for (int q = 0; q < processes; q++) {
        counts[q] = 0;
    }
    for (size_t i = 0; i < rows; i++) {
        int first = 0;
        for (int q = 1; q < processes; q++) {
            if (finish_time(counts[q], speeds[q]) < finish_time(counts[first], speeds[first])) {
                first = q;
            }
        }
        owner[i] = first;
        counts[first]++;
    }
}
