#include "layout.h"

#include <stdlib.h>

#include "model/base/order.h"

typedef struct place {
    long long node;
    int rank;
} place;

static int compare(const void *a, const void *b) {
    const place *x = a;
    const place *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->rank > y->rank) - (x->rank < y->rank);
}

ISOCAST_ORDER_BY(compare_first, int, *x)

isocast_collective_layout *isocast_collective_layout_create(int size, const long long *nodes) {
    size_t n = (size_t)size;
    isocast_collective_layout *layout = malloc(sizeof *layout + (5 * n + 1) * sizeof(int));
    place *places = malloc(n * sizeof *places);
    if (layout == NULL || places == NULL) {
        free(layout);
        free(places);
        return NULL;
    }
    int *node = (int *)(layout + 1);
    int *local = node + n;
    int *ranks = local + n;
    int *leaders = ranks + n;
    int *begins = leaders + n;
    for (int i = 0; i < size; i++) {
        places[i] = (place){nodes[i], i};
    }
    qsort(places, n, sizeof *places, compare);
    int count = 0;
    int first = 0;
    for (int i = 0; i < size; i++) {
        first = i == 0 || places[i].node != places[i - 1].node ? i : first;
        local[places[i].rank] = i - first;
        node[places[i].rank] = places[first].rank; /* its leader, for now */
        if (first == i) {
            leaders[count++] = places[i].rank;
        }
    }
    qsort(leaders, (size_t)count, sizeof *leaders, compare_first);
    for (int i = 0; i < size; i++) {
        const int *found =
            bsearch(&node[i], leaders, (size_t)count, sizeof *leaders, compare_first);
        node[i] = (int)(found - leaders);
    }
    for (int i = 0; i <= count; i++) {
        begins[i] = 0;
    }
    for (int i = 0; i < size; i++) {
        begins[node[i] + 1]++;
    }
    for (int i = 0; i < count; i++) {
        begins[i + 1] += begins[i];
    }
    for (int i = 0; i < size; i++) {
        ranks[begins[node[i]] + local[i]] = i;
    }
    free(places);
    *layout = (isocast_collective_layout){size, count, node, local, begins, ranks, leaders};
    return layout;
}
