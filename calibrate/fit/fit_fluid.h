/* Rates of messages that share links, as SimGrid 3.32 gives them: each link's width is divided
 * among those that pass it, less to those whose ways are longer. A message's answers take a little
 * of the way back. */
#ifndef FIT_FLUID_H
#define FIT_FLUID_H

#include "fit_route.h"

/* The links between two nodes, as they are numbered here. */
typedef struct fit_way {
    size_t count;     /* of the way */
    size_t back;      /* of the way back */
    uint32_t links[]; /* [count + back] */
} fit_way;

/* A message on its way. */
typedef struct fit_flow {
    const fit_way *way;
    double rate;  /* of a link's */
    bool settled; /* scratch: has its rate */
} fit_flow;

/* The links that were met, by their keys. Start from {0}. */
typedef struct fit_fluid {
    uint64_t *keys; /* [capacity], an open table; 0: free */
    size_t *index;  /* [capacity] */
    double *widths; /* [links] */
    /* Scratch while rates are found: */
    double *left;   /* [links], of their widths */
    double *demand; /* [links], of flows without a rate, at level 1 */
    double *level;  /* [links], at which they are full */
    size_t *asking; /* [links], ways of such flows over it */
    size_t *asked;  /* [asked_count], links that are asked for */
    bool *full;     /* [links] */
    size_t asked_count;
    size_t capacity;
    size_t links;
} fit_fluid;

/* The way between two nodes, which are not the same; NULL where memory is short. Free it with
 * free(). */
fit_way *fit_fluid_way(fit_fluid *fluid, const fit_network_map *map, int from, int to);

/* Finds the rates of all flows together (shape [count]). */
void fit_fluid_rates(fit_fluid *fluid, fit_flow *const *flows, size_t count);

void fit_fluid_free(fit_fluid *fluid);

#endif
