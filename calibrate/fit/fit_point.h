/* What a time is fitted to. */
#ifndef FIT_POINT_H
#define FIT_POINT_H

/* One place that an operation was measured at, with its time. */
typedef struct fit_point {
    double p;
    double m;       /* B, what ranges go by */
    double nodes;   /* that the processes are on */
    double p_node;  /* processes on the node of process 0 */
    double seconds; /* over the launches */
    double weight;  /* of its relative error, in the sum of their squares */
    double known;   /* s, part of it that is known already; the terms make up the rest */
} fit_point;

#endif
