#include "root_list.h"

#include <math.h>

/* Roots that are nearer than this to each other are one. */
static const double same_root = 1e-10;

static bool is_same_root(double low, double high) {
    return high <= low * (1 + same_root);
}

static bool is_last(const isocast_solution *solution, double N) {
    return solution->root_count > 0 && is_same_root(solution->root_to[solution->root_count - 1], N);
}

void isocast_root_list_stay_uncertain(isocast_root_list *list, double N) {
    list->solution->complete = false;
    list->solution->complete_to = fmin(list->solution->complete_to, N);
}

void isocast_root_list_settle(isocast_root_list *list, double N) {
    if (!isnan(list->doubt) && !is_same_root(list->doubt, N)) {
        isocast_root_list_stay_uncertain(list, list->doubt);
    }
    list->doubt = NAN;
}

void isocast_root_list_doubt(isocast_root_list *list, double N) {
    if (!isnan(list->doubt) && is_same_root(list->doubt, N)) {
        return;
    }
    isocast_root_list_settle(list, N);
    if (!is_last(list->solution, N)) {
        list->doubt = N;
    }
}

void isocast_root_list_add(isocast_root_list *list, double low, double high) {
    isocast_solution *solution = list->solution;
    isocast_root_list_settle(list, low);
    if (is_last(solution, low)) {
        double *last = &solution->root_to[solution->root_count - 1];
        *last = is_same_root(*last, high) ? *last : high;
    } else if (solution->root_count == ISOCAST_ROOTS_MAX) {
        solution->more_roots = true;
    } else {
        solution->root_to[solution->root_count] = high;
        solution->roots[solution->root_count++] = low;
    }
}
