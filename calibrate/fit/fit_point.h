/* What a time is fitted to. */
#ifndef FIT_POINT_H
#define FIT_POINT_H

/* One place that an operation was measured at, with its time. */
typedef struct fit_point {
    double p;
    double m;       /* B */
    double size;    /* B, what ranges go by: m, or m/p */
    double nodes;   /* that the processes are on */
    double p_node;  /* processes on the node of process 0 */
    double seconds; /* over the launches */
    double weight;  /* of its relative error, in the sum of their squares */
    double known;   /* s, part of it that is known already; the terms make up the rest */
    double message; /* s, of a message of m/p bytes; NAN where not known */
} fit_point;

#endif
